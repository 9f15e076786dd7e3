package import JokesCore
import SQLite

extension JokeReader {
    /// A page of the jokes that are shown and that have all words of the query, best first, of equals the newest; the
    /// last word may be the beginning of one.
    ///
    /// Case and diacritics do not count. Nothing in a query has a meaning but its words; without a word in it nothing
    /// is found. O(m) in the jokes that have the words, and a little for each. The next page begins behind the joke
    /// that this one ends with, wherever that stands by then: how well jokes fit depends a little on which there are.
    package func search(
        _ query: String, after cursor: PageCursor? = nil, limit: Int
    ) throws(StoreError) -> Page<Joke> {
        guard let match = matchExpression(query) else { return Page() }
        return try reading("search the jokes") {
            let start = try cursor.map { try place($0, match) }
            let found = try connection.prepare(
                """
                WITH
                    ranked AS MATERIALIZED (
                        SELECT rowid AS key, rank AS fit FROM shown_words WHERE shown_words MATCH ?1),
                    page AS MATERIALIZED (
                        SELECT key, fit FROM ranked
                        WHERE ?2 IS NULL OR fit > ?2 OR (fit = ?2 AND key < ?3)
                        ORDER BY fit, key DESC LIMIT ?4)
                SELECT \(Joke.columns), page.key, page.fit
                FROM page CROSS JOIN jokes j ON j.key = page.key CROSS JOIN groups g ON g.key = j.joke_group
                ORDER BY page.fit, page.key DESC
                """
            ).map(match, start?.rank, start?.key, limit + 1) { row in
                let place = PageCursor(
                    key: try row.read(Joke.columnCount), rank: try row.read(Joke.columnCount + 1))
                return (place, try Joke(row: row))
            }
            let total = try connection.prepare("SELECT count(*) FROM shown_words WHERE shown_words MATCH ?")
                .first(match) { row in try row.read(0, as: Int.self) }
            return Page(found, limit: limit, total: total ?? 0)
        }
    }

    /// Where a joke stands now; where it stood, if it is no longer found.
    private func place(_ cursor: PageCursor, _ match: String) throws -> PageCursor {
        let rank = try connection.prepare("SELECT rank FROM shown_words WHERE shown_words MATCH ? AND rowid = ?")
            .first(match, cursor.key) { row in try row.read(0, as: Double.self) }
        return PageCursor(key: cursor.key, rank: rank ?? cursor.rank ?? 0)
    }
}

/// What people typed as an expression of FTS5: each word a string, so that none is read as an operator. Nil where there
/// is no word in it.
func matchExpression(_ query: String) -> String? {
    // More than anybody types; the costs of a query grow with it.
    let words = query.prefix(500).split { $0.isWhitespace || $0 == "\0" }
        .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
        .prefix(32)
    if words.isEmpty { return nil }
    return words.map { "\"" + $0.split(separator: "\"").joined(separator: " ") + "\"" }.joined(separator: " ") + "*"
}
