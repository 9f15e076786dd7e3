package import JokesCore
import SQLite

extension JokeReader {
    /// The number of matches that the first page of a search counts at most. A larger total means: at least so many.
    package static let maxCountedMatches = 1_000
    /// The maximum number of selected jokes whose keys are read before the search. If there are more, the selection is
    /// checked for each match.
    private static let maxKeys = 1_000

    /// Returns a page of the shown jokes that match a query, newest first. `SearchQuery` describes queries.
    ///
    /// Before the first match, FTS5 merges the posting lists of all words with the same prefix. FTS5 reads the whole lists if
    /// the words of the query rarely occur together. A selection of at most 1000 jokes reads an index of all shown jokes. A
    /// larger selection also looks up the matches that it excludes: 100,000 in 60 ms.
    package func search(
        _ query: String, _ selection: JokeSelection = JokeSelection(), after cursor: PageCursor? = nil, limit: Int
    ) throws(StoreError) -> Page<FoundJoke> {
        try reading("search the jokes") {
            try cursor?.check(belongsTo: .search)
            guard let query = SearchQuery(query) else { return Page([], limit: limit, total: 0) }
            let all = try fromClause(for: query, selection)
            let found = try matches(all, below: cursor?.key ?? .max, limit: limit + 1)
            let isWhole = cursor == nil && found.count <= limit
            let total = try cursor?.total ?? (isWhole ? found.count : count(all, limit: Self.maxCountedMatches + 1))
            return Page(found, limit: limit, total: total)
        }
    }

    /// Returns the results after the first `start`, at most `limit`, or the last `limit` if there are fewer.
    ///
    /// Also counts all matches, and steps over the newer ones: about 5 ms for 50,000. A selection makes this slower, because
    /// each match is looked up.
    package func search(
        _ query: String, _ selection: JokeSelection = JokeSelection(), start: Int, limit: Int
    ) throws(StoreError) -> SearchResults {
        try reading("search the jokes") {
            guard let query = SearchQuery(query) else { return SearchResults() }
            let all = try fromClause(for: query, selection)
            let total = try count(all, limit: .max)
            let start = max(0, min(start, total - limit))
            let rows = try matches(all, limit: limit, start: start).map(\.row)
            return SearchResults(rows: rows, count: total, start: start)
        }
    }

    private func count(_ matches: SQL, limit: Int) throws -> Int {
        try connection.first("SELECT count(*) FROM (SELECT 1 FROM \(matches) LIMIT \(limit))") { try $0.read(0) } ?? 0
    }

    /// Returns the newest matches with smaller keys.
    private func matches(
        _ matches: SQL, below bound: Int64 = .max, limit: Int, start: Int = 0
    ) throws -> [(position: PageCursor, row: FoundJoke)] {
        let found = try connection.map(
            """
            SELECT rowid, highlight(shown_words, 0, char(1), char(2)), highlight(shown_words, 1, char(1), char(2))
            FROM \(matches) AND rowid < \(bound) ORDER BY rowid DESC LIMIT \(limit) OFFSET \(start)
            """
        ) { row in
            let marks = Self.highlights(setup: try row.read(1), punchline: try row.read(2))
            return (key: try row.read(0, as: Int64.self), marks: marks)
        }
        return try found.compactMap { key, marks in
            try connection.prepare(
                "SELECT \(Joke.columns) FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.key = ?"
            ).first(key) { row in
                (PageCursor(list: .search, key: key), FoundJoke(joke: try Joke(row: row), marks: marks))
            }
        }
    }

    /// Reads the ranges of matching text, which FTS5 calls highlights, from texts with U+0001 before each range and U+0002 after
    /// the range. `cleanText` removes these characters from jokes.
    private static func highlights(setup: String, punchline: String?) -> [TextRange] {
        var highlights: [TextRange] = []
        for (part, text) in zip(TextRange.Part.allCases, [setup, punchline ?? ""]) {
            var (offset, start) = (0, 0)
            for byte in text.utf8 {
                switch byte {
                case 1: start = offset
                case 2: highlights.append(TextRange(part, start..<offset))
                default: offset += 1
                }
            }
        }
        return highlights
    }

    /// Returns the operand of FROM that selects the matches, with a WHERE clause to which `AND` can add conditions.
    private func fromClause(for query: SearchQuery, _ selection: JokeSelection) throws -> SQL {
        let all: SQL = "shown_words WHERE shown_words MATCH \(query.expression)"
        if selection.isEmpty { return all }
        let (rows, key) = keyClause(for: selection)
        let keys = try connection.map("SELECT \(text: key) FROM \(rows) LIMIT \(Self.maxKeys + 1)") { row in
            try row.read(0, as: Int64.self)
        }
        guard keys.count > Self.maxKeys else {
            let list = "[\(keys.map(String.init).joined(separator: ","))]"
            // Without the `+`, FTS5 would search once for each key.
            return "\(all) AND +shown_words.rowid IN (SELECT value FROM json_each(\(list)))"
        }
        return "\(all) AND EXISTS (SELECT 1 FROM groups g WHERE g.shown = shown_words.rowid \(selection.conditions))"
    }
}
