import SQLite

extension JokeStore {
    /// Merges segments of the full-text index, of which each batch adds one: searches then look into fewer of them, and
    /// the words of what was removed leave the file.
    ///
    /// For when nothing is waited for: at the end of a sync, some steps at a time.
    ///
    /// A step writes some sixteen pages, in a transaction of its own. Returns whether there is more to do.
    package func tidyWords(steps: Int) throws(StoreError) -> Bool {
        try attempting("tidy up the words", on: path) {
            for _ in 0..<steps {
                let before = connection.totalChanges
                try connection.write(.relaxed) {
                    try connection.prepare("INSERT INTO shown_words (shown_words, rank) VALUES ('merge', 16)").run()
                }
                // The statement itself is one of the changes.
                if connection.totalChanges - before < 2 { return false }
            }
            return true
        }
    }
}
