import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

@Suite struct RandomTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    private func reader(of store: JokeStore, seed: UInt64 = testSeed) throws -> JokeReader {
        try JokeReader(of: store, randomness: SplitMix64(seed: seed))
    }

    private func record(_ reader: JokeReader, in store: JokeStore) throws {
        let told = reader.unrecorded
        try store.assumeIsolated { store in try store.record(told, at: Fixture.noon) }
        reader.forget(told)
        #expect(reader.unrecorded.isEmpty)
    }

    private func draw(_ reader: JokeReader, _ selection: JokeSelection = JokeSelection()) throws -> String {
        try #require(try reader.random(selection)).id.rawValue
    }

    @Test("no joke is told twice before all were told, across restarts, whenever tellings are recorded")
    func noRepeats() throws {
        var random = SplitMix64(seed: testSeed)
        var told: [String] = []
        var store = try fixture.open()
        try store.take(jokes(0..<40))
        try store.take(jokes(0..<5, from: "b"), from: "b")
        var reader = try reader(of: store)
        for _ in 0..<3 * 45 {
            told.append(try draw(reader))
            switch random.int(in: 0..<6) {
            case 0, 1: try record(reader, in: store)
            case 2:
                try record(reader, in: store)
                store = try fixture.open(seed: random.next())
                reader = try self.reader(of: store, seed: random.next())
            default: break
            }
        }
        for round in 0..<3 {
            #expect(Set(told[round * 45..<(round + 1) * 45]).count == 45, "round \(round), seed \(testSeed)")
        }
        #expect(told[..<45] != told[45..<90], "the rounds have one order, seed \(testSeed)")
    }

    @Test(
        "no joke comes again before half of the others, or 64, were told, at the border of two rounds and after a restart neither"
    )
    func gaps() throws {
        for count in [1, 2, 3, 10, 45, 200] {
            let fixture = try Fixture()
            let store = try fixture.open()
            try store.take(jokes(0..<count - count / 3))
            try store.take(jokes(0..<count / 3, from: "b"), from: "b")
            var random = SplitMix64(seed: testSeed)
            var reader = try reader(of: store)
            var toldAt: [String: Int] = [:]
            for number in 0..<5 * count {
                let joke = try draw(reader)
                let gap = number - (toldAt[joke] ?? .min / 2)
                #expect(gap > min(64, count / 2), "\(joke) of \(count), \(gap) after it, seed \(testSeed)")
                toldAt[joke] = number
                // One at a time, each at its own: in a batch there is but the last to be told from the others.
                let told = reader.unrecorded
                try store.assumeIsolated { store in
                    try store.record(told, at: Timestamp(microseconds: Int64(1000 * number)))
                }
                reader.forget(told)
                if random.int(in: 0..<9) == 0 { reader = try self.reader(of: store, seed: random.next()) }
            }
            #expect(toldAt.count == count)
        }
    }

    @Test("a joke of what is asked for comes again after half of the others, whatever else is asked for in between")
    func gapsOfSelections() throws {
        let store = try fixture.open()
        for source in ["a", "b", "c"] { try store.take(jokes(0..<8, from: source), from: source) }
        try store.take(
            (0..<8).map { try joke("d", "\($0)", "Long duck \($0), \(String(repeating: "very ", count: 20)).") },
            from: "d")
        let reader = try reader(of: store)
        let selections =
            ["a", "b", "c"].map { JokeSelection(source: $0) } + [JokeSelection(source: "a", maxLength: 100)]
        var told: [JokeSelection: [String]] = [:]
        for number in 0..<400 {
            let selection = selections[number % 3]
            let joke = try draw(reader, selection)
            #expect(!told[selection, default: []].suffix(4).contains(joke), "\(joke) at \(number), seed \(testSeed)")
            told[selection, default: []].append(joke)
            if number % 7 == 0 { try record(reader, in: store) }
        }
        // Of few short ones among many long ones each round has an order of its own, too.
        let rounds = try (0..<6).map { _ in try (0..<24).map { _ in try draw(reader, JokeSelection(maxLength: 100)) } }
        #expect(Set(rounds).count > 1)
    }

    @Test("the joke that was told last is known by whoever told it, and from the record by whoever comes later")
    func last() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<9))
        let reader = try reader(of: store)
        #expect(try reader.lastTold() == nil)
        _ = try draw(reader)
        try record(reader, in: store)
        // What is recorded at once has an order, too.
        let last = try (0..<5).map { _ in try draw(reader) }[4]
        #expect(try reader.lastTold()?.rawValue == last)
        let told = reader.unrecorded
        try store.assumeIsolated { store in
            try store.record(told, at: Timestamp(microseconds: Fixture.noon.microseconds + 1))
        }
        #expect(try self.reader(of: store).lastTold()?.rawValue == last)
    }

    private static let selections = [
        JokeSelection(), JokeSelection(), JokeSelection(source: "a"), JokeSelection(category: "PUN"),
        JokeSelection(language: "de"), JokeSelection(language: "de-AT"), JokeSelection(maxLength: 30),
        JokeSelection(category: "duck", language: "en"), JokeSelection(language: "en", maxLength: 26),
        JokeSelection(source: "b", category: "pun", language: "DE", maxLength: 40),
    ]

    @Test(
        "whatever arrives, is filtered and restarts in between, of what is asked for that is told which was told least often"
    )
    func leastToldNext() throws {
        var random = SplitMix64(seed: testSeed)
        let filters = [
            JokeFilter(safe: false, maxLength: nil), JokeFilter(safe: true, maxLength: nil),
            JokeFilter(safe: false, languages: ["de"], maxLength: nil), JokeFilter(safe: true, words: ["odd"]),
        ]
        var rules = ShowingRules(sourceOrder: ["a", "b", "c"], filter: filters[0])
        var store = try fixture.open(rules: rules)
        var reader = try reader(of: store)
        var told: [JokeID: Int] = [:]
        var next = 0
        for step in 0..<scaled(1_500, atLeast: 300) {
            switch random.int(in: 0..<24) {
            case 0 where next < 300:
                // Sources of different sizes, some jokes only for some of the filters.
                let source = ["a", "a", "a", "a", "b", "c"][random.int(in: 0..<6)]
                let batch = try (next..<next + random.int(in: 1..<(source == "a" ? 30 : 4))).map { number in
                    try joke(
                        source, "\(number)",
                        "Joke \(number) is \(String(repeating: "very ", count: number % 4))\(number % 2 == 0 ? "even" : "odd").",
                        categories: [[], ["Pun"], ["pun", "PUN"], ["Duck", "pun"]][number % 4],
                        flags: number % 5 == 0 ? ["nsfw"] : [], language: ["de", "en", "en", "de-AT"][number % 4])
                }
                next += 30
                try store.take(batch, from: source)
            case 1:
                rules.filter = filters[random.int(in: 0..<filters.count)]
                try store.assumeIsolated { [rules] store in try store.adopt(rules) }
            case 2, 3: try record(reader, in: store)
            case 4, 5:
                // A clean end: what was told is recorded first.
                try record(reader, in: store)
                store = try fixture.open(rules: rules, seed: random.next())
                reader = try self.reader(of: store, seed: random.next())
            default:
                let selection = Self.selections[random.int(in: 0..<Self.selections.count)]
                let shown = try reader.list(selection, limit: 1_000).rows.map(\.id)
                guard let joke = try reader.random(selection) else {
                    #expect(shown.isEmpty, "seed \(testSeed), step \(step)")
                    continue
                }
                let least = shown.map { told[$0, default: 0] }.min()
                #expect(
                    shown.contains(joke.id) && told[joke.id, default: 0] == least,
                    "\(joke.id) at step \(step), seed \(testSeed), \(selection)")
                told[joke.id, default: 0] += 1
            }
        }
        #expect(told.count > 20)
    }

    @Test("where tellings cannot be recorded, nothing is told twice in a round either")
    func neverRecorded() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<9))
        let reader = try reader(of: store)
        for _ in 0..<3 {
            #expect(try Set((0..<9).map { _ in try draw(reader) }).count == 9)
        }
    }

    @Test("a new joke is told before any is told again")
    func newestFirst() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<9))
        let reader = try reader(of: store)
        for _ in 0..<13 { _ = try draw(reader) }
        try record(reader, in: store)
        try store.take(jokes(20..<22))
        #expect(try Set([draw(reader), draw(reader)]) == ["a:20", "a:21"])
    }

    @Test("sources take turns by chance, however much larger one is")
    func fairness() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<1_000))
        try store.take(jokes(0..<200, from: "b"), from: "b")
        let reader = try reader(of: store, seed: 1)
        let fromB = try (0..<200).count { _ in try draw(reader).hasPrefix("b:") }
        // 200 throws of a coin, with a fixed seed: 100, give or take four standard deviations.
        #expect((72...128).contains(fromB))
    }

    @Test("sources take turns also where a selection is drawn from")
    func fairSelection() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<1_000, categories: ["pun"]))
        try store.take(jokes(0..<200, from: "b", categories: ["pun"]) + jokes(200..<900, from: "b"), from: "b")
        let reader = try reader(of: store, seed: 1)
        let puns = JokeSelection(category: "pun", language: "en", maxLength: 60)
        let fromB = try (0..<200).count { _ in try draw(reader, puns).hasPrefix("b:") }
        #expect((72...128).contains(fromB))
    }

    @Test("within a source jokes come by chance, whatever their language and length")
    func chance() throws {
        let store = try fixture.open()
        try store.take(
            (0..<2_000).map { number in
                let words = Array(repeating: "duck", count: number % 10 == 0 ? 60 + number % 300 : 1 + number % 7)
                return try joke(
                    "a", "\(number)", "\(number) \(words.joined(separator: " "))",
                    language: number % 4 == 0 ? "de" : "en")
            })
        let reader = try reader(of: store, seed: 1)
        let drawn = try (0..<400).map { _ in try #require(try reader.random()) }
        // A tenth and a quarter of 400, give or take four standard deviations, with a fixed seed.
        #expect((16...64).contains(drawn.count { $0.content.text.setup.count > 250 }))
        #expect((65...135).contains(drawn.count { $0.content.language == "de" }))
        #expect((150...250).contains(drawn.count { Int($0.id.rawValue.dropFirst(2)) ?? 0 < 1_000 }))
    }

    @Test("a selection draws from what it names only, each once, and all of it")
    func selection() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<6) + jokes(6..<9, categories: ["Pun"]))
        try store.take(jokes(0..<4, from: "b", categories: ["pun"]), from: "b")
        let reader = try reader(of: store)
        let puns = JokeSelection(category: "pun")
        #expect(
            try Set((0..<7).map { _ in try draw(reader, puns) })
                == ["a:6", "a:7", "a:8", "b:0", "b:1", "b:2", "b:3"])
        try record(reader, in: store)
        let ofA = JokeSelection(source: "a")
        #expect(try Set((0..<6).map { _ in try draw(reader, ofA) }) == Set((0..<6).map { "a:\($0)" }))
        #expect(try reader.random(JokeSelection(source: "c")) == nil)
        #expect(try reader.random(JokeSelection(maxLength: 3)) == nil)
        #expect(try reader.random(JokeSelection(language: "de")) == nil)
        #expect(try reader.random(JokeSelection(source: "b", category: "Pun", language: "en", maxLength: 99)) != nil)
    }

    @Test("neither a filtered nor a hidden joke is told, nor a second telling of one")
    func onlyShown() throws {
        let store = try fixture.open(rules: ShowingRules(sourceOrder: ["a", "b"]))
        try store.take([
            joke("a", "1", "One small duck."), joke("a", "2", "Two ducks.", flags: ["nsfw"]),
            joke("a", "3", "Three ducks."),
        ])
        try store.take([joke("b", "1", "ONE small duck.")], from: "b")
        _ = try store.assumeIsolated { store in try store.setHidden(true, JokeID(rawValue: "a:3"), at: Fixture.noon) }
        let reader = try reader(of: store)
        for _ in 0..<3 { #expect(try draw(reader) == "a:1") }
    }

    @Test("a joke that another source's telling stands for stays told")
    func toldAcrossTellings() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<2, from: "b"), from: "b")
        let reader = try reader(of: store)
        let first = try draw(reader)
        try record(reader, in: store)
        let number = first.dropFirst(2)
        try store.take([joke("a", "x", "Why did duck b\(number) cross?", "Side \(number).")])
        #expect(try Set(reader.shownIDs()).contains("a:x"))
        #expect(try draw(reader) == (first == "b:0" ? "b:1" : "b:0"))
    }

    @Test(
        "a random joke is found even if the stored counts are wrong",
        arguments: [
            "random_buckets SET jokes = 0", "random_buckets SET jokes = -5", "random_buckets SET jokes = \(Int.max)",
            "random_order SET serve_count = \(Int.max)", "random_order SET serve_count = -5",
        ])
    func wrongCounts(_ change: String) throws {
        let store = try fixture.open()
        try store.take([
            joke("a", "1", "A small duck."), joke("a", "2", "Eine kleine Ente.", language: "de"),
            joke("a", "3", "Un petit canard.", language: "fr"),
        ])
        try Connection(path: fixture.databasePath, .init(access: .writing)).execute("UPDATE \(change)")
        let reader = try reader(of: store)
        for _ in 0..<9 { _ = try draw(reader) }
    }

    @Test("an empty store has no joke to tell")
    func empty() throws {
        #expect(try reader(of: fixture.open()).random() == nil)
    }
}
