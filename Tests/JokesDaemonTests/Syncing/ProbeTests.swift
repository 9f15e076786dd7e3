import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

@testable import JokesDaemon

@Suite struct ProbeTests {
    private func probe(_ path: String, of server: LoopbackServer) -> ProbeMethod.Parameters {
        ProbeMethod.Parameters(url: "\(server.url)/\(path)", name: path, allowLocalNetwork: true)
    }

    @Test("a probe waits for the request of a sync to its server, and a client that leaves gives up its turn")
    func turns() async throws {
        let (server, gate) = (try LoopbackServer(), try Gate())
        server.route("/a", LoopbackAnswer.jokes(3, of: "a").delayed(until: gate))
        server.routeEverythingElse { _ in .jokes(3, of: "p") }
        try await SyncStage.run { stage in
            try await stage.adopt([.list("a", at: server), .guarding(server)])
            let refresh = stage.refresh(["a"])
            try await server.waitForRequests(1)
            let leaving = try RawClient(stage.socket)
            let parameters = #"{"url":"\#(server.url)/left","allowLocalNetwork":true}"#
            try leaving.send(#"{"method":"org.jokesd.Jokes.Probe","parameters":\#(parameters)}|"#)
            // The service handles the calls in their order.
            let waiting = stage.call(ProbeMethod.self, probe("stayed", of: server))
            await #expect(throws: ClientError.self) {
                try await stage.call(TestSourceMethod.self, TestSourceMethod.Parameters(name: "none")).all()
            }
            #expect(server.requests.map(\.path) == ["/a"])
            let clients = stage.clientCount
            leaving.close()
            try await waitUntil("the client has left") { stage.clientCount < clients }
            gate.open()
            let reply = try #require(try await waiting.all().first)
            #expect(reply.type == "json" && reply.sample.read == 3)
            _ = try await refresh.all()
            // A short list is requested twice, to see whether it is random.
            #expect(server.requests.map(\.path) == ["/a", "/stayed", "/stayed"])
        }
    }

    @Test("after a 429, only its URL is refused with the pause, without a request, and not a probe of another URL")
    func paused() async throws {
        let server = try LoopbackServer()
        server.route("/a", .json("[]", status: 429, headers: [("Retry-After", "3600")]))
        try await SyncStage.run { stage in
            try await stage.adopt([.list("a", at: server)])
            _ = try await stage.refresh(["a"]).all()
            let error = await #expect(throws: ClientError.self) {
                try await stage.call(ProbeMethod.self, probe("a", of: server)).all()
            }
            guard case .refused(.busy(let wait, let reason)) = error else {
                Issue.record("not refused: \(String(describing: error))")
                return
            }
            #expect((3_500_000...3_600_001).contains(wait))
            #expect(reason == "127.0.0.1:\(server.port) asked to wait 60 minutes")
            #expect(server.requests.count == 1)
            server.route("/other", .jokes(3, of: "other"))
            #expect(try await stage.call(ProbeMethod.self, probe("other", of: server)).all().first?.sample.read == 3)
            let refused = try await stage.refresh(["a"]).all().flatMap(\.sources)
            #expect(refused.first?.failure == reason)
        }
    }
}
