extension String {
    /// Whether a word that others chose may be offered for a command line: letters, digits, and marks that mean nothing to
    /// any shell inside a word. It begins with a letter or a digit, so that it is neither an option nor expanded.
    ///
    /// Shells quote what they complete, each in its way; a word that needs it is not worth the risk.
    var isPlainWord: Bool {
        let isLetter = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .otherLetter, .decimalNumber: true
            default: false
            }
        }
        guard let first = unicodeScalars.first, isLetter(first) else { return false }
        return unicodeScalars.allSatisfy { isLetter($0) || "._~:@%+,/=-".unicodeScalars.contains($0) }
    }
}
