package import JokesCore
import SQLite

extension JokeReader {
    /// Returns the number of hidden marks, also of those whose jokes are not cached or do not pass the filters.
    package func hiddenMarkCount() throws(StoreError) -> Int {
        try reading("count the hidden jokes") { try connection.number("SELECT count(*) FROM hidden") }
    }

    /// Returns a page of the hidden jokes that are cached and pass the filters, most recently hidden first. Each row has
    /// the joke that its group would show if it were not hidden. O(hidden · log n)
    package func hiddenJokes(after cursor: PageCursor? = nil, limit: Int) throws(StoreError) -> Page<HiddenJoke> {
        try reading("list the hidden jokes") {
            try cursor?.check(belongsTo: .hidden)
            // The operand of FROM: hidden marks with the jokes that their groups would show.
            let jokes = """
                \(Schema.hiddenAndGroups) CROSS JOIN jokes j
                    ON j.key = (\(Self.firstKey) AND k.admitted = 1 \(Self.firstKeyOrder))
                """
            let found = try connection.prepare(
                """
                SELECT \(Joke.columns), h.hidden_at, j.key FROM \(jokes)
                WHERE (h.hidden_at, j.key) < (?, ?) ORDER BY h.hidden_at DESC, j.key DESC LIMIT ?
                """
            ).map(cursor?.time ?? .max, cursor?.key ?? .max, limit + 1) { row in
                let (extraColumn, hiddenAt) = (Joke.columnCount, try row.read(Joke.columnCount, as: Timestamp.self))
                let key: Int64 = try row.read(extraColumn + 1)
                let position = PageCursor(list: .hidden, key: key, time: hiddenAt.microseconds)
                return (position, HiddenJoke(joke: try Joke(row: row), hiddenAt: hiddenAt))
            }
            let total = try cursor?.total ?? connection.number("SELECT count(*) FROM \(jokes)")
            return Page(found, limit: limit, total: total)
        }
    }

    /// Returns a page of the cached jokes that are not shown and not hidden, because the filters exclude them or because their
    /// source is no longer configured. The newest texts come first, each once. O(page + hidden · log n); the first page also counts
    /// all of them in an index.
    package func excludedJokes(after cursor: PageCursor? = nil, limit: Int) throws(StoreError) -> Page<Joke> {
        try reading("list the excluded jokes") {
            try cursor?.check(belongsTo: .excluded)
            let rows = """
                groups g INDEXED BY groups_not_shown WHERE g.shown IS NULL AND g.emptied_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint)
                """
            let found = try connection.prepare(
                """
                SELECT \(Joke.columns), g.key
                FROM (SELECT * FROM \(rows) AND g.key < ? ORDER BY g.key DESC LIMIT ?) g
                    CROSS JOIN jokes j ON j.key = (\(Self.firstKey) \(Self.firstKeyOrder))
                """
            ).map(cursor?.key ?? .max, limit + 1) { row in
                (PageCursor(list: .excluded, key: try row.read(Joke.columnCount)), try Joke(row: row))
            }
            let total =
                try cursor?.total
                ?? connection.number(
                    """
                    SELECT (SELECT count(*) FROM groups WHERE shown IS NULL AND emptied_at IS NULL)
                        - (SELECT count(*) FROM \(Schema.hiddenAndGroups) WHERE g.emptied_at IS NULL)
                    """)
            return Page(found, limit: limit, total: total)
        }
    }

    /// Returns why a cached joke is not shown; nil if it is shown or not cached. O(duplicates · log n)
    package func exclusion(of id: JokeID, by rules: DisplayRules) throws(StoreError) -> String? {
        try reading("look up \(id)") {
            let group = try connection.prepare("SELECT joke_group FROM jokes WHERE id = ?").first(id) { row in
                try row.read(0, as: Int64.self)
            }
            let state = try group.flatMap { try connection.groupStates($0...$0, connection.groupSources()).first }
            return state?.members.first { $0.id == id }.flatMap { state?.exclusion(of: $0, by: rules) }
        }
    }

    /// A query for the key of the joke that a group `g` shows first, to which `AND` can add conditions, and its end.
    private static let firstKey = """
        SELECT k.key FROM jokes k JOIN sources s ON s.key = k.source WHERE k.joke_group = g.key
        """
    private static let firstKeyOrder = "ORDER BY s.order_index, k.key LIMIT 1"
}
