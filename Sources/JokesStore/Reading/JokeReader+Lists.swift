package import JokesCore
import SQLite

extension JokeReader {
    /// A page of the jokes that are shown, newest first. O(log n + page) for all and for those of one category or
    /// source, plus the rows that the other conditions leave out; where one is the length, the total is counted each time.
    package func list(
        _ selection: JokeSelection = JokeSelection(), after cursor: PageCursor? = nil, limit: Int
    ) throws(StoreError) -> Page<Joke> {
        try reading("list the jokes") {
            try cursor?.check(0)
            let (tables, key) = driver(selection)
            let found = try connection.prepare(
                """
                SELECT \(Joke.columns), j.key FROM \(tables) AND \(key) < ?5 \(selection.conditions)
                ORDER BY \(key) DESC LIMIT ?6
                """
            ).map(
                selection.source, selection.category, selection.language, selection.maxLength, cursor?.key ?? .max,
                limit + 1
            ) { row in (PageCursor(key: try row.read(Joke.columnCount)), try Joke(row: row)) }
            return Page(found, limit: limit, total: try total(of: selection))
        }
    }

    /// The tables in the order they are gone through, and the column of the first that has the jokes' keys in order:
    /// the shortest list leads.
    private func driver(_ selection: JokeSelection) -> (tables: String, key: String) {
        if selection.category != nil {
            let tables =
                "joke_categories c CROSS JOIN groups g ON g.shown = c.joke CROSS JOIN jokes j ON j.key = c.joke"
            return ("\(tables) WHERE c.name = ?2", "c.joke")
        }
        return selection.source == nil
            ? ("groups g CROSS JOIN jokes j ON j.key = g.shown WHERE TRUE", "g.shown")
            : ("jokes j CROSS JOIN groups g ON g.shown = j.key WHERE TRUE", "j.key")
    }

    private func total(of selection: JokeSelection) throws -> Int {
        if selection.maxLength == nil {
            // The kept counts spare going through the jokes.
            return try connection.prepare(
                "SELECT ifnull(sum(jokes), 0) FROM random_buckets WHERE \(DrawPools.condition)"
            )
            .first(selection.source, selection.category, selection.language) { row in try row.read(0) } ?? 0
        }
        // Names ?4, so that it takes the four values whichever of them it asks about.
        let sql = "SELECT count(*) FROM \(driver(selection).tables) AND ?4 IS ?4 \(selection.conditions)"
        return try connection.prepare(sql)
            .first(selection.source, selection.category, selection.language, selection.maxLength) { row in
                try row.read(0)
            } ?? 0
    }

    /// A page of the favorites that pass the filters, newest first, or of all. O(log n + page), plus those that are left
    /// out.
    ///
    /// - Throws: `StoreError`; with `.wrongCursor` where an import has put favorites between those that were there when
    ///   the cursor was made: begin again.
    package func favorites(
        after cursor: PageCursor? = nil, limit: Int, includingExcluded: Bool = false
    ) throws(StoreError) -> Page<Favorite> {
        try reading("list the favorites") {
            let order = try connection.favoritesOrder
            try cursor?.check(order)
            let condition = includingExcluded ? "TRUE" : "admitted = 1"
            let found = try connection.prepare(
                "SELECT key, \(Favorite.columns) FROM favorites WHERE key < ? AND \(condition) ORDER BY key DESC LIMIT ?"
            ).map(cursor?.key ?? .max, limit + 1) { row in
                (PageCursor(key: try row.read(0), order: order), try Favorite(row: row, from: 1))
            }
            let total = try connection.number("SELECT count(*) FROM favorites WHERE \(condition)")
            return Page(found, limit: limit, total: total)
        }
    }

    /// All favorites that pass the filters, newest first.
    package func favorites() throws(StoreError) -> [Favorite] {
        try favorites(limit: Int.max - 1).rows
    }
}
