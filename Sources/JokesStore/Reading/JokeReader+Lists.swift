package import JokesCore
import SQLite

extension NameSelection {
    /// Returns the selection as SQL conditions, each after an `AND`. `test` returns the condition for one name.
    fileprivate func conditions(_ test: (_ name: String) -> SQL) -> SQL {
        func any(of names: [String]) -> SQL { names.dropFirst().reduce(test(names[0])) { "\($0) OR \(test($1))" } }
        var conditions: SQL = ""
        if !only.isEmpty { conditions += " AND (\(any(of: only)))" }
        if !not.isEmpty { conditions += " AND NOT (\(any(of: not)))" }
        return conditions
    }
}

extension JokeSelection {
    /// Returns an SQL expression for the key of a source.
    fileprivate static func key(ofSource name: String) -> SQL { "(SELECT key FROM sources WHERE name = \(name))" }

    /// The selection as SQL conditions on a group `g`, each after an `AND`.
    var conditions: SQL {
        var conditions: SQL = ""
        if let source { conditions += source.conditions { "g.source = \(Self.key(ofSource: $0))" } }
        if let maxLength { conditions += " AND g.length <= \(maxLength)" }
        if let category {
            conditions += category.conditions {
                "EXISTS (SELECT 1 FROM shown_categories WHERE name = \($0) AND joke = g.shown)"
            }
        }
        if let language {
            // The character after `-` is `.`.
            conditions += language.conditions {
                """
                g.language = lower(\($0))
                    OR (g.language >= lower(\($0)) || '-' AND g.language < lower(\($0)) || '.')
                """
            }
        }
        if favorites == true { conditions += " AND g.key IN (SELECT g.key FROM \(text: Schema.favoritesAndGroups))" }
        if unseen == true { conditions += " AND g.round = 0" }
        return conditions
    }
}

extension JokeReader {
    /// Returns a page of the jokes that are shown, newest first.
    ///
    /// O(log n + page) for all jokes, and for those of one category or source. Also reads the jokes of a source that
    /// are not shown, and the index entries that other conditions exclude: 100,000 in 10 ms. The first page also counts
    /// the total in an index, and later pages have the total of the first.
    package func list(
        _ selection: JokeSelection = JokeSelection(), after cursor: PageCursor? = nil, limit: Int
    ) throws(StoreError) -> Page<Joke> {
        try reading("list the jokes") {
            try cursor?.check(belongsTo: .jokes)
            let found = try jokes(selection, below: cursor?.key ?? .max, limit: limit + 1)
            return Page(found, limit: limit, total: try cursor?.total ?? total(of: selection))
        }
    }

    /// Returns the shown jokes after the newest `start`, at most `limit`, or the last `limit` if there are fewer.
    ///
    /// Steps over the jokes from the nearer end of the list, in an index alone if there is no selection: 1 ms for 50,000.
    /// A selection costs about twice as much as the total of a page.
    package func list(
        _ selection: JokeSelection = JokeSelection(), start: Int, limit: Int
    ) throws(StoreError) -> SearchResults {
        try reading("list the jokes") {
            let total = try total(of: selection)
            let start = max(0, min(start, total - limit))
            guard let first = try key(ofNumber: start, of: total, selection) else {
                return SearchResults(count: total, start: start)
            }
            let jokes = try jokes(selection, below: first + 1, limit: limit)
            return SearchResults(
                rows: jokes.map { FoundJoke(joke: $0.row, marks: []) }, count: total, start: start)
        }
    }

    /// Returns the newest jokes with smaller keys.
    private func jokes(
        _ selection: JokeSelection, below bound: Int64, limit: Int
    ) throws -> [(position: PageCursor, row: Joke)] {
        let (tables, key) = fromClause(for: selection)
        return try connection.map(
            """
            SELECT \(text: Joke.columns), j.key FROM \(tables) AND \(text: key) < \(bound) \(selection.conditions)
            ORDER BY \(text: key) DESC LIMIT \(limit)
            """
        ) { row in
            (PageCursor(list: .jokes, key: try row.read(Joke.columnCount)), try Joke(row: row))
        }
    }

    /// Returns the key of a joke by its number in the list, from 0; nil if there are fewer.
    private func key(ofNumber number: Int, of total: Int, _ selection: JokeSelection) throws -> Int64? {
        let (rows, key) = keyClause(for: selection)
        let isNearEnd = number > total / 2
        let (order, offset) = isNearEnd ? ("ASC", total - 1 - number) : ("DESC", number)
        return try connection.first(
            "SELECT \(text: key) FROM \(rows) ORDER BY \(text: key) \(text: order) LIMIT 1 OFFSET \(offset)"
        ) { row in try row.read(0) }
    }

