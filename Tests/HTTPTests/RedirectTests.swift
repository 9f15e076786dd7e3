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

    @Test("a redirect without a Location is returned as an answer")
    func withoutLocation() async throws {
        let stage = try Stage()
        stage.server.route("/", LoopbackAnswer(status: 302))
        #expect(try await stage.client.fetch(stage.request("/")).status == 302)
    }

    @Test("a loop and a fourth redirect are refused")
    func loops() async throws {
        let stage = try Stage()
        stage.server.route("/loop", .redirect(to: "/loop"))
        for step in 0..<9 { stage.server.route("/\(step)", .redirect(to: "/\(step + 1)")) }
        #expect(try await stage.failure(of: stage.request("/loop")).code == .redirectRefused)
        #expect(stage.server.requests.count == 4)
        #expect(try await stage.failure(of: stage.request("/0")).code == .redirectRefused)
        #expect(stage.server.requests.map(\.path).suffix(4) == ["/0", "/1", "/2", "/3"])
    }

    @Test("a redirect to another host does not receive secrets of the first host")
    func secrets() async throws {
        let (proxy, client) = try proxied(to: .json("[]"))
        let headers: HeaderFields = ["X-Api-Key": "sesame", "Authorization": "Bearer sesame", "Accept": "text/plain"]
        let held = Validators(etag: "\"sesame\"", lastModified: "Fri, 20 Nov 2026 14:01:13 GMT")
        for path in ["/away", "/here"] {
            _ = try await client.fetch(
                HTTPRequest(
                    url: Self.own + path, headers: headers, validators: held, allowsLocalNetwork: true))
        }
        let targets = [Self.own + "/away", Self.other + "/", Self.own + "/here", Self.own + "/there"]
        #expect(proxy.requests.map(\.target) == targets)
        let received = proxy.requests[1]
        #expect(received.header("X-Api-Key") == nil && received.header("Authorization") == nil)
        #expect(received.header("If-None-Match") == nil && received.header("If-Modified-Since") == nil)
        #expect(received.header("Accept") == "text/plain")
        let own = proxy.requests.filter { $0.target.hasPrefix(Self.own) }
        #expect(own.allSatisfy { $0.header("X-Api-Key") == "sesame" })
        #expect(own.allSatisfy { $0.header("If-None-Match") == held.etag })
    }

    private static let own = "http://jokes.test"
    private static let other = "http://other.test"

    /// A client with a proxy that answers for two hosts, because no redirect may lead to another local server.
    private func proxied(to end: LoopbackAnswer) throws -> (proxy: LoopbackServer, client: HTTPClient) {
        try Stage.proxied { request in
            switch request.target {
            case Self.own + "/away": .redirect(to: Self.other + "/")
            case Self.own + "/here": .redirect(to: "/there")
            default: end
            }
        }
    }

    @Test("a 304 response of another origin, which got no validators, is an error")
    func unexpectedNotModified() async throws {
        let (proxy, client) = try proxied(to: LoopbackAnswer(status: 304))
        let request = HTTPRequest(
            url: Self.own + "/away", validators: Validators(etag: "\"1\""), allowsLocalNetwork: true)
        let error = await #expect(throws: HTTPError.self) { _ = try await client.fetch(request) }
        #expect(error?.code == .protocolViolation && proxy.requests.count == 2)
    }

    @Test(
        "a redirect from the public internet must lead to a public https address",
        arguments: [
            "file:///etc/passwd", "http://example.org/", "ftp://example.org/", "https://127.0.0.1/", "https://[::1]/",
            "https://169.254.169.254/latest", "https://10.0.0.1/", "https://0x7f000001/", "https://2130706433/",
            "https://0177.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "//127.0.0.1/x",
            "https://１２７。0.0.1/", "https://%EF%BC%90x7f000001/", "https://%30x7f000001/", "https://%2530x7f000001/",
            "https://user:pass@example.org/", "https://", "https://\u{2100}.example/", "gopher://example.org/",
            "https://exa\u{1B}mple.org/",
        ])
    func outOfBounds(_ target: String) throws {
        var trail = try RedirectTrail(HTTPRequest(url: "https://jokes.example.org/a"))
        let error = #expect(throws: HTTPError.self) { try trail.follow(status: 301, location: target) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.description.contains("pass@") == false)
    }

    @Test("a redirect never leads from https to http, not even on a local host of a source")
    func downgrade() throws {
        var trail = try RedirectTrail(HTTPRequest(url: "https://10.0.0.1:80/a", allowsLocalNetwork: true))
        let error = #expect(throws: HTTPError.self) { try trail.follow(status: 301, location: "http://10.0.0.1:80/b") }
        #expect(error?.cause.contains("leaves https") == true)
    }

    @Test("a redirect does not lead from an allowed local host and port to others, by address or by name")
    func otherLocal() async throws {
        let stage = try Stage()
        let other = try LoopbackServer()
        other.route("/", .json("[]"))
        stage.server.route("/end", .json("[]"))
        let targets = [
            "http://169.254.169.254/latest", "http://127.0.0.1:6379/", "http://[::1]:\(stage.server.port)/end",
            "http://127.0.0.2:\(stage.server.port)/end", other.url + "/", "http://localhost:\(other.port)/",
        ]
        for (number, target) in targets.enumerated() {
            stage.server.route("/\(number)", .redirect(to: target))
            let error = try await stage.failure(of: stage.request("/\(number)"))
            #expect([.redirectRefused, .addressRefused].contains(error.code), "\(target): \(error)")
            #expect(error.description.hasSuffix(#"to allow it, use the new URL as "url" of a source"#), "\(error)")
        }
        #expect(other.requests.isEmpty && !stage.server.requests.contains { $0.path == "/end" })
    }

    @Test("an answer with another status is not followed", arguments: [200, 300, 304, 305, 306, 404])
    func notARedirect(_ status: Int) throws {
        var trail = try RedirectTrail(HTTPRequest(url: "https://example.org/a"))
        #expect(try !trail.follow(status: status, location: "/b"))
    }
}
