/// Reads any `Decodable` from a node of a document.
///
/// A null member counts as absent. Numbers are not rounded: a fraction or an exponent where an integer is due is a
/// type mismatch, and so is an integer that does not fit.
struct JSONDecoding: Decoder {
    let document: JSONDocument
    let node: Int

    /// Found when it is asked for, which only messages do.
    var codingPath: [any CodingKey] { document.path(to: node) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try KeyedNodes<Key>(document: document, node: node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ElementNodes(document: document, node: node)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleNode(document: document, node: node)
    }
}

extension JSONDocument {
    /// The value at the node.
    ///
    /// - Throws: `DecodingError`, and what the type throws.
    func decode<Value: Decodable>(_ type: Value.Type, at node: Int) throws -> Value {
        try Value(from: JSONDecoding(document: self, node: node))
    }

    /// The error for a value of another type; `words` is the type as messages name it.
    func mismatch(_ expected: Any.Type, _ words: String, at node: Int) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path(to: node), debugDescription: "expected \(words), found \(nodes[node].kind.words)")
        return DecodingError.typeMismatch(expected, context)
    }

    func decodeInteger<Number: FixedWidthInteger>(at node: Int) throws -> Number {
        guard let number: Number = integer(at: node) else { throw mismatch(Number.self, "a whole number", at: node) }
        return number
    }

    func decodeString(at node: Int) throws -> String {
        guard nodes[node].kind == .string else { throw mismatch(String.self, "text", at: node) }
        return string(at: node)
    }

    func decodeBool(at node: Int) throws -> Bool {
        guard let flag = bool(at: node) else { throw mismatch(Bool.self, "true or false", at: node) }
        return flag
    }

    func decodeDouble(at node: Int) throws -> Double {
        guard let number = double(at: node) else { throw mismatch(Double.self, "a number", at: node) }
        return number
    }
}

extension JSONDocument.Kind {
    /// The kind of value, as messages name it.
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

private struct KeyedNodes<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// Where the next look-up of a large object starts, so that reading a dictionary in order is linear.
    private final class Cursor {
        var key: Int
        init(_ key: Int) { self.key = key }
    }

    private let document: JSONDocument
    private let node: Int
    private let cursor: Cursor?

    init(document: JSONDocument, node: Int) throws {
        guard document.nodes[node].kind == .object else {
            throw document.mismatch([String: Any].self, "an object", at: node)
        }
        self.document = document
        self.node = node
        cursor = document.nodes[node].count > 32 ? Cursor(node + 1) : nil
    }

    var codingPath: [any CodingKey] { document.path(to: node) }

    var allKeys: [Key] {
        var keys: [Key] = []
        document.forEachMember(of: node) { key, _ in
            if let key = Key(stringValue: document.string(at: key)) { keys.append(key) }
            return true
        }
        return keys
    }

    /// The node of the key's value, also where it is null.
    private func find(_ name: String) -> Int? {
        let end = Int(document.nodes[node].next)
        let start = cursor?.key ?? node + 1
        return find(name, in: start..<end) ?? find(name, in: node + 1..<start)
    }

    private func find(_ name: String, in range: Range<Int>) -> Int? {
        var key = range.lowerBound
        while key < range.upperBound {
            let value = key + 1
            let next = Int(document.nodes[value].next)
            if document.string(at: key, equals: name) {
                cursor?.key = next
                return value
            }
            key = next
        }
        return nil
    }

    private func value(_ key: Key) -> Int? {
        guard let value = find(key.stringValue), document.nodes[value].kind != .null else { return nil }
        return value
    }

    private func required(_ key: Key) throws -> Int {
        if let value = value(key) { return value }
        throw DecodingError.keyNotFound(
            key, DecodingError.Context(codingPath: codingPath, debugDescription: "missing member '\(key.stringValue)'"))
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }
    func decodeNil(forKey key: Key) -> Bool { value(key) == nil }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.decodeBool(at: required(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.decodeString(at: required(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try document.decodeInteger(at: required(key)) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try document.decode(type, at: required(key))
    }

    // Without these the library's own ask three times for each.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try value(key).map { try document.decodeBool(at: $0) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try value(key).map { try document.decodeString(at: $0) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try value(key).map { try document.decodeInteger(at: $0) }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try value(key).map { try document.decode(type, at: $0) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try KeyedNodes<Nested>(document: document, node: required(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ElementNodes(document: document, node: required(key))
    }

    func superDecoder() throws -> any Decoder {
        guard let value = find("super") else { throw document.mismatch([String: Any].self, "an object", at: node) }
        return JSONDecoding(document: document, node: value)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        JSONDecoding(document: document, node: try required(key))
    }
}

private struct ElementNodes: UnkeyedDecodingContainer {
    private let document: JSONDocument
    private let node: Int
    private var element: Int
    private(set) var currentIndex = 0

    init(document: JSONDocument, node: Int) throws {
        guard document.nodes[node].kind == .array else { throw document.mismatch([Any].self, "a list", at: node) }
        self.document = document
        self.node = node
        element = node + 1
    }

    var codingPath: [any CodingKey] { document.path(to: node) }
    var count: Int? { Int(document.nodes[node].count) }
    var isAtEnd: Bool { currentIndex == Int(document.nodes[node].count) }

    /// Steps over the current element only once the body has taken it.
    private mutating func take<T>(_ body: (Int) throws -> T) throws -> T {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                T.self, DecodingError.Context(codingPath: codingPath, debugDescription: "the array has ended"))
        }
        let value = try body(element)
        element = Int(document.nodes[element].next)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, document.nodes[element].kind == .null else { return false }
        return try take { _ in true }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let document = document
        return try take { try document.decode(type, at: $0) }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        let document = document
        return try take { KeyedDecodingContainer(try KeyedNodes<Nested>(document: document, node: $0)) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let document = document
        return try take { try ElementNodes(document: document, node: $0) }
    }

    mutating func superDecoder() throws -> any Decoder {
        let document = document
        return try take { JSONDecoding(document: document, node: $0) }
    }
}

private struct SingleNode: SingleValueDecodingContainer {
    let document: JSONDocument
    let node: Int

    var codingPath: [any CodingKey] { document.path(to: node) }

    func decodeNil() -> Bool { document.nodes[node].kind == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try document.decodeBool(at: node) }
    func decode(_ type: String.Type) throws -> String { try document.decodeString(at: node) }
    func decode(_ type: Double.Type) throws -> Double { try document.decodeDouble(at: node) }
    func decode(_ type: Float.Type) throws -> Float { Float(try document.decodeDouble(at: node)) }
    func decode(_ type: Int.Type) throws -> Int { try document.decodeInteger(at: node) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.decodeInteger(at: node) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.decodeInteger(at: node) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.decodeInteger(at: node) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.decodeInteger(at: node) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.decodeInteger(at: node) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.decodeInteger(at: node) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.decodeInteger(at: node) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.decodeInteger(at: node) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.decodeInteger(at: node) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try document.decode(type, at: node) }
}
