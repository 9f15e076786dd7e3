import JokesCore
import JokesStore
import TestSupport
import Testing

@testable import JokesDaemon

@Suite struct CacheCleanupTests {
    /// Stores jokes of source `a`, and adopts a limit that they exceed.
    @ServiceActor
    private func exceedLimit(_ stage: SyncStage, _ server: LoopbackServer, jokes: Int, limit: Int) async throws {
        try await stage.adopt([.list("a", at: server)])
        let jokes = try NormalizedJoke.numbered(0..<jokes, of: "a")
        _ = try await stage.store.ingest(jokes, from: "a", at: .now)
        try await stage.adopt([.list("a", at: server)], maxJokes: limit)
    }

    @ServiceActor
    private func tidy(_ stage: SyncStage) async {
        while await !stage.writer.tidyStep(publishing: stage.views) {}
    }

    @Test("jokes beyond the limit are removed in steps, and the rest is published and logged after the last step")
    func steps() async throws {
        let server = try LoopbackServer()
        try await SyncStage.run { stage in
            try await exceedLimit(stage, server, jokes: 450, limit: 50)
            #expect(await !stage.writer.tidyStep(publishing: stage.views))
            #expect(try stage.stored("a") < 450 && stage.views.counts.stored == 450)
            await tidy(stage)
            #expect(try stage.stored("a") == 50 && stage.views.counts.stored == 50)
            let lines = stage.lines.withLock { $0 }.filter { $0.contains("cache: ") }
            #expect(lines == ["jokesd: cache: removed 400 jokes"])
        }
    }

    @Test("a step that fails ends the cleanup and is logged, but is no failure of a change; the next cleanup works")
    func failure() async throws {
        let server = try LoopbackServer()
        try await SyncStage.run { stage in
            try await exceedLimit(stage, server, jokes: 450, limit: 50)
            let damage = StoreError(.corrupt, attempt: "search", reason: "a page is damaged")
            await stage.store.report(stage.reader.damage(damage))
            #expect(await stage.writer.tidyStep(publishing: stage.views))
            #expect(stage.lines.withLock { $0.last?.contains("cannot clean up the cache: a page is damaged") } == true)
            #expect(stage.writer.failure == nil)
            _ = try await stage.store.recover()
            try await exceedLimit(stage, server, jokes: 60, limit: 50)
            await tidy(stage)
            #expect(try stage.stored("a") == 50)
        }
    }
}
