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
    let output: SharedJSONWriter
    /// The number of containers that were open before this encoder's value.
    let depth: Int
    /// The last part of the path alone, for errors.
    package let codingPath: [any CodingKey]
    package var userInfo: [CodingUserInfoKey: Any] { output.userInfo }

    /// Returns the JSON text of a value.
    ///
    /// - Throws: `EncodingError` for an infinite number and for NaN, and the errors of the value.
    package static func encode(
        _ value: some Encodable, _ layout: JSONLayout = .compact, userInfo: [CodingUserInfoKey: Bool] = [:]
    ) throws -> [UInt8] {
        let output = SharedJSONWriter(layout, userInfo: userInfo)
        try write(value, to: output, at: 0, key: nil)
        return output.writer.finish()
    }

    /// Returns the JSON text of a value. Throws as `encode` does.
    package static func text(
        of value: some Encodable, _ layout: JSONLayout = .compact, userInfo: [CodingUserInfoKey: Bool] = [:]
    ) throws -> String {
        String(decoding: try encode(value, layout, userInfo: userInfo), as: UTF8.self)
    }

    /// Writes a value at the end of the text; an empty object if the value encodes nothing.
    package static func write(
        _ value: some Encodable, to output: SharedJSONWriter, at depth: Int, key: (any CodingKey)?
    ) throws {
        let before = output.writer.count
        try value.encode(to: JSONEncoding(output: output, depth: depth, codingPath: key.map { [$0] } ?? []))
        if output.writer.count == before { output.writer.openObject() }
        output.writer.close(to: depth)
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A second request adds to the same object, because some types encode their parts into one.
        if output.writer.depth == depth { output.writer.openObject() }
        return KeyedEncodingContainer(MemberEncoding<Key>(output: output, depth: depth + 1, codingPath: codingPath))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if output.writer.depth == depth { output.writer.openList() }
        return ElementEncoding(output: output, depth: depth + 1, codingPath: codingPath)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONEncoding: SingleValueEncodingContainer {
    package func encodeNil() { output.writer.writeNull() }
    package func encode(_ value: Bool) { output.writer.write(value) }
    package func encode(_ value: String) { output.writer.write(value) }
    package func encode(_ value: Double) throws { try write(value) }
    package func encode(_ value: Float) throws { try write(value) }
    package func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { output.writer.write(value) }

    package func encode<T: Encodable>(_ value: T) throws {
        try Self.write(value, to: output, at: depth, key: codingPath.last)
    }

    private func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number) throws {
        guard !output.writer.write(value) else { return }
        throw EncodingError.invalidValue(
            value, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no \(value)"))
    }
}

private struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: SharedJSONWriter
    let depth: Int
    let codingPath: [any CodingKey]

    /// Writes nothing: an absent member has the same meaning, and some Varlink clients do not expect null.
    func encodeNil(forKey key: Key) {}

    // Most values are written without an encoder.
    func encode(_ value: Bool, forKey key: Key) {
        output.writer.write(key: key.stringValue, at: depth)
        output.writer.write(value)
    }

    func encode(_ value: String, forKey key: Key) {
        output.writer.write(key: key.stringValue, at: depth)
        output.writer.write(value)
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) {
        output.writer.write(key: key.stringValue, at: depth)
        output.writer.write(value)
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        output.writer.write(key: key.stringValue, at: depth)
        try JSONEncoding.write(value, to: output, at: depth, key: key)
    }

    private func encoder(for key: Key) -> JSONEncoding {
        output.writer.write(key: key.stringValue, at: depth)
        return JSONEncoding(output: output, depth: depth, codingPath: codingPath + [key])
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
        output.writer.write(key: "super", at: depth)
        return JSONEncoding(output: output, depth: depth, codingPath: codingPath)
    }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }
}

private struct ElementEncoding: UnkeyedEncodingContainer {
    let output: SharedJSONWriter
    let depth: Int
    let codingPath: [any CodingKey]
    private(set) var count = 0

    /// Returns an encoder for the next element.
    private mutating func next() -> JSONEncoding {
        output.writer.startMember(at: depth)
        count += 1
        return JSONEncoding(output: output, depth: depth, codingPath: codingPath)
    }

    mutating func encodeNil() { next().encodeNil() }
    mutating func encode(_ value: Bool) { next().encode(value) }
    mutating func encode(_ value: String) { next().encode(value) }
    mutating func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { next().encode(value) }
    mutating func encode<T: Encodable>(_ value: T) throws { try next().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }
}
