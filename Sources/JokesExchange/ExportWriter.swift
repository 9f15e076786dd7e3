package import JokesCore

/// A format that can be exported and imported (docs/export.md).
package enum ExchangeFormat: String, Sendable, CaseIterable {
    /// The format of jokesd, which keeps everything.
    case json
    /// JSON Feed 1.1, for feed readers.
    case jsonfeed
    /// A file of fortune(6): only the texts.
    case fortune

    /// Returns a writer for one file, with all jokes or only with favorites and hidden marks.
    package func writer(holdsJokes: Bool) -> any ExportWriter {
        switch self {
        case .json: JSONExport(holdsJokes: holdsJokes)
        case .jsonfeed: JSONFeedExport(holdsJokes: holdsJokes)
        case .fortune: FortuneExport()
        }
    }
}

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
