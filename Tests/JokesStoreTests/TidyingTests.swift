import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// What keeps the cache within its limits takes nothing from anybody.
@Suite struct TidyingTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    private func inspector() throws -> Connection {
        try Connection(path: fixture.databasePath, .init(access: .reading))
    }

    private func numbers(_ ids: [String]) -> [Int] {
        ids.compactMap { Int($0.dropFirst(2)) }
    }

    // MARK: Room

    @Test("what is more than the limit goes, the oldest first; the newest stay")
    func oldestGo() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        try store.take(jokes(0..<700))
        #expect(try store.tidy(CacheLimits(jokes: 250)) == 450)
        #expect(try numbers(reader.shownIDs()) == Array((450..<700).reversed()))
        #expect(try reader.counts().stored == 250)
        #expect(try reader.search("side 10", limit: 9).rows.isEmpty)
        #expect(try store.tidy(CacheLimits(jokes: 250)) == 0)
        try checkTables(inspector())
    }

    @Test("of the oldest, those told least often go first")
    func leastToldGo() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store, randomness: SplitMix64(seed: testSeed))
        try store.take(jokes(0..<400))
        let told = try Set((0..<200).map { _ in try #require(try reader.random()).id.rawValue })
        try store.recordTellings(of: reader)
        #expect(try store.tidy(CacheLimits(jokes: 380)) == 20)
        let gone = (0..<400).map { "a:\($0)" }.filter { !told.contains($0) }.prefix(20)
        let left = try Set(reader.shownIDs())
        #expect(left == Set((0..<400).map { "a:\($0)" }).subtracting(gone), "seed \(testSeed)")
    }

    @Test("what has just come stays, though it is told least often")
    func newestStay() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store, randomness: SplitMix64(seed: testSeed))
        try store.take(jokes(0..<120))
        for _ in 0..<120 { _ = try reader.random() }
        try store.recordTellings(of: reader)
        try store.take(jokes(120..<121))
        #expect(try store.tidy(CacheLimits(jokes: 120)) == 1)
        #expect(try numbers(reader.shownIDs()) == Array((1...120).reversed()))
    }

    @Test("favorites and hidden jokes stay, and there is room for as many others as the limit says")
    func marksStay() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        try store.take(jokes(0..<50))
        for number in 0..<10 { try store.star("a:\(number)", hours: number) }
        try store.hide("a:10")
        let favorites = try reader.favorites()
        #expect(try store.tidy(CacheLimits(jokes: 12)) == 27)
        #expect(try reader.favorites() == favorites)
        #expect(try numbers(reader.shownIDs()) == Array((38..<50).reversed()) + (0..<10).reversed())
        #expect(try store.tidy(CacheLimits(jokes: 0)) == 12)
        #expect(try reader.counts().stored == 11 && reader.counts().marks == 11)
        try store.take(jokes(10..<12), limits: CacheLimits(jokes: 100))
        #expect(try numbers(reader.shownIDs()) == [11] + (0..<10).reversed())
        try store.hide("a:10", false)
        #expect(try numbers(reader.shownIDs()) == [11] + (0...10).reversed())
        try checkTables(inspector())
    }

    @Test("a full cache does not take another telling of what it has, sweep after sweep")
    func noWheelOfTellings() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        let limits = CacheLimits(jokes: 30)
        let twins = try (0..<30).map { try joke("b", "\($0)", "Why did duck a\($0) cross?", "Side \($0).") }
        try store.take(jokes(0..<30), part: .whole, limits: limits)
        let kept = try reader.shownIDs()
        for hours in 1..<4 {
            let report = try store.take(twins, from: "b", hours: hours, part: .whole, limits: limits)
            #expect(report == IngestReport(letGo: 30))
            #expect(try store.take(jokes(0..<30), hours: hours, part: .whole) == IngestReport(unchanged: 30))
            #expect(try store.tidy(limits, hours: hours) == 0)
            #expect(try reader.shownIDs() == kept)
        }
    }

    @Test("a full cache does not take back what it let go of, sweep after sweep, and takes what is new")
    func noWheel() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        let limits = CacheLimits(jokes: 30)
        try store.take(jokes(0..<50), part: .whole, limits: limits)
        _ = try store.tidy(limits)
        let kept = try reader.shownIDs()
        for hours in 1..<4 {
            let report = try store.take(jokes(0..<50), hours: hours, part: .whole, limits: limits)
            #expect(report == IngestReport(unchanged: 30, letGo: 20))
            #expect(try reader.shownIDs() == kept)
        }
        let report = try store.take(jokes(0..<51), hours: 5, part: .whole, limits: limits)
        #expect(report == IngestReport(new: 1, unchanged: 30, letGo: 20))
        #expect(try store.tidy(limits) == 1)
        #expect(try reader.shownIDs() == ["a:50"] + kept.dropLast())
    }

    @Test("what comes again where there is room is still known to have been told")
    func toldStaysKnown() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store, randomness: SplitMix64(seed: testSeed))
        try store.take(jokes(0..<4))
        for _ in 0..<4 { _ = try reader.random() }
        let told = reader.unrecorded
        try store.assumeIsolated { store in try store.record(told, at: Fixture.noon) }
        reader.forget(told)
        try store.take(jokes(4..<8))
        #expect(try store.tidy(CacheLimits(jokes: 0)) == 8)
        let report = try store.take(jokes(0..<8), limits: CacheLimits(jokes: 100))
        #expect(report == IngestReport(new: 8))
        let next = try (0..<4).map { _ in try #require(try reader.random()).id.rawValue }
        #expect(Set(next) == Set((4..<8).map { "a:\($0)" }), "seed \(testSeed)")
    }

    // MARK: Age

    @Test("a joke goes that its source has not shown for longer than the limit, while others of it came")
    func oldGo() throws {
        let store = try fixture.open(rules: .everything("a", "b"))
        let reader = try JokeReader(of: store)
        let limits = CacheLimits(age: .seconds(86_400 * 10))
        try store.take(jokes(0..<3), part: .whole, limits: limits)
        try store.take(jokes(0..<3, from: "b"), from: "b")
        try store.star("b:1")
        var removed: [Int] = []
        for day in 1...12 {
            try store.take(jokes(1..<3), hours: 24 * day, part: .whole)
            try store.take(jokes(2..<3, from: "b"), from: "b", hours: 24 * day)
            removed.append(try store.tidy(limits, hours: 24 * day))
        }
        #expect(removed == Array(repeating: 0, count: 10) + [2, 0])
        #expect(try reader.shownIDs() == ["b:2", "b:1", "a:2", "a:1"])
    }

    @Test("time does not count in which a source could not be asked, or said that nothing has changed")
    func pausesDoNotCount() throws {
        let store = try fixture.open()
        let limits = CacheLimits(age: .seconds(86_400 * 10))
        try store.take(jokes(0..<3), limits: limits)
        try store.succeed("a", hours: 24 * 400)
        #expect(try store.tidy(limits, hours: 24 * 400) == 0)
        for day in 400...410 {
            try store.take(jokes(2..<3), hours: 24 * day)
            #expect(try store.tidy(limits, hours: 24 * day) == 0)
        }
        try store.take(jokes(2..<3), hours: 24 * 411)
        #expect(try store.tidy(limits, hours: 24 * 411) == 2)
    }

    /// With three jokes of a source that the configuration has no longer, and ten days for a joke.
    private func storeOfUnasked() throws -> (JokeStore, CacheLimits) {
        let store = try fixture.open(rules: .everything("a"))
        try store.take(jokes(0..<3, from: "b"), from: "b")
        try store.take(jokes(0..<3))
        return (store, CacheLimits(age: .seconds(86_400 * 10)))
    }

    @Test("all time counts that has gone where no source will be asked any more")
    func unconfiguredGo() throws {
        let (store, limits) = try storeOfUnasked()
        #expect(try store.tidy(limits, hours: 24 * 11) == 0)
        #expect(try store.tidy(limits, hours: 24 * 12) == 3)
        #expect(try JokeReader(of: store).counts().sources["b"]?.stored == 0)
    }

    @Test("a clock that is a year ahead for a while costs no joke, also of a source that will not be asked any more")
    func clockAhead() throws {
        let (store, limits) = try storeOfUnasked()
        for day in [1, 366, 2, 3, 400, 4] { #expect(try store.tidy(limits, hours: 24 * day) == 0, "day \(day)") }
        for day in [9, 12] { #expect(try store.tidy(limits, hours: 24 * day) == 0) }
        #expect(try store.tidy(limits, hours: 24 * 13) == 3)
    }

    // MARK: Space

    @Test("the file gives back what it does not need, and keeps some for what comes next")
    func spaceGoes() throws {
        let store = try fixture.open()
        for start in stride(from: 0, to: 12_000, by: 2_000) { try store.take(jokes(start..<start + 2_000)) }
        let inspector = try inspector()
        let before = try inspector.count("PRAGMA page_count")
        _ = try store.tidy(CacheLimits(jokes: 200, remembered: 200))
        let free = try inspector.count("PRAGMA freelist_count")
        #expect(try inspector.count("PRAGMA page_count") - free < before / 2)
        #expect(free <= 256)
        try checkTables(inspector)
        #expect(try inspector.prepare("PRAGMA integrity_check").map { row in try row.read(0) } == ["ok"])
    }

    @Test("what is known of texts that went is bounded")
    func memoryIsBounded() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<300))
        _ = try store.tidy(CacheLimits(jokes: 200, remembered: 40))
        let known = try inspector().count("SELECT count(*) FROM groups WHERE emptied_at IS NOT NULL")
        #expect(known == 40)
    }

    // MARK: All together

    @Test("whatever comes and goes, tidying keeps to the limits, loses no mark and nothing of the newest")
    func histories() throws {
        var random = SplitMix64(seed: testSeed)
        let store = try fixture.open()
        let reader = try JokeReader(of: store, randomness: SplitMix64(seed: random.next()))
        let inspector = try inspector()
        for step in 0..<scaled(300) {
            let limits = CacheLimits(jokes: random.int(in: 0..<60), remembered: random.int(in: 0..<60))
            let start = random.int(in: 0..<200)
            let source = ["a", "b"][random.int(in: 0..<2)]
            try store.take(
                jokes(start..<start + random.int(in: 0..<20), from: source), from: source, hours: step,
                part: random.chance(1, in: 2) ? .whole : .outside, limits: limits)
            let shown = try reader.shownIDs()
            if let id = shown.randomElement(using: &random), random.chance(1, in: 3) { try store.star(id, hours: step) }
            if let id = shown.randomElement(using: &random), random.chance(1, in: 5) { try store.hide(id) }
            if let id = try reader.favoriteIDs().randomElement(using: &random), random.chance(1, in: 4) {
                try store.unstar(id)
            }
            for _ in 0..<random.int(in: 0..<6) { _ = try reader.random() }
            if random.chance(1, in: 2) { try store.recordTellings(of: reader) }
            let (favorites, before) = (try reader.favorites(), try reader.counts())
            let list = try reader.shownIDs()
            let removed = try store.tidy(limits, hours: step)
            do {
                try checkTables(inspector)
                try hold(try reader.favorites() == favorites, "favorites stay")
                let after = try reader.counts().stored
                try hold(after == before.stored - removed, "what went is counted")
                let marked = "FROM jokes JOIN groups g ON g.key = joke_group JOIN"
                let marks = try inspector.count(
                    "SELECT (SELECT count(*) FROM favorites) + (SELECT count(*) FROM hidden)")
                let keeping = try inspector.count(
                    """
                    SELECT count(*) FROM (SELECT jokes.id \(marked) favorites USING (fingerprint)
                        UNION SELECT jokes.id \(marked) hidden USING (fingerprint))
                    """)
                let most = limits.jokes + marks
                let expected = before.stored > most ? max(most, keeping) : before.stored
                try hold(after == expected, "the limit is kept, and no more goes")
                let newest = try reader.shownIDs().first
                try hold(limits.jokes == 0 || newest == list.first, "the newest stays")
                try hold(try reader.shownIDs().allSatisfy(Set(list).contains), "nothing comes up that was not shown")
                try hold(try reader.search("duck", limit: 1_000).rows.count == reader.counts().shown, "words are true")
            } catch {
                try hold(false, "JOKESD_TEST_SEED=\(testSeed) repeats it; step \(step): \(error)")
            }
        }
    }
}

