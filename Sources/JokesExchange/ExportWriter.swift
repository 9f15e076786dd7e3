package import JokesCore

/// Writes favorites, then hidden marks, then jokes as text of one format; each kind newest first.
package protocol ExportWriter {
    /// Returns the text before the first record.
    mutating func begin() -> String
    /// Returns the text of a record; empty if the format cannot express it.
    mutating func text(of record: ExchangeRecord) throws -> String
    /// Returns the text after the last record.
    mutating func end() -> String
}

extension ExchangeRecord {
    /// The joke, and the favorite if it is one; nil for a hidden mark, which has no text.
    var jokeWithFavorite: (joke: Joke, favorite: Favorite?)? {
        switch self {
        case .favorite(let favorite):
            (
                Joke(id: favorite.id, content: favorite.content, isFavorite: true, firstSeen: favorite.firstSeen),
                favorite
            )
        case .joke(let joke): (joke, nil)
        case .hidden: nil
        }
    }
}

/// Writes a format for readers, without hidden marks. A joke that is a favorite is written once.
struct ReaderExport: ExportWriter {
    var writer: any ExportWriter
    var favorites: Set<Fingerprint> = []

    mutating func begin() -> String { writer.begin() }

    mutating func text(of record: ExchangeRecord) throws -> String {
        guard let (joke, favorite) = record.jokeWithFavorite else { return "" }
        let fingerprint = Fingerprint(of: joke.content.text)
        // `isFavorite` is not enough: the joke may have become a favorite after the favorites were read.
        if favorite == nil && favorites.contains(fingerprint) { return "" }
        if favorite != nil { favorites.insert(fingerprint) }
        return try writer.text(of: record)
    }

    mutating func end() -> String { writer.end() }
}
