/// A reference such as `&amp;`, `&#38;` or `&#x26;`, and the text that it stands for.
package struct CharacterReference: Equatable, Sendable {
    /// One scalar of a number; one or two of a name in HTML; empty for a control character.
    ///
    /// It is not longer in UTF-8 than the reference, except for `&nGt;` and `&nLt;`, which have one byte more.
    package let text: String
    /// The index after the reference.
    package let end: Int

    /// Reads the reference that begins with the `&` at `start`; nil if there is none.
    ///
    /// References are those of HTML. The semicolon may be missing after a number, and after the names that HTML lists for it.
    /// Such a name ends before other characters than letters, digits and `=`, so `AT&T` and `?a=1&copy=2` are text. Unknown
    /// names are text, too. O(length of the reference)
    package init?(in bytes: [UInt8], at start: Int) {
        if let (code, end) = Self.number(in: bytes, at: start) {
            let (scalar, end) = Self.scalar(of: code, before: end, in: bytes)
            (text, self.end) = (scalar.map { String($0) } ?? "", end)
            return
        }
        let name = bytes[start...].dropFirst().prefix(while: \.isASCIILetterOrDigit)
        if name.isEmpty { return nil }
        let named = NamedCharacters(name)
        switch name.endIndex < bytes.count ? bytes[name.endIndex] : nil {
        case UInt8(ascii: ";"):
            guard let named else { return nil }
            (text, end) = (named.text, name.endIndex + 1)
        case UInt8(ascii: "="): return nil
        default:
            if let named, named.mayLackSemicolon {
                (text, end) = (named.text, name.endIndex)
            } else if let escape = Self.escapes.first(where: { name.starts(with: $0.name.utf8) }) {
                (text, end) = (escape.text, name.startIndex + escape.name.utf8.count)
            } else {
                return nil
            }
        }
    }

    /// Programs that escape HTML write only these names. Without the semicolon, they also end before a letter: `R&ampD`.
    private static let escapes = [("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\"")].map { (name: $0, text: $1) }

    // MARK: Numbers

    /// Returns the number of the reference at an index, at most 0x110000, and the index after it.
    private static func number(in bytes: [UInt8], at start: Int) -> (code: UInt32, end: Int)? {
        guard bytes[start...].starts(with: "&#".utf8) else { return nil }
        var index = start + 2
        var radix: UInt32 = 10
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "x") {
            radix = 16
            index += 1
        }
        let firstDigit = index
        var code: UInt32 = 0
        while index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, digit < radix {
            code = min(code * radix + UInt32(digit), 0x11_0000)
            index += 1
        }
        if index == firstDigit { return nil }
        return (code, index < bytes.count && bytes[index] == UInt8(ascii: ";") ? index + 1 : index)
    }

    /// Returns the scalar of a number as in HTML, nil for a control character, and the index after the reference, which has
    /// two numbers if they are a surrogate pair.
    private static func scalar(of code: UInt32, before end: Int, in bytes: [UInt8]) -> (Unicode.Scalar?, end: Int) {
        switch code {
        // The normalizer needs Escape to remove a terminal sequence as a whole.
        case 0x09, 0x0A, 0x0C, 0x0D, 0x1B: return (Unicode.Scalar(code), end)
        case 0..<0x20, 0x7F: return (nil, end)
        case 0x80...0x9F:
            let scalar = windows1252Scalar(UInt8(code))
            return (scalar.value == code ? nil : scalar, end)
        case 0xD800..<0xDC00:
            guard let (low, pairEnd) = number(in: bytes, at: end), (0xDC00..<0xE000).contains(low) else { break }
            return (Unicode.Scalar(0x1_0000 + (code & 0x3FF) << 10 + low & 0x3FF), pairEnd)
        default: break
        }
        return (Unicode.Scalar(code) ?? "\u{FFFD}", end)
    }
}
