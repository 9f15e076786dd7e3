import HTTP
import TestSupport
import Testing

@Suite struct ProxyTests {
    private static let variables = [
        "https_proxy": "http://secure.example:1", "http_proxy": "http://plain.example:2",
        "no_proxy": "example.org, .example.net,10.0.0.0/8 192.0.2.1 2001:db8::/32",
    ]

    @Test(
        "the scheme selects the proxy, and the hosts of no_proxy have none",
        arguments: [
            ("https://jokes.example.com/", "http://secure.example:1"),
            ("http://jokes.example.com/", "http://plain.example:2"),
            ("https://example.org/", nil), ("https://api.EXAMPLE.org/", nil),
            ("https://notexample.org/", "http://secure.example:1"),
            ("https://example.net/", nil), ("https://a.example.net/", nil), ("https://10.1.2.3/", nil),
            ("https://11.1.2.3/", "http://secure.example:1"), ("https://192.0.2.1/", nil),
            ("https://[2001:db8::7]/", nil),
            ("https://127.0.0.1/", nil), ("https://[::1]/", nil), ("https://localhost/", nil),
            ("https://a.localhost/", nil),
        ] as [(String, String?)])
    func chosen(_ url: String, _ proxy: String?) throws {
        #expect(try ProxySettings { Self.variables[$0] }.proxy(forURL: url) == proxy)
    }

    @Test("capitals and all_proxy are the fallback, and HTTP_PROXY is ignored")
    func precedence() throws {
        let settings = { (variables: [String: String]) in ProxySettings { variables[$0] } }
        #expect(try settings(["HTTPS_PROXY": "a:1"]).proxy(forURL: "https://a.example/") == "a:1")
        #expect(try settings(["ALL_PROXY": "a:1"]).proxy(forURL: "http://a.example/") == "a:1")
        #expect(try settings(["all_proxy": "a:1", "https_proxy": "b:1"]).proxy(forURL: "https://a.example/") == "b:1")
        #expect(try settings(["HTTP_PROXY": "a:1"]).proxy(forURL: "http://a.example/") == nil)
        #expect(try settings(["https_proxy": ""]).proxy(forURL: "https://a.example/") == nil)
        #expect(try settings(["https_proxy": "a:1", "NO_PROXY": "*"]).proxy(forURL: "https://a.example/") == nil)
    }

    @Test("https goes through a tunnel, and the error names a proxy that refuses it")
    func tunnel() async throws {
        let (proxy, client) = try Stage.proxied { _ in .text("no", type: "text/plain", status: 403) }
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(HTTPRequest(url: "https://jokes.test/a", headers: ["X-Api-Key": "sesame"]))
        }
        #expect(error?.code == .proxy && error?.cause == "the proxy returned 403")
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
        #expect(proxy.requests.first?.header("X-Api-Key") == nil)
    }

    @Test("a proxy does not make a private address public")
    func privateAddress() async throws {
        let (proxy, client) = try Stage.proxied()
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(HTTPRequest(url: "https://169.254.169.254/latest"))
        }
        #expect(error?.code == .addressRefused)
        #expect(proxy.requests.isEmpty)
    }

    @Test("an unreachable proxy has its own error code")
    func down() async throws {
        let (proxy, client) = try Stage.proxied()
        proxy.stop()
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(HTTPRequest(url: "https://jokes.test/"))
        }
        #expect(error?.code == .proxy)
    }
}
