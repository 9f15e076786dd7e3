import JokesCore
import SQLite

extension JokeReader {
    /// A set of jokes whose IDs are completed.
    package enum KnownIDs: Hashable, Sendable {
        case shown
        case favorites
        /// Hidden jokes that are still stored.
        case hidden
    }

    /// Returns the IDs with the prefix in order, or common prefixes of them if they exceed the limit (`Beginnings`).
    ///
    /// O(limit · log n), plus excluded favorites; O(n) in hidden jokes, of which the first 10,000 are read.
    package func beginnings(
        ofIDs kind: KnownIDs, _ prefix: String, limit: Int
    ) throws(StoreError) -> [String] {
        try reading("list IDs") {
            let walk = Beginnings(limit: limit)
            guard kind != .hidden else {
                let ids = try hiddenIDs()
                return walk.words(beginningWith: prefix) { from, end, count in
                    let isBefore = { (word: String, bound: String) in
                        word.utf8.lexicographicallyPrecedes(bound.utf8)
                    }
                    return Array(ids.drop { isBefore($0, from) }.prefix(count).prefix { isBefore($0, end) })
                }
            }
            let statement = try connection.prepare(
                kind == .shown
                    ? """
                    SELECT j.id FROM jokes j WHERE j.id >= ? AND j.id < ?
                        AND EXISTS (SELECT 1 FROM groups WHERE shown = j.key) ORDER BY j.id LIMIT ?
                    """
                    : "SELECT id FROM favorites WHERE id >= ? AND id < ? AND +admitted = 1 ORDER BY id LIMIT ?")
            return try walk.words(beginningWith: prefix) { from, end, count in
                try statement.map(from, end, count) { row in try row.read(0) }
            }
        }
    }

    /// In order.
    private func hiddenIDs() throws -> [String] {
        try connection.prepare(
            """
            SELECT j.id FROM (SELECT fingerprint FROM hidden LIMIT 10000) h
                CROSS JOIN groups g ON substr(g.fingerprint, 1, 6) = substr(h.fingerprint, 1, 6)
                    AND g.fingerprint = h.fingerprint
                CROSS JOIN jokes j ON j.joke_group = g.key
            WHERE j.admitted = 1 ORDER BY j.id
            """
        ).map { row in try row.read(0) }
    }

    /// Returns the categories of shown jokes in order, without duplicates that differ by case. O(n) in shown jokes.
    package func categories(beginningWith prefix: String, limit: Int) throws(StoreError) -> [String] {
        try reading("list categories") {
            try connection.prepare(
                """
                SELECT DISTINCT name FROM shown_categories WHERE name >= ?1 AND name < ?2 ORDER BY name LIMIT ?3
                """
            ).map(prefix, Beginnings.end(of: prefix), limit) { row in try row.read(0) }
        }
    }

    /// Returns the languages of shown jokes in order, in lower case. O(n) in shown jokes.
    package func languages(beginningWith prefix: String, limit: Int) throws(StoreError) -> [String] {
        try reading("list languages") {
            try connection.prepare(
                """
                SELECT DISTINCT language FROM groups
                WHERE source IS NOT NULL AND language >= lower(?1) AND language < lower(?2)
                ORDER BY language LIMIT ?3
                """
            ).map(prefix, Beginnings.end(of: prefix), limit) { row in try row.read(0) }
        }
    }
}
