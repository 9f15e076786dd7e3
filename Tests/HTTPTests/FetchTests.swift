import Glibc
import HTTP
import TestSupport
import Testing

@Suite struct FetchTests {
    @Test("an answer has status, headers in any case, type, body and validators")
    func answer() async throws {
        let stage = try Stage()
        stage.server.route(
            "/jokes",
            .json(
                "{\"a\":1}", status: 429,
                headers: [("ETag", "W/\"7\""), ("Last-Modified", "Fri, 20 Nov 2026 14:01:13 GMT"), ("x-odd", "  b c ")])
        )
        let response = try await stage.client.fetch(stage.request("/jokes?key=secret"))
        #expect(response.status == 429)
        #expect(response.headers["X-ODD"] == "b c")
        #expect(response.headers["absent"] == nil)
        #expect(response.mediaType == MediaType("application/json; charset=utf-8"))
        #expect(response.mediaType?.isJSON == true && response.mediaType?.charset == "utf-8")
        #expect(text(response) == "{\"a\":1}")
        #expect(response.validators == Validators(etag: "W/\"7\"", lastModified: "Fri, 20 Nov 2026 14:01:13 GMT"))
        #expect(response.url == stage.server.url + "/jokes?key=secret")
        #expect(response.redactedURL == stage.server.url + "/jokes?...")
    }

    @Test("a request has the User-Agent, the accepted encodings and the headers of its source")
    func request() async throws {
        let stage = try Stage()
        stage.server.route("/", .json("[]"))
        _ = try await stage.client.fetch(stage.request("/", headers: ["Accept": "application/json", "X-Api-Key": "k"]))
        let received = try #require(stage.server.requests.first)
        #expect(received.method == "GET")
        #expect(received.header("User-Agent") == "jokesd/test (+nobody@example.org)")
        #expect(received.header("Accept") == "application/json")
        #expect(received.header("X-Api-Key") == "k")
        #expect(received.header("Accept-Encoding") == "gzip")
        #expect(received.header("If-None-Match") == nil && received.header("If-Modified-Since") == nil)
    }

    @Test("bodies are complete with each kind of framing")
    func framing() async throws {
        let stage = try Stage()
        let long = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        stage.server.route("/length", LoopbackAnswer(body: long))
        stage.server.route("/chunked", .chunked([Array(long[..<7]), Array(long[7...])], type: "text/plain"))
        stage.server.route("/close", .open(then: [.send(long)]))
        stage.server.route(
            "/gzip", LoopbackAnswer(headers: [("Content-Encoding", "gzip")], body: Gzip.stored(long)))
        stage.server.route("/empty", LoopbackAnswer())
        stage.server.route("/no-content", LoopbackAnswer(status: 204))
        for path in ["/length", "/chunked", "/close", "/gzip"] {
            #expect(try await stage.client.fetch(stage.request(path)).body == long, "\(path)")
        }
        #expect(try await stage.client.fetch(stage.request("/empty")).body.isEmpty)
        #expect(try await stage.client.fetch(stage.request("/no-content")).status == 204)
    }

    @Test("headers of interim answers and trailers are ignored")
    func interim() async throws {
        let stage = try Stage()
        let early = LoopbackAnswer.head(status: 103, headers: [("X-Early", "1"), ("ETag", "\"early\"")])
        let head = LoopbackAnswer.head(status: 200, headers: [("Transfer-Encoding", "chunked"), ("X-Last", "2")])
        let body = Array("2\r\nok\r\n0\r\nX-Trailer: 3\r\nETag: \"late\"\r\n\r\n".utf8)
        stage.server.route("/", LoopbackAnswer(steps: [.send(early + head + body)]))
        let response = try await stage.client.fetch(stage.request("/"))
        #expect(text(response) == "ok")
        #expect(response.headers["X-Early"] == nil && response.headers["X-Trailer"] == nil)
        #expect(response.headers["X-Last"] == "2")
        #expect(response.validators.isEmpty)
    }

