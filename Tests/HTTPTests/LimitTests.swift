import HTTP
import TestSupport
import Testing

/// Servers that send too much or too slowly, or stop.
@Suite struct LimitTests {
    private static let small = limits { ($0.bodyBytes, $0.headerBytes) = (100_000, 10_000) }
    /// The minimum of libcurl, which counts whole seconds.
    private static let impatient = limits { ($0.slowestBytesPerSecond, $0.slowFor) = (1000, .seconds(1)) }

    @Test("an endless body is aborted at the limit")
    func endless() async throws {
        let stage = try Stage()
        stage.server.route("/", .open(then: [.repeatForever([UInt8](repeating: 32, count: 65536))]))
        let error = try await stage.failure(of: stage.request("/", limits: Self.small))
        #expect(error.code == .tooLarge)
        #expect(error.cause == "the response is longer than 100000 bytes")
        try await stage.server.waitForAbandonedAnswers(1)
    }

    @Test("a body with too large a Content-Length is aborted before its first byte")
    func stated() async throws {
        let stage = try Stage()
        stage.server.route("/", .open(headers: [("Content-Length", "1000000000")], then: [.stall]))
        #expect(try await stage.failure(of: stage.request("/", limits: Self.small)).code == .tooLarge)
        try await stage.server.waitForAbandonedAnswers(1)
    }

    @Test("a body may have the limit, but not one byte more")
    func boundary() async throws {
        let stage = try Stage()
        stage.server.route("/fits", .chunked([[UInt8](repeating: 1, count: 100_000)], type: "text/plain"))
        stage.server.route("/over", .chunked([[UInt8](repeating: 1, count: 100_001)], type: "text/plain"))
        #expect(try await stage.client.fetch(stage.request("/fits", limits: Self.small)).body.count == 100_000)
        #expect(try await stage.failure(of: stage.request("/over", limits: Self.small)).code == .tooLarge)
    }

    @Test("endless headers are aborted at the limit, in one line or in many")
    func headers() async throws {
        let stage = try Stage()
        let start = LoopbackAnswer.Step.send(Array("HTTP/1.1 200 OK\r\nX: ".utf8))
        stage.server.route("/line", LoopbackAnswer(steps: [start, .repeatForever([0x61])]))
        stage.server.route("/lines", LoopbackAnswer(steps: [start, .repeatForever(Array("a\r\nX: ".utf8))]))
        stage.server.route(
            "/interim", LoopbackAnswer(steps: [.repeatForever(Array("HTTP/1.1 103 Early\r\nX: y\r\n\r\n".utf8))]))
        for path in ["/line", "/lines", "/interim"] {
            let error = try await stage.failure(of: stage.request(path, limits: Self.small))
            #expect(error.code == .tooLarge, "\(error)")
        }
    }

