/// The layout of JSON text.
package enum JSONLayout: Sendable {
    /// One line without spaces.
    case compact
    /// A line for each member and element, for people.
    case indented
}

/// Encodes any `Encodable` as JSON. A member that is nil is left out.
///
/// The members come in the order in which the type encodes them.
package struct JSONEncoding: Encoder {
    let writer: JSONWriter
    /// The number of containers that were open before this encoder's value.
    let depth: Int
    /// The last part of the path alone, for errors.
    package let codingPath: [any CodingKey]
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the JSON text of a value.
    ///
    /// - Throws: `EncodingError` for an infinite number and for NaN, and what the value throws.
    package static func encode(_ value: some Encodable, _ layout: JSONLayout = .compact) throws -> [UInt8] {
        let writer = JSONWriter(layout)
        try write(value, to: writer, at: 0, key: nil)
        return writer.finish()
    }

    /// Returns the JSON text of a value. Throws as `encode` does.
    package static func text(of value: some Encodable, _ layout: JSONLayout = .compact) throws -> String {
        String(decoding: try encode(value, layout), as: UTF8.self)
    }

    /// Writes a value at the end of the text; an empty object if the value encodes nothing.
    package static func write(_ value: some Encodable, to writer: JSONWriter, at depth: Int, key: (any CodingKey)?)
        throws
    {
        let before = writer.count
        switch value {
        // The most frequent leaves, without an encoder and its containers.
        case let text as String: writer.write(text)
        case let number as Int: writer.write(number)
        case let flag as Bool: writer.write(flag)
        default:
            try value.encode(to: JSONEncoding(writer: writer, depth: depth, codingPath: key.map { [$0] } ?? []))
            if writer.count == before { writer.openObject() }
            writer.close(to: depth)
        }
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A second request adds to the same object, as types do that encode their parts into one.
        if writer.depth == depth { writer.openObject() }
        return KeyedEncodingContainer(KeyedJSON<Key>(writer: writer, depth: depth + 1, codingPath: codingPath))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if writer.depth == depth { writer.openList() }
        return UnkeyedJSON(writer: writer, depth: depth + 1, codingPath: codingPath)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleJSON(writer: writer, depth: depth, codingPath: codingPath)
    }
}

private struct KeyedJSON<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let depth: Int
    let codingPath: [any CodingKey]

    private func start(_ key: any CodingKey) {
        writer.write(key: key.stringValue, at: depth)
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
        writer.openList()
        return UnkeyedJSON(writer: writer, depth: depth + 1, codingPath: codingPath + [key])
    }

    func superEncoder() -> any Encoder {
        writer.write(key: "super", at: depth)
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
        writer.openList()
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
        if !writer.write(value) {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no \(value)"))
        }
    }
}
