import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

/// Reads during writes on another thread, and changes that wait for a lock of another connection.
@Suite struct ConcurrencyTests {
    @Test("while a store writes, a reader sees only complete batches, and serves no joke twice before all others")
    func readsDuringWrites() async throws {
        let fixture = try Fixture()
        try fixture.executor.start(name: "store")
        defer { fixture.executor.stop() }
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        let batches = try (0..<30).map { number in try jokes(number * 100..<(number + 1) * 100) }
        async let writing: Void = write(batches, to: store)
        var served: Set<JokeID> = []
        var stored = 0
        let deadline = Deadline(after: .seconds(120))
        while stored < 3_000 {
            if deadline.isPast { throw DeadlinePassed("the last batch was stored") }
            stored = try reader.counts().stored
            #expect(stored % 100 == 0)
            for _ in 0..<5 where served.count < stored {
                let joke = try #require(try await store.random(at: Fixture.now))
                #expect(
                    served.insert(joke.id).inserted,
                    "\(joke.id) was served twice, the second time after \(served.count) jokes")
            }
        }
        try await writing
        #expect(try reader.list(limit: 1).total == 3_000)
    }

    private func write(_ batches: [[NormalizedJoke]], to store: JokeStore) async throws {
        for batch in batches {
            _ = try await store.ingest(batch, from: "a", at: Fixture.now)
            if let id = batch.first?.id { _ = try await store.favorite(id, at: Fixture.now) }
        }
    }

    @Test("the time that a change is queued counts toward its lock timeout")
    func lockTimeoutOfQueuedChange() throws {
        let fixture = try Fixture()
        let anHour = Duration.seconds(3600)
        let store = try fixture.open(lockTimeout: anHour)
        try store.ingest(jokes(0..<3))
        func addFavorite(requestedAt: BootInstant) throws -> Bool {
            try store.assumeIsolated { store in
                try store.change(requestedAt: requestedAt) {
                    _ = try $0.favorite(JokeID(rawValue: "a:1"), at: Fixture.now)
                }
                .hasWritten
            }
        }
        let otherConnection = try Connection(path: fixture.databasePath, access: .writing)
        try otherConnection.write { () throws in
            let error = #expect(throws: StoreError.self) {
                try addFavorite(requestedAt: .now.advanced(by: .zero - anHour))
            }
            #expect(error?.code == .busy)
        }
        #expect(try addFavorite(requestedAt: .now))
        // The joke is already a favorite.
        #expect(try !addFavorite(requestedAt: .now))
    }
}
