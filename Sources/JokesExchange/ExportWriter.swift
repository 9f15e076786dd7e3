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

/// Writes a format for readers, without hidden marks. A joke that is a favorite is written once.
struct ReaderExport: ExportWriter {
    var writer: any ExportWriter
    var favorites: Set<Fingerprint> = []

    mutating func begin() -> String { writer.begin() }

    mutating func text(of record: ExchangeRecord) throws -> String {
        switch record {
        case .favorite(let favorite): favorites.insert(Fingerprint(of: favorite.content.text))
        // `isFavorite` is not enough: the joke may have become a favorite after the favorites were read.
        case .joke(let joke) where favorites.contains(Fingerprint(of: joke.content.text)): return ""
        case .joke: break
        case .hidden: return ""
        }
        return try writer.text(of: record)
    }

    mutating func end() -> String { writer.end() }
}
