import SQLite

extension JokeStore {
    /// Merges segments of the full-text index, of which each change of what is shown adds one: searches then look into
    /// fewer of them, and the words of what was removed leave the file.
    ///
    /// For when nothing is waited for: at the end of a sync.
    ///
    /// Some at a time, each merge whole (docs/decisions/0013): a tenth of a second where that comes to all of 100,000
    /// jokes, which it does after the index has grown by a good part of itself, and else a few milliseconds.
    ///
    /// - Returns: Whether anything was merged.
    @discardableResult
    package func tidyWords() throws(StoreError) -> Bool {
        try attempting("optimize the search index", on: path) {
            let before = connection.totalChanges
            try connection.write {
                try connection.prepare("INSERT INTO shown_words (shown_words, rank) VALUES ('merge', ?)")
                    .run(Self.pagesOfAnyIndex)
            }
            // The statement itself is one of the changes.
            return connection.totalChanges - before >= 2
        }
    }

    /// A merge stops behind so many: never.
    private static let pagesOfAnyIndex = Int64(Int32.max)
}
