import HTTP
import TestSupport
import Testing

@Suite struct RedirectTests {
    @Test("redirects are followed to the answer, by a relative or an absolute reference")
    func followed() async throws {
        let stage = try Stage()
        stage.server.route("/a", .redirect(to: "b/c?d=e"))
        stage.server.route("/b/c", .redirect(to: "\(stage.server.url)/end", status: 308))
        stage.server.route("/end", .json("[]"))
        let response = try await stage.client.fetch(stage.request("/a"))
        #expect(text(response) == "[]")
        #expect(response.url == stage.server.url + "/end")
        #expect(stage.server.requests.map(\.target) == ["/a", "/b/c?d=e", "/end"])
    }

    @Test("a redirect without a location is an answer like others")
    func withoutLocation() async throws {
        let stage = try Stage()
        stage.server.route("/", LoopbackAnswer(status: 302))
        #expect(try await stage.client.fetch(stage.request("/")).status == 302)
    }

    @Test("a loop and a fourth redirect are refused")
    func loops() async throws {
        let stage = try Stage()
        stage.server.route("/loop", .redirect(to: "/back"))
        stage.server.route("/back", .redirect(to: "/loop"))
        for step in 0..<9 { stage.server.route("/\(step)", .redirect(to: "/\(step + 1)")) }
        #expect(try await stage.failure(of: stage.request("/loop")).code == .redirectRefused)
        #expect(stage.server.requests.count == 2)
        #expect(try await stage.failure(of: stage.request("/0")).code == .redirectRefused)
        #expect(stage.server.requests.map(\.path).suffix(4) == ["/0", "/1", "/2", "/3"])
    }

    @Test("what is secret to a host stays there when a redirect leads elsewhere")
    func secrets() async throws {
        let stage = try Stage()
        let other = try LoopbackServer()
        other.route("/", .json("[]"))
        stage.server.route("/away", .redirect(to: other.url + "/"))
        stage.server.route("/here", .redirect(to: "/there"))
        stage.server.route("/there", .json("[]"))
        let headers: HeaderFields = ["X-Api-Key": "sesame", "Authorization": "Bearer sesame", "Accept": "text/plain"]
        let held = Validators(etag: "\"sesame\"", lastModified: "Fri, 20 Nov 2026 14:01:13 GMT")
        _ = try await stage.client.fetch(stage.request("/away", headers: headers, validators: held))
        _ = try await stage.client.fetch(stage.request("/here", headers: headers, validators: held))
        let received = try #require(other.requests.first)
        #expect(received.header("X-Api-Key") == nil && received.header("Authorization") == nil)
        #expect(received.header("If-None-Match") == nil && received.header("If-Modified-Since") == nil)
        #expect(received.header("Accept") == "text/plain")
        #expect(stage.server.requests.map(\.path) == ["/away", "/here", "/there"])
        #expect(stage.server.requests.allSatisfy { $0.header("X-Api-Key") == "sesame" })
        #expect(stage.server.requests.allSatisfy { $0.header("If-None-Match") == held.etag })
    }

    @Test("a 304 response of another origin, which got no validators, is an error")
    func unexpectedNotModified() async throws {
        let stage = try Stage()
        let other = try LoopbackServer()
        other.route("/", LoopbackAnswer(status: 304))
        stage.server.route("/away", .redirect(to: other.url + "/"))
        let error = try await stage.failure(of: stage.request("/away", validators: Validators(etag: "\"1\"")))
        #expect(error.code == .protocolViolation)
    }

    @Test(
        "from the public internet a redirect leads to public https places alone",
        arguments: [
            "file:///etc/passwd", "http://example.org/", "ftp://example.org/", "https://127.0.0.1/", "https://[::1]/",
            "https://169.254.169.254/latest", "https://10.0.0.1/", "https://0x7f000001/", "https://2130706433/",
            "https://0177.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "//127.0.0.1/x",
            "https://user:pass@example.org/", "https://", "gopher://example.org/", "https://exa\u{1B}mple.org/",
        ])
    func outOfBounds(_ target: String) throws {
        var trail = try RedirectTrail(HTTPRequest(url: "https://jokes.example.org/a"))
        let error = #expect(throws: HTTPError.self) { try trail.follow(status: 301, location: target) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.description.contains("pass@") == false)
    }

    @Test("a source on the local network may be led about there, but never from https to http")
    func local() throws {
        var trail = try RedirectTrail(HTTPRequest(url: "http://10.0.0.1/a", allowsLocalNetwork: true))
        #expect(try trail.follow(status: 301, location: "http://[::1]/"))
        #expect(try trail.follow(status: 301, location: "https://192.168.1.1/"))
        let error = #expect(throws: HTTPError.self) { try trail.follow(status: 301, location: "http://192.168.1.1/") }
        #expect(error?.cause.contains("leaves https") == true)
    }

    @Test("an answer of another status leads nowhere", arguments: [200, 300, 304, 305, 306, 404])
    func notARedirect(_ status: Int) throws {
        var trail = try RedirectTrail(HTTPRequest(url: "https://example.org/a"))
        #expect(try !trail.follow(status: status, location: "/b"))
        #expect(trail.currentURL == "https://example.org/a")
    }
}
