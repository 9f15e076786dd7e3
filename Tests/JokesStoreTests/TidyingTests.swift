import JokesCore
import JokesExchange
import JokesStore
import SQLite
import TestSupport
import Testing

/// The limits of the cache, and the jokes that are removed to keep within them.
@Suite final class TidyingTests: StoreTestCase {
    private func inspector() throws -> Connection {
        try Connection(path: fixture.databasePath, access: .reading, tokenizer: Schema.tokenizer)
    }

    private func numbers(_ ids: [String]) -> [Int] {
        ids.compactMap { Int($0.dropFirst(2)) }
    }

    // MARK: Number of jokes

    @Test(
        "jokes that are not shown are evicted first, then jokes of the sources with the most shown jokes, never bundled jokes"
    )
    func evictionOrder() throws {
        try store.assumeIsolated { try $0.adopt(DisplayRules(sourceOrder: ["a", "b", "c", "starter"])) }
        try store.ingest(jokes(0..<40, from: "starter"), from: "starter")
        try store.ingest(jokes(0..<100))
        try store.ingest(jokes(0..<60, from: "b"), from: "b")
        try store.ingest(
            jokes(0..<30, from: "a").map { joke in
                try JokesStoreTests.joke(
                    "c", String(joke.id.rawValue.dropFirst(2)), joke.content.text.setup,
                    joke.content.text.punchline, flags: ["nsfw"])
            }
                + (30..<80).map { number in
                    try joke("c", "\(number)", "Why is goose \(number) rude?", safety: .unsafe)
                }, from: "c")
        func storedCounts() throws -> [Int] {
            let counts = try reader.counts().sources
            return ["starter", "a", "b", "c"].map { counts[$0]?.cached ?? 0 }
        }
        #expect(try storedCounts() == [40, 100, 60, 80] && reader.counts().shown == 170)
        // 80 groups have no shown joke: 30 have a joke of a and a joke of c, and 50 have only a joke of c.
        #expect(try store.tidy(CacheLimits(maxJokes: 170)) == 110)
        #expect(try storedCounts() == [40, 70, 60, 0] && reader.counts().shown == 170)
        #expect(try reader.counts().sources["a"]?.evicted == 30 && reader.counts().evicted == 110)
        #expect(try store.tidy(CacheLimits(maxJokes: 140)) == 30)
        #expect(try storedCounts() == [40, 50, 50, 0])
        #expect(try numbers(reader.shownIDs(JokeSelection(source: "b"))).max() == 49)
        #expect(try store.tidy(CacheLimits(maxJokes: 0)) == 100)
        #expect(try storedCounts() == [40, 0, 0, 0])
        try checkTables(inspector())
    }

    @Test("a full cache stores a duplicate that makes a joke unsafe, and no other duplicate")
    func unsafeDuplicate() throws {
        try store.assumeIsolated { try $0.adopt(DisplayRules(sourceOrder: ["a", "b"])) }
        let limits = CacheLimits(maxJokes: 3)
        try store.ingest(jokes(0..<3), limits: limits)
        let copies = try (0..<2).map { number in
            try joke(
                "b", "\(number)", "Why did duck a\(number) cross?", "Side \(number).",
                flags: number == 0 ? ["nsfw"] : [])
        }
        #expect(try store.ingest(copies, from: "b", limits: limits) == IngestReport(duplicates: 1, notCached: 1))
        #expect(try numbers(reader.shownIDs()) == [1, 2])
        #expect(try store.tidy(limits) == 2)
        #expect(try numbers(reader.shownIDs()) == [1, 2])
    }

    @Test(
        "a cleanup also evicts the jokes that are stored between two of its steps, by a sync or an import",
        arguments: [false, true])
    func jokesDuringCleanup(areImported: Bool) throws {
        for stepsBefore in 0..<6 {
            let first = 100 * stepsBefore
            try store.ingest(jokes(first..<first + 50), limits: CacheLimits(maxJokes: 30))
            var steps = 0
            var isLast = false
            while !isLast {
                if steps == stepsBefore {
                    let numbers = first + 50..<first + 60
                    if areImported { try store.importJokes(numbers) } else { try store.ingest(jokes(numbers)) }
                }
                // A day later, the ages are examined again.
                let now = Fixture.now.advanced(by: .seconds(86_400 * stepsBefore))
                isLast = try store.assumeIsolated { store in try store.tidy(at: now).isLast }
                steps += 1
            }
            #expect(try reader.counts().stored == 30 && steps > stepsBefore, "\(stepsBefore) of \(steps) steps before")
        }
    }

