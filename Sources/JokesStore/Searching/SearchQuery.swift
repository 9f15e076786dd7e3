/// The text that a user searches for, as a query of FTS5.
///
/// A joke must have all words of the text, and no word that has a `-` before it. `one OR two` matches either word.
/// Words in quotes must be next to each other. `word*` is a prefix. A wanted word at the end of the text is also a
/// prefix, because the user may still be typing; a space after the word completes the word. The last wanted word before
/// a final `-word`, and the last word of an unclosed quotation, are prefixes even before a space. A word that ends with
/// a symbol stays complete. Other characters between letters and digits make a phrase: `it's` means `"it s"`.
///
/// The symbols of a word, as in `c++`, must be in the joke too, unless the word has an `OR` alternative. Symbols are
/// math and currency symbols, `#`, `@`, `%` and `&`.
struct SearchQuery {
    /// The maximum number of characters. Later characters are ignored.
    private static let maxCharacters = 500
    /// The maximum number of words and quotations. Later words and quotations are ignored.
    private static let maxTerms = 32
    /// The maximum number of patterns. Symbols of more terms are ignored.
    private static let maxPatterns = 3

    /// The right operand of `MATCH`, which matches no joke if FTS5 finds no word in a wanted phrase.
    let expression: String
    /// Patterns of `LIKE` for the wanted terms that have symbols and no `OR` alternative. A joke must match all
    /// patterns.
    let patterns: [String]

    /// Parses a text up to its first NUL, at which FTS5 would also end; nil if it has no wanted word.
    init?(_ text: String) {
        let scalars = text.prefix(Self.maxCharacters).unicodeScalars.prefix { $0 != "\0" }
        var rest = scalars.drop(while: \.properties.isWhitespace)
        var terms: [Term] = []
        while terms.count < Self.maxTerms, !rest.isEmpty { terms.append(Term(removedFrom: &rest)) }
        // Adding `-word` after a word that is being typed must only remove jokes, so the last wanted word is a prefix
        // there too.
        if let last = terms.lastIndex(where: { !$0.isUnwanted && !$0.isOr }),
            terms[last...].contains(where: \.isUnwanted)
        {
            terms[last].mayContinue()
        }
        var (wanted, unwanted) = ("", "")
        var patterns: [String] = []
        // The pattern of the last wanted term; nil if the term has an alternative or no symbol.
        var lastPattern: String?
        var followsOr = false
        for (index, term) in terms.enumerated() {
            if term.isOr && !wanted.isEmpty && (index + 1 < terms.count || !rest.isEmpty) {
                followsOr = true
                continue
            }
            guard term.hasTokenCharacter else { continue }
            if term.isUnwanted {
                unwanted += (unwanted.isEmpty ? "" : " OR ") + term.phrase
            } else if followsOr {
                wanted += " OR " + term.phrase
                lastPattern = nil
            } else {
                wanted += (wanted.isEmpty ? "" : ") AND (") + term.phrase
                if let lastPattern { patterns.append(lastPattern) }
                lastPattern = term.pattern
            }
            followsOr = false
        }
        if wanted.isEmpty { return nil }
        expression = unwanted.isEmpty ? "(\(wanted))" : "((\(wanted))) NOT (\(unwanted))"
        if let lastPattern { patterns.append(lastPattern) }
        self.patterns = Array(patterns.prefix(Self.maxPatterns))
    }
}

/// A word or a quotation, as the user typed it.
private struct Term {
    let isUnwanted: Bool
    private var isPrefix: Bool
    private let isQuoted: Bool
    /// True if it is a quotation that ends with a quote.
    private let isClosed: Bool
    private let text: Substring.UnicodeScalarView

    /// Removes the first term and the space after it.
    init(removedFrom rest: inout Substring.UnicodeScalarView) {
        isUnwanted = rest.first == "-"
        if isUnwanted { rest.removeFirst() }
        let isQuoted = rest.first == "\""
        self.isQuoted = isQuoted
        if isQuoted { rest.removeFirst() }
        text = rest.prefix { isQuoted ? $0 != "\"" : $0 != "\"" && !$0.properties.isWhitespace }
        rest = rest[text.endIndex...]
        let endsText = rest.isEmpty
        isClosed = isQuoted && !endsText
        if isQuoted { rest = rest.dropFirst() }
        isPrefix = (isQuoted ? rest.first : text.last) == "*"
        if isQuoted && rest.first == "*" { rest.removeFirst() }
        rest = rest.drop(while: \.properties.isWhitespace)
        if endsText { mayContinue() }
    }

    /// Makes a wanted term a prefix, because the user may still be typing it. A closed quotation and a word that ends
    /// with a symbol stay complete.
    mutating func mayContinue() {
        if !isUnwanted && !isClosed && text.last?.isSymbol != true { isPrefix = true }
    }

    var isOr: Bool { !isQuoted && !isUnwanted && text.elementsEqual("OR".unicodeScalars) }

    /// The term with its symbols, as a pattern of `LIKE`; nil if it has no symbol or has several words.
    var pattern: String? {
        guard text.contains(where: \.isSymbol), !text.contains(where: \.properties.isWhitespace) else { return nil }
        let term = text.last == "*" ? text.dropLast() : text
        let escaped = term.flatMap { ["%", "_", "\\"].contains($0) ? ["\\", $0] : [$0] }
        return "%\(String(String.UnicodeScalarView(escaped)))%"
    }

    /// True if the tokenizer may find a word in the term.
    var hasTokenCharacter: Bool { text.contains(where: \.isTokenCharacter) }

    /// The term in quotes, in which FTS5 reads no operators.
    var phrase: String { "\"\(Substring(text))\"" + (isPrefix ? "*" : "") }
}

extension Unicode.Scalar {
    /// True for symbols that belong to a word, unlike the punctuation of a sentence.
    fileprivate var isSymbol: Bool {
        switch properties.generalCategory {
        case .mathSymbol, .currencySymbol: true
        case .otherPunctuation: "#@%&".unicodeScalars.contains(self)
        default: false
        }
    }

    /// True if the tokenizer `unicode61` treats the category of the character as token characters: L*, N* or Co.
    ///
    /// The tokenizer also treats symbols that were added after Unicode 6.1 as token characters. This property does not.
    fileprivate var isTokenCharacter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}