    /// Returns the operand of FROM, with a WHERE clause to which `AND` can add conditions. Also returns the column of
    /// the first table that has the keys of jokes. `withTexts` adds the table `jokes`, for `Joke.columns`.
    ///
    /// CROSS JOIN makes the first table the outer loop. An index of this table returns the keys in order, so SQLite
    /// does not sort. The indexes are the primary key of `shown_categories`, `groups_shown` and `jokes_by_source`.
    private func fromClause(for selection: JokeSelection, withTexts: Bool = true) -> (tables: SQL, key: String) {
        if let category = selection.category?.single {
            let texts: SQL = withTexts ? "CROSS JOIN jokes j ON j.key = c.joke" : ""
            let tables: SQL = "shown_categories c CROSS JOIN groups g ON g.shown = c.joke \(texts)"
            return ("\(tables) WHERE c.name = \(category)", "c.joke")
        }
        if let source = selection.source?.single {
            let key = JokeSelection.key(ofSource: source)
            return ("jokes j CROSS JOIN groups g ON g.shown = j.key WHERE j.source = \(key)", "j.key")
        }
        let texts: SQL = withTexts ? "CROSS JOIN jokes j ON j.key = g.shown" : ""
        return ("groups g \(texts) WHERE g.shown IS NOT NULL", "g.shown")
    }

    /// Returns the tables with a WHERE clause for the whole selection, and the column that has the keys of jokes. Reads as few
    /// tables as possible.
    func keyClause(for selection: JokeSelection) -> (rows: SQL, key: String) {
        if let category = selection.category?.single, selection == JokeSelection(category: .init(only: [category])) {
            return ("shown_categories c WHERE c.name = \(category)", "c.joke")
        }
        let (tables, key) = fromClause(for: selection, withTexts: false)
        return ("\(tables) \(selection.conditions)", key)
    }

    private func total(of selection: JokeSelection) throws -> Int {
        if selection == JokeSelection(source: selection.source) {
            let condition = selection.source?.conditions { "name = \($0)" } ?? ""
            return try connection.first("SELECT ifnull(sum(shown), 0) FROM sources WHERE TRUE \(condition)") {
                try $0.read(0)
            } ?? 0
        }
        return try connection.first("SELECT count(*) FROM \(keyClause(for: selection).rows)") { try $0.read(0) } ?? 0
    }

    /// Returns a page of the favorites, newest first. Favorites that the filters exclude are on the page only if
    /// `includingExcluded` is true.
    ///
    /// O(log n + page), plus the excluded favorites before the end of the page. The first page also counts all favorites
    /// in an index, and later pages have the total of the first. With a selection, each page reads all favorites.
    package func favorites(
        _ selection: JokeSelection = JokeSelection(), after cursor: PageCursor? = nil, limit: Int,
        includingExcluded: Bool = false
    ) throws(StoreError) -> Page<Favorite> {
        try reading("list the favorites") {
            try cursor?.check(belongsTo: .favorites)
            var condition = includingExcluded ? "TRUE" : "admitted = 1"
            if selection.unseen == true {
                condition += " AND key NOT IN (SELECT f.key FROM \(Schema.favoritesAndGroups) WHERE g.round > 0)"
            }
            let isWhole = selection.isEmpty
            let rows = try connection.prepare(
                """
                SELECT key, \(Favorite.columns) FROM favorites
                WHERE (favorited_at, key) < (?, ?) AND \(condition) ORDER BY favorited_at DESC, key DESC LIMIT ?
                """
            ).map(
                isWhole ? cursor?.time ?? .max : .max, isWhole ? cursor?.key ?? .max : .max, isWhole ? limit + 1 : -1
            ) { row in
                let favorite = try Favorite(row: row, from: 1)
                let time = favorite.favoritedAt.microseconds
                return (PageCursor(list: .favorites, key: try row.read(0), time: time), favorite)
            }
            if isWhole {
                let total =
                    try cursor?.total ?? connection.number("SELECT count(*) FROM favorites WHERE \(condition)")
                return Page(rows, limit: limit, total: total)
            }
            let selected = rows.filter { selection.selects($0.1) }
            let rest = selected.filter { cursor == nil || ($0.0.time!, $0.0.key) < (cursor!.time!, cursor!.key) }
            return Page(Array(rest.prefix(limit + 1)), limit: limit, total: cursor?.total ?? selected.count)
        }
    }

    /// Returns all favorites that pass the filters, newest first.
    package func favorites() throws(StoreError) -> [Favorite] { try favorites(limit: Int.max - 1).rows }

    /// Returns a page of the hidden marks after a fingerprint, in the order of fingerprints. O(log n + page)
    ///
    /// The last page has fewer than `limit` hidden marks.
    package func hiddenMarks(after fingerprint: Fingerprint? = nil, limit: Int) throws(StoreError) -> [HiddenMark] {
        try reading("list hidden jokes") {
            try connection.prepare(
                "SELECT fingerprint, hidden_at FROM hidden WHERE fingerprint > ? ORDER BY fingerprint LIMIT ?"
            ).map(fingerprint?.bytes ?? [], limit) { row in
                HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1))
            }
        }
    }
}
