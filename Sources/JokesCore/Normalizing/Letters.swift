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
