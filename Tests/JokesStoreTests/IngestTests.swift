import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// Batches of jokes that a source returns, and the saved states of sources.
@Suite final class IngestTests: StoreTestCase {
    private func stored(_ id: String) throws -> StoredJoke? {
        try reader.joke(JokeID(rawValue: id))
    }

    @Test("every field of a stored joke is read without changes")
    func allFields() throws {
        let fetched = FetchedJoke(
            upstreamID: "en:8", setup: "Warum?\nDarum.", punchline: "Häh 🦆", language: "de-at",
            categories: ["Pun", "Misc"], flags: ["nsfw", "explicit"], safety: .safe,
            details: JokeDetails(url: "https://example.org/8", author: "Ada", date: "2023-11-14"))
        let joke = try Normalizer(source: "a").normalize(fetched)
        try store.ingest([joke])
        let found = try #require(try stored("a:en:8"))
        #expect(
            found
                == StoredJoke(
                    joke: Joke(id: joke.id, content: joke.content, isFavorite: false, firstSeen: Fixture.now),
                    fingerprint: joke.fingerprint, lastSeen: Fixture.now, missingSince: nil, duplicates: []))
        #expect(found.joke.content.flags == [.nsfw, .explicit])
        #expect(try reader.list(limit: 10).rows == [found.joke])
    }

    @Test("a batch outside a full sync updates lastSeen only after a day")
    func lastSeenOutsideFullSync() throws {
        try store.ingest(jokes(0..<1))
        try store.ingest(jokes(0..<1), hours: 23)
        #expect(try stored("a:0")?.lastSeen == Fixture.now)
        try store.ingest(jokes(0..<1), hours: 24)
        #expect(try stored("a:0")?.lastSeen == Fixture.now.advanced(by: .seconds(24 * 3600)))
    }

    @Test("a sync without new jokes writes a few pages, even if it returns thousands of jokes")
    func writesOfUnchangedSync() throws {
        let many = try jokes(0..<2_000)
        try store.ingest(many, part: .whole)
        let checkpointer = try Connection(path: fixture.databasePath, access: .writing)
        try checkpointer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(fixture.walSize == 0)
        #expect(try store.ingest(many, hours: 30, part: .whole).unchanged == 2_000)
        // A frame of the WAL has 4,120 bytes.
        #expect(fixture.walSize < 5 * 4200)
        #expect(try stored("a:7")?.lastSeen == Fixture.now.advanced(by: .seconds(30 * 3600)))
    }

    @Test("a full sync in several batches writes an unchanged joke at most once, and its last batch writes none")
    func writesOfBatchedFullSync() throws {
        let many = try jokes(0..<2_000)
        try store.ingest(many, part: .whole)
        let checkpointer = try Connection(path: fixture.databasePath, access: .writing)
        func walSizeAfterIngesting(_ batch: ArraySlice<NormalizedJoke>, _ part: BatchPart) throws -> Int {
            try checkpointer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try store.ingest(Array(batch), part: part)
            return fixture.walSize
        }
        #expect(try walSizeAfterIngesting(many[..<1_000], .beginning) > 20 * 4200)
        #expect(try walSizeAfterIngesting(many[..<1_000], .middle) == 0)
        #expect(try walSizeAfterIngesting(many[1_000...], .end) < 5 * 4200)
    }

    @Test("a saved source state is read without changes")
    func sourceState() throws {
        let state = with(SourceState()) {
            $0.requestSignature = "q"
            $0.lastAttempt = Fixture.now
            $0.failingSince = Fixture.now
            $0.failure = "no answer"
            $0.failureCount = 3
            $0.nextAttempt = Fixture.now
            $0.retryAfter = Fixture.now.advanced(by: .seconds(1))
            $0.rateLimitResetAt = Fixture.now.advanced(by: .seconds(2))
            $0.newInLastSync = 4
            $0.refusedInLastSync = 5
        }
        try store.assumeIsolated { store in try store.endSync(of: "a", state) }
        #expect(try reader.sourceStates()["a"] == state)
        try store.assumeIsolated { store in try store.endSync(of: "a", SourceState()) }
        #expect(try reader.sourceStates()["a"] == SourceState())
        #expect(try reader.sourceStates()["b"] == SourceState())
    }

    @Test("saved limits of a server change no other field of the states of its sources")
    func savedLimits() throws {
        let saved = with(SourceState()) {
            $0.requestSignature = "q"
            $0.lastAttempt = Fixture.now
            $0.failure = "none"
            $0.failureCount = 2
            $0.newInLastSync = 7
        }
        try store.assumeIsolated { store in try store.endSync(of: "a", saved) }
        var limits = SourceState()
        (limits.rateLimitResetAt, limits.retryAfter) = (Fixture.now.advanced(by: .seconds(60)), Fixture.now)
        try store.assumeIsolated { store in try store.saveLimits(in: limits, of: ["a", "b"]) }
        var expected = saved
        (expected.rateLimitResetAt, expected.retryAfter) = (limits.rateLimitResetAt, limits.retryAfter)
        #expect(try reader.sourceStates()["a"] == expected && reader.sourceStates()["b"] == limits)
    }

    @Test("a sync begins at the position of the last stored batch, unless its requests are others")
    func position() throws {
        func begin(_ signature: String, _ source: String = "a") throws -> SourcePosition {
            try store.assumeIsolated { store in
                try store.beginSync(of: source, with(SourceState()) { $0.requestSignature = signature })
            }
        }
        let page = SourcePosition(validators: .init(etag: "\"x\"", lastModified: "Tue"), cursor: "page 2")
        #expect(try begin("q") == SourcePosition())
        try store.ingest(jokes(20..<21), position: page)
        #expect(try begin("q") == page && begin("q", "new") == SourcePosition())
        try store.ingest(jokes(21..<22))
        try store.assumeIsolated { store in
            try store.endSync(of: "a", with(SourceState()) { $0.requestSignature = "q" })
        }
        #expect(try begin("q") == page)
        #expect(try begin("other") == SourcePosition() && begin("q") == SourcePosition())
        try store.assumeIsolated { store in try store.save(SourcePosition(cursor: "0"), of: "a") }
        #expect(try begin("q") == SourcePosition(cursor: "0"))
    }
}
