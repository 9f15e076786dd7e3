/// One character written as `&amp;`, `&#38;` or `&#x26;`.
package struct CharacterReference: Equatable, Sendable {
    package let scalar: Unicode.Scalar
    /// The index behind the semicolon.
    package let end: Int

    /// Returns the reference that begins with the `&` at `start`; nil if there is none.
    ///
    /// Numbers count as in HTML: 128 to 159 are those of windows-1252, and what is no character at all is U+FFFD. The
    /// semicolon is required: `AT&T`, `&copy` and names that nobody knows are text. O(length of the reference).
    package init?(in bytes: [UInt8], at start: Int) {
        let first = start + 1
        guard first < bytes.count else { return nil }
        if bytes[first] == UInt8(ascii: "#") {
            self.init(numberIn: bytes, from: first + 1)
        } else {
            self.init(nameIn: bytes, from: first)
        }
    }

    private init?(nameIn bytes: [UInt8], from start: Int) {
        let window = bytes[start..<min(bytes.count, start + longestCharacterReferenceName + 1)]
        guard let end = window.firstIndex(where: { !$0.isASCIILetterOrDigit }), bytes[end] == UInt8(ascii: ";"),
            let scalar = htmlScalar(named: String(decoding: bytes[start..<end], as: UTF8.self))
        else { return nil }
        self.scalar = scalar
        self.end = end + 1
    }

    private init?(numberIn bytes: [UInt8], from start: Int) {
        var index = start
        var radix: UInt32 = 10
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "x") {
            radix = 16
            index += 1
        }
        let firstDigit = index
        var number: UInt32 = 0
        while index < bytes.count, let digit = bytes[index].digit(radix: radix) {
            // Beyond all characters it stays there, however many digits follow.
            number = min(number * radix + digit, 0x11_0000)
            index += 1
        }
        guard index > firstDigit, index < bytes.count, bytes[index] == UInt8(ascii: ";") else { return nil }
        scalar = Self.scalar(numbered: number)
        end = index + 1
    }

    private static func scalar(numbered number: UInt32) -> Unicode.Scalar {
        let code = (0x80...0x9F).contains(number) ? UInt32(windows1252[Int(number) - 0x80]) : number
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }
}

/// The characters of the bytes 128 to 159 in windows-1252, as the WHATWG's Encoding Standard has them: the five without a
/// character are C1 controls.
private let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E,
    0x178,
]

extension UInt8 {
    fileprivate func digit(radix: UInt32) -> UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where radix == 16: UInt32(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where radix == 16: UInt32(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
