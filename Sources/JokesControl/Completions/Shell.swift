/// A shell that has a completion script.
enum Shell: String, CaseIterable, Hashable, Sendable {
    case bash
    case zsh
    case fish
}

extension String {
    /// True if a suggested word is safe in a command line without quotes: it has only letters, digits and characters
    /// that no shell interprets within a word.
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

    /// In single quotes, as bash and zsh read them.
    var quotedForShell: String {
        "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }
}
