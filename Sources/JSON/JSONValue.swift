/// A value of a JSON text.
package struct JSONValue: Sendable {
    package enum Kind: Hashable, Sendable {
        case null, bool, number, string, array, object
        /// A word or a number that JSON does not have.
        case invalid
    }

    package let document: JSONDocument
    let node: Int

    init(_ document: JSONDocument, _ node: Int) { (self.document, self.node) = (document, node) }

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

    package var isNull: Bool { document.bytes[offset] == UInt8(ascii: "n") && kind == .null }

    package var bool: Bool? { kind == .bool ? document.bytes[offset] == UInt8(ascii: "t") : nil }

    /// The number as it is written, with all digits.
    package var number: String? {
        let word = word
        return Kind(ofWord: word) == .number ? String(decoding: word, as: UTF8.self) : nil
    }

    /// The number if it is written as an integer and fits; nil for `1.0` and `1e3`.
    package func integer<Number: FixedWidthInteger>(as type: Number.Type = Number.self) -> Number? {
        number.flatMap { Number($0) }
    }

    /// The number rounded to a floating-point number; nil if it is too large to be finite.
    package var double: Double? {
        number.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The string without escapes; also nil if it is not valid.
    package var string: String? {
        guard document.bytes[offset] == UInt8(ascii: "\"") else { return nil }
        return document.bytes.jsonString(at: offset, allowsNull: document.strictness == .structure)
    }

    /// Returns whether the value is a string with this text, byte by byte.
    package func isString(_ text: String) -> Bool { document.isString(node, text.utf8.span) }

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

    /// The elements of a list, in their order; none if this is not a list.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The members of an object, in their order; none if this is not an object. A name may occur twice.
    package var members: JSONMembers { JSONMembers(of: self) }

    /// Returns an element of a list; nil if the list is shorter. O(elements)
    func element(at index: Int) -> JSONValue? { elements.dropFirst(index).first { _ in true } }

    /// Returns the first member with a name; nil if there is none. O(members)
    package func member(_ name: String) -> JSONValue? {
        members.first { $0.name.isString(name) }?.value
    }
}

package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let list: JSONValue
    private var node: Int

    fileprivate init(of list: JSONValue, if kind: JSONValue.Kind = .array) {
        self.list = list
        node = list.kind == kind ? list.node + 1 : list.next
    }

    package var isAtEnd: Bool { node == list.next }

    /// The offset in bytes of the next element, or of the end of the text after the last one.
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

package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    /// Names and values in turn.
    private var nodes: JSONElements

    fileprivate init(of object: JSONValue) { nodes = JSONElements(of: object, if: .object) }

    package mutating func next() -> (name: JSONValue, value: JSONValue)? {
        guard let name = nodes.next(), let value = nodes.next() else { return nil }
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
        func take(_ byte: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
            guard let first = rest.first, first == UInt8(ascii: byte) || first == other.map(UInt8.init(ascii:)) else {
                return false
            }
            rest.removeFirst()
            return true
        }
        _ = take("-")
        guard take("0") || takeDigits() else { return false }
        if take(".") && !takeDigits() { return false }
        if take("e", or: "E") {
            _ = take("+", or: "-")
            if !takeDigits() { return false }
        }
        return rest.isEmpty
    }
}
