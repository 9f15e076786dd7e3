import SQLite

/// What somebody searches for.
///
/// Words, each of which a joke must have; `"words in quotes"` must stand side by side; `-word` and `-"words"` must not
/// be in it. `word*` is the beginning of a word, and so is what the text ends with, since people search while they type:
/// a word, or a quotation without its end. Nothing else has a meaning but letters and digits: what is between them
/// separates, so that `it's` is `"it s"`.
struct SearchQuery {
    static let mostPhrases = 32

    /// Not empty.
    private(set) var wanted: [Phrase] = []
    private(set) var unwanted: [Phrase] = []

    /// Nil where nothing is wanted.
    init?(_ text: String, _ splitter: WordSplitter) throws {
        for piece in SearchPiece.pieces(of: text) {
            // Versions of SQLite do not agree on which other signs are words.
            guard piece.text.unicodeScalars.contains(where: \.isLetterOrDigit),
                let phrase = try Phrase(piece.text, isPrefix: piece.isPrefix, splitter)
            else { continue }
            if piece.isUnwanted { unwanted.append(phrase) } else if !wanted.contains(phrase) { wanted.append(phrase) }
        }
        if wanted.isEmpty { return nil }
    }

    /// How many words are wanted, those of phrases too.
    var wordCount: Int {
        wanted.reduce(0) { $0 + $1.wordCount }
    }
}

/// A word, or a quotation, as it was typed.
private struct SearchPiece {
    var text = ""
    var isUnwanted = false
    var isPrefix = false

    static func pieces(of query: String) -> [SearchPiece] {
        var pieces: [SearchPiece] = []
        // More than anybody types; the costs of a query grow with it.
        var rest = query.prefix(500).drop(while: \.isWhitespace)
        while !rest.isEmpty && pieces.count < SearchQuery.mostPhrases {
            var piece = SearchPiece()
            piece.isUnwanted = rest.first == "-"
            if piece.isUnwanted { rest = rest.dropFirst() }
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let end = rest.firstIndex { isQuoted ? $0 == "\"" : $0.isWhitespace || $0 == "\"" } ?? rest.endIndex
            piece.text = rest[..<end].withoutSigns
            let isLast = end == rest.endIndex && !piece.isUnwanted
            piece.isPrefix = isLast || (!isQuoted && piece.text.hasSuffix("*"))
            rest = end == rest.endIndex ? "" : isQuoted ? rest[rest.index(after: end)...] : rest[end...]
            if isQuoted && rest.first == "*" { piece.isPrefix = true }
            pieces.append(piece)
            rest = rest.drop(while: \.isWhitespace)
        }
        return pieces
    }
}

extension Substring {
    /// Without what would end a string of FTS5: a quotation mark may hide in a character, below an accent.
    fileprivate var withoutSigns: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\"" || $0 == "\0" ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        properties.isAlphabetic || properties.numericType != nil
    }
}
