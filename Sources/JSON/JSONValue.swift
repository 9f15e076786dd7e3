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
    package var offset: Int { Int(document.nodes[node]) }

    /// The node after this value and everything in it.
    var next: Int { document.next(after: node) }

    /// The first node in a list or an object.
    var firstChild: Int { node + 2 }

    /// O(length of a number).
    package var kind: Kind {
        let bytes = document.bytes
        return switch bytes[offset] {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "{"): .object
        default: bytes.span.kindOfJSONWord(in: word)
        }
    }

    /// The extent of a number, `true`, `false` or `null`.
    private var word: Range<Int> {
        let bytes = document.bytes
        return offset..<bytes.span.endOfJSONWord(at: offset)
    }

    package var isNull: Bool { document.bytes[offset] == UInt8(ascii: "n") && kind == .null }

    package var bool: Bool? { kind == .bool ? document.bytes[offset] == UInt8(ascii: "t") : nil }

    /// The number as it is written, with all digits.
    package var number: String? {
        kind == .number ? String(decoding: document.bytes[word], as: UTF8.self) : nil
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
        let bytes = document.bytes
        guard bytes[offset] == UInt8(ascii: "\"") else { return nil }
        return bytes.span.jsonString(at: offset, allowsNull: document.strictness == .structure)
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
            case UInt8(ascii: "\""): end = bytes.span.endOfJSONString(at: end) ?? bytes.count
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                end += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                end += 1
            default: end = max(end + 1, bytes.span.endOfJSONWord(at: end))
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
        guard kind == .object else { return nil }
        return document.value(of: name, in: firstChild..<next).map { JSONValue(document, $0) }
    }
}

package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let list: JSONValue
    private var node: Int

    fileprivate init(of list: JSONValue, if kind: JSONValue.Kind = .array) {
        self.list = list
        node = list.kind == kind ? list.firstChild : list.next
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

extension Span<UInt8> {
    /// Returns the end of the number, `true`, `false` or `null` at the index, also if it is misspelled.
    func endOfJSONWord(at start: Int) -> Int {
        var index = start
        while index < count, self[index].isInJSONWord { index += 1 }
        return index
    }

    /// Returns the kind of a value that is not a string, a list or an object.
    func kindOfJSONWord(in word: Range<Int>) -> JSONValue.Kind {
        if isNumber(in: word) { return .number }
        if equals("null", in: word) { return .null }
        return equals("true", in: word) || equals("false", in: word) ? .bool : .invalid
    }

    private func equals(_ name: String, in word: Range<Int>) -> Bool {
        let name = name.utf8.span
        return name.count == word.count && name.indices.allSatisfy { self[word.lowerBound + $0] == name[$0] }
    }

    /// RFC 8259, 6.
    private func isNumber(in word: Range<Int>) -> Bool {
        let start = self[word.lowerBound] == UInt8(ascii: "-") ? word.lowerBound + 1 : word.lowerBound
        var end = endOfDigits(from: start)
        if end == start || self[start] == UInt8(ascii: "0") && end > start + 1 { return false }
        if end < word.upperBound, self[end] == UInt8(ascii: ".") {
            let fraction = end + 1
            end = endOfDigits(from: fraction)
            if end == fraction { return false }
        }
        if end < word.upperBound, self[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < word.upperBound, self[end] == UInt8(ascii: "+") || self[end] == UInt8(ascii: "-") { end += 1 }
            let exponent = end
            end = endOfDigits(from: exponent)
            if end == exponent { return false }
        }
        return end == word.upperBound
    }

    private func endOfDigits(from start: Int) -> Int {
        var index = start
        while index < count, 0x30...0x39 ~= self[index] { index += 1 }
        return index
    }
}

extension UInt8 {
    /// True if a number, `true`, `false` or `null` may have this character, even if it is misspelled.
    fileprivate var isInJSONWord: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
