import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

@Suite struct SearchTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }

    private func found(_ query: String) throws -> [String] {
        try reader.search(query, limit: 100).rows.map(\.joke.id.rawValue)
    }

    @Test("a joke is found by the words of setup and punchline, in any case, with or without accents")
    func words() throws {
        try store.take([
            joke("a", "1", "Why did the duck cross?", "Café NAÏVE."), joke("a", "2", "A goose, of course."),
            joke("a", "3", "Straße nach Köln", language: "de"),
        ])
        let cases = [
            ("duck", ["a:1"]), ("DUCK cafe", ["a:1"]), ("naive", ["a:1"]), ("köln", ["a:3"]), ("koln", ["a:3"]),
            ("goose", ["a:2"]), ("goose duck", []), ("cour", ["a:2"]), ("cour goose", []), ("goose cour", ["a:2"]),
            ("c", ["a:1", "a:2"]), ("uck", []),
        ]
        for (query, ids) in cases {
            #expect(try found(query).sorted() == ids, "\(query)")
        }
    }

    @Test(
        "punctuation around a word changes nothing",
        arguments: [
            "\"duck", "duck\"", "(duck", "duck*", "* duck", "^duck", "- duck", "+ duck !", "'duck;", "🦆 duck", "duck\0",
            "{duck}:",
        ])
    func signs(query: String) throws {
        try store.take([joke("a", "1", "The duck."), joke("a", "2", "A goose.")])
        #expect(try found(query) == ["a:1"])
    }

    @Test(
        "operators of FTS5 are words, and text without a word matches nothing",
        arguments: [
            "duck AND goose", "duck OR goose", "NOT duck", "NEAR(duck goose)", "setup:duck", "it's", "\0", "\\", "🦆",
            "!?.,", "",
            " \n\t ", "\u{301}", "?1", "'; DROP TABLE jokes; --",
        ])
    func operators(query: String) throws {
        try store.take([joke("a", "1", "The duck."), joke("a", "2", "A goose.")])
        #expect(try reader.search(query, limit: 9) == SearchPage())
    }

    @Test("random bytes of a query never make it fail")
    func anyBytes() throws {
        try store.take(jokes(0..<3))
        let parts = [
            "duck", "\"", "*", " ", "(", ")", "AND", "OR", "NOT", "NEAR", "{", "}", ":", "^", "+", "-", "\0", "'", "ä",
            "٣", ",",
        ]
        try checkLaw("a query is words", cases: 3_000) { random, size in
            (0..<size).map { _ in parts[random.int(in: 0..<parts.count)] }.joined()
        } law: { query in
            let page = try reader.search(query, limit: 2)
            try hold(page.total.count <= 3 && page.rows.count <= 2, "total \(page.total)")
        }
    }

    @Test("a query of a thousand words, or one of a million letters, is answered")
    func longQueries() throws {
        try store.take(jokes(0..<3))
        #expect(try found(String(repeating: "duck ", count: 1_000)).count == 3)
        #expect(try found(String(repeating: "d", count: 1_000_000)) == [])
    }

    @Test("only shown jokes are found: once for all duplicates, and none that is hidden or filtered out")
    func onlyShown() throws {
        try store.take([joke("a", "1", "One small duck."), joke("a", "2", "Rude duck.", flags: ["nsfw"])])
        try store.take([joke("b", "1", "ONE small duck!"), joke("b", "2", "Blue duck.")], from: "b")
        #expect(try found("duck").sorted() == ["a:1", "a:2", "b:2"])
        try store.assumeIsolated { store in try store.adopt(ShowingRules(sourceOrder: ["b", "a"])) }
        #expect(try found("duck").sorted() == ["b:1", "b:2"])
        _ = try store.assumeIsolated { store in try store.setHidden(true, JokeID(rawValue: "b:1"), at: Fixture.noon) }
        #expect(try found("duck") == ["b:2"])
        _ = try store.assumeIsolated { store in try store.setHidden(false, JokeID(rawValue: "a:1"), at: Fixture.noon) }
        #expect(try reader.search("small", limit: 1).total == SearchTotal(count: 1, isExact: true))
    }

    @Test("an edited joke is found by its new words only")
    func edit() throws {
        try store.take([joke("a", "1", "One small duck."), joke("a", "2", "One small duck!")])
        try store.take([joke("a", "1", "Another goose.")])
        #expect(try found("goose") == ["a:1"])
        #expect(try found("small") == ["a:2"])
        try store.take([joke("a", "2", "Another goose?"), joke("a", "1", "One swan.")])
        #expect(try found("small") == [])
        #expect(try found("goose") == ["a:2"])
        #expect(try found("swan") == ["a:1"])
    }

    @Test("a batch that fails adds no matches")
    func failedBatch() throws {
        try store.take(jokes(0..<3))
        let saboteur = try Connection(path: fixture.databasePath, .init(access: .writing))
        try saboteur.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON jokes WHEN NEW.id = 'a:9'
            BEGIN SELECT RAISE(ABORT, 'not this one'); END
            """)
        #expect(throws: StoreError.self) { try store.take(try jokes(1..<10)) }
        #expect(try found("duck").sorted() == ["a:0", "a:1", "a:2"])
        try saboteur.execute("DROP TRIGGER refuse")
        try store.take(jokes(1..<10))
        #expect(try found("duck").count == 10)
        try saboteur.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
    }
}
