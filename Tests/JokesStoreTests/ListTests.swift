import JokesCore
import JokesStore
import TestSupport
import Testing

/// Lists of shown and of hidden jokes, searches for IDs by prefix, and short IDs.
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

    @Test("a short ID has at least 6 digits, and matches no other joke")
    func shortIDs() throws {
        let digits = (0..<40).map { hexDigits($0) }
        let ids = digits.map { "a:~\($0)" } + ["a:1", "a:~x", "b:~é"]
        let all = try ids.enumerated().map { number, id in
            var joke = try joke("a", "1", "Duck number \(number).")
            joke.id = JokeID(rawValue: id)
            return joke
        }
        try store.ingest(all)
        for id in ids {
            let short = try reader.shortID(JokeID(rawValue: id))
            let found = try reader.ids(withPrefix: JokeID.prefix(from: short), limit: 9).map(\.rawValue)
            #expect(found.contains(id) && (found == [id] || short == id), "\(short): \(found)")
            #expect(short == id || short.hasPrefix("a~") && short.utf8.count >= min(8, id.utf8.count - 1))
        }
        #expect(try reader.shortID(JokeID(rawValue: "a:1")) == "a:1")
        #expect(try digits.contains { try reader.shortID(JokeID(rawValue: "a:~\($0)")).utf8.count > 8 })
    }

    /// Returns 16 hexadecimal digits. Neighbors share up to 15 of them.
    private func hexDigits(_ number: Int) -> String {
        let value = number % 4 == 0 ? UInt64(number) &* 0x9E37_79B9_7F4A_7C15 : 0xABCD_EF01_2345_6780 + UInt64(number)
        let hex = String(value, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }

    @Test(
        "each group of hidden jokes is listed once, most recently hidden first; marks without a listed joke are counted"
    )
    func hiddenJokes() throws {
        try store.ingest(jokes(0..<5))
        try store.ingest([joke("b", "9", "Why did duck a1 cross?", "Side 1.")], from: "b")
        for (hours, id) in ["a:3", "b:9", "a:0"].enumerated() { try store.hide(id, hours: hours) }
        let first = try reader.hiddenJokes(limit: 2)
        #expect(first.rows.map(\.joke.id.rawValue) == ["a:0", "a:1"] && first.total == 3)
        #expect(try reader.hiddenMarkCount() == 3)
        let cursor = try #require(first.next)
        #expect(PageCursor(cursor.description) == cursor)
        let second = try reader.hiddenJokes(after: cursor, limit: 2)
        #expect(second.rows.map(\.joke.id.rawValue) == ["a:3"] && second.next == nil)
        #expect(second.rows.map(\.hiddenAt) == [Fixture.now])
        #expect(try reader.joke(JokeID(rawValue: "a:3"))?.isHidden == true)
        #expect(try reader.joke(JokeID(rawValue: "a:4"))?.isHidden == false)
        // The filters exclude a hidden joke.
        try store.assumeIsolated { store in
            try store.adopt(DisplayRules(sourceOrder: ["a"], filter: .init(words: ["a3"])))
        }
        let filtered = try reader.hiddenJokes(limit: 9)
        #expect(filtered.rows.map(\.joke.id.rawValue) == ["a:0", "a:1"] && filtered.total == 2)
        #expect(try reader.hiddenMarkCount() == 3)
    }
}
