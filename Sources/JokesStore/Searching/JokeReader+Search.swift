package import JokesCore
import SQLite

/// A page of the results of a search.
package struct SearchPage: Hashable, Sendable {
    package var rows: [FoundJoke] = []
    /// The number of matches, which is the same on all pages of a search.
    package var total = SearchTotal(count: 0, isExact: true)
    /// The cursor of the next page; nil on the last page.
    package var next: SearchCursor?

    package init() {}
}

/// The number of matches when a search began.
package struct SearchTotal: Hashable, Sendable {
    package let count: Int
    /// If false, there were at least `count` matches.
    package let isExact: Bool

    package init(count: Int, isExact: Bool) { (self.count, self.isExact) = (count, isExact) }
}

/// The position after which the next page of a search begins.
///
/// A cursor stays valid when jokes are added and removed, and after a restart.
package struct SearchCursor: Hashable, Sendable, CustomStringConvertible {
    /// The range of keys that was ranked together with the last match of the page.
    let window: ClosedRange<Int64>
    /// The rank of the last match of the page, in percent.
    let rank: Int
    /// The key of the last match of the page.
    let key: Int64
    let total: SearchTotal

    package var description: String {
        "\(window.lowerBound).\(window.upperBound).\(rank).\(key).\(total.count).\(total.isExact ? 1 : 0)"
    }
}

extension SearchCursor {
    /// Reads a `description`; nil if the text is anything else.
    package init?(_ description: String) {
        let numbers = description.split(separator: ".").map { Int64($0) ?? -1 }
        guard numbers.count == 6, 1 <= numbers[0], numbers[0] <= numbers[1], (0...100).contains(numbers[2]),
            (numbers[0]...numbers[1]).contains(numbers[3]), numbers[4] >= 1, (0...1).contains(numbers[5])
        else { return nil }
        self.init(
            window: numbers[0]...numbers[1], rank: Int(numbers[2]), key: numbers[3],
            total: SearchTotal(count: Int(numbers[4]), isExact: numbers[5] == 1))
        if self.description != description { return nil }
    }
}

extension JokeReader {
    /// The number of matches that are ranked together.
    private static let windowSize = 200
    /// The maximum number of matches in the window of a cursor. The window can grow, because jokes can be edited after
    /// the cursor was made.
    private static let maxWindowSize = 800
    /// The maximum number of selected jokes whose keys are read before the search. If there are more, the selection is
    /// checked for each match.
    private static let maxKeys = 1_000

    /// Returns a page of the shown jokes that match a query, which `SearchQuery` describes.
    ///
    /// The newest 200 matches are one window, the next older 200 matches are another window, and so on. In a window,
    /// the jokes with the largest share of matching text come first, and among equal jokes the newest.
    ///
    /// This order depends only on the query, the jokes and the cursor. A joke whose text does not change thus
    /// appears on exactly one page of a search, even if other jokes change.
    ///
    /// Reads at most 1000 matches, and `limit` more. A selection of at most 1000 jokes reads an index of all shown jokes.
    /// A larger selection also looks up the matches that it excludes: 100,000 in 60 ms. Before the first match, FTS5 merges the posting lists of all words
    /// with the same prefix. FTS5 reads the whole lists if the words of the query rarely occur together.
    ///
    /// - Throws: `StoreError`; with code `wrongCursor` if the window of the cursor now has more than 800 matches.
    package func search(
        _ query: String, _ selection: JokeSelection = JokeSelection(), after cursor: SearchCursor? = nil, limit: Int
    ) throws(StoreError) -> SearchPage {
        try reading("search the jokes") {
            var page = SearchPage()
            guard let query = SearchQuery(query) else { return page }
            let selection = try condition(for: selection)
            var matches: [Match] = []
            var rest: ClosedRange<Int64>? = 1 ... .max
            if let cursor {
                matches = try self.matches(query, selection, in: cursor.window, limit: Self.maxWindowSize + 1)
                if matches.count > Self.maxWindowSize {
                    throw StoreError(.wrongCursor, attempt: "continue the search", reason: "the results have changed")
                }
                matches.removeAll { ($0.rank, $0.key) >= (cursor.rank, cursor.key) }
                rest = Self.keys(below: cursor.window)
            }
            // If there is one match more than `limit`, there is a next page.
            try read(&matches, until: limit + 1, query, selection, in: &rest)
            page.total = cursor?.total ?? SearchTotal(count: matches.count, isExact: rest == nil)
            page.rows = try matches.prefix(limit).compactMap(foundJoke)
            if matches.count > limit, let last = matches.prefix(limit).last {
                page.next = SearchCursor(window: last.window, rank: last.rank, key: last.key, total: page.total)
            }
            return page
        }
    }

