import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// The order in which random jokes are served.
@Suite struct RandomTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    private func serve(_ store: JokeStore, _ selection: JokeSelection = JokeSelection()) throws -> String {
        try #require(try store.served(selection)).id.rawValue
    }

    @Test("no joke is served twice before all others, also across restarts")
    func noRepeats() throws {
        var random = SplitMix64(seed: testSeed)
        var served: [String] = []
        var store = try fixture.open()
        try store.ingest(jokes(0..<40))
        try store.ingest(jokes(0..<5, from: "b"), from: "b")
        for _ in 0..<3 * 45 {
            served.append(try serve(store))
            if random.chance(1, in: 6) { store = try fixture.open(seed: random.next()) }
        }
        for round in 0..<3 {
            #expect(Set(served[round * 45..<(round + 1) * 45]).count == 45, "round \(round), seed \(testSeed)")
        }
        #expect(served[..<45] != served[45..<90], "the rounds have the same order, seed \(testSeed)")
    }

    @Test("a joke from the end of a round is not served at the beginning of the next round, also after a restart")
    func gaps() throws {
        for count in [1, 2, 3, 10, 45, 200] {
            let fixture = try Fixture()
            var store = try fixture.open()
            try store.ingest(jokes(0..<count))
            var random = SplitMix64(seed: testSeed)
            var servedAt: [String: Int] = [:]
            for number in 0..<5 * count {
                let joke = try serve(store)
                let gap = number - (servedAt[joke] ?? .min / 2)
                #expect(gap >= max(min(count, 2), count / 2), "\(joke) of \(count) after \(gap), seed \(testSeed)")
                servedAt[joke] = number
                if random.chance(1, in: 9) { store = try fixture.open(seed: random.next()) }
            }
            #expect(servedAt.count == count)
        }
    }

    @Test("a joke that is marked as seen comes after all others of the round, and one marked as unseen comes next")
    func seen() throws {
        let store = try fixture.open()
        try store.ingest(jokes(0..<20))
        try store.ingest(jokes(0..<5, from: "b"), from: "b")
        let read = (0..<10).map { JokeID(rawValue: "a:\($0)") } + [JokeID(rawValue: "none:1")]
        #expect(try store.marked(true, read) == Array(repeating: true, count: 10) + [false])
        #expect(try store.marked(true, [read[0]]) == [false])
        #expect(try Set((0..<15).map { _ in try serve(store) }).isDisjoint(with: read.map(\.rawValue)))
        #expect(try store.marked(false, [read[3]]) == [true])
        #expect(try serve(store) == read[3].rawValue)
        #expect(try store.marked(false, read).count { $0 } == 10)
        #expect(try store.markedAll(JokeSelection(source: "b"), atMost: 9) == 0)
        #expect(try store.markedAll(JokeSelection(source: "a"), atMost: 8) == 8)
        #expect(try store.markedAll(JokeSelection(), atMost: 8) == 2)
        #expect(try JokeReader(of: store).list(JokeSelection(unseen: true), limit: 9).total == 0)
    }

    private static let selections = [
        JokeSelection(), JokeSelection(), JokeSelection(source: "a"), JokeSelection(category: "PUN"),
        JokeSelection(language: "de"), JokeSelection(language: "de-AT"), JokeSelection(maxLength: 30),
        JokeSelection(category: "duck", language: "en"), JokeSelection(language: "en", maxLength: 26),
        JokeSelection(source: "b", category: "pun", language: "DE", maxLength: 40),
    ]

    /// Counts how often each joke was served since the last serve of each other joke, if the selection had both jokes.
    private struct ServesSinceOther {
        /// `counts[x][y]` is the number of times that `y` was served since `x`.
        private var counts: [JokeID: [JokeID: Int]] = [:]
        private(set) var served: Set<JokeID> = []

        /// Counts a served joke.
        ///
        /// - Returns: The maximum of `counts[other][joke]` over the other jokes that were served before, and over the
        ///   other jokes that were not.
        mutating func serve(_ joke: JokeID, among shown: [JokeID]) -> (maxSinceServed: Int, maxWhileUnserved: Int) {
            var maximum = (maxSinceServed: 0, maxWhileUnserved: 0)
            for other in shown where other != joke {
                let count = (counts[other]?[joke] ?? 0) + 1
                counts[other, default: [:]][joke] = count
                if served.contains(other) {
                    maximum.maxSinceServed = max(maximum.maxSinceServed, count)
                } else {
                    maximum.maxWhileUnserved = max(maximum.maxWhileUnserved, count)
                }
            }
            counts[joke] = [:]
            served.insert(joke)
            return maximum
        }
    }

    @Test(
        "between two serves of a joke, no other is served more than twice; before its first serve, no other more than once"
    )
    func rounds() throws {
        var random = SplitMix64(seed: testSeed)
        let filters = [
            JokeFilter(safe: false, maxLength: nil), JokeFilter(safe: true, maxLength: nil),
            JokeFilter(safe: false, languages: ["de"], maxLength: nil), JokeFilter(safe: true, words: ["odd"]),
        ]
        var rules = DisplayRules(sourceOrder: ["a", "b", "c"], filter: filters[0])
        var store = try fixture.open(rules: rules)
        var serves = ServesSinceOther()
        var next = 0
        // Sources of different sizes, and jokes that only some filters admit.
        func ingest(_ count: Int, from source: String) throws {
            let batch = try (next..<next + count).map { number in
                try joke(
                    source, "\(number)",
                    "Joke \(number) is \(String(repeating: "very ", count: number % 4))\(number % 2 == 0 ? "even" : "odd").",
                    categories: [[], ["Pun"], ["pun", "PUN"], ["Duck", "pun"]][number % 4],
                    flags: number % 5 == 0 ? ["nsfw"] : [], language: ["de", "en", "en", "de-AT"][number % 4])
            }
            next += 30
            try store.ingest(batch, from: source)
        }
        try ingest(29, from: "a")
        for step in 0..<scaled(1_500) {
            switch random.int(in: 0..<24) {
            case 0 where next < 300:
                let source = ["a", "a", "a", "a", "b", "c"][random.int(in: 0..<6)]
                try ingest(random.int(in: 1..<(source == "a" ? 30 : 4)), from: source)
            case 1:
                rules.filter = filters[random.int(in: 0..<filters.count)]
                try store.assumeIsolated { [rules] store in try store.adopt(rules) }
            case 2, 3: store = try fixture.open(rules: rules, seed: random.next())
            default:
                let selection = Self.selections[random.int(in: 0..<Self.selections.count)]
                let shown = try JokeReader(of: store).list(selection, limit: 1_000).rows.map(\.id)
                guard let joke = try store.served(selection) else {
                    #expect(shown.isEmpty, "seed \(testSeed), step \(step)")
                    continue
                }
                #expect(shown.contains(joke.id), "seed \(testSeed), step \(step)")
                let maximum = serves.serve(joke.id, among: shown)
                #expect(
                    maximum.maxSinceServed <= 2 && maximum.maxWhileUnserved <= 1,
                    "\(joke.id) at step \(step), seed \(testSeed), \(selection)")
            }
        }
        #expect(serves.served.count > 20)
    }

    @Test("a store that records nothing serves any joke of the selection")
    func unrecorded() throws {
        let store = try fixture.open()
        try store.ingest(jokes(0..<3) + jokes(3..<5, categories: ["pun"]))
        let reader = try JokeReader(of: store)
        #expect(try Set((0..<200).compactMap { _ in try reader.anyJoke()?.id }).count == 5)
        let puns = try Set((0..<60).compactMap { _ in try reader.anyJoke(JokeSelection(category: "pun"))?.id.rawValue })
        #expect(puns == ["a:3", "a:4"])
        #expect(try reader.anyJoke(JokeSelection(source: "b")) == nil && reader.lastServed() == nil)
    }

    @Test("a new joke is served next")
    func newJokesFirst() throws {
        let store = try fixture.open()
        try store.ingest(jokes(0..<9))
        for _ in 0..<13 { _ = try serve(store) }
        try store.ingest(jokes(20..<22))
        #expect(try Set([serve(store), serve(store)]) == ["a:20", "a:21"])
    }

    @Test("sources, also those of a selection, are picked at random, independent of their sizes")
    func randomSources() throws {
        for selection in [JokeSelection(), JokeSelection(category: "pun", language: "en", maxLength: 60)] {
            let fixture = try Fixture()
            let store = try fixture.open(seed: 1)
            try store.ingest(jokes(0..<1_000, categories: ["pun"]))
            try store.ingest(jokes(0..<200, from: "b", categories: ["pun"]) + jokes(200..<900, from: "b"), from: "b")
            let fromB = try (0..<200).count { _ in try serve(store, selection).hasPrefix("b:") }
            // 200 coin tosses with a fixed seed: 100 ± four standard deviations.
            #expect((72...128).contains(fromB))
        }
    }

    @Test("within a source, languages and lengths have the same shares among served jokes as among stored jokes")
    func randomJokesOfSource() throws {
        let store = try fixture.open(seed: 1)
        try store.ingest(
            (0..<2_000).map { number in
                let words = Array(repeating: "duck", count: number % 10 == 0 ? 60 + number % 300 : 1 + number % 7)
                return try joke(
                    "a", "\(number)", "\(number) \(words.joined(separator: " "))",
                    language: number % 4 == 0 ? "de" : "en")
            })
        let served = try (0..<400).map { _ in try #require(try store.served()) }
        // A tenth, a quarter and a half of 400, ± four to five standard deviations.
        #expect((16...64).contains(served.count { $0.content.text.setup.count > 250 }))
        #expect((65...135).contains(served.count { $0.content.language == "de" }))
        #expect((150...250).contains(served.count { Int($0.id.rawValue.dropFirst(2)) ?? 0 < 1_000 }))
    }

    @Test("a joke counts as served if one of its duplicates was served")
    func servedDuplicate() throws {
        let store = try fixture.open()
        try store.ingest(jokes(0..<2, from: "b"), from: "b")
        let first = try serve(store)
        let number = first.dropFirst(2)
        try store.ingest([joke("a", "x", "Why did duck b\(number) cross?", "Side \(number).")])
        #expect(try Set(JokeReader(of: store).shownIDs()).contains("a:x"))
        #expect(try serve(store) == (first == "b:0" ? "b:1" : "b:0"))
    }

    @Test(
        "a random joke is served even if the stored rounds or counts are wrong",
        arguments: [
            "groups SET round = \(Int.max)", "groups SET round = -5", "groups SET round = key - 2",
            "sources SET shown = 0",
        ])
    func wrongCounts(_ change: String) throws {
        let store = try fixture.open()
        try store.ingest([
            joke("a", "1", "A small duck."), joke("a", "2", "Eine kleine Ente.", language: "de"),
            joke("a", "3", "Un petit canard.", language: "fr"),
        ])
        try Connection(path: fixture.databasePath, access: .writing).execute("UPDATE \(change)")
        for _ in 0..<9 { _ = try serve(store) }
    }
}
