/// Writes any `Encodable` as JSON; what is nil is left out of objects.
///
/// The fields come in the order in which the type encodes them. It knows no strategies: dates and bytes are what their
/// types make of them.
struct JSONEncoding: Encoder {
    let writer: JSONWriter
    /// How many containers were open when this encoder's value began.
    let depth: Int
    /// Only for errors, so only its last part is known.
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The JSON text of the value.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot say (infinite, not a number), and what the value throws.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let writer = JSONWriter()
        try write(value, to: writer, at: 0, key: nil)
        return writer.finish()
    }

    /// Encodes the value where the writer stands; what encodes nothing is an empty object.
    static func write(_ value: some Encodable, to writer: JSONWriter, at depth: Int, key: (any CodingKey)?) throws {
        let before = writer.count
        switch value {
        // The commonest leaves, without an encoder and its containers.
        case let text as String: writer.write(text)
        case let number as Int: writer.write(number)
        case let flag as Bool: writer.write(flag)
        default:
            try value.encode(to: JSONEncoding(writer: writer, depth: depth, codingPath: key.map { [$0] } ?? []))
            if writer.count == before { writer.openObject() }
            writer.close(to: depth)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A second request adds to the same object, as types do that encode their parts into one.
        if writer.depth == depth { writer.openObject() }
        return KeyedEncodingContainer(KeyedJSON<Key>(writer: writer, depth: depth + 1, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if writer.depth == depth { writer.openArray() }
        return UnkeyedJSON(writer: writer, depth: depth + 1, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleJSON(writer: writer, depth: depth, codingPath: codingPath)
    }
}

private struct KeyedJSON<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let depth: Int
    let codingPath: [any CodingKey]

    private func start(_ key: any CodingKey) {
        writer.startMember(at: depth)
        writer.write(key: key.stringValue)
    }

    /// Absent says the same, and a null makes stock clients stumble.
    func encodeNil(forKey key: Key) {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        start(key)
        try JSONEncoding.write(value, to: writer, at: depth, key: key)
    }

    func encode(_ value: String, forKey key: Key) {
        start(key)
        writer.write(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        start(key)
        writer.write(value)
    }

    func encode(_ value: Bool, forKey key: Key) {
        start(key)
        writer.write(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        start(key)
        writer.openObject()
        return KeyedEncodingContainer(
            KeyedJSON<Nested>(writer: writer, depth: depth + 1, codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        start(key)
        writer.openArray()
        return UnkeyedJSON(writer: writer, depth: depth + 1, codingPath: codingPath + [key])
    }

    func superEncoder() -> any Encoder {
        writer.startMember(at: depth)
        writer.write(key: "super")
        return JSONEncoding(writer: writer, depth: depth, codingPath: codingPath)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        start(key)
        return JSONEncoding(writer: writer, depth: depth, codingPath: codingPath + [key])
    }
}

private struct UnkeyedJSON: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    let codingPath: [any CodingKey]
    private(set) var count = 0

    private mutating func start() {
        writer.startMember(at: depth)
        count += 1
    }

    mutating func encodeNil() {
        start()
        writer.writeNull()
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        start()
        try JSONEncoding.write(value, to: writer, at: depth, key: nil)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        start()
        writer.openObject()
        return KeyedEncodingContainer(KeyedJSON<Nested>(writer: writer, depth: depth + 1, codingPath: codingPath))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        start()
        writer.openArray()
        return UnkeyedJSON(writer: writer, depth: depth + 1, codingPath: codingPath)
    }

    mutating func superEncoder() -> any Encoder {
        start()
        return JSONEncoding(writer: writer, depth: depth, codingPath: codingPath)
    }
}

private struct SingleJSON: SingleValueEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    let codingPath: [any CodingKey]

    func encodeNil() { writer.writeNull() }
    func encode(_ value: Bool) { writer.write(value) }
    func encode(_ value: String) { writer.write(value) }
    func encode(_ value: Int) { writer.write(value) }
    func encode(_ value: Int8) { writer.write(value) }
    func encode(_ value: Int16) { writer.write(value) }
    func encode(_ value: Int32) { writer.write(value) }
    func encode(_ value: Int64) { writer.write(value) }
    func encode(_ value: UInt) { writer.write(value) }
    func encode(_ value: UInt8) { writer.write(value) }
    func encode(_ value: UInt16) { writer.write(value) }
    func encode(_ value: UInt32) { writer.write(value) }
    func encode(_ value: UInt64) { writer.write(value) }
    func encode(_ value: Double) throws { try write(value) }
    func encode(_ value: Float) throws { try write(value) }

    func encode<T: Encodable>(_ value: T) throws {
        try JSONEncoding.write(value, to: writer, at: depth, key: codingPath.last)
    }

    private func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number) throws {
        if writer.write(value) == nil {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no \(value)"))
        }
    }
}
