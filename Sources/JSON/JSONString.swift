extension Span<UInt8> {
    /// Returns the index after the string whose opening quote is at `start`; nil if the string is not closed. Does not
    /// check the string.
    func endOfJSONString(at start: Int) -> Int? {
        var index = start + 1
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    /// Returns the string whose opening quote is at `start`, without escapes; nil if it is not valid.
    func jsonString(at start: Int, allowsNull: Bool) -> String? {
        let end = endOfPlainText(from: start + 1)
        if end < count, self[end] == UInt8(ascii: "\"") {
            guard let utf8 = try? UTF8Span(validating: extracting(start + 1..<end)) else { return nil }
            return String(copying: utf8)
        }
        var text: [UInt8]? = []
        guard (try? readJSONString(at: start, into: &text, allowsNull: allowsNull)) != nil else { return nil }
        return text.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the index after the string whose opening quote is at `start`. Does not check its UTF-8.
    func endOfValidJSONString(at start: Int) throws(JSONError) -> Int {
        let end = endOfPlainText(from: start + 1)
        if end < count, self[end] == UInt8(ascii: "\"") { return end + 1 }
        var text: [UInt8]?
        return try readJSONString(at: start, into: &text, allowsNull: false)
    }

    /// Checks the string whose opening quote is at `start`, but not its UTF-8. Appends it to `text` if that is not nil.
    /// Returns the index after the closing quote.
    private func readJSONString(at start: Int, into text: inout [UInt8]?, allowsNull: Bool) throws(JSONError) -> Int {
        var index = start + 1
        while index < count {
            let end = endOfPlainText(from: index)
            extracting(index..<end).withUnsafeBufferPointer { text?.append(contentsOf: $0) }
            index = end
            if index == count { break }
            switch self[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"):
                let scalar = try readEscape(at: &index)
                if scalar == "\0" && !allowsNull { throw JSONError(offset: end, reason: "U+0000 is not allowed") }
                text?.append(contentsOf: Character(scalar).utf8)
            default: throw JSONError(offset: index, reason: "unescaped control character")
            }
        }
        throw JSONError(offset: count, reason: "unterminated string")
    }

    /// Returns the first index from `start` on with a quote, a backslash or a control character, or the end.
    private func endOfPlainText(from start: Int) -> Int {
        var index = start
        while index < count, self[index] >= 0x20, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") {
            index += 1
        }
        return index
    }

    private func readEscape(at index: inout Int) throws(JSONError) -> Unicode.Scalar {
        let start = index
        let letter = index + 1 < count ? self[index + 1] : 0
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw JSONError(offset: start, reason: "unknown escape")
        }
        let first = try readCodeUnit(at: &index)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let hasSecond = index + 1 < count && self[index] == UInt8(ascii: "\\") && self[index + 1] == UInt8(ascii: "u")
        index += 2
        guard UTF16.isLeadSurrogate(first), hasSecond, case let second = try readCodeUnit(at: &index),
            UTF16.isTrailSurrogate(second)
        else { throw JSONError(offset: start, reason: "lone surrogate") }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// Reads the four digits of `\u`.
    private func readCodeUnit(at index: inout Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for position in Swift.min(index, count)..<Swift.min(index + 4, count) {
            let digit = self[position]
            switch digit {
            case 0x30...0x39: unit = unit << 4 | UInt16(digit - 0x30)
            case 0x41...0x46: unit = unit << 4 | UInt16(digit - 0x37)
            case 0x61...0x66: unit = unit << 4 | UInt16(digit - 0x57)
            default: throw JSONError(offset: index, reason: "\\u needs four hexadecimal digits")
            }
        }
        index += 4
        if index > count { throw JSONError(offset: count, reason: "\\u needs four hexadecimal digits") }
        return unit
    }
}
