import JokesCore
import JokesStore
import TestSupport
import Testing

/// Searches for plain words, and queries of any text and size. `SearchQueryTests` has the syntax of queries.
@Suite final class SearchTests: StoreTestCase {
    private func found(_ query: String) throws -> [String] {
        try reader.search(query, limit: 100).rows.map(\.joke.id.rawValue)
    }

    @Test(
        "quotes, brackets and other punctuation around a word do not change the results",
        arguments: [
            "\"duck", "duck\"", "(duck", "duck*", "* duck", "^duck", "- duck", "* duck !", "'duck;", "… duck", "duck\0",
            "duck\0goose", "{duck}:", "duck -\u{301}", "duck \u{E000} ", "\u{301} duck", "duck -… ", "\"’\" duck",
        ])
    func punctuation(query: String) throws {
        try store.ingest([joke("a", "1", "The duck."), joke("a", "2", "A goose.")])
        #expect(try found(query) == ["a:1"])
    }

    @Test(
        "operators of FTS5 except OR are searched as words, and a query without words matches nothing",
        arguments: [
            "duck AND goose", "NOT duck", "NEAR(duck goose)", "setup:duck", "it's", "\0", "\0duck", "\\", "🦆",
            "!?.,", "",
            " \n\t ", "\u{301}", "?1", "'; DROP TABLE jokes; --",
        ])
    func operators(query: String) throws {
        try store.ingest([joke("a", "1", "The duck."), joke("a", "2", "A goose.")])
        let page = try reader.search(query, limit: 9)
        #expect(page.rows.isEmpty && page.total == 0 && page.next == nil)
    }

    @Test("a search with a selection finds only the selected jokes, also with a symbol in the query")
    func selection() throws {
        try store.ingest([joke("a", "1", "A duck in C++.")])
        try store.ingest([joke("b", "2", "A goose in C++.")], from: "b")
        let selection = JokeSelection(source: "b", language: "en", maxLength: 15)
        #expect(try reader.search("in c++", selection, limit: 9).rows.map(\.joke.id.rawValue) == ["b:2"])
        #expect(try reader.search("in c++", selection, start: 0, limit: 9).rows.map(\.joke.id.rawValue) == ["b:2"])
        #expect(try reader.search("in c#", selection, limit: 9).rows == [])
        #expect(try reader.search("in c++", JokeSelection(source: "b", maxLength: 14), limit: 9).rows == [])
    }

    @Test("a query of random words and operators never fails")
    func randomQueries() throws {
        try store.ingest(jokes(0..<3))
        let parts = [
            "duck", "\"", "*", " ", "(", ")", "AND", "OR", "NOT", "NEAR", "{", "}", ":", "^", "+", "-", "\0", "'", "ä",
            "٣", ",",
        ]
        try checkProperty("pages of random queries", cases: 3_000) { random, size in
            (0..<size).map { _ in parts[random.int(in: 0..<parts.count)] }.joined()
        } property: { query in
            let page = try reader.search(query, limit: 2)
            try verify(page.total <= 3 && page.rows.count <= 2, "total \(page.total)")
        }
    }

    @Test("a query of a thousand words and a query of a million letters return a page")
    func longQueries() throws {
        try store.ingest(jokes(0..<3))
        #expect(try found(String(repeating: "duck ", count: 1_000)).count == 3)
        #expect(try found(String(repeating: "d", count: 1_000_000)) == [])
    }
}
