import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

@Suite struct IngestTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }

    private func stored(_ id: String) throws -> StoredJoke? {
        try reader.joke(JokeID(rawValue: id))
    }

    @Test("what comes in comes out: every field of a joke")
    func allFields() throws {
        let fetched = FetchedJoke(
            upstreamID: "en:8", setup: "Warum?\nDarum.", punchline: "Häh 🦆", language: "de-at",
            categories: ["Pun", "Misc"], flags: ["nsfw", "explicit"], safety: .safe, url: "https://example.org/8",
            author: "Ada", date: "2023-11-14")
        let joke = try Normalizer(source: "a").normalize(fetched)
        try store.take([joke])
        let found = try #require(try stored("a:en:8"))
        #expect(
            found
                == StoredJoke(
                    joke: Joke(id: joke.id, content: joke.content, isStarred: false, firstSeen: Fixture.noon),
                    fingerprint: joke.fingerprint, lastSeen: Fixture.noon, missingSince: nil, duplicates: []))
        #expect(found.joke.content.flags == [.nsfw, .explicit])
        #expect(try reader.list(limit: 10).rows == [found.joke])
    }

    @Test("a batch is reported joke by joke: new, changed, unchanged or a duplicate")
    func report() throws {
        #expect(
            try store.take([joke("a", "1", "One small duck."), joke("a", "2", "Two ducks.")]) == IngestReport(new: 2))
        let report = try store.take([
            joke("a", "1", "One small duck."), joke("a", "2", "Two geese."), joke("a", "3", "Three ducks."),
            joke("a", "4", "ONE small duck!"), joke("a", "1", "One small duck, again."),
        ])
        #expect(report == IngestReport(new: 1, changed: 1, unchanged: 1, duplicates: 2))
        #expect(try stored("a:1")?.joke.content.text == .single("One small duck."))
        #expect(try stored("a:2")?.joke.content.text == .single("Two geese."))
    }

    @Test("a batch that fails is not there in any part, and the next one is")
    func allOrNothing() throws {
        try store.take(jokes(0..<10))
        let saboteur = try Connection(path: fixture.databasePath, .init(access: .writing))
        try saboteur.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON jokes WHEN NEW.id = 'a:15'
            BEGIN SELECT RAISE(ABORT, 'not this one'); END
            """)
        let before = try reader.counts()
        let error = #expect(throws: StoreError.self) { try store.take(try jokes(5..<20), part: .whole) }
        #expect(error?.code == .unexpected)
        #expect(error?.description.hasPrefix("cannot store jokes of a: ") == true)
        #expect(try reader.counts() == before)
        #expect(try reader.shownIDs().count == 10)
        try saboteur.execute("DROP TRIGGER refuse")
        let report = try store.take(jokes(5..<20), part: .whole)
        #expect(report == IngestReport(new: 10, unchanged: 5, missing: 5))
    }

    @Test("a joke is missing once a whole batch lacks it, never for what a draw lacks")
    func missing() throws {
        try store.take(jokes(0..<3), hours: 0, part: .whole)
        try store.take(jokes(1..<2), hours: 1)
        #expect(try stored("a:0")?.missingSince == nil)
        #expect(
            try store.take(jokes(1..<4), hours: 2, part: .whole) == IngestReport(new: 1, unchanged: 2, missing: 1))
        #expect(try store.take(jokes(1..<4), hours: 3, part: .whole) == IngestReport(unchanged: 3))
        let gone = try stored("a:0")
        #expect(gone?.missingSince == Fixture.noon.advanced(by: .seconds(2 * 3600)))
        #expect(gone?.lastSeen == Fixture.noon)
        #expect(try stored("a:1")?.lastSeen == Fixture.noon.advanced(by: .seconds(3 * 3600)))
        try store.take(jokes(0..<1), hours: 4)
        let back = try stored("a:0")
        #expect(back?.missingSince == nil)
        #expect(back?.lastSeen == Fixture.noon.advanced(by: .seconds(4 * 3600)))
    }

    @Test("an empty whole batch makes all of its source's jokes missing, and no other source's")
    func emptySweep() throws {
        try store.take(jokes(0..<3), from: "a")
        try store.take(jokes(0..<3, from: "b"), from: "b")
        #expect(try store.take([], from: "a", part: .whole).missing == 3)
        #expect(try stored("b:0")?.missingSince == nil)
        #expect(try reader.shownIDs().count == 6)
    }

    @Test("a draw moves lastSeen once a day has passed, not before")
    func drawnAgain() throws {
        try store.take(jokes(0..<1))
        try store.take(jokes(0..<1), hours: 23)
        #expect(try stored("a:0")?.lastSeen == Fixture.noon)
        try store.take(jokes(0..<1), hours: 24)
        #expect(try stored("a:0")?.lastSeen == Fixture.noon.advanced(by: .seconds(24 * 3600)))
    }

    @Test("a sync that brings nothing new writes a handful of pages, however many jokes it confirms")
    func unchangedWritesNothing() throws {
        let many = try jokes(0..<2_000)
        try store.take(many, part: .whole)
        let monitor = try Connection(path: fixture.databasePath, .init(access: .writing))
        try monitor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(fixture.logSize == 0)
        #expect(try store.take(many, hours: 30, part: .whole).unchanged == 2_000)
        #expect(fixture.logSize < 5 * 4200)
        #expect(try stored("a:7")?.lastSeen == Fixture.noon.advanced(by: .seconds(30 * 3600)))
    }

    @Test("another fetch of the same answer changes nothing, even where two of its jokes share an id")
    func sameIDTwice() throws {
        let batch = [try joke("a", "~", "Same old duck."), try joke("a", "~", "SAME old duck!")]
        #expect(batch[0].id == batch[1].id)
        #expect(try store.take(batch) == IngestReport(new: 1, duplicates: 1))
        #expect(try store.take(batch) == IngestReport(unchanged: 1, duplicates: 1))
        #expect(try reader.list(limit: 9).rows.map(\.content.text) == [.single("Same old duck.")])
    }

    @Test("jokes are counted by source: all that are stored, and those that are shown as the source's")
    func counts() throws {
        try store.take(jokes(0..<5))
        try store.take([joke("b", "1", "Why did duck a1 cross?", "Side 1."), joke("b", "2", "Own duck.")], from: "b")
        try store.star("a:0")
        let counts = try reader.counts()
        #expect(counts.sources["a"] == .init(stored: 5, shown: 5))
        #expect(counts.sources["b"] == .init(stored: 2, shown: 1))
        #expect((counts.stored, counts.shown, counts.favorites) == (7, 6, 1))
    }

    @Test("the state of a source is kept as it was saved")
    func sourceState() throws {
        let state = SourceState(
            validators: .init(etag: "\"x\"", lastModified: "Tue"), cursor: "page 3", lastAttempt: Fixture.noon,
            lastSuccess: nil, failingSince: Fixture.noon, failure: "no answer", failureCount: 3,
            nextAttempt: Fixture.noon, unwelcomeUntil: Fixture.noon.advanced(by: .seconds(1)),
            allowanceWholeAt: Fixture.noon.advanced(by: .seconds(2)), newInLastSync: 4, refusedInLastSync: 5)
        try store.assumeIsolated { store in try store.save(state, of: "a") }
        #expect(try reader.sourceStates()["a"] == state)
        try store.assumeIsolated { store in try store.save(SourceState(), of: "a") }
        #expect(try reader.sourceStates()["a"] == SourceState())
        #expect(try reader.sourceStates()["b"] == SourceState())
    }
}
