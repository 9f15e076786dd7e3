/// The layout of JSON text.
package enum JSONLayout: Sendable {
    /// One line without spaces.
    case compact
    /// A line for each member and element, for people.
    case indented
}

/// Encodes any `Encodable` as JSON. A member that is nil is left out. Members are in the order in which the type encodes
/// them.
package struct JSONEncoding: Encoder {
    let writer: JSONWriter
    /// The number of containers that were open before this encoder's value.
    let depth: Int
    /// The last part of the path alone, for errors.
    package let codingPath: [any CodingKey]
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the JSON text of a value.
    ///
    /// - Throws: `EncodingError` for an infinite number and for NaN, and the errors of the value.
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
    package static func write(
        _ value: some Encodable, to writer: JSONWriter, at depth: Int, key: (any CodingKey)?
    ) throws {
        let before = writer.count
        switch value {
        // The most frequent values, without an encoder and its containers.
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
        // A second request adds to the same object, because some types encode their parts into one.
        if writer.depth == depth { writer.openObject() }
        return KeyedEncodingContainer(MemberEncoding<Key>(writer: writer, depth: depth + 1, codingPath: codingPath))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if writer.depth == depth { writer.openList() }
        return ElementEncoding(writer: writer, depth: depth + 1, codingPath: codingPath)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONEncoding: SingleValueEncodingContainer {
    package func encodeNil() { writer.writeNull() }
    package func encode(_ value: Bool) { writer.write(value) }
    package func encode(_ value: String) { writer.write(value) }
    package func encode(_ value: Double) throws { try write(value) }
    package func encode(_ value: Float) throws { try write(value) }
    package func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { writer.write(value) }

    package func encode<T: Encodable>(_ value: T) throws {
        try Self.write(value, to: writer, at: depth, key: codingPath.last)
    }

    private func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number) throws {
        guard !writer.write(value) else { return }
        throw EncodingError.invalidValue(
            value, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no \(value)"))
    }
}

private struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let depth: Int
    let codingPath: [any CodingKey]

    /// Writes nothing: an absent member has the same meaning, and some Varlink clients do not expect null.
    func encodeNil(forKey key: Key) {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        writer.write(key: key.stringValue, at: depth)
        try JSONEncoding.write(value, to: writer, at: depth, key: key)
    }

    private func encoder(for key: Key) -> JSONEncoding {
        writer.write(key: key.stringValue, at: depth)
        return JSONEncoding(writer: writer, depth: depth, codingPath: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        writer.write(key: "super", at: depth)
        return JSONEncoding(writer: writer, depth: depth, codingPath: codingPath)
    }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }
}

private struct ElementEncoding: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    let codingPath: [any CodingKey]
    private(set) var count = 0

    /// Returns an encoder for the next element.
    private mutating func next() -> JSONEncoding {
        writer.startMember(at: depth)
        count += 1
        return JSONEncoding(writer: writer, depth: depth, codingPath: codingPath)
    }

    mutating func encodeNil() { next().encodeNil() }
    mutating func encode<T: Encodable>(_ value: T) throws { try next().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }
}
