import HTTP
import TestSupport
import Testing

@Suite struct FailureTests {
    @Test("an error says that the connection was refused")
    func refused() async throws {
        let stage = try Stage()
        stage.server.stop()
        let error = try await stage.failure(of: stage.request("/jokes?key=1"))
        #expect(error.code == .connect)
        #expect(
            error.description
                == "cannot fetch \(stage.server.url)/jokes?...: cannot connect to 127.0.0.1: connection refused")
    }

    @Test("an unknown host name has its own error code")
    func unresolved() async throws {
        // No label has more than 63 bytes, so the name is refused without a network.
        let host = String(repeating: "a", count: 64) + ".example.org"
        let stage = try Stage()
        let error = try await stage.failure(of: HTTPRequest(url: "https://\(host)/"))
        #expect(error.code == .resolve)
        #expect(error.cause == "cannot resolve \(host)")
    }

    @Test("a server without TLS is an error for https")
    func tls() async throws {
        let greeting = Array("220 mail.example.org ESMTP\r\n".utf8)
        let (proxy, client) = try Stage.proxied { _ in
            LoopbackAnswer(steps: [.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8) + greeting)])
        }
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(HTTPRequest(url: "https://jokes.example.org/"))
        }
        #expect(error?.code == .tls && proxy.requests.map(\.method) == ["CONNECT"])
    }

    @Test("a fetch in a canceled task sends nothing")
    func cancelledBefore() async throws {
        let stage = try Stage()
        let error = await withTaskGroup(of: HTTPError?.self) { group in
            group.cancelAll()
            group.addTask { try? await stage.failure(of: stage.request("/")) }
            return await group.next() ?? nil
        }
        #expect(error?.code == .cancelled)
        #expect(stage.server.requests.isEmpty)
    }

    @Test("canceling at any moment returns one answer or error, and leaves no transfer")
    func cancelledAnytime() async throws {
        let stage = try Stage()
        stage.server.routeEverythingElse { .text($0.path, type: "text/plain") }
        for round in 0..<200 {
            let task = Task { try await stage.client.fetch(stage.request("/\(round)")) }
            for _ in 0..<(round % 20) { await Task.yield() }
            task.cancel()
            do {
                #expect(try await text(task.value) == "/\(round)")
            } catch let error as HTTPError {
                #expect(error.code == .cancelled)
            }
        }
        #expect(await stage.client.isIdle)
    }

    @Test("a client without references closes its connections")
    func released() async throws {
        let server = try LoopbackServer()
        server.route("/", .json("[]"))
        weak var gone: HTTPClient?
        do {
            let client = HTTPClient(loop: SharedLoop.loop, userAgent: "t", proxies: .none)
            gone = client
            _ = try await client.fetch(HTTPRequest(url: server.url + "/", allowsLocalNetwork: true))
        }
        try await waitUntil("the client is gone") { gone == nil }
        try await waitUntil("its connection is closed") { server.openConnections == 0 }
    }
}
