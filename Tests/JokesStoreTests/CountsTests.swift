import JokesCore
import JokesStore
import TestSupport
import Testing

/// The numbers of jokes, hidden jokes, statistics, short IDs, and selections of favorites and unseen jokes.
@Suite struct CountsTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store, randomness: SplitMix64(seed: testSeed))
    }

    private func hide(_ id: String, hours: Int = 0) throws {
        let time = Fixture.now.advanced(by: .seconds(3600 * hours))
        try store.assumeIsolated { store in _ = try store.setHidden(true, JokeID(rawValue: id), at: time) }
    }

    private func recordDeliveries() throws {
        let deliveries = reader.unrecorded
        try store.assumeIsolated { store in try store.record(deliveries, at: Fixture.now) }
        reader.discardRecorded(deliveries)
    }

    @Test("hidden jokes are listed with the last hidden first, each group once, and other marks are counted")
    func hiddenJokes() throws {
        try store.ingest(jokes(0..<5))
        try store.ingest([joke("b", "9", "Why did duck a1 cross?", "Side 1.")], from: "b")
        for (hours, id) in ["a:3", "b:9", "a:0"].enumerated() { try hide(id, hours: hours) }
        let first = try reader.hiddenJokes(limit: 2)
        #expect(first.rows.map(\.joke.id.rawValue) == ["a:0", "a:1"] && first.total == 3 && first.otherMarks == 0)
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
        #expect(filtered.rows.map(\.joke.id.rawValue) == ["a:0", "a:1"] && filtered.otherMarks == 1)
    }

    @Test("a joke is unseen until it was served, and no selection of unseen jokes repeats one")
    func unseen() throws {
        try store.ingest(jokes(0..<6, categories: ["pun"]))
        let unseen = JokeSelection(isUnseen: true)
        #expect(try reader.statistics(of: unseen, maxNames: 9).jokes == 6)
        var served: Set<JokeID> = []
        for number in 1...6 {
            // Not recorded yet, and recorded.
            let joke = try #require(try reader.random(unseen))
            #expect(served.insert(joke.id).inserted && !joke.isSeen)
            if number % 2 == 0 {
                try recordDeliveries()
                #expect(try reader.list(unseen, limit: 9).rows.count == 6 - number)
                #expect(try reader.search("duck", unseen, limit: 9).rows.count == 6 - number)
            }
        }
        #expect(try reader.random(unseen) == nil && reader.list(unseen, limit: 9).total == 0)
        #expect(try reader.list(limit: 9).rows.allSatisfy(\.isSeen))
        let stored = try #require(try reader.joke(JokeID(rawValue: "a:0")))
        #expect(stored.serveCount == 1 && stored.lastServed != nil)
        let all = try reader.statistics(of: JokeSelection(), maxNames: 9)
        #expect(all.jokes == 6 && all.unseen == 0 && all.served == 6)
        #expect(all.categories.map(\.name) == ["pun"] && all.categories.map(\.jokes) == [6])
    }

    @Test("statistics count each name, the most frequent first, within the selection and the limit")
    func statistics() throws {
        try store.ingest([
            joke("a", "1", "One duck.", categories: ["Pun", "Birds"]),
            joke("a", "2", "Two ducks.", categories: ["Pun"]),
            joke("a", "3", "Eine Ente.", categories: ["Misc"], language: "de"),
        ])
        try store.ingest([joke("b", "4", "Four ducks.", categories: ["birds", "Pun"])], from: "b")
        try store.favorite("b:4")
        let all = try reader.statistics(of: JokeSelection(), maxNames: 2)
        #expect(all.jokes == 4 && all.favorites == 1)
        #expect(all.sources.map(\.name) == ["a", "b"] && all.sources.map(\.jokes) == [3, 1])
        #expect(all.languages.map(\.name) == ["en", "de"] && all.languages.map(\.jokes) == [3, 1])
        #expect(
            all.categories.map { $0.name.lowercased() } == ["pun", "birds"] && all.categories.map(\.jokes) == [3, 2])
        let some = try reader.statistics(of: JokeSelection(source: "b", isFavorite: true), maxNames: 9)
        #expect(some.jokes == 1 && some.languages.map(\.name) == ["en"])
        #expect(try reader.statistics(of: JokeSelection(source: "nowhere"), maxNames: 9) == JokeStatistics())
    }

    @Test("favorites can be selected as jokes can, and a page continues the selection")
    func selectedFavorites() throws {
        try store.ingest(jokes(0..<6, categories: ["Pun"]))
        try store.ingest([joke("b", "1", "Eine Ente.", language: "de-AT")], from: "b")
        for (hours, id) in ["a:0", "b:1", "a:1", "a:2"].enumerated() { try store.favorite(id, hours: hours) }
        func ids(_ selection: JokeSelection) throws -> [String] {
            var page = try reader.favorites(selection, limit: 1)
            var ids = page.rows.map(\.id.rawValue)
            while let next = page.next {
                page = try reader.favorites(selection, after: next, limit: 1)
                ids += page.rows.map(\.id.rawValue)
            }
            #expect(page.total == ids.count)
            return ids
        }
        #expect(try ids(JokeSelection(source: "a")) == ["a:2", "a:1", "a:0"])
        #expect(try ids(JokeSelection(language: "de")) == ["b:1"])
        #expect(try ids(JokeSelection(category: "pun", isUnseen: true)) == ["a:2", "a:1", "a:0"])
        #expect(try ids(JokeSelection(maxLength: 10)) == ["b:1"])
        #expect(try reader.shownIDs(JokeSelection(isFavorite: true)) == ["b:1", "a:2", "a:1", "a:0"])
        for _ in 0..<7 { _ = try reader.random() }
        try recordDeliveries()
        #expect(try ids(JokeSelection(isUnseen: true)) == [])
    }

    @Test("a short ID has at least 6 digits, and matches no other joke")
    func shortIDs() throws {
        let digits = (0..<40).map { format16($0) }
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
            #expect(short == id || short.hasPrefix("a~") && short.utf8.count >= 8)
        }
        #expect(try reader.shortID(JokeID(rawValue: "a:1")) == "a:1")
        #expect(try digits.contains { try reader.shortID(JokeID(rawValue: "a:~\($0)")).utf8.count > 8 })
    }

    /// Returns 16 digits. Neighbors share up to 15 of them.
    private func format16(_ number: Int) -> String {
        let value = number % 4 == 0 ? UInt64(number) &* 0x9E37_79B9_7F4A_7C15 : 0xABCD_EF01_2345_6780 + UInt64(number)
        let hex = String(value, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }

    @Test("the joke of the day stays until its date, as long as it is shown")
    func today() throws {
        try store.ingest(jokes(0..<3))
        let date = try #require(CivilDate(year: 2026, month: 11, day: 25))
        #expect(try reader.jokeOfTheDay(date) == nil)
        try store.assumeIsolated { store in try store.setJokeOfTheDay(JokeID(rawValue: "a:1"), on: date) }
        #expect(try reader.jokeOfTheDay(date)?.id.rawValue == "a:1" && reader.lastServed()?.rawValue == "a:1")
        #expect(try reader.jokeOfTheDay(CivilDate(daysSince1970: date.daysSince1970 + 1)) == nil)
        try hide("a:1")
        #expect(try reader.jokeOfTheDay(date) == nil)
    }
}
