/// Turns JSON text into the nodes of a document, in one pass and in the grammar of RFC 8259.
struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    private(set) var nodes: [JSONDocument.Node] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        nodes.reserveCapacity(bytes.count / 8 + 4)
    }

    mutating func parseText() throws(JSONDocument.Malformed) {
        guard bytes.count < Int(Int32.max) else { throw malformed("the text is too long") }
        try parseValue()
        skipSpace()
        if index < bytes.count { throw malformed("unexpected text after the value") }
    }

    private func malformed(_ reason: String) -> JSONDocument.Malformed {
        JSONDocument.Malformed(offset: index, reason: reason)
    }

    /// The byte at the index; 0, which no value starts or goes on with, at the end.
    private var current: UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func parseValue() throws(JSONDocument.Malformed) {
        skipSpace()
        switch current {
        case UInt8(ascii: "\""): try parseString()
        case UInt8(ascii: "{"): try parseObject()
        case UInt8(ascii: "["): try parseArray()
        case UInt8(ascii: "t"): try parseWord("true", .bool)
        case UInt8(ascii: "f"): try parseWord("false", .bool)
        case UInt8(ascii: "n"): try parseWord("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: try parseNumber()
        default: throw malformed(index < bytes.count ? "expected a value" : "unexpected end of the text")
        }
    }

    // MARK: Leaves

    private mutating func add(_ kind: JSONDocument.Kind, from start: Int, to end: Int, hasEscapes: Bool = false) {
        nodes.append(
            JSONDocument.Node(
                kind: kind, start: Int32(start), end: Int32(end), next: Int32(nodes.count + 1),
                count: hasEscapes ? 1 : 0))
    }

    private mutating func parseWord(_ word: StaticString, _ kind: JSONDocument.Kind) throws(JSONDocument.Malformed) {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { throw malformed("invalid value") }
            index += 1
        }
        add(kind, from: start, to: index)
    }

    private mutating func parseNumber() throws(JSONDocument.Malformed) {
        let start = index
        if current == UInt8(ascii: "-") { index += 1 }
        if current == UInt8(ascii: "0") { index += 1 } else { try skipDigits() }
        if current == UInt8(ascii: ".") {
            index += 1
            try skipDigits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try skipDigits()
        }
        add(.number, from: start, to: index)
    }

    private mutating func skipDigits() throws(JSONDocument.Malformed) {
        guard 0x30...0x39 ~= current else { throw malformed("expected a digit") }
        while 0x30...0x39 ~= current { index += 1 }
    }

    private mutating func parseString() throws(JSONDocument.Malformed) {
        index += 1
        let start = index
        var hasEscapes = false
        while true {
            switch current {
            case UInt8(ascii: "\""):
                add(.string, from: start, to: index, hasEscapes: hasEscapes)
                index += 1
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try parseEscape()
            case 0x20..<0x80: index += 1
            case 0x00..<0x20:
                throw malformed(index < bytes.count ? "unescaped control character" : "unterminated string")
            default: try skipMultibyte()
            }
        }
    }

    /// Steps over one character of two to four bytes, in the ranges of RFC 3629.
    private mutating func skipMultibyte() throws(JSONDocument.Malformed) {
        let (length, second): (Int, ClosedRange<UInt8>)
        switch bytes[index] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw malformed("not UTF-8 text")
        }
        guard index + length <= bytes.count, second ~= bytes[index + 1] else { throw malformed("not UTF-8 text") }
        for offset in 2..<max(2, length) where !(0x80...0xBF ~= bytes[index + offset]) {
            throw malformed("not UTF-8 text")
        }
        index += length
    }

    private mutating func parseEscape() throws(JSONDocument.Malformed) {
        index += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
        case UInt8(ascii: "u"):
            switch try parseCodeUnit() {
            case 0: throw malformed("U+0000 is not allowed")
            case 0xD800...0xDBFF:
                guard current == UInt8(ascii: "\\") else { throw malformed("lone surrogate") }
                index += 1
                guard current == UInt8(ascii: "u"), 0xDC00...0xDFFF ~= (try parseCodeUnit()) else {
                    throw malformed("lone surrogate")
                }
            case 0xDC00...0xDFFF: throw malformed("lone surrogate")
            default: break
            }
        default: throw malformed("unknown escape")
        }
    }

    /// The four digits after `\u`.
    private mutating func parseCodeUnit() throws(JSONDocument.Malformed) -> UInt16 {
        index += 1
        guard index + 4 <= bytes.count, let unit = JSONEscapes.codeUnit(bytes[index..<index + 4]) else {
            throw malformed("\\u needs four hexadecimal digits")
        }
        index += 4
        return unit
    }

    // MARK: Containers

    /// Adds a container's node, runs the body for each member up to the closing byte, and completes the node.
    private mutating func parseContainer(
        _ kind: JSONDocument.Kind, closing: UInt8,
        _ parseMember: (inout JSONParser) throws(JSONDocument.Malformed) -> Void
    ) throws(JSONDocument.Malformed) {
        let node = nodes.count
        add(kind, from: index, to: index)
        index += 1
        depth += 1
        guard depth <= JSONDocument.maximumDepth else { throw malformed("nested too deeply") }
        var count: Int32 = 0
        skipSpace()
        if current != closing {
            while true {
                try parseMember(&self)
                count += 1
                skipSpace()
                if current == closing { break }
                guard current == UInt8(ascii: ",") else { throw malformed("expected ',' or the end") }
                index += 1
            }
        }
        index += 1
        depth -= 1
        nodes[node].end = Int32(index)
        nodes[node].next = Int32(nodes.count)
        nodes[node].count = count
    }

    private mutating func parseArray() throws(JSONDocument.Malformed) {
        try parseContainer(.array, closing: UInt8(ascii: "]")) { (parser) throws(JSONDocument.Malformed) in
            try parser.parseValue()
        }
    }

    private mutating func parseObject() throws(JSONDocument.Malformed) {
        try parseContainer(.object, closing: UInt8(ascii: "}")) { (parser) throws(JSONDocument.Malformed) in
            parser.skipSpace()
            guard parser.current == UInt8(ascii: "\"") else { throw parser.malformed("expected a key") }
            try parser.parseString()
            parser.skipSpace()
            guard parser.current == UInt8(ascii: ":") else { throw parser.malformed("expected ':'") }
            parser.index += 1
            try parser.parseValue()
        }
    }
}
