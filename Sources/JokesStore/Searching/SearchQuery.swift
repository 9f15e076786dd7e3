/// The text that a user searches for, as a query of FTS5.
///
/// A joke must have all words of the text, and no word that has a `-` before it. Words in quotes must be next to each
/// other. `word*` is a prefix. The last word, also of an unclosed quotation, is a prefix, because the user may still be
/// typing. Other characters between letters and digits make a phrase: `it's` means `"it s"`.
struct SearchQuery {
    /// The maximum number of characters. Later ones are ignored.
    private static let maxCharacters = 500
    /// The maximum number of words and quotations. Later ones are ignored.
    private static let maxTerms = 32

    /// The right operand of `MATCH`. It matches no joke if FTS5 finds no word in a wanted phrase.
    let expression: String

    /// Parses a text; nil if it has no wanted word.
    init?(_ text: String) {
        // FTS5 would read the query only up to the first NUL.
        let scalars = text.prefix(Self.maxCharacters).unicodeScalars.map { $0 == "\0" ? " " : $0 }
        var wanted: [String] = []
        var unwanted: [String] = []
        var rest = scalars.drop(while: \.properties.isWhitespace)
        for _ in 0..<Self.maxTerms where !rest.isEmpty {
            let term = Term(removedFrom: &rest)
            guard let phrase = term.phrase else { continue }
            if term.isUnwanted { unwanted.append(phrase) } else { wanted.append(phrase) }
        }
        if wanted.isEmpty { return nil }
        let all = wanted.joined(separator: " AND ")
        expression = unwanted.isEmpty ? all : "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))"
    }
}

/// A word or a quotation, as the user typed it.
private struct Term {
    let isUnwanted: Bool
    private let isPrefix: Bool
    private let text: ArraySlice<Unicode.Scalar>

    /// Removes the first term and the space after it.
    init(removedFrom rest: inout ArraySlice<Unicode.Scalar>) {
        isUnwanted = rest.first == "-"
        if isUnwanted { rest.removeFirst() }
        let isQuoted = rest.first == "\""
        if isQuoted { rest.removeFirst() }
        text = rest.prefix { isQuoted ? $0 != "\"" : $0 != "\"" && !$0.properties.isWhitespace }
        rest = rest[text.endIndex...]
        let isLast = rest.isEmpty && !isUnwanted
        if isQuoted { rest = rest.dropFirst() }
        isPrefix = isLast || (isQuoted ? rest.first : text.last) == "*"
        rest = rest.drop(while: \.properties.isWhitespace)
    }

    /// The term as a quoted string of FTS5, which has no operators; nil if the term has no letter or digit.
    var phrase: String? {
        guard text.contains(where: \.isLetterOrDigit) else { return nil }
        return "\"\(String(String.UnicodeScalarView(text)))\"" + (isPrefix ? "*" : "")
    }
}

extension Unicode.Scalar {
    /// True if the tokenizer `unicode61` treats the character as part of a word, by its category.
    ///
    /// Unlike this property, the tokenizer also makes words of symbols that are newer than Unicode 6.1.
    fileprivate var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
