import JokesCore
import JokesProtocol
import JokesStore
import TestSupport
import Testing
import Unix

@testable import JokesDaemon

/// Several syncs that share servers.
@Suite struct SyncRunnerTests {
    private typealias Source = SourceConfiguration

    private let server: LoopbackServer
    /// Opens the answer of source `a`.
    private let gate: Gate

    init() throws {
        (server, gate) = (try LoopbackServer(), try Gate())
        server.route("/a", LoopbackAnswer.jokes(3, of: "a").delayed(until: gate))
        for name in ["b", "c"] { server.route("/\(name)", .jokes(3, of: name)) }
    }

    private func ends(_ replies: [RefreshMethod.Reply]) -> [String: RefreshedSource.State] {
        replies.flatMap(\.sources).reduce(into: [:]) { $0[$1.name] = $1.state }
    }

    @Test("a sync that waits for its turn ends with a reload that removes its source, and sends nothing")
    func waiting() async throws {
        try await SyncStage.run { stage in
            let (a, b, c) = (Source.list("a", at: server), Source.list("b", at: server), Source.list("c", at: server))
            try await stage.adopt([a, b, c, .guarding(server)])
            let refresh = stage.refresh(["a", "b", "c"])
            try await server.waitForRequests(1)
            let reload = Task { try await stage.adopt([a, c, .guarding(server)]) }
            try await waitUntil("a sync has ended") { !stage.outcomes.isEmpty }
            try await reload.value
            #expect(stage.outcomes.mapValues { $0.map(\.failure) } == ["b": ["canceled"]])
            gate.open()
            #expect(ends(try await refresh.all()) == ["a": .succeeded, "b": .failed, "c": .succeeded])
            #expect(server.requests.map(\.path) == ["/a", "/c"])
        }
    }

    @Test("a sync that waits for the rate of its server ends before the rate allows a request if it is canceled")
    func rate() async throws {
        let rate = RequestRate(requests: 1, per: .seconds(29))
        try await SyncStage.run { stage in
            let (a, b) = (Source.list("a", at: server, rate: rate), Source.list("b", at: server, rate: rate))
            gate.open()
            try await stage.adopt([a, b])
            let refresh = stage.refresh(["a", "b"])
            try await waitUntil("one source is synced") { !stage.outcomes.isEmpty }
            #expect(stage.syncs.planner.running.count == 1)
            await stage.syncs.end()
            #expect(stage.syncs.isIdle && stage.syncs.planner.requestsLeft(of: "a", at: .now) == 0)
            #expect(ends(try await refresh.all()).values.sorted { $0.rawValue < $1.rawValue } == [.failed, .succeeded])
            #expect(server.requests.count == 1)
        }
    }

    @Test("a 429 of one source pauses the waiting syncs of its server, and the pause is stored for all its sources")
    func pause() async throws {
        server.route(
            "/a", LoopbackAnswer.json("[]", status: 429, headers: [("Retry-After", "3600")]).delayed(until: gate))
        try await SyncStage.run { stage in
            try await stage.adopt(["a", "b", "c"].map { .list($0, at: server) } + [.guarding(server)])
            let refresh = stage.refresh(["a", "b"])
            try await server.waitForRequests(1)
            gate.open()
            #expect(ends(try await refresh.all()) == ["a": .failed, "b": .succeeded])
            #expect(stage.outcomes["b"]?.map { $0.report?.isPaused } == [true])
            #expect(ends(try await stage.refresh(["c"]).all()) == ["c": .tooSoon])
            #expect(server.requests.map(\.path) == ["/a"])
            try await stage.waitForSyncs()
            let pauses = try ["a", "b", "c"].map { try stage.reader.sourceStates()[$0]?.retryAfter }
            #expect(pauses.allSatisfy { $0 != nil }, "\(pauses)")
        }
    }

    @Test("while a request is under way, the database has what it uses of the rate, for all sources of the server")
    func stored() async throws {
        let rate = RequestRate(requests: 10, per: .seconds(3600))
        try await SyncStage.run { stage in
            try await stage.adopt(["a", "b"].map { .list($0, at: server, rate: rate) })
            let refresh = stage.refresh(["a"])
            try await server.waitForRequests(1)
            let resets = try ["a", "b"].map { try stage.reader.sourceStates()[$0]?.rateLimitResetAt }
            #expect(resets[0] != nil && resets[0] == resets[1], "\(resets)")
            gate.open()
            _ = try await refresh.all()
        }
    }
}
