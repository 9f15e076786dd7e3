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
    static let maxPatterns = 3

    /// The right operand of `MATCH`, which matches no joke if FTS5 finds no word in a wanted phrase.
    let expression: String
    /// Patterns of `LIKE` for the wanted terms that have symbols and no `OR` alternative. A joke must match all
    /// patterns.
    let patterns: [String]

    /// Parses a text; nil if it has no wanted word.
    init?(_ text: String) {
        // FTS5 would read the query only up to the first NUL.
        let scalars = text.prefix(Self.maxCharacters).unicodeScalars.map { $0 == "\0" ? " " : $0 }
        // A joke must have a term of each group.
        var groups: [[Term]] = []
        var unwanted: [String] = []
        var followsOr = false
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
        for (index, term) in terms.enumerated() {
            if term.isOr && !groups.isEmpty && (index + 1 < terms.count || !rest.isEmpty) {
                followsOr = true
                continue
            }
            guard let phrase = term.phrase else { continue }
            if term.isUnwanted {
                unwanted.append(phrase)
            } else if followsOr {
                groups[groups.count - 1].append(term)
            } else {
                groups.append([term])
            }
            followsOr = false
        }
        if groups.isEmpty { return nil }
        let all = groups.map { group in
            let phrases = group.compactMap(\.phrase)
            return phrases.count == 1 ? phrases[0] : "(\(phrases.joined(separator: " OR ")))"
        }.joined(separator: " AND ")
        expression = unwanted.isEmpty ? all : "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))"
        patterns = Array(groups.filter { $0.count == 1 }.compactMap(\.[0].pattern).prefix(Self.maxPatterns))
    }
}

/// A word or a quotation, as the user typed it.
private struct Term {
    let isUnwanted: Bool
    private var isPrefix: Bool
    private let isQuoted: Bool
    /// True if it is a quotation that ends with a quote.
    private let isClosed: Bool
    private let text: ArraySlice<Unicode.Scalar>

    /// Removes the first term and the space after it.
    init(removedFrom rest: inout ArraySlice<Unicode.Scalar>) {
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

    /// The term in quotes, in which FTS5 reads no operators; nil if the term has no token character.
    var phrase: String? {
        guard text.contains(where: \.isTokenCharacter) else { return nil }
        return "\"\(String(String.UnicodeScalarView(text)))\"" + (isPrefix ? "*" : "")
    }
}

extension Unicode.Scalar {
    /// True for symbols that belong to a word, unlike the punctuation of a sentence.
    fileprivate var isSymbol: Bool {
        switch properties.generalCategory {
        case .mathSymbol, .currencySymbol: true
        default: "#@%&".unicodeScalars.contains(self)
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