    @Test("a few bytes per second are too slow, in headers and in bodies", .enabled(if: isSlowTier, "slow tier"))
    func trickle() async throws {
        let stage = try Stage()
        let slowly = LoopbackAnswer.Step.trickle([UInt8](repeating: 0x61, count: 10_000), every: .milliseconds(100))
        stage.server.route("/head", LoopbackAnswer(steps: [.send(Array("HTTP/1.1 200 OK\r\nX: ".utf8)), slowly]))
        stage.server.route("/body", .open(then: [slowly]))
        stage.server.route("/silence", LoopbackAnswer(steps: [.stall]))
        try await withThrowingTaskGroup { group in
            for path in ["/head", "/body", "/silence"] {
                group.addTask { try await stage.failure(of: stage.request(path, limits: Self.impatient)) }
            }
            for try await error in group { #expect(error.code == .tooSlow, "\(error)") }
        }
        try await stage.server.waitForAbandonedAnswers(3)
    }

    @Test("the total time limit includes redirects")
    func total() async throws {
        let stage = try Stage()
        let limits = limits { $0.total = .milliseconds(50) }
        stage.server.route("/redirect", .redirect(to: "/stall"))
        stage.server.route("/stall", LoopbackAnswer(steps: [.stall]))
        for path in ["/stall", "/redirect"] {
            let error = try await stage.failure(of: stage.request(path, limits: limits))
            #expect(error.code == .timeout && error.cause.contains("0.05 seconds"), "\(error)")
        }
        #expect(await stage.client.isIdle)
    }

    @Test("a handshake without an answer is a failed connection", .needsAuthorities)
    func handshake() async throws {
        let stage = try Stage()
        let request = HTTPRequest(
            url: "https://127.0.0.1:\(stage.server.port)/", allowsLocalNetwork: true,
            limits: limits { $0.connecting = .milliseconds(50) })
        #expect(try await stage.failure(of: request).code == .connect)
    }

    @Test("a body that is too short is an error, and one that is too long is cut at its Content-Length")
    func wrongLength() async throws {
        let stage = try Stage()
        let length = [(name: "Content-Length", value: "10")]
        stage.server.route("/short", .open(headers: length, then: [.send(Array("12345".utf8))]))
        stage.server.route("/long", .open(headers: length, then: [.send(Array("0123456789abc".utf8))]))
        #expect(try await stage.failure(of: stage.request("/short")).code == .connectionLost)
        #expect(try await text(stage.client.fetch(stage.request("/long"))) == "0123456789")
    }

    @Test(
        "an answer that is not HTTP, or contradicts its headers, is an error",
        arguments: [
            ("not http at all\r\n\r\n", HTTPError.Code.protocolViolation), ("", .connectionLost),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .connectionLost),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .connectionLost),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .protocolViolation),
        ])
    func garbage(_ bytes: String, _ code: HTTPError.Code) async throws {
        let stage = try Stage()
        stage.server.route("/", LoopbackAnswer(steps: [.send(Array(bytes.utf8))]))
        let error = try await stage.failure(of: stage.request("/"))
        #expect(error.code == code, "\(error)")
    }

    @Test("one long body at a time is received, until it is released; short ones do not wait")
    func longBodies() async throws {
        let stage = try Stage()
        let gate = try Gate()
        let long = [UInt8](repeating: 32, count: 2_000_000)
        stage.server.route("/long", .open(then: [.send(long), .wait(gate)]))
        stage.server.route("/", .text(String(repeating: "x", count: 100_000), type: "text/plain"))
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 { group.addTask { try await stage.client.fetch(stage.request("/long")) } }
            try await waitUntil("two wait") { await stage.client.pausedTransfers == 2 }
            for _ in 0..<10 { #expect(try await stage.client.fetch(stage.request("/")).body.count == 100_000) }
            gate.open()
            for others in [2, 1, 0] {
                let response = try #require(try await group.next())
                #expect(await stage.client.pausedTransfers == others && response.body.count == long.count)
                response.permission?.release()
            }
        }
    }

    @Test("a long body that is canceled, refused or abandoned resumes the next one")
    func abandonedLongBodies() async throws {
        let stage = try Stage()
        let gate = try Gate()
        let long = [UInt8](repeating: 32, count: 1_000_000)
        stage.server.route("/waits", .open(then: [.send(long), .wait(gate)]))
        stage.server.route("/long", .open(then: [.send(long)]))
        // Any of them may have the turn.
        let transfers = (0..<3).map { _ in Task { try await stage.client.fetch(stage.request("/waits")) } }
        try await waitUntil("two wait") { await stage.client.pausedTransfers == 2 }
        for transfer in transfers.dropLast() {
            transfer.cancel()
            await #expect(throws: HTTPError.self) { try await transfer.value }
        }
        gate.open()
        let response = try await transfers[2].value
        #expect(response.body.count == long.count)
        // The task keeps its response.
        response.permission?.release()
        let refused = stage.request("/long", limits: Self.small)
        #expect(try await stage.failure(of: refused).code == .tooLarge)
        for _ in 0..<3 { _ = try await stage.client.fetch(stage.request("/long")) }
    }
}
