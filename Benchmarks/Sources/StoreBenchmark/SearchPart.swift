import JokeCorpus
import JokesCore
import JokesStore
import Measuring
import SQLite

/// Measures the first page of 50 results, and as a yardstick the time that FTS5 takes for any 50 rows.
enum SearchPart: Part {
    static let name = "search"
    static let summary = "the first 50 results, highlighted; yardstick: any 50 rows of the index, unordered"
    private static let calls = 101

    private struct Query {
        let what: String
        let text: String
        /// The query in the syntax of FTS5.
        let expression: String

        init(_ what: String, _ text: String, _ expression: String? = nil) {
            self.what = what
            self.text = text
            self.expression = expression ?? "\"\(text)\"*"
        }
    }

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let reader = try JokeReader(of: cache.store)
        let index = try Connection(
            path: "\(cache.folder)/jokes.sqlite", access: .reading, pageCacheKibibytes: 512,
            tokenizer: Schema.tokenizer)
        let figures = try Self.queries.map { try measure($0, reader, index) }
        try await cache.store.mergeFullTextIndex()
        return try figures
            + Self.queries.map { query in
                try measure(Query("tidied: \(query.what)", query.text, query.expression), reader, index)
            }
    }

    private static var queries: [Query] {
        let words = Corpus.vocabulary
        // In the order of the vocabulary, the words are in about 85, 55, 10 and 0.1 percent of the jokes.
        let (commonest, half, usual, rare) = (words[0], words[2], words[25], words[4_000])
        return [
            Query("a rare word", "\(rare) ", "\"\(rare)\""),
            Query("a rare word as a prefix", rare),
            Query("a common word", "\(usual) ", "\"\(usual)\""),
            Query("a word in half of all", "\(half) ", "\"\(half)\""),
            Query("a word in half of all as a prefix", half),
            Query("one letter", "b"), Query("another letter", "z"), Query("two letters", "qu"),
            Query("an unknown prefix", "xx"),
            Query("a phrase", "\"\(commonest) \(half)\"", "\"\(commonest) \(half)\""),
            Query("two words", "\(half) \(usual) ", "\"\(half)\" \"\(usual)\""),
            Query("a common and a rare word", "\(commonest) \(rare)", "\"\(commonest)\" \"\(rare)\"*"),
            Query("three words, the last a prefix", "\(half) \(usual) b", "\"\(half)\" \"\(usual)\" \"b\"*"),
            Query("without a word", "\"\(half)\" -\(commonest)", "\"\(half)\" NOT \"\(commonest)\""),
            Query("a prefix without a word", "\(half) -\(commonest)", "\"\(half)\"* NOT \"\(commonest)\""),
        ]
    }

    private static func measure(_ query: Query, _ reader: JokeReader, _ index: Connection) throws -> Figure {
        let yardstick = try index.prepare("SELECT rowid FROM shown_words WHERE shown_words MATCH ? LIMIT 50")
        var page = try reader.search(query.text, limit: 50)
        var times: [Double] = []
        var yardstickTimes: [Double] = []
        for _ in 0..<calls {
            times.append(try milliseconds { page = try reader.search(query.text, limit: 50) })
            yardstickTimes.append(
                try milliseconds { _ = try yardstick.map(query.expression) { row in try row.read(0, as: Int64.self) } })
        }
        let byRank = try index.prepare(
            "SELECT rowid FROM shown_words WHERE shown_words MATCH ? ORDER BY rank, rowid DESC LIMIT 50")
        let ranked = try (0..<5).map { _ in
            try milliseconds { _ = try byRank.map(query.expression) { row in try row.read(0, as: Int64.self) } }
        }
        let total = "\(page.total <= JokeReader.maxCountedMatches ? "" : "at least ")\(page.total) found"
        return Figure(
            part: name, what: query.what, values: times, yardstick: ("any 50 rows of the index", yardstickTimes),
            note: "\(total); by FTS5's rank \(Int((ranked.min() ?? 0).rounded())) ms")
    }
}
