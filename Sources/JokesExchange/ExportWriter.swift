package import JokesCore

/// Writes favorites, then hidden marks, then jokes as text of one format; each kind newest first.
package protocol ExportWriter {
    /// Returns the text before the first record.
    mutating func begin() -> String
    /// Returns the text of a record; empty if the format cannot express it.
    mutating func text(of keepsake: Keepsake) throws -> String
    /// Returns the text after the last record.
    mutating func end() -> String
}

extension ExchangeFormat {
    /// Returns a writer for one file, with all jokes or only with favorites and hidden marks.
    package func writer(holdsJokes: Bool) -> any ExportWriter {
        switch self {
        case .json: JSONExport(holdsJokes: holdsJokes)
        case .jsonfeed: JSONFeedExport(holdsJokes: holdsJokes)
        case .fortune: FortuneExport()
        }
    }
}
