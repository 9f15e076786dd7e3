/// Input bytes as numbers, followed by zeros.
final class ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns a number from 0 to `limit - 1`.
    func int(below limit: Int) -> Int {
        Int(rest.popFirst() ?? 0) % limit
    }

    /// Returns a position or an identifier: usually a small number, and rarely an extreme one.
    func anyInt() -> Int {
        let byte = int(below: 256)
        let far = [Int.min, -1, 4_711, .max - 1, .max]
        return byte < 250 ? byte % 50 : far[byte % far.count]
    }
}

/// Decodes any value from any bytes: a number, a text or a list. So every byte has an effect, and decoded values are
/// rarely refused before they reach the code under test.
struct ByteDecoder: Decoder {
    let source: ByteSource
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        Unkeyed(decoder: self, rest: source.isAtEnd ? 0 : source.int(below: 5))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        Single(decoder: self)
    }

    fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let number: Any? =
            switch type {
            case is Int.Type: source.anyInt()
            case is String.Type: "\(source.anyInt())"
            case is Bool.Type: source.int(below: 2) == 1
            default: nil
            }
        return try number as? Value ?? Value(from: self)
    }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ByteDecoder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder.value(type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: ByteDecoder
    var rest: Int
    let codingPath: [any CodingKey] = []
    let count: Int? = nil
    var isAtEnd: Bool { rest == 0 }
    let currentIndex = 0

    func decodeNil() -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        rest -= 1
        return try decoder.value(type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }
}

private struct Single: SingleValueDecodingContainer {
    let decoder: ByteDecoder
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}