    @Test("a source with evicted jokes needs a full sync if the cache has room for them, or for 1% of its limit")
    func fullSyncForEvictedJokes() throws {
        func hasRoom(_ jokes: Int) throws -> Bool {
            try store.assumeIsolated { store in
                store.adopt(CacheLimits(maxJokes: jokes))
                try store.save(SourcePosition(cursor: "next"), of: "a")
                return try store.beginSync(of: "a", SourceState()) == SourcePosition()
            }
        }
        try store.ingest(jokes(0..<500), part: .whole, limits: CacheLimits(maxJokes: 400))
        #expect(try !hasRoom(1_000))
        #expect(try store.tidy(CacheLimits(maxJokes: 400)) == 100)
        #expect(try !hasRoom(400) && !hasRoom(403) && hasRoom(405) && hasRoom(1_000))
        try store.ingest(jokes(490..<500), part: .beginning, limits: CacheLimits(maxJokes: 1_000))
        #expect(try !hasRoom(1_000))
        let report = try store.ingest(jokes(0..<490), part: .end, limits: CacheLimits(maxJokes: 450))
        #expect(report == IngestReport(new: 40, unchanged: 400, notCached: 50))
        #expect(try reader.counts().evicted == 50 && !hasRoom(450) && hasRoom(500))
    }

    @Test("a full cache refuses duplicates in each full sync")
    func refusedDuplicates() throws {
        let limits = CacheLimits(maxJokes: 30)
        let duplicates = try (0..<30).map { try joke("b", "\($0)", "Why did duck a\($0) cross?", "Side \($0).") }
        try store.ingest(jokes(0..<30), part: .whole, limits: limits)
        let kept = try reader.shownIDs()
        for hours in 1..<4 {
            let report = try store.ingest(duplicates, from: "b", hours: hours, part: .whole, limits: limits)
            #expect(report == IngestReport(notCached: 30))
            #expect(try store.ingest(jokes(0..<30), hours: hours, part: .whole) == IngestReport(unchanged: 30))
            #expect(try store.tidy(limits, hours: hours) == 0)
            #expect(try reader.shownIDs() == kept)
        }
    }

    @Test("a full cache refuses evicted jokes in each full sync, and stores new jokes")
    func refusedEvictedJokes() throws {
        let limits = CacheLimits(maxJokes: 30)
        try store.ingest(jokes(0..<50), part: .whole, limits: limits)
        _ = try store.tidy(limits)
        let kept = try reader.shownIDs()
        for hours in 1..<4 {
            let report = try store.ingest(jokes(0..<50), hours: hours, part: .whole, limits: limits)
            #expect(report == IngestReport(unchanged: 30, notCached: 20))
            #expect(try reader.shownIDs() == kept)
        }
        let report = try store.ingest(jokes(0..<51), hours: 5, part: .whole, limits: limits)
        #expect(report == IngestReport(new: 1, unchanged: 30, notCached: 20))
        #expect(try store.tidy(limits) == 1)
        #expect(try reader.shownIDs() == ["a:50"] + kept.dropLast())
    }