    @Test("validators make a request conditional, and stay valid after a 304")
    func conditional() async throws {
        let stage = try Stage()
        stage.server.route("/") { request in
            request.header("If-None-Match") == "\"1\"" ? LoopbackAnswer(status: 304) : .json("[]")
        }
        let held = Validators(etag: "\"1\"", lastModified: "Fri, 20 Nov 2026 14:01:13 GMT")
        let response = try await stage.client.fetch(stage.request("/", validators: held))
        #expect(response.isNotModified && response.body.isEmpty)
        #expect(response.validators == held)
        #expect(stage.server.requests.first?.header("If-Modified-Since") == "Fri, 20 Nov 2026 14:01:13 GMT")
    }

    @Test("a 304 replaces the validators that it states, and keeps the other one")
    func replaced() async throws {
        let stage = try Stage()
        let (first, second) = ("Fri, 20 Nov 2026 14:01:13 GMT", "Sat, 21 Nov 2026 14:01:13 GMT")
        stage.server.route("/etag", LoopbackAnswer(status: 304, headers: [("ETag", "\"2\"")]))
        stage.server.route("/date", LoopbackAnswer(status: 304, headers: [("Last-Modified", second)]))
        stage.server.route("/bad", LoopbackAnswer(status: 304, headers: [("ETag", "\u{7f}")]))
        let held = Validators(etag: "\"1\"", lastModified: first)
        for (path, expected) in [
            ("/etag", Validators(etag: "\"2\"", lastModified: first)),
            ("/date", Validators(etag: "\"1\"", lastModified: second)), ("/bad", held),
        ] {
            #expect(try await stage.client.fetch(stage.request(path, validators: held)).validators == expected)
        }
    }

    @Test("an unexpected 304 is an error")
    func unasked() async throws {
        let stage = try Stage()
        stage.server.route("/", LoopbackAnswer(status: 304))
        let error = try await stage.failure(of: stage.request("/"))
        #expect(error.code == .protocolViolation)
        #expect(error.cause.contains("304"))
    }

    @Test("validators that cannot be in a header are dropped", arguments: ["", "a\r\nX: y", "a\u{0}", "\u{7f}", "é"])
    func unsendable(_ value: String) {
        #expect(Validators(etag: value, lastModified: value).isEmpty)
    }

    @Test("connections are reused")
    func keepAlive() async throws {
        let stage = try Stage()
        stage.server.route("/", .json("[]"))
        for _ in 0..<5 { _ = try await stage.client.fetch(stage.request("/")) }
        #expect(stage.server.requests.map(\.connection) == [0, 0, 0, 0, 0])
    }

    @Test("an idle connection that the server closed is replaced without an error")
    func staleConnection() async throws {
        let stage = try Stage()
        stage.server.route("/", .json("[]"))
        stage.server.route(
            "/last", LoopbackAnswer(steps: [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))]))
        _ = try await stage.client.fetch(stage.request("/last"))
        _ = try await stage.client.fetch(stage.request("/"))
        #expect(stage.server.requests.map(\.connection) == [0, 1])
    }

    @Test("a client with idle connections causes no wake-ups")
    func idle() async throws {
        let stage = try Stage()
        let gate = try Gate()
        stage.server.route("/", LoopbackAnswer.json("[]").delayed(until: gate))
        async let response = stage.client.fetch(stage.request("/"))
        try await stage.server.waitForRequests(1)
        #expect(await !stage.client.isIdle)
        gate.open()
        _ = try await response
        #expect(await stage.client.isIdle)
        let failing = HTTPRequest(url: "https://127.0.0.1:\(stage.server.port)/")
        _ = try await stage.failure(of: failing)
        #expect(await stage.client.isIdle)
    }

    @Test("a hundred concurrent requests on one thread receive their own answers")
    func concurrent() async throws {
        let stage = try Stage()
        stage.server.routeEverythingElse { .text($0.path, type: "text/plain") }
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { try await (number, text(stage.client.fetch(stage.request("/\(number)")))) }
            }
            for try await (number, text) in group { #expect(text == "/\(number)") }
        }
        #expect(stage.server.requests.count == 100)
    }
}
