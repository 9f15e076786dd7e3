package import JokesCore

/// Writes keepsakes as text of one format, piece by piece.
///
/// Favorites come first, then what is hidden, then jokes; each kind the newest first. Equal keepsakes give equal text.
package protocol ExportWriter {
    /// What stands before the first keepsake.
    mutating func begin() -> String
    /// What a keepsake is; empty where the format has no words for it.
    mutating func text(of keepsake: Keepsake) throws -> String
    /// What stands behind the last.
    mutating func end() -> String
}

extension ExchangeFormat {
    /// What writes the format.
    ///
    /// - Parameter holdsJokes: whether it is to hold jokes, and not favorites alone.
    /// - Returns: A writer for one file.
    package func writer(holdsJokes: Bool) -> any ExportWriter {
        switch self {
        case .json: JSONExport(holdsJokes: holdsJokes)
        case .jsonfeed: JSONFeedExport(holdsJokes: holdsJokes)
        case .fortune: FortuneExport()
        }
    }
}