    @Test("an evicted joke that returns to a cache with room still counts as served")
    func servedBeforeEviction() throws {
        try store.ingest(jokes(0..<4))
        for _ in 0..<4 { _ = try store.served() }
        try store.ingest(jokes(4..<8))
        #expect(try store.tidy(CacheLimits(maxJokes: 0)) == 8)
        let report = try store.ingest(jokes(0..<8), limits: CacheLimits(maxJokes: 100))
        #expect(report == IngestReport(new: 8))
        let next = try (0..<4).map { _ in try #require(try store.served()).id.rawValue }
        #expect(Set(next) == Set((4..<8).map { "a:\($0)" }), "seed \(testSeed)")
    }

    @Test("a joke that another source has rated unsafe stays excluded after the other source's joke is gone")
    func keptRating() throws {
        var rules = DisplayRules(sourceOrder: ["a", "b", "c"])
        try store.assumeIsolated { [rules] store in try store.adopt(rules) }
        let texts = ["Why did the old duck cross?", "Why did the new duck cross?", "Why did the wet duck cross?"]
        try store.ingest(texts.enumerated().map { try joke("a", "\($0)", $1) })
        try store.ingest([joke("b", "0", texts[0], safety: .unsafe)], from: "b")
        try store.ingest([joke("c", "1", texts[1], flags: ["nsfw"])], from: "c")
        #expect(try reader.shownIDs() == ["a:2"])
        // The joke of b is removed, that of c is edited, and another one is edited and comes back.
        rules.sourceOrder = ["a", "c"]
        try store.assumeIsolated { store in
            try store.adopt(rules)
            #expect(try store.forget("b", at: Fixture.now) == 1)
        }
        try store.ingest([joke("c", "1", "Why did the dry goose cross?")], from: "c")
        #expect(try reader.shownIDs() == ["c:1", "a:2"])
        rules.filter.safe = false
        try store.assumeIsolated { store in try store.adopt(rules) }
        #expect(try reader.shownIDs() == ["c:1", "a:0", "a:1", "a:2"])
        rules.filter.safe = true
        try store.assumeIsolated { store in try store.adopt(rules) }
        #expect(try reader.shownIDs() == ["c:1", "a:2"])
        try checkTables(inspector())
    }

    // MARK: Age

    @Test("a long pause makes no joke older, also if the next sync fails, and neither does a clock that was set back")
    func longPauses() throws {
        let limits = CacheLimits(maxAge: .seconds(86_400 * 30))
        try store.ingest(jokes(0..<3), limits: limits)
        for day in [40, 100] {
            try store.ingest(jokes(0..<1), hours: 24 * day)
            let state = with(SourceState()) { $0.failureCount = 1 }
            try store.assumeIsolated { store in try store.endSync(of: "a", state) }
            #expect(try store.tidy(limits, hours: 24 * day) == 0)
        }
        for _ in 0..<3 {
            try store.ingest(jokes(0..<1), hours: 24 * 40)
            #expect(try store.tidy(limits, hours: 24 * 40) == 0)
        }
        try store.saveSuccess(of: "a", hours: 24 * 41)
        let removed = try (41...72).map { day in
            try store.ingest(jokes(0..<1), hours: 24 * day)
            return try store.tidy(limits, hours: 24 * day)
        }
        #expect(removed == Array(repeating: 0, count: 30) + [2, 0])
        #expect(try reader.shownIDs() == ["a:0"])
    }

    @Test("a source whose syncs are rarer than the maximum age has no long pauses")
    func interval() throws {
        let limits = CacheLimits(maxAge: .seconds(86_400 * 5))
        try store.assumeIsolated { store in
            _ = try store.beginSync(of: "a", SourceState(), interval: .seconds(86_400 * 7))
        }
        try store.ingest(jokes(0..<2), part: .whole, limits: limits)
        let removed = try [7, 14, 21].map { day in
            try store.ingest(jokes(0..<1), hours: 24 * day, part: .whole)
            return try store.tidy(limits, hours: 24 * day)
        }
        #expect(removed == [0, 1, 0])
    }

    @Test(
        "answers without changes make jokes older that the last answer lacks, and no others", arguments: [false, true])
    func ageWithoutChanges(hasFullSyncs: Bool) throws {
        let limits = CacheLimits(maxAge: .seconds(86_400 * 10))
        let part = hasFullSyncs ? BatchPart.whole : .outside
        try store.ingest(jokes(0..<3), part: part, limits: limits)
        try store.ingest(jokes(2..<3), hours: 24 * 2, part: part)
        var removed: [Int] = []
        for day in 3...40 {
            try store.saveSuccess(of: "a", hours: 24 * day)
            removed.append(try store.tidy(limits, hours: 24 * day))
        }
        // The first answer without the jokes came on the second day. Without full syncs, the last answer with them counts.
        let due = (hasFullSyncs ? 12 : 11) - 3
        #expect(removed == (0..<removed.count).map { $0 == due ? 2 : 0 })
        #expect(try reader.shownIDs() == ["a:2"])
    }

    @Test(
        "a joke gets old however rare the syncs of its source are",
        arguments: [(maxAge: 24, interval: 6), (7 * 24, 24), (365 * 24, 40 * 24), (24, 23)], [false, true])
    func rareSyncs(_ hours: (maxAge: Int, interval: Int), hasFullSyncs: Bool) throws {
        let limits = CacheLimits(maxAge: .seconds(3600 * hours.maxAge))
        let part = hasFullSyncs ? BatchPart.whole : .outside
        try store.ingest(jokes(0..<2), part: part, limits: limits)
        var (time, removed) = (0, 0)
        while removed == 0 && time < 3 * hours.maxAge {
            time += hours.interval
            try store.ingest(jokes(1..<2), hours: time, part: part)
            removed = try store.tidy(limits, hours: time)
        }
        #expect(removed == 1 && time > hours.maxAge && time <= hours.maxAge + 24 + 2 * hours.interval)
    }

    @Test("a joke that its local source no longer has is removed at the end of the full sync, unless it is a favorite")
    func localSource() throws {
        _ = try store.assumeIsolated { try $0.beginSync(of: "a", SourceState(), isLocal: true) }
        try store.ingest(jokes(0..<4), part: .whole)
        #expect(try store.tidy(CacheLimits()) == 0)
        try store.favorite("a:1")
        try store.ingest(jokes(2..<4), hours: 1)
        #expect(try store.tidy(CacheLimits(), hours: 1) == 0)
        try store.ingest(jokes(2..<4), hours: 2, part: .whole)
        #expect(try store.tidy(CacheLimits(), hours: 2) == 1)
        #expect(try reader.shownIDs() == ["a:1", "a:2", "a:3"])
    }

    @Test(
        "a joke of a source that is not configured is removed if it is too old in two successive passes, and not by a clock that is temporarily a year ahead"
    )
    func clockAhead() throws {
        let fixture = try Fixture()
        let store = try fixture.open(rules: .unfiltered(sources: ["a"]))
        try store.ingest(jokes(0..<3, from: "b"), from: "b")
        try store.ingest(jokes(0..<3))
        let limits = CacheLimits(maxAge: .seconds(86_400 * 10))
        for day in [1, 366, 2, 3, 400, 4] { #expect(try store.tidy(limits, hours: 24 * day) == 0, "day \(day)") }
        for day in [9, 12] { #expect(try store.tidy(limits, hours: 24 * day) == 0) }
        #expect(try store.tidy(limits, hours: 24 * 13) == 3)
        #expect(try JokeReader(of: store).counts().sources["b"]?.cached == 0)
    }

    // MARK: File size

    @Test("free pages are returned to the file system, except some for the next changes")
    func freePages() throws {
        for start in stride(from: 0, to: 12_000, by: 2_000) { try store.ingest(jokes(start..<start + 2_000)) }
        let inspector = try inspector()
        let before = try inspector.count("PRAGMA page_count")
        _ = try store.tidy(CacheLimits(maxJokes: 200, maxEmptyGroups: 200))
        let free = try inspector.count("PRAGMA freelist_count")
        #expect(try inspector.count("PRAGMA page_count") - free < before / 2)
        #expect(free <= 256)
        try checkTables(inspector)
        #expect(try inspector.prepare("PRAGMA integrity_check").map { row in try row.read(0) } == ["ok"])
    }

    // MARK: All limits

    @Test("after random changes, tidying limits the cache, and removes no favorite or hidden mark")
    func randomChanges() throws {
        var random = SplitMix64(seed: testSeed)
        let inspector = try inspector()
        for step in 0..<scaled(300) {
            let limits = CacheLimits(maxJokes: random.int(in: 0..<60), maxEmptyGroups: random.int(in: 0..<60))
            let start = random.int(in: 0..<200)
            let source = ["a", "b"][random.int(in: 0..<2)]
            try store.ingest(
                jokes(start..<start + random.int(in: 0..<20), from: source), from: source, hours: step,
                part: random.chance(1, in: 2) ? .whole : .outside, limits: limits)
            let shown = try reader.shownIDs()
            if let id = shown.randomElement(using: &random), random.chance(1, in: 3) {
                let note = random.chance(1, in: 2) ? "note \(step)" : nil
                try store.favorite(id, note: note, hours: step)
            }
            if let id = shown.randomElement(using: &random), random.chance(1, in: 5) { try store.hide(id) }
            if let id = try reader.favoriteIDs().randomElement(using: &random), random.chance(1, in: 4) {
                try store.unfavorite(id)
            }
            for _ in 0..<random.int(in: 0..<6) { _ = try store.served() }
            let (favorites, before) = (try reader.favorites(), try reader.counts())
            let shownBefore = try reader.shownIDs()
            // Returns the number of stored jokes that are favorites or hidden.
            func countJokesWithUserData() throws -> Int {
                let join = "SELECT jokes.id FROM jokes JOIN groups g ON g.key = joke_group JOIN"
                return try inspector.count(
                    """
                    SELECT count(*) FROM (\(join) favorites USING (fingerprint) UNION \(join) hidden USING (fingerprint))
                    """)
            }
            let jokesWithUserData = try countJokesWithUserData()
            let removed = try store.tidy(limits, hours: step)
            do {
                try checkTables(inspector)
                try verify(try reader.favorites() == favorites, "the favorites changed")
                let after = try reader.counts().stored
                try verify(after == before.stored - removed, "the number of removed jokes is wrong")
                let userDataCount = try inspector.count(
                    "SELECT (SELECT count(*) FROM favorites) + (SELECT count(*) FROM hidden)")
                try verify(try countJokesWithUserData() == jokesWithUserData, "a favorite or hidden joke was removed")
                let limit = limits.maxJokes + userDataCount
                let expected = before.stored > limit ? max(limit, jokesWithUserData) : before.stored
                try verify(after == expected, "\(after) jokes are stored, not \(expected)")
                let emptyGroups = try inspector.count("SELECT count(*) FROM groups WHERE emptied_at IS NOT NULL")
                try verify(emptyGroups <= limits.maxEmptyGroups, "\(emptyGroups) empty groups are kept")
                try verify(try reader.shownIDs().allSatisfy(Set(shownBefore).contains), "tidying shows another joke")
                try verify(
                    try reader.search("duck", limit: 1_000).rows.count == reader.counts().shown,
                    "the full-text index is wrong")
            } catch {
                try verify(false, "JOKESD_TEST_SEED=\(testSeed) repeats it; step \(step): \(error)")
            }
        }
    }
}

extension JokeStore {
    /// Tidies until nothing is left to do. Returns the number of removed jokes.
    nonisolated func tidy(_ limits: CacheLimits, hours: Int = 0) throws -> Int {
        let time = Fixture.now.advanced(by: .seconds(3600 * hours))
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

    /// Imports one joke of another source for each number.
    nonisolated fileprivate func importJokes(_ numbers: Range<Int>) throws {
        let records = numbers.map { number in
            let text = JokeText.single("Imported duck number \(number).")
            return ExchangeRecord.joke(
                Joke(
                    id: JokeID(rawValue: "elsewhere:\(number)"), content: JokeContent(text: text, language: "en"),
                    isFavorite: false, firstSeen: Fixture.now))
        }
        let report = try assumeIsolated { store in
            _ = try store.stage(records, ofImport: 1)
            return try store.finishImport(1, at: Fixture.now)
        }
        #expect(report.newJokes == records.count)
    }

    @discardableResult
    nonisolated fileprivate func ingest(
        _ jokes: [NormalizedJoke], from source: String = "a", hours: Int = 0, part: BatchPart = .outside,
        limits: CacheLimits
    ) throws -> IngestReport {
        assumeIsolated { store in store.adopt(limits) }
        return try ingest(jokes, from: source, hours: hours, part: part)
    }

    /// Saves the time of a successful sync of the source.
    nonisolated fileprivate func saveSuccess(of source: String, hours: Int) throws {
        let time = Fixture.now.advanced(by: .seconds(3600 * hours))
        try assumeIsolated { store in try store.endSync(of: source, with(SourceState()) { $0.lastSuccess = time }) }
    }
}

extension Connection {
    fileprivate func count(_ sql: String) throws -> Int {
        try #require(try prepare(sql).first { row in try row.read(0, as: Int.self) })
    }
}
