import JokesCore
import JokesStore
import TestSupport
import Testing

/// Lists of the shown jokes, the note of an excluded favorite, and searches for IDs by prefix.
@Suite final class ListTests: StoreTestCase {
    @Test(
        "the list is newest first, and its pages neither repeat nor skip jokes, nor change the total, while new ones arrive",
        arguments: [1, 3, 7, 100])
    func paging(limit: Int) throws {
        try store.ingest(jokes(0..<20))
        var page = try reader.list(limit: limit)
        var ids = page.rows.map(\.id.rawValue)
        var arrivals = 20
        while let cursor = page.next {
            try store.ingest(jokes(arrivals..<arrivals + 2))
            arrivals += 2
            #expect(PageCursor(cursor.description) == cursor)
            page = try reader.list(after: cursor, limit: limit)
            #expect(page.rows.count <= limit && page.total == 20)
            ids += page.rows.map(\.id.rawValue)
        }
        #expect(ids == (0..<20).map { "a:\($0)" })
    }

    @Test("a list can be limited to a source, a category, a language, a maximum length, or all of these")
    func selections() throws {
        try store.ingest([
            joke("a", "1", "One small duck.", categories: ["Pun", "Birds"]),
            joke("a", "2", "Two ducks.", categories: ["Misc"]),
            joke("a", "3", "Eine Ente.", categories: ["pun"], language: "de-AT"),
        ])
        try store.ingest(
            [joke("b", "4", "A duck, and then another one.", categories: ["PUN"], language: "en-GB")], from: "b")
        let cases: [(JokeSelection, [String])] = [
            (JokeSelection(), ["b:4", "a:1", "a:2", "a:3"]),
            (JokeSelection(source: "a"), ["a:1", "a:2", "a:3"]),
            (JokeSelection(source: "nowhere"), []),
            (JokeSelection(category: "pUn"), ["b:4", "a:1", "a:3"]),
            (JokeSelection(source: "a", category: "pun"), ["a:1", "a:3"]),
            (JokeSelection(language: "EN"), ["b:4", "a:1", "a:2"]),
            (JokeSelection(language: "e%"), []),
            (JokeSelection(maxLength: 10), ["a:2", "a:3"]),
            (JokeSelection(maxLength: 9), []),
            (JokeSelection(source: "a", category: "pun", language: "de", maxLength: 10), ["a:3"]),
            (JokeSelection(source: NameSelection(only: ["a", "b", "c"])), ["b:4", "a:1", "a:2", "a:3"]),
            (JokeSelection(source: NameSelection(only: ["a", "b"], not: ["b"])), ["a:1", "a:2", "a:3"]),
            (JokeSelection(source: NameSelection(not: ["a"])), ["b:4"]),
            (JokeSelection(category: NameSelection(only: ["pun", "misc"], not: ["birds"])), ["b:4", "a:2", "a:3"]),
            (JokeSelection(category: NameSelection(not: ["PUN"])), ["a:2"]),
            (JokeSelection(source: "a", language: NameSelection(only: ["de", "en"])), ["a:1", "a:2", "a:3"]),
            (JokeSelection(language: NameSelection(only: ["de", "en"], not: ["EN"])), ["a:3"]),
            (JokeSelection(category: NameSelection(only: ["pun"], not: ["pun"])), []),
        ]
        for (selection, ids) in cases {
            let page = try reader.list(selection, limit: 50)
            #expect(page.rows.map(\.id.rawValue) == ids, "\(selection)")
            #expect(page.total == ids.count, "\(selection)")
        }
        try store.ingest([joke("a", "1", "One small duck.", categories: ["Misc"])])
        #expect(try reader.shownIDs(JokeSelection(category: "Birds")) == [])
        #expect(try reader.shownIDs(JokeSelection(category: "misc")) == ["a:1", "a:2"])
    }

    @Test("a part of the list has the jokes after its start, or the last ones if there are fewer")
    func parts() throws {
        var random = SplitMix64(seed: testSeed)
        try store.ingest(jokes(0..<90))
        try store.ingest(
            (0..<60).map { try joke("b", "\($0)", "Goose number\($0).", categories: [$0 % 3 == 0 ? "Pun" : "Misc"]) },
            from: "b")
        try store.assumeIsolated { store in
            for number in [3, 40, 41] {
                _ = try store.setHidden(true, JokeID(rawValue: "a:\(number)"), at: Fixture.now)
            }
        }
        let selections = [
            JokeSelection(), JokeSelection(source: "a"), JokeSelection(category: "pun"), JokeSelection(unseen: true),
            JokeSelection(source: "b", category: "Misc"), JokeSelection(category: "none"),
        ]
        for selection in selections {
            let all = try reader.list(selection, limit: 1000).rows
            for _ in 0..<scaled(400) {
                let limit = random.int(in: 1..<100)
                let start = random.chance(1, in: 8) ? Int.max : random.int(in: 0..<all.count + 5)
                let part = try reader.list(selection, start: start, limit: limit)
                let expected = max(0, min(start, all.count - limit))
                #expect(part.start == expected && part.count == all.count, "\(selection), \(start), \(limit)")
                #expect(
                    part.rows.map(\.joke) == Array(all.dropFirst(expected).prefix(limit)),
                    "\(selection), \(start), \(limit)")
            }
        }
    }

    @Test("IDs are found by any prefix, which is case-sensitive")
    func prefixes() throws {
        try store.ingest([
            joke("a", "en:8", "One small duck."), joke("a", "en:81", "Two ducks."), joke("a", "EN:8", "Three."),
        ])
        func ids(_ prefix: String, limit: Int = 10) throws -> [String] {
            try reader.ids(withPrefix: prefix, limit: limit).map(\.rawValue)
        }
        #expect(try ids("a:en:8") == ["a:en:8", "a:en:81"])
        #expect(try ids("a:EN") == ["a:EN:8"])
        #expect(try ids("a", limit: 2) == ["a:EN:8", "a:en:8"])
        #expect(try ids("b") == [])
        #expect(try ids("a:en:_") == [])
    }
}
