/// Finds the values of a JSON text, without recursion: each open list or object has the number of the one around it.
struct JSONParser {
    private static let maxDepth = 128

    let bytes: [UInt8]
    let strictness: JSONDocument.Strictness
    private let maxValues: Int
    private(set) var nodes: [JSONDocument.Node] = []
    /// The next byte to read.
    private(set) var index = 0
    /// The innermost open list or object, whose `next` is the one around it until it is closed; -1 outside.
    private var open: Int32 = -1
    private var depth = 0

    /// Begins with the root value. A list or an object is only opened.
    init(_ bytes: [UInt8], _ strictness: JSONDocument.Strictness, maxValues: Int) throws(JSONError) {
        (self.bytes, self.strictness, self.maxValues) = (bytes, strictness, maxValues)
        guard bytes.count < Int(Int32.max) else { throw JSONError(offset: 0, reason: "the text is too long") }
        if strictness == .strict, let offset = bytes.firstInvalidUTF8 {
            throw JSONError(offset: offset, reason: "not UTF-8 text")
        }
        // Growing the list would take three times its memory for a moment.
        nodes.reserveCapacity(min(maxValues, bytes.count(where: \.precedesJSONValue) + 1))
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        skipSpace()
        try parseValue()
    }

    /// Continues up to an index or a little further. Returns whether the text has ended.
    mutating func parse(upTo limit: Int) throws(JSONError) -> Bool {
        while open >= 0 {
            if index >= limit && index < bytes.count { return false }
            try parseNext()
        }
        skipSpace()
        if index < bytes.count { throw error("unexpected text after the value") }
        return true
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(offset: index, reason: index < bytes.count ? reason : "unexpected end of the text")
    }

    /// The next byte; at the end 0, which is never valid.
    private var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipSpace() {
        while current.isJSONSpace { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    /// Parses one more element or member of the innermost list or object, or its closing bracket.
    private mutating func parseNext() throws(JSONError) {
        let isObject = bytes[Int(nodes[Int(open)].start)] == UInt8(ascii: "{")
        skipSpace()
        if take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return close() }
        let isEmpty = nodes.count == Int(open) + 1
        guard isEmpty || take(UInt8(ascii: ",")) else { throw error("expected ',' or the end") }
        skipSpace()
        if isObject {
            guard current == UInt8(ascii: "\"") else { throw error("expected a key") }
            try parseString()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
            skipSpace()
        }
        try parseValue()
    }

    private mutating func close() {
        let outer = nodes[Int(open)].next
        nodes[Int(open)].next = Int32(nodes.count)
        open = outer
        depth -= 1
    }

    private mutating func parseValue() throws(JSONError) {
        switch current {
        case UInt8(ascii: "\""): try parseString()
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            try addNode()
            nodes[nodes.count - 1].next = open
            open = Int32(nodes.count - 1)
            depth += 1
            if strictness == .strict && depth > Self.maxDepth { throw error("nested too deeply") }
            index += 1
        default:
            let word = bytes.jsonWord(at: index)
            if word.isEmpty || strictness == .strict && JSONValue.Kind(ofWord: word) == .invalid {
                throw error("expected a value")
            }
            try addNode()
            index = word.endIndex
        }
    }

    private mutating func parseString() throws(JSONError) {
        try addNode()
        if strictness == .strict {
            var text: [UInt8]?
            index = try bytes.readJSONString(at: index, into: &text, allowsNull: false)
        } else if let end = bytes.endOfJSONString(at: index) {
            index = end
        } else {
            index = bytes.count
            throw error("")
        }
    }

    private mutating func addNode() throws(JSONError) {
        if nodes.count == maxValues { throw JSONError(offset: index, reason: JSONError.tooManyValues) }
        nodes.append(JSONDocument.Node(start: Int32(index), next: Int32(nodes.count + 1)))
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }

    fileprivate var precedesJSONValue: Bool {
        self == UInt8(ascii: ",") || self == UInt8(ascii: ":") || self == UInt8(ascii: "[") || self == UInt8(ascii: "{")
    }

    /// Whether a number, `true`, `false` or `null` may have this character, even if it is misspelled.
    fileprivate var isInJSONWord: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}

extension [UInt8] {
    /// The number, `true`, `false` or `null` at the index, also if it is misspelled; empty if there is none.
    func jsonWord(at start: Int) -> ArraySlice<UInt8> {
        self[start...].prefix(while: \.isInJSONWord)
    }

    fileprivate var firstInvalidUTF8: Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
