import SQLite

extension JokeStore {
    /// Merges segments of the full-text index, for faster searches and a smaller file.
    ///
    /// Each change of the shown jokes adds a segment. Call this at the end of a sync. A merge usually takes a few
    /// milliseconds, and rarely 0.1 s: if it has all words of 100,000 jokes (docs/decisions/0013).
    ///
    /// - Returns: False if there was nothing to merge.
    @discardableResult
    package func tidyWords() throws(StoreError) -> Bool {
        try attempting("optimize the search index", on: path) {
            let before = connection.totalChanges
            try connection.write {
                try connection.prepare("INSERT INTO shown_words (shown_words, rank) VALUES ('merge', ?)")
                    .run(Self.maxMergedPages)
            }
            // The statement itself is one of the changes.
            return connection.totalChanges - before >= 2
        }
    }

    /// More pages than any index has: a merge is never partial.
    private static let maxMergedPages = Int64(Int32.max)
}
