/// Finds the values of a JSON text, without recursion: each open list or object has the number of the one around it.
struct JSONParser {
    private static let maxDepth = 128

    let strictness: JSONDocument.Strictness
    private let maxValues: Int
    private var values = 0
    private(set) var nodes: [Int32] = []
    /// The next byte to read.
    private(set) var index = 0
    /// The innermost open list or object, followed by the one around it until it is closed; -1 outside.
    private var open = -1
    private var depth = 0

    /// Begins with the root value. A list or an object is only opened.
    init(_ text: Span<UInt8>, _ strictness: JSONDocument.Strictness, maxValues: Int) throws(JSONError) {
        (self.strictness, self.maxValues) = (strictness, maxValues)
        guard text.count < Int(Int32.max) else { throw JSONError(offset: 0, reason: "the text is too long") }
        if strictness == .strict { try text.checkUTF8() }
        // Few texts have more values. Unused memory at the end of a large list is never touched.
        nodes.reserveCapacity(text.count / 8 + 4)
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { index = 3 }
        skipSpace(text)
        try parseValue(text)
    }

    /// Continues up to an index or a little further. Returns whether the text has ended.
    mutating func parse(_ text: Span<UInt8>, upTo limit: Int) throws(JSONError) -> Bool {
        while open >= 0 {
            if index >= limit && index < text.count { return false }
            try parseNext(text)
        }
        skipSpace(text)
        if index < text.count { throw error(text, "unexpected text after the value") }
        return true
    }

    private func error(_ text: Span<UInt8>, _ reason: String) -> JSONError {
        JSONError(offset: index, reason: index < text.count ? reason : "unexpected end of the text")
    }

    /// Returns the next byte; at the end 0, which is never valid.
    private func current(_ text: Span<UInt8>) -> UInt8 { index < text.count ? text[index] : 0 }

    private mutating func skipSpace(_ text: Span<UInt8>) {
        while current(text).isJSONSpace { index += 1 }
    }

    private mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard current(text) == byte else { return false }
        index += 1
        return true
    }

    /// Parses one more element or member of the innermost list or object, or its closing bracket.
    private mutating func parseNext(_ text: Span<UInt8>) throws(JSONError) {
        let isObject = text[Int(nodes[open])] == UInt8(ascii: "{")
        skipSpace(text)
        if take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), text) { return close() }
        let isEmpty = nodes.count == open + 2
        guard isEmpty || take(UInt8(ascii: ","), text) else { throw error(text, "expected ',' or the end") }
        skipSpace(text)
        if isObject {
            guard current(text) == UInt8(ascii: "\"") else { throw error(text, "expected a key") }
            try parseString(text)
            skipSpace(text)
            guard take(UInt8(ascii: ":"), text) else { throw error(text, "expected ':'") }
            skipSpace(text)
        }
        try parseValue(text)
    }

    private mutating func close() {
        let outer = Int(nodes[open + 1])
        nodes[open + 1] = Int32(nodes.count)
        open = outer
        depth -= 1
    }

    private mutating func parseValue(_ text: Span<UInt8>) throws(JSONError) {
        switch current(text) {
        case UInt8(ascii: "\""): try parseString(text)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            try addNode()
            nodes.append(Int32(open))
            open = nodes.count - 2
            depth += 1
            if strictness == .strict && depth > Self.maxDepth { throw error(text, "nested too deeply") }
            index += 1
        default:
            let end = text.endOfJSONWord(at: index)
            if end == index || strictness == .strict && text.kindOfJSONWord(in: index..<end) == .invalid {
                throw error(text, "expected a value")
            }
            try addNode()
            index = end
        }
    }

    private mutating func parseString(_ text: Span<UInt8>) throws(JSONError) {
        try addNode()
        if strictness == .strict {
            index = try text.endOfValidJSONString(at: index)
        } else if let end = text.endOfJSONString(at: index) {
            index = end
        } else {
            index = text.count
            throw error(text, "")
        }
    }

    private mutating func addNode() throws(JSONError) {
        if values == maxValues { throw JSONError(offset: index, reason: JSONError.tooManyValues) }
        values += 1
        nodes.append(Int32(index))
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}

extension Span<UInt8> {
    fileprivate func checkUTF8() throws(JSONError) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: self)
        } catch {
            throw JSONError(offset: error.byteOffsets.lowerBound, reason: "not UTF-8 text")
        }
    }
}
