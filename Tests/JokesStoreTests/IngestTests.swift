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

    @Test("every field of a joke is read back as it was stored")
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
                    joke: Joke(id: joke.id, content: joke.content, isFavorite: false, firstSeen: Fixture.noon),
                    fingerprint: joke.fingerprint, lastSeen: Fixture.noon, missingSince: nil, duplicates: []))
        #expect(found.joke.content.flags == [.nsfw, .explicit])
        #expect(try reader.list(limit: 10).rows == [found.joke])
    }

    @Test("a joke is missing if a full sync lacks it, not if a random batch lacks it")
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

    @Test("a random batch updates lastSeen only after a day")
    func drawnAgain() throws {
        try store.take(jokes(0..<1))
        try store.take(jokes(0..<1), hours: 23)
        #expect(try stored("a:0")?.lastSeen == Fixture.noon)
        try store.take(jokes(0..<1), hours: 24)
        #expect(try stored("a:0")?.lastSeen == Fixture.noon.advanced(by: .seconds(24 * 3600)))
    }

    @Test("a sync without new jokes writes a few pages, however many jokes it confirms")
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

    @Test("a full sync in several batches writes an unchanged joke at most once, and its last batch writes none")
    func writesLittle() throws {
        let many = try jokes(0..<2_000)
        try store.take(many, part: .whole)
        let monitor = try Connection(path: fixture.databasePath, .init(access: .writing))
        func logSize(_ batch: ArraySlice<NormalizedJoke>, _ part: FullSyncPart) throws -> Int {
            try monitor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try store.take(Array(batch), part: part)
            return fixture.logSize
        }
        #expect(try logSize(many[..<1_000], .beginning) > 20 * 4200)
        #expect(try logSize(many[..<1_000], .inside) == 0)
        #expect(try logSize(many[1_000...], .end) < 5 * 4200)
    }

    @Test("the state of a source is kept as it was saved")
    func sourceState() throws {
        let state = SourceState(
            validators: .init(etag: "\"x\"", lastModified: "Tue"), cursor: "page 3", lastAttempt: Fixture.noon,
            lastSuccess: nil, failingSince: Fixture.noon, failure: "no answer", failureCount: 3,
            nextAttempt: Fixture.noon, retryAfter: Fixture.noon.advanced(by: .seconds(1)),
            rateLimitResetAt: Fixture.noon.advanced(by: .seconds(2)), newInLastSync: 4, refusedInLastSync: 5)
        try store.assumeIsolated { store in try store.save(state, of: "a") }
        #expect(try reader.sourceStates()["a"] == state)
        try store.assumeIsolated { store in try store.save(SourceState(), of: "a") }
        #expect(try reader.sourceStates()["a"] == SourceState())
        #expect(try reader.sourceStates()["b"] == SourceState())
    }

    @Test("the cursor of a source is saved with a batch and the rate limit alone; neither changes the rest")
    func positionWithBatch() throws {
        let kept = SourceState(
            requestSignature: "q", lastAttempt: Fixture.noon, failure: "none", failureCount: 2, newInLastSync: 7)
        try store.assumeIsolated { store in try store.save(kept, of: "a") }
        let whole = Fixture.noon.advanced(by: .seconds(60))
        try store.assumeIsolated { store in try store.saveRateLimit(resetAt: whole, of: "a") }

        try store.take(jokes(20..<21), position: SourcePosition(cursor: "page 2"))
        var expected = kept
        (expected.cursor, expected.rateLimitResetAt) = ("page 2", whole)
        #expect(try reader.sourceStates()["a"] == expected)
        try store.take(jokes(21..<22))
        #expect(try reader.sourceStates()["a"]?.cursor == "page 2")
        try store.take([], from: "new", position: SourcePosition(cursor: "page 0"))
        #expect(try reader.sourceStates()["new"]?.cursor == "page 0")
    }
}
