/// A shell that can be told how to complete the commands of jokesctl.
enum Shell: String, CaseIterable, Hashable, Sendable {
    case bash
    case zsh
    case fish
}

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

    /// In single quotes, as bash and zsh read them.
    var quotedForShell: String {
        "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }
}
