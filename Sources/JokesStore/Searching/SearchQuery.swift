import JokesCore

/// The text that a user searches for, as a query of FTS5.
///
/// A joke must have all words of the text, and no word that has a `-` before it. `one OR two` matches either word.
/// Words in quotes must be next to each other. `word*` is a prefix. A wanted word at the end of the text is also a
/// prefix, because the user may still be typing; a space after the word completes the word. The last wanted word before
/// a final `-word`, and the last word of an unclosed quotation, are prefixes even before a space. A term of several
/// `SearchWords` is a phrase, such as `c++`.
struct SearchQuery {
    /// The maximum number of characters. Later characters are ignored.
    private static let maxCharacters = 500
    /// The maximum number of words and quotations. Later words and quotations are ignored.
    private static let maxTerms = 32

    /// The right operand of `MATCH`.
    let expression: String

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
        var followsOr = false
        for (index, term) in terms.enumerated() {
            if term.isOr && !wanted.isEmpty && (index + 1 < terms.count || !rest.isEmpty) {
                followsOr = true
                continue
            }
            // A phrase without words would match no joke.
            guard SearchWords.isAny(in: Substring(term.text)) else { continue }
            if term.isUnwanted {
                unwanted += (unwanted.isEmpty ? "" : " OR ") + term.phrase
            } else if followsOr {
                wanted += " OR " + term.phrase
            } else {
                wanted += (wanted.isEmpty ? "" : ") AND (") + term.phrase
            }
            followsOr = false
        }
        if wanted.isEmpty { return nil }
        expression = unwanted.isEmpty ? "(\(wanted))" : "((\(wanted))) NOT (\(unwanted))"
    }
}

/// A word or a quotation, as the user typed it.
private struct Term {
    let isUnwanted: Bool
    private var isPrefix: Bool
    private let isQuoted: Bool
    /// True if it is a quotation that ends with a quote.
    private let isClosed: Bool
    let text: Substring.UnicodeScalarView

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

    /// Makes a wanted term a prefix, because the user may still be typing it. A closed quotation stays complete.
    mutating func mayContinue() {
        if !isUnwanted && !isClosed { isPrefix = true }
    }

    var isOr: Bool { !isQuoted && !isUnwanted && text.elementsEqual("OR".unicodeScalars) }

    /// The term in quotes, in which FTS5 reads no operators.
    var phrase: String { "\"\(Substring(text))\"" + (isPrefix ? "*" : "") }
}
