extension Unicode.Scalar {
    /// Whether it is part of a word: a letter, a digit, or a mark on one.
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
        default:
            return false
        }
    }

    /// Alike for letters that differ only in case: by way of the capital, so that `ß` meets `SS` and `ς` meets `Σ`.
    var caseFolded: String {
        switch value {
        case 0x41...0x5A: String(Unicode.Scalar(UInt8(value) + 0x20))
        case 0..<0x80: String(self)
        default: properties.uppercaseMapping.lowercased()
        }
    }
}

extension UInt8 {
    package var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    package var isASCIIDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    package var isASCIILetterOrDigit: Bool {
        isASCIILetter || isASCIIDigit
    }
}

/// The text in Unicode's composed form (NFC): one spelling for all that are canonically equivalent.
///
/// O(n), without a copy if the text has the form already
func canonicalForm(_ text: String) -> String {
    var bytes = text.utf8Span
    if bytes.isKnownASCII || bytes.checkForNFC(quickCheck: true) { return text }
    // The standard library's own door to it, public for Foundation's sake. The check above is in the language's
    // documented surface, the making is not yet; FoundationEssentials does not offer it either.
    return String(decoding: text._nfcCodeUnits, as: UTF8.self)
}
