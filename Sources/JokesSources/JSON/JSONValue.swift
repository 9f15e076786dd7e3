/// A value of a `JSONText`: the place where it begins. What it holds is read, and checked, when it is asked for.
struct JSONValue {
    enum Kind: Hashable {
        case null, bool, number, string, array, object
        /// A word that is none of JSON's, a number that is not written as JSON has it.
        case nonsense
    }

    private let bytes: [UInt8]
    private let start: Int

    init(_ bytes: [UInt8], at start: Int) {
        self.bytes = bytes
        self.start = start
    }

    /// O(length of a number or word).
    var kind: Kind {
        switch bytes[start] {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "{"): .object
        default: kind(ofWord: word)
        }
    }

    private var word: ArraySlice<UInt8> {
        bytes[start...].prefix(while: \.isInJSONWord)
    }

    private func kind(ofWord word: ArraySlice<UInt8>) -> Kind {
        if word.elementsEqual("null".utf8) { return .null }
        if word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) { return .bool }
        return word.isJSONNumber ? .number : .nonsense
    }

    var isNull: Bool { kind == .null }

    var bool: Bool? {
        kind == .bool ? bytes[start] == UInt8(ascii: "t") : nil
    }

    /// The number as it is written: no digit of it is lost.
    var number: String? {
        kind == .number ? String(decoding: word, as: UTF8.self) : nil
    }

    /// The string with its escapes undone; nil also where it is not UTF-8, or has a control character or a lone surrogate.
    var string: String? {
        guard kind == .string, let end = bytes.endOfJSONString(at: start) else { return nil }
        return unescaped(jsonString: bytes[(start + 1)..<(end - 1)])
    }

    // MARK: Inside

    /// Calls `body` with every element of a list, until it returns false. Does nothing if this is not a list. O(n).
    func forEachElement(_ body: (JSONValue) -> Bool) {
        var elements = Elements(of: self)
        while let element = elements.next() {
            guard body(element) else { return }
        }
    }

    /// The elements of a list, one after the other; none if the value is not a list.
    struct Elements: IteratorProtocol, Sendable {
        private let list: JSONValue
        /// The number of bytes from the beginning of the text to the next element.
        private(set) var offset: Int
        private(set) var isAtEnd: Bool

        init(of list: JSONValue) {
            self.list = list
            offset = list.start + 1
            isAtEnd = list.kind != .array
        }

        mutating func next() -> JSONValue? {
            guard !isAtEnd, let start = list.valueStart(from: offset) else {
                isAtEnd = true
                return nil
            }
            offset = list.endOfValue(at: start)
            return JSONValue(list.bytes, at: start)
        }
    }

    /// Calls `body` with the name, as it is written between its quotes, and the value of every member of an object, until
    /// it returns false. O(n).
    func forEachMember(_ body: (_ name: ArraySlice<UInt8>, _ value: JSONValue) -> Bool) {
        guard kind == .object else { return }
        var index = start + 1
        while let quote = valueStart(from: index) {
            let nameEnd = endOfValue(at: quote)
            guard let next = valueStart(from: nameEnd) else { return }
            guard body(bytes[(quote + 1)..<(nameEnd - 1)], JSONValue(bytes, at: next)) else { return }
            index = endOfValue(at: next)
        }
    }

    /// The next index that is neither space nor comma nor colon; nil at a closing bracket. The text's structure is checked
    /// already.
    private func valueStart(from index: Int) -> Int? {
        var index = index
        while bytes[index].isJSONSpace || bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: ":") {
            index += 1
        }
        return bytes[index] == UInt8(ascii: "]") || bytes[index] == UInt8(ascii: "}") ? nil : index
    }

    private func endOfValue(at start: Int) -> Int {
        var index = start
        var depth = 0
        repeat {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = bytes.endOfJSONString(at: index) ?? bytes.count
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                index += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                index += 1
            case let byte where byte.isInJSONWord:
                while index < bytes.count && bytes[index].isInJSONWord { index += 1 }
            default: index += 1
            }
        } while depth > 0
        return index
    }
}

extension ArraySlice<UInt8> {
    /// RFC 8259, 6.
    fileprivate var isJSONNumber: Bool {
        var rest = self
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
