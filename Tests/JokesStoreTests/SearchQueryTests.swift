import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// What a query means, and what is marked of it.
@Suite struct SearchQueryTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }

    private func found(_ query: String) throws -> [String] {
        try reader.search(query, limit: 100).rows.map(\.joke.id.rawValue).sorted()
    }

    /// The marked texts of the one joke that is found.
    private func marked(_ query: String) throws -> [String] {
        let rows = try reader.search(query, limit: 100).rows
        let only = try #require(rows.first)
        #expect(rows.count == 1)
        return only.marks.map { only.joke.content.text[$0].map(String.init) ?? "nothing" }
    }

    @Test(
        "words beside each other, words to leave out and beginnings of words",
        arguments: [
            ("duck goose", ["a:1", "a:2"]), ("\"duck goose\"", ["a:2"]), ("\"goose duck\"", ["a:1"]),
            ("\"duck goo", ["a:2"]), ("\"duck goo\"", []), ("\"duck goo\"*", ["a:2"]),
            ("goose -duckling", ["a:1", "a:2"]),
            ("goose -swan", ["a:1"]), ("goose -\"a swan\"", ["a:1"]), ("goose -\"swan a\"", ["a:1", "a:2"]),
            ("-swan goose", ["a:1"]), ("swan -goose", ["a:3"]), ("-goose", []), ("-", []), ("duckl", ["a:3"]),
            ("du* swan", ["a:2", "a:3"]), ("du swan", []), ("du", ["a:1", "a:2", "a:3"]), ("du ", []),
            ("swan -duckl*", ["a:2"]), ("swan -duckl", ["a:2", "a:3"]), ("duck-goose", ["a:2"]),
            ("goose-duck", ["a:1"]),
            ("\"duck\" \"goose", ["a:1", "a:2"]), ("duck -", ["a:1", "a:2"]), ("duck \"\"", ["a:1", "a:2"]),
            ("duck\"goose", ["a:1", "a:2"]), ("duck \"\u{301}goose", ["a:1", "a:2"]), ("\"swan duckling\"", []),
        ])
    func meaning(query: String, ids: [String]) throws {
        try store.take([
            joke("a", "1", "The goose duck."), joke("a", "2", "A duck, goose;", "and a swan."),
            joke("a", "3", "The swan.", "The duckling."),
        ])
        #expect(try found(query) == ids)
    }

    @Test(
        "what was searched for is marked, whole words, once each, in setup and punchline",
        arguments: [
            ("duck", ["DUCK", "duck"]), ("du", ["DUCK", "duck", "duty"]), ("\"a duck\"", ["a DUCK", "A duck"]),
            ("cafe", ["Café"]), ("\"duck in\" \"in a\"", ["DUCK in a"]), ("duty café -swan", ["Café", "duty"]),
        ])
    func marks(query: String, texts: [String]) throws {
        try store.take([joke("a", "1", "🦆 a DUCK in a Café?", "A duck: on duty.")])
        #expect(try marked(query) == texts)
    }

    @Test("a joke that says a word a thousand times is found, and marked sixteen times")
    func manyMarks() throws {
        try store.take([joke("a", "1", String(repeating: "duck ", count: 1_000))])
        let row = try #require(try reader.search("duck", limit: 1).rows.first)
        #expect(row.marks.count == FoundJoke.mostMarks)
        #expect(row.joke.content.text[row.snippet]?.hasPrefix("duck duck") == true)
    }

    @Test("a cursor of a query with another number of words is refused, and none is read from what is none")
    func wrongCursors() throws {
        try store.take(jokes(0..<5))
        let next = try #require(try reader.search("duck", limit: 2).next)
        #expect(SearchCursor(next.description) == next)
        let error = #expect(throws: StoreError.self) { try reader.search("duck cross", after: next, limit: 2) }
        #expect(error?.code == .wrongCursor)
        for text in [
            "", "1", "1.2.3.4.5.1", "2.1.3.4.5.1.0", "1.2.3.4.5.4.0", "1.2.3.4.5.1.251", "1.2.3.4.5.1.-1", "a.b",
        ] {
            #expect(SearchCursor(text) == nil, "\(text)")
        }
    }

    @Test("what is found is what the index finds, whatever letters and signs there are")
    func equalsIndex() throws {
        let parts = [
            "a", "b", "Ab", "bA", "z", "Z", "0", "9", " ", ",", "-", "_", "'", "@", "[", "`", "{", "/", ":", "~", "é",
            "e\u{301}",
            "Ä", "ß", "ǅ", "İ", "ı", "ς", "ж", "日本", "٣", "½", "🦆", "\u{AD}", "\u{200D}", "\n", "\u{A0}",
        ]
        let inspector = try Connection(path: fixture.databasePath, .init(access: .reading))
        var random = SplitMix64(seed: testSeed)
        func text(_ size: Int) -> String {
            (0..<size).map { _ in parts[random.int(in: 0..<parts.count)] }.joined()
        }
        // Few enough that some beginnings are in many of them and some in few: both ways of looking are taken.
        try store.take(
            (0..<400).compactMap { number in
                try? joke("a", "\(number)", text(random.int(in: 1..<9)), random.chance(1, in: 2) ? text(4) : nil)
            })
        for _ in 0..<scaled(600) {
            let words = text(random.int(in: 1..<5)).split(whereSeparator: \.isWhitespace).filter { word in
                // What the index makes of other signs is its version's.
                word.first != "-"
                    && word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            }
            guard !words.isEmpty else { continue }
            let expression = words.map { "\"\($0)\"" }.joined(separator: " ") + "*"
            let rows = try inspector.prepare(
                """
                SELECT j.id FROM shown_words JOIN jokes j ON j.key = shown_words.rowid
                WHERE shown_words MATCH ? ORDER BY 1
                """
            ).map(expression) { row in try row.read(0, as: String.self) }
            let query = words.joined(separator: " ")
            let page = try reader.search(query, limit: 400)
            let ids = page.rows.map(\.joke.id.rawValue).sorted()
            #expect(ids == rows, "JOKESD_TEST_SEED=\(testSeed): \(query)")
            #expect(page.rows.allSatisfy { $0.marks.allSatisfy { !$0.bytes.isEmpty } && !$0.marks.isEmpty }, "\(query)")
        }
    }
}
