import JokesCore
import JokesStore
import TestSupport
import Testing
import Unix

/// Reads on one thread during writes on another.
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
                let joke = try #require(try reader.random())
                #expect(
                    served.insert(joke.id).inserted,
                    "\(joke.id) was served twice, the second time after \(served.count) jokes")
            }
            let deliveries = reader.unrecorded
            try await store.record(deliveries, at: Fixture.now)
            reader.discardRecorded(deliveries)
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
}
