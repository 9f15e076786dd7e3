import SQLite

extension Cache {
    /// Makes favorites of so many jokes that are shown, the oldest first. No daemon may run.
    ///
    /// All at once: one by one each would be synced.
    package func star(_ count: Int) throws {
        let connection = try Connection(path: "\(folder)/jokes.sqlite", .init(access: .writing))
        let columns = "setup, punchline, language, categories, flags, safety, url, author, upstream_date"
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
