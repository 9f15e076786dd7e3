import JokesCore
import JokesStore
import TestSupport
import Testing

@testable import JokesDaemon

@Suite struct SyncWorkerTests {
    @Test("a sync that is canceled after a slice stores nothing more, and the next sync stores the rest")
    func canceled() async throws {
        let server = try LoopbackServer()
        server.route("/a", .jokes(2000, of: "a"))
        try await SyncStage.run { stage in
            let source = SourceConfiguration.list("a", at: server)
            try await stage.adopt([source])
            let gate = stage.syncs.gate(of: source, maxWait: .zero)
            let sync = Task {
                await stage.worker.sync(source, SourceState(), fromStart: false, through: gate) { _, _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            #expect(await sync.value == .cancelled)
            #expect(try stage.stored("a") == JokeStore.sliceCount)
            let outcome = await stage.worker.sync(source, SourceState(), fromStart: false, through: gate) { _, _ in }
            let report = with(SyncReport()) { ($0.seen, $0.new) = (2000, 2000 - JokeStore.sliceCount) }
            #expect(outcome == .succeeded(report))
            #expect(try stage.stored("a") == 2000)
        }
    }

    @Test("equal network settings keep the open connections, and other ones begin new connections")
    func settings() async throws {
        let server = try LoopbackServer()
        server.route("/a", .jokes(1, of: "a"))
        try await SyncStage.run { stage in
            let source = SourceConfiguration.list("a", at: server)
            try await stage.adopt([source])
            var network = Configuration.Network()
            network.proxy = .direct
            for contact in ["", "", "me@example.org"] {
                network.contact = contact
                await stage.worker.adopt(network)
                let gate = stage.syncs.gate(of: source, maxWait: .zero)
                _ = await stage.worker.sync(source, SourceState(), fromStart: false, through: gate) { _, _ in }
            }
            let requests = server.requests
            #expect(requests.map(\.connection) == [0, 0, 1])
            #expect(requests.map { $0.header("User-Agent")?.contains("me@example.org") } == [false, false, true])
        }
    }
}
