extension Unicode.Scalar {
    /// True if it is part of a word: a letter, a digit or a mark.
    var isInWord: Bool {
        switch value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case 0..<0x80: return false
        default: break
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .spacingMark, .nonspacingMark, .enclosingMark:
            return !isHidden
        default: return false
        }
    }

    /// The text without case, by way of the uppercase, so that `ß` equals `SS` and `ς` equals `Σ`.
    var caseFolded: String {
        switch value {
        case 0x41...0x5A: String(Unicode.Scalar(UInt8(value) + 0x20))
        case 0..<0x80: String(self)
        default: properties.uppercaseMapping.lowercased()
        }
    }
}

extension UInt8 {
    package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}

/// Returns the text in Unicode's composed form (NFC). O(n), without a copy if the text already has this form.
func canonicalForm(_ text: String) -> String {
    var bytes = text.utf8Span
    if bytes.isKnownASCII || bytes.checkForNFC(quickCheck: true) { return text }
    // The standard library has this for Foundation. There is no documented function for it, also not in FoundationEssentials.
    return String(decoding: text._nfcCodeUnits, as: UTF8.self)
}

extension String {
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    package var nonEmpty: String? { isEmpty ? nil : self }
}
