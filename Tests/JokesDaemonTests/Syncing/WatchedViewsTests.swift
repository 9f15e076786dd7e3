import Diffable
import JokesCore
import JokesProtocol
import JokesStore
import TestSupport
import Testing

@testable import JokesDaemon

@Suite struct WatchedViewsTests {
    /// Stores jokes of source `a`, without publishing them.
    @ServiceActor
    private func store(_ range: Range<Int>, _ stage: SyncStage) async throws {
        let jokes = try NormalizedJoke.numbered(range, of: "a")
        _ = try await stage.store.ingest(jokes, from: "a", at: .now)
    }

    @ServiceActor
    private func favoriteCount(_ stage: SyncStage) throws -> Int? {
        try stage.views.catalog.snapshot().sections.lazy.compactMap { section -> Int? in
            if case .favoriteJokes(let count) = section { count } else { nil }
        }.first
    }

    @Test("favorites are read for the first view that shows them, and after that with each change")
    func favorites() async throws {
        let server = try LoopbackServer()
        try await SyncStage.run { stage in
            try await stage.adopt([.list("a", at: server)])
            try await store(0..<3, stage)
            _ = try await stage.store.favorite([JokeID(source: "a", upstream: "1")], at: .now)
            try stage.views.reloadFavorites()
            #expect(try favoriteCount(stage) == nil)
            let jokes = WatchMethod.Parameters(view: View(sections: [.jokes]))
            _ = try await stage.call(WatchMethod.self, jokes).all()
            #expect(try favoriteCount(stage) == nil)
            _ = try await stage.call(WatchMethod.self, WatchMethod.Parameters()).all()
            #expect(try favoriteCount(stage) == 1)
            _ = try await stage.store.favorite([JokeID(source: "a", upstream: "2")], at: .now)
            try stage.views.reloadFavorites()
            #expect(try favoriteCount(stage) == 2)
        }
    }

    @Test("while a client watches a larger view, more jokes are in memory than the configured size, and later not")
    func size() async throws {
        let server = try LoopbackServer()
        try await SyncStage.run { stage in
            try await stage.adopt([.list("a", at: server)])
            try await store(0..<20, stage)
            try stage.views.updateJokes()
            #expect(stage.views.catalog.newest.count == 5)
            let client = try RawClient(stage.socket)
            try client.send(
                #"{"method":"org.jokesd.Jokes.Watch","parameters":{"view":{"size":15}},"more":true}|"#)
            try await waitUntil("a client watches") { stage.views.hub.subscriberCount == 1 }
            #expect(stage.views.catalog.newest.count == 20)
            try await store(20..<40, stage)
            try stage.views.updateJokes()
            #expect(stage.views.catalog.newest.count == 40)
            client.close()
            try await waitUntil("no client watches") { stage.views.hub.subscriberCount == 0 }
            try stage.views.updateJokes()
            #expect(stage.views.catalog.newest.count == 5)
        }
    }

    @Test("the counts of jokes are those of the last published change, and the store is read once for each")
    func counts() async throws {
        let server = try LoopbackServer()
        try await SyncStage.run { stage in
            try await stage.adopt([.list("a", at: server)])
            #expect(stage.views.jokeCounts["a"]?.cached == 0)
            try await store(0..<3, stage)
            #expect(stage.views.jokeCounts["a"]?.cached == 0)
            try stage.views.updateJokes()
            #expect(stage.views.jokeCounts["a"]?.cached == 3)
        }
    }

    @Test("a sync is shown until its jokes and its state are stored")
    func syncing() async throws {
        let (server, gate) = (try LoopbackServer(), try Gate())
        server.route("/a", LoopbackAnswer.jokes(900, of: "a").delayed(until: gate))
        try await SyncStage.run { stage in
            try await stage.adopt([.list("a", at: server)])
            var ends: [Bool] = []
            stage.views.onPublish = { [unowned stage] in
                if stage.views.catalog.header.isSyncing { return }
                let state = try? stage.reader.sourceStates()["a"]
                ends.append(state?.lastSuccess != nil && stage.views.catalog.header.shown == 900)
            }
            let refresh = stage.refresh(["a"])
            try await server.waitForRequests(1)
            #expect(stage.views.catalog.header.isSyncing)
            gate.open()
            _ = try await refresh.all()
            try await stage.waitForSyncs()
            try await waitUntil("the end is shown") { !stage.views.catalog.header.isSyncing }
            #expect(!ends.isEmpty && ends.allSatisfy { $0 }, "\(ends)")
        }
    }
}