    /// Returns the results after the first `start`, at most `limit`, or the last `limit` if there are fewer. The order is that
    /// of the pages.
    ///
    /// Also counts all matches, and steps over the newer ones: about 5 ms for 50,000. A selection, or symbols such as those of
    /// `c++`, makes this slower, because each match is looked up.
    package func search(
        _ query: String, _ selection: JokeSelection = JokeSelection(), start: Int, limit: Int
    ) throws(StoreError) -> ListPart<FoundJoke> {
        try reading("search the jokes") {
            guard let query = SearchQuery(query) else { return ListPart(rows: [], start: 0, total: 0) }
            let selection = try condition(for: selection)
            let all = fromClause(for: query, selection)
            let total = try connection.first("SELECT count(*) FROM \(all)") { try $0.read(0, as: Int.self) } ?? 0
            let start = max(0, min(start, total - limit))
            // Whole windows before the first row need no ranking.
            let skipped = start / Self.windowSize * Self.windowSize
            var rest: ClosedRange<Int64>? = 1 ... .max
            if skipped > 0 {
                let last = try connection.first(
                    "SELECT rowid FROM \(all) ORDER BY rowid DESC LIMIT 1 OFFSET \(skipped - 1)"
                ) { row in try row.read(0, as: Int64.self) }
                rest = last.flatMap { Self.keys(below: $0...$0) }
            }
            var matches: [Match] = []
            try read(&matches, until: start - skipped + limit, query, selection, in: &rest)
            let rows = try matches.dropFirst(start - skipped).prefix(limit).compactMap(foundJoke)
            return ListPart(rows: rows, start: start, total: total)
        }
    }

    /// Reads older windows until there are `count` matches or no more. `keys` are those of the jokes to read.
    private func read(
        _ matches: inout [Match], until count: Int, _ query: SearchQuery, _ selection: SQL,
        in keys: inout ClosedRange<Int64>?
    ) throws {
        while matches.count < count, let unread = keys {
            let older = try self.matches(query, selection, in: unread, limit: Self.windowSize)
            matches += older
            keys = older.first.flatMap { Self.keys(below: $0.window) }
        }
    }

    /// Returns the keys of older jokes; nil if there can be none.
    private static func keys(below window: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        window.lowerBound > 1 ? 1...window.lowerBound - 1 : nil
    }

    /// Returns the newest matches with these keys as one window, the highest rank first.
    private func matches(
        _ query: SearchQuery, _ selection: SQL, in keys: ClosedRange<Int64>, limit: Int
    ) throws -> [Match] {
        var matches = try connection.map(
            """
            SELECT rowid, highlight(shown_words, 0, char(1), char(2)), highlight(shown_words, 1, char(1), char(2))
            FROM \(fromClause(for: query, selection, in: keys)) ORDER BY rowid DESC LIMIT \(limit)
            """
        ) { row in
            Match(key: try row.read(0), setup: try row.read(1), punchline: try row.read(2), window: keys)
        }
        guard let newest = matches.first?.key, let oldest = matches.last?.key else { return [] }
        let window = (matches.count < limit ? keys.lowerBound : oldest)...newest
        for index in matches.indices { matches[index].window = window }
        return matches.sorted { ($0.rank, $0.key) > ($1.rank, $1.key) }
    }

    /// Returns a condition on the keys of matches, after an `AND`; empty if every joke is selected.
    private func condition(for selection: JokeSelection) throws -> SQL {
        if selection.isEmpty { return "" }
        let (rows, key) = keyClause(for: selection)
        let keys = try connection.map("SELECT \(text: key) FROM \(rows) LIMIT \(Self.maxKeys + 1)") { row in
            try row.read(0, as: Int64.self)
        }
        guard keys.count > Self.maxKeys else {
            let list = "[\(keys.map(String.init).joined(separator: ","))]"
            // Without the `+`, FTS5 would search once for each key.
            return " AND +shown_words.rowid IN (SELECT value FROM json_each(\(list)))"
        }
        return " AND EXISTS (SELECT 1 FROM groups g WHERE g.shown = shown_words.rowid \(selection.conditions))"
    }

    /// Returns the operand of FROM that selects the matches with these keys, with a WHERE clause.
    private func fromClause(
        for query: SearchQuery, _ selection: SQL, in keys: ClosedRange<Int64> = 1 ... .max
    ) -> SQL {
        var sql: SQL =
            """
            shown_words WHERE shown_words MATCH \(query.expression)
            AND rowid BETWEEN \(keys.lowerBound) AND \(keys.upperBound) \(selection)
            """
        // The index has only the word c of c++, so the texts must also have the term itself.
        for pattern in query.patterns {
            sql += " AND (setup LIKE \(pattern) ESCAPE '\\' OR punchline LIKE \(pattern) ESCAPE '\\')"
        }
        return sql
    }

    private func foundJoke(_ match: Match) throws -> FoundJoke? {
        try connection.prepare(
            "SELECT \(Joke.columns) FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.key = ?"
        ).first(match.key) { row in FoundJoke(joke: try Joke(row: row), marks: match.highlights) }
    }
}

/// A joke that matches a query.
private struct Match {
    let key: Int64
    /// The ranges of matching text, which FTS5 calls highlights.
    let highlights: [TextRange]
    /// The share of the text that matches, in percent.
    let rank: Int
    /// The range of keys that is ranked together.
    var window: ClosedRange<Int64>

    /// Reads the highlights from texts with U+0001 before each range and U+0002 after the range. `cleanText` removes
    /// these characters from jokes.
    init(key: Int64, setup: String, punchline: String?, window: ClosedRange<Int64>) {
        var highlights: [TextRange] = []
        var length = 0
        for (part, text) in zip(TextRange.Part.allCases, [setup, punchline ?? ""]) {
            var (offset, start) = (0, 0)
            for byte in text.utf8 {
                switch byte {
                case 1: start = offset
                case 2: highlights.append(TextRange(part, start..<offset))
                default: offset += 1
                }
            }
            length += offset
        }
        (self.key, self.highlights, self.window) = (key, highlights, window)
        rank = min(highlights.reduce(0) { $0 + $1.bytes.count } * 100 / max(length, 1), 100)
    }
}
