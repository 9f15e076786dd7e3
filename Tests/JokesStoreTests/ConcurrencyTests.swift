import JokesCore
import JokesStore
import TestSupport
import Testing
import Unix

@Suite struct ConcurrencyTests {
    @Test("while a store writes, a reader sees complete batches only, and serves no joke twice while others are left")
    func readerBesideWriter() async throws {
        let fixture = try Fixture()
        try fixture.executor.start(name: "store")
        defer { fixture.executor.stop() }
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        let batches = try (0..<30).map { number in try jokes(number * 100..<(number + 1) * 100) }
        async let writing: Void = write(batches, to: store)
        var drawn: Set<JokeID> = []
        var stored = 0
        let deadline = Deadline(after: .seconds(120))
        while stored < 3_000 {
            if deadline.isPast { throw DeadlinePassed("the last batch was seen") }
            stored = try reader.counts().stored
            #expect(stored % 100 == 0)
            for _ in 0..<5 where drawn.count < stored {
                let joke = try #require(try reader.random())
                #expect(drawn.insert(joke.id).inserted, "\(joke.id) came twice, the second time as joke \(drawn.count)")
            }
            let reported = reader.unrecorded
            try await store.record(reported, at: Fixture.noon)
            reader.discardRecorded(reported)
        }
        try await writing
        #expect(try reader.list(limit: 1).total == 3_000)
    }

    private func write(_ batches: [[NormalizedJoke]], to store: JokeStore) async throws {
        for batch in batches {
            _ = try await store.ingest(batch, from: "a", at: Fixture.noon)
            if let id = batch.first?.id { _ = try await store.favorite(id, at: Fixture.noon) }
        }
    }
}
