import JokesCore
import JokesStore
import TestSupport
import Testing

/// What a random joke costs, by the instructions that SQLite runs for it: not more where there are more jokes.
@Suite struct RandomCostTests {
    private static let sizes = [2_000, 8_000]

    /// A reader of a store in which three jokes are German, short and of the category "rare", and all others English, long
    /// and "common".
    private func reader(of count: Int, in fixture: Fixture) throws -> (JokeStore, JokeReader) {
        let store = try fixture.open()
        try store.take(
            (0..<count).map { number in
                number % (count / 3) == count / 6
                    ? try joke("a", "\(number)", "Hm \(number).", categories: ["rare"], language: "de")
                    : try joke("a", "\(number)", "Why did duck \(number) cross?", categories: ["common"])
            })
        return (store, try JokeReader(of: store, randomness: SplitMix64(seed: testSeed)))
    }

    private static let rare = [
        JokeSelection(language: "de"), JokeSelection(category: "rare"), JokeSelection(maxLength: 12),
        JokeSelection(source: "a", category: "rare", language: "de", maxLength: 12),
    ]
    private static let none = [
        JokeSelection(language: "xx"), JokeSelection(category: "none"), JokeSelection(maxLength: 3),
        JokeSelection(category: "common", language: "de"), JokeSelection(category: "common", maxLength: 12),
        JokeSelection(language: "en", maxLength: 12), JokeSelection(source: "b"), JokeSelection(category: ""),
    ]

    @Test("a random joke costs no more where there are more jokes, however few are asked for")
    func draws() throws {
        let costs = try Self.sizes.map { size in
            let fixture = try Fixture()
            let (store, reader) = try reader(of: size, in: fixture)
            // What an earlier run told last is read once, and that takes a look at each joke.
            #expect(try reader.lastTold() == nil)
            return try (Self.rare + Self.none + [JokeSelection()]).map { try cost(of: $0, store, reader) }
        }
        for (few, many) in zip(costs[0], costs[1]) { #expect(many < few * 5 / 4 + 100, "\(costs)") }
    }

    private func cost(of selection: JokeSelection, _ store: JokeStore, _ reader: JokeReader) throws -> Int {
        let before = reader.steps
        for _ in 0..<20 {
            // So that those that fit were told more often than the others, and by turns not recorded.
            for _ in 0..<7 {
                #expect((try reader.random(selection) == nil) == Self.none.contains(selection), "\(selection)")
            }
            try store.assumeIsolated { [told = reader.unrecorded] in try $0.record(told, at: Fixture.noon) }
            reader.forget(reader.unrecorded)
        }
        return reader.steps - before
    }

    @Test("a page of a category costs no more where there are more jokes of it")
    func pages() throws {
        let costs = try Self.sizes.map { size in
            let fixture = try Fixture()
            let (_, reader) = try reader(of: size, in: fixture)
            let page = try reader.list(JokeSelection(category: "Common"), limit: 10)
            #expect(page.total == size - 3 && page.rows.count == 10)
            return reader.steps
        }
        #expect(costs[1] == costs[0])
    }
}
