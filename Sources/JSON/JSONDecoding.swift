extension JSONValue {
    /// Decodes the value.
    ///
    /// A member that is null counts as absent, except for a type that accepts null, such as the values of
    /// `[String: Int?]`. A number with a fraction or an exponent is not an integer.
    ///
    /// - Throws: `JSONError`, also in place of an error that the type itself throws.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(JSONError) -> Value {
        do {
            return try Value(from: JSONDecoding(value: self, root: node))
        } catch {
            throw explain(error)
        }
    }

    /// Returns an error with its position in the text, and in words.
    private func explain(_ error: any Error) -> JSONError {
        var reason = "\(error)"
        var path: [any CodingKey] = []
        switch error {
        case let error as JSONError: return error
        case DecodingError.keyNotFound(let key, let context): (reason, path) = ("missing", context.codingPath + [key])
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            (reason, path) = (context.debugDescription, context.codingPath)
            if reason.last == "." { reason.removeLast() }
        default: break
        }
        let keys = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        return JSONError(
            offset: value(at: path).offset, path: String(keys.joined().drop { $0 == "." }), reason: reason)
    }

    /// Returns the value that the keys lead to, or the last one on the way.
    private func value(at path: [any CodingKey]) -> JSONValue {
        path.reduce(self) { value, key in
            value.member(key.stringValue) ?? key.intValue.flatMap { value.element(at: $0) } ?? value
        }
    }

    /// Returns the keys and positions that lead to a value in this one. Only errors need them.
    fileprivate func path(to target: JSONValue) -> [any CodingKey] {
        var path: [JSONKey] = []
        var value = self
        while value.node != target.node {
            if let member = value.members.first(where: { target.node < $0.value.next }) {
                path.append(JSONKey(member.name.string ?? ""))
                value = member.value
            } else if let (index, element) = value.elements.enumerated().first(where: { target.node < $1.next }) {
                path.append(JSONKey(index: index))
                value = element
            } else {
                break
            }
        }
        return path
    }
}

/// The name of a member or the position of an element.
private struct JSONKey: CodingKey {
    let stringValue: String
    var intValue: Int?

    init(_ name: String) { stringValue = name }
    init(index: Int) { (stringValue, intValue) = ("\(index)", index) }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}

/// Decodes any `Decodable` from a value. Paths of errors begin at the root, the value that `decode` was called for.
private struct JSONDecoding: Decoder {
    let value: JSONValue
    let root: Int

    var codingPath: [any CodingKey] { JSONValue(value.document, root).path(to: value) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try MemberDecoding<Key>(object: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ElementDecoding(list: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Returns the decoder of a value in this one.
    func at(_ value: JSONValue) -> JSONDecoding { JSONDecoding(value: value, root: root) }

    /// Returns the error for a value of another type than expected.
    func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        let description = "expected \(expected), found \(value.kind.words)"
        return .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: description))
    }
}

extension JSONDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let bool = value.bool else { throw mismatch(type, "true or false") }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard let string = value.string else { throw mismatch(type, "text") }
        return string
    }

    func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type
    ) throws -> Number {
        guard let number = value.number.flatMap({ Number($0) }), number.isFinite else {
            throw mismatch(type, value.kind == .number ? "a smaller number" : "a number")
        }
        return number
    }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        guard let number = value.integer(as: type) else { throw mismatch(type, "a whole number") }
        return number
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }
}

extension JSONValue.Kind {
    /// The kind as messages name it.
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        case .invalid: "an invalid value"
        }
    }
}

private struct MemberDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The node at which the next search in a large object begins, so that a dictionary is read in linear time.
    private final class Cursor {
        var name: Int
        init(_ name: Int) { self.name = name }
    }

    private let object: JSONDecoding
    private let cursor: Cursor?

    init(object: JSONDecoding) throws {
        guard object.value.kind == .object else { throw object.mismatch([String: Any].self, "an object") }
        self.object = object
        let first = object.value.firstChild
        cursor = object.value.next - first > 64 ? Cursor(first) : nil
    }

    var codingPath: [any CodingKey] { object.codingPath }

    var allKeys: [Key] {
        object.value.members.compactMap { $0.name.string.flatMap(Key.init(stringValue:)) }
    }

    /// Returns the value of a member, also if it is null.
    private func find(_ name: String) -> JSONValue? {
        let first = object.value.firstChild
        let start = cursor?.name ?? first
        return find(name, in: start..<object.value.next) ?? find(name, in: first..<start)
    }

    private func find(_ name: String, in nodes: Range<Int>) -> JSONValue? {
        guard let node = object.value.document.value(of: name, in: nodes) else { return nil }
        let value = JSONValue(object.value.document, node)
        cursor?.name = value.next
        return value
    }

    private func member(_ key: Key) -> JSONDecoding? {
        guard let value = find(key.stringValue), !value.isNull else { return nil }
        return object.at(value)
    }

    private func required(_ key: Key) throws -> JSONDecoding {
        if let value = find(key.stringValue) { return object.at(value) }
        throw DecodingError.keyNotFound(
            key, DecodingError.Context(codingPath: codingPath, debugDescription: "missing member '\(key.stringValue)'"))
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }
    func decodeNil(forKey key: Key) -> Bool { member(key) == nil }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(key).decode(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try required(key).decode(type) }

    // The default implementations search the object three times for each member.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try member(key)?.decode(type) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try member(key)?.decode(type) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try member(key)?.decode(type) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try member(key)?.decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try required(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try required(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let value = find("super"), !value.isNull else {
            throw DecodingError.keyNotFound(
                JSONKey("super"),
                DecodingError.Context(codingPath: codingPath, debugDescription: "missing member 'super'"))
        }
        return object.at(value)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try required(key) }
}

private struct ElementDecoding: UnkeyedDecodingContainer {
    private let list: JSONDecoding
    private var rest: JSONElements
    private(set) var currentIndex = 0

    init(list: JSONDecoding) throws {
        guard list.value.kind == .array else { throw list.mismatch([Any].self, "a list") }
        self.list = list
        rest = list.value.elements
    }

    var codingPath: [any CodingKey] { list.codingPath }
    /// O(n)
    var count: Int? { list.value.elements.reduce(0) { count, _ in count + 1 } }
    var isAtEnd: Bool { rest.isAtEnd }

    /// Decodes the next element. Skips it only if the body does not throw.
    private mutating func take<T>(_ body: (JSONDecoding) throws -> T) throws -> T {
        var after = rest
        guard let element = after.next() else {
            throw DecodingError.valueNotFound(
                T.self, DecodingError.Context(codingPath: codingPath, debugDescription: "the list has ended"))
        }
        let value = try body(list.at(element))
        (rest, currentIndex) = (after, currentIndex + 1)
        return value
    }

    mutating func decodeNil() throws -> Bool {
        var after = rest
        return after.next()?.isNull == true ? try take { _ in true } : false
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take { try $0.decode(type) } }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}
