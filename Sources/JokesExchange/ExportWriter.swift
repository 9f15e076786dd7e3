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

/// The favorites that were written to a file, so that none is written again as a joke.
///
/// `isFavorite` of a joke is not enough: the joke may have become a favorite after the favorites were read.
struct WrittenFavorites {
    private var fingerprints: Set<Fingerprint> = []

    mutating func insert(_ favorite: Favorite) { fingerprints.insert(Fingerprint(of: favorite.content.text)) }

    func contains(_ joke: Joke) -> Bool { fingerprints.contains(Fingerprint(of: joke.content.text)) }
}
