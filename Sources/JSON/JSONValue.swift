/// A value of a JSON text.
package struct JSONValue: Sendable {
    package enum Kind: Hashable, Sendable {
        case null, bool, number, string, array, object
        /// A word or a number that JSON does not have.
        case invalid
    }

    package let document: JSONDocument
    let node: Int

    init(_ document: JSONDocument, _ node: Int) {
        self.document = document
        self.node = node
    }

    /// The offset in bytes of the value in the text.
    package var offset: Int { Int(document.nodes[node].start) }

    /// The node after this value and everything in it.
    var next: Int { Int(document.nodes[node].next) }

    private var word: ArraySlice<UInt8> { document.bytes.jsonWord(at: offset) }

    /// O(length of a number).
    package var kind: Kind {
        switch document.bytes[offset] {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "{"): .object
        default: Kind(ofWord: word)
        }
    }

    package var isNull: Bool { kind == .null }

    package var bool: Bool? {
        kind == .bool ? document.bytes[offset] == UInt8(ascii: "t") : nil
    }

    /// The number with all its digits, as it is written.
    package var number: String? {
        kind == .number ? String(decoding: word, as: UTF8.self) : nil
    }

    /// The number if it is written as an integer and fits; nil for `1.0` and `1e3`.
    package func integer<Number: FixedWidthInteger>(as type: Number.Type = Number.self) -> Number? {
        // The initializer takes a plus sign, which is not JSON.
        number.flatMap { Number($0) }
    }

    /// The number rounded to a floating-point number; nil if it is too large to be finite.
    package var double: Double? {
        number.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The string without escapes; nil also if it is not valid.
    package var string: String? {
        guard document.bytes[offset] == UInt8(ascii: "\"") else { return nil }
        return document.bytes.jsonString(at: offset, allowsNull: document.strictness == .structure)
    }

    /// Whether the value is a string with this text, byte by byte.
    package func isString(_ text: String) -> Bool {
        let bytes = document.bytes
        var index = offset
        guard bytes[index] == UInt8(ascii: "\"") else { return false }
        for byte in text.utf8 {
            index += 1
            if bytes[index] == UInt8(ascii: "\\") { return string.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
            if bytes[index] != byte || byte == UInt8(ascii: "\"") { return false }
        }
        return bytes[index + 1] == UInt8(ascii: "\"")
    }

    /// The value as it is written. O(n)
    package var json: ArraySlice<UInt8> {
        let bytes = document.bytes
        var end = offset
        var depth = 0
        repeat {
            switch bytes[end] {
            case UInt8(ascii: "\""): end = bytes.endOfJSONString(at: end) ?? bytes.count
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                end += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                end += 1
            default: end = max(end + 1, bytes.jsonWord(at: end).endIndex)
            }
        } while depth > 0
        return bytes[offset..<end]
    }

    /// The elements of a list; none if this is not a list.
    package var elements: JSONElements {
        JSONElements(of: self)
    }

    /// The members of an object; none if this is not an object.
    package var members: JSONMembers {
        JSONMembers(of: self)
    }

    /// The first member with a name; nil if there is none. O(members)
    package func member(_ name: String) -> JSONValue? {
        members.first { $0.name.isString(name) }?.value
    }
}

/// The elements of a list, in their order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let list: JSONValue
    private var node: Int

    init(of list: JSONValue) {
        self.list = list
        node = list.kind == .array ? list.node + 1 : list.next
    }

    package var isAtEnd: Bool { node == list.next }

    /// The offset in bytes of the next element; that of the end of the text after the last one.
    package var offset: Int {
        isAtEnd ? list.document.bytes.count : JSONValue(list.document, node).offset
    }

    package mutating func next() -> JSONValue? {
        if isAtEnd { return nil }
        let element = JSONValue(list.document, node)
        node = element.next
        return element
    }
}

/// The members of an object, in their order. A name may occur twice.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let object: JSONValue
    private var node: Int

    init(of object: JSONValue) {
        self.object = object
        node = object.kind == .object ? object.node + 1 : object.next
    }

    package mutating func next() -> (name: JSONValue, value: JSONValue)? {
        if node == object.next { return nil }
        let name = JSONValue(object.document, node)
        let value = JSONValue(object.document, node + 1)
        node = value.next
        return (name, value)
    }
}

extension JSONValue.Kind {
    /// The kind of a value that is not a string, a list or an object.
    init(ofWord word: ArraySlice<UInt8>) {
        if word.elementsEqual("null".utf8) {
            self = .null
        } else if word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) {
            self = .bool
        } else {
            self = Self.isNumber(word) ? .number : .invalid
        }
    }

    /// RFC 8259, 6.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        func takeDigits() -> Bool {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return !digits.isEmpty
        }
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        if rest.first == UInt8(ascii: "0") {
            rest.removeFirst()
        } else if !takeDigits() {
            return false
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits() else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard takeDigits() else { return false }
        }
        return rest.isEmpty
    }
}
