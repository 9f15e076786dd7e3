import SQLite

extension Cache {
    /// Adds favorites for this number of shown jokes, the oldest first. No daemon may run.
    ///
    /// All of them are added at once, because single changes would be synced one by one.
    package func star(_ count: Int) throws {
        let connection = try Connection(path: "\(folder)/jokes.sqlite", access: .writing)
        let columns = """
            setup, punchline, language, categories, flags, safety, url, author, date, stated_language, stated_safety
            """
        try connection.write {
            try connection.prepare(
                """
                INSERT OR IGNORE INTO favorites (fingerprint, id, favorited_at, first_seen, \(columns))
                SELECT (SELECT fingerprint FROM groups WHERE key = joke_group), id, first_seen, first_seen, \(columns)
                FROM jokes ORDER BY key LIMIT ?
                """
            ).run(count)
        }
    }
}
