import HTTP
import TestSupport
import Testing

/// Requests that a client refuses, and the errors.
@Suite struct RefusalTests {
    @Test("a name that resolves to a local address is refused when connecting")
    func byName() async throws {
        let stage = try Stage()
        let error = try await stage.failure(of: HTTPRequest(url: "https://localhost:\(stage.server.port)/jokes?key=1"))
        #expect(error.code == .addressRefused)
        #expect(error.cause.contains("a loopback address"))
        #expect(error.url == "https://localhost:\(stage.server.port)/jokes?...")
        #expect(stage.server.requests.isEmpty)
    }

    @Test(
        "a local address is refused before connecting",
        arguments: [
            "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/", "https://0/", "https://[fe80::1]/",
            "https://１２７.0.0.1/", "https://%30x7f000001/",
        ])
    func byAddress(_ url: String) async throws {
        let stage = try Stage()
        #expect(try await stage.failure(of: HTTPRequest(url: url)).code == .addressRefused)
    }

    @Test("a reserved address needs an exception, which the error names")
    func reserved() async throws {
        let stage = try Stage()
        let error = try await stage.failure(of: HTTPRequest(url: "https://[::ffff:198.18.0.5]/"))
        #expect(error.code == .addressReserved)
        #expect(
            error.cause.hasSuffix(
                #"is a reserved address, which needs "allowAddresses": ["198.18.0.0/15"] in "network""#))
        let exception = try #require(AddressBlock("127.0.0.0/8"))
        var request = HTTPRequest(url: "https://127.0.0.1:1/")
        request.limits.allowedAddresses = [exception]
        // No program listens there.
        #expect(try await stage.failure(of: request).code == .connect)
    }

    @Test("a source cannot use a connection that it may not open")
    func poolsApart() async throws {
        let stage = try Stage()
        stage.server.route("/", .json("[]"))
        var request = HTTPRequest(url: "http://localhost:\(stage.server.port)/", allowsLocalNetwork: true)
        _ = try await stage.client.fetch(request)
        request.allowsLocalNetwork = false
        request.url = "https://localhost:\(stage.server.port)/"
        #expect(try await stage.failure(of: request).code == .addressRefused)
    }

    @Test("plain http is refused unless the source allows the local network")
    func plain() async throws {
        let stage = try Stage()
        let error = try await stage.failure(of: HTTPRequest(url: "http://example.org/"))
        #expect(error.code == .schemeRefused)
    }

    @Test(
        "an invalid URL is refused, and the error does not contain its secrets",
        arguments: [
            "", "jokes", "file:///etc/passwd", "ftp://example.org/", "https://", "https://user:sesame@example.org/",
            "https://exa mple.org/?key=sesame", "https://example.org:99999/?sesame", "https://a\u{0}b/",
            "user:sesame", "https://user:sesame@exa mple.org#sesame",
        ])
    func malformed(_ url: String) async throws {
        let stage = try Stage()
        var request = HTTPRequest(url: url)
        request.allowsLocalNetwork = true
        let error = try await stage.failure(of: request)
        #expect(error.code == .invalidRequest)
        if url.contains("://") { #expect(!error.description.contains("sesame")) }
    }

    @Test(
        "a header that would change the request is refused",
        arguments: [
            ("X-A", "b\r\nX-Evil: 1"), ("X-A", "b\u{0}"), ("X A", "b"), ("", "b"), ("X:A", "b"), ("X-A", "é"),
            ("X-A", ""),
        ])
    func headers(_ name: String, _ value: String) async throws {
        let stage = try Stage()
        var headers = HeaderFields()
        headers.append(name, value)
        #expect(try await stage.failure(of: stage.request("/", headers: headers)).code == .invalidRequest)
        #expect(stage.server.requests.isEmpty)
    }

    @Test("errors contain no control characters from the network")
    func controls() async throws {
        let stage = try Stage()
        stage.server.route("/", .redirect(to: "ftp://example.org/\u{1B}]52;c;QQ==\u{7}\u{202E}"))
        let error = try await stage.failure(of: stage.request("/"))
        #expect(error.code == .redirectRefused)
        #expect(error.description.unicodeScalars.allSatisfy { (" "..."~").contains($0) })
    }
}