extension JokeStore {
    /// Tidies up to the end; returns how many jokes went.
    nonisolated fileprivate func tidy(_ limits: CacheLimits, hours: Int = 0) throws -> Int {
        let time = Fixture.noon.advanced(by: .seconds(3600 * hours))
        return try assumeIsolated { store in
            store.adopt(limits)
            var removed = 0
            while true {
                let step = try store.tidy(at: time)
                removed += step.removed
                if step.isLast { return removed }
            }
        }
    }

    @discardableResult
    nonisolated fileprivate func take(
        _ jokes: [NormalizedJoke], from source: String = "a", hours: Int = 0, part: SweepPart = .outside,
        limits: CacheLimits
    ) throws -> IngestReport {
        assumeIsolated { store in store.adopt(limits) }
        return try take(jokes, from: source, hours: hours, part: part)
    }

    nonisolated fileprivate func hide(_ id: String, _ isHidden: Bool = true) throws {
        _ = try assumeIsolated { store in try store.setHidden(isHidden, JokeID(rawValue: id), at: Fixture.noon) }
    }

    /// Has recorded what a reader has told.
    nonisolated fileprivate func recordTellings(of reader: JokeReader) throws {
        let told = reader.unrecorded
        try assumeIsolated { store in try store.record(told, at: Fixture.noon) }
        reader.forget(told)
    }

    /// The source was asked, and answered.
    nonisolated fileprivate func succeed(_ source: String, hours: Int) throws {
        let time = Fixture.noon.advanced(by: .seconds(3600 * hours))
        try assumeIsolated { store in try store.save(SourceState(lastSuccess: time), of: source) }
    }
}

extension Connection {
    fileprivate func count(_ sql: String) throws -> Int {
        try #require(try prepare(sql).first { row in try row.read(0, as: Int.self) })
    }
}
