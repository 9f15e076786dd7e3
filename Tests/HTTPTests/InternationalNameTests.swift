import HTTP
import TestSupport
import Testing

@Suite struct InternationalNameTests {
    @Test(
        "a link with international characters becomes ASCII",
        arguments: [
            ("http://käse.example/ä", "http://xn--kse-qla.example/%C3%A4"),
            ("https://KÄSE.example:8080/?ä=ö#ü", "https://xn--kse-qla.example:8080/?%C3%A4=%C3%B6#%C3%BC"),
            ("//日本.example/", "http://xn--wgv71a.example/"), ("/ä", "http://xn--kse-qla.example/%C3%A4"),
            ("ä%c3%a4", "http://xn--kse-qla.example/x/%C3%A4%c3%a4"),
            ("http://k%C3%A4se.example/", "http://xn--kse-qla.example/"),
            ("http://xn--kse-qla.example/", "http://xn--kse-qla.example/"),
            ("http://faß.example/", "http://xn--fa-hia.example/"),
        ])
    func links(_ link: String, _ address: String) {
        #expect(webAddress(link, base: "http://käse.example/x/y") == address)
    }

    private static let invalid = [
        "http://ä\u{FF0F}b.example/", "http://\u{2100}.example/", "http://ä\u{FF20}b/", "http://ä%2Fb.example/",
        "http://\u{FFFD}.example/", "http://ä b.example/", "http://%2530x7f000001/",
    ]

    @Test("a link with an invalid host name is none", arguments: invalid)
    func noLink(_ link: String) {
        #expect(webAddress(link, base: nil) == nil)
    }

    @Test("an invalid host name is an invalid request", arguments: invalid)
    func invalidRequest(_ url: String) async throws {
        let stage = try Stage()
        let error = try await stage.failure(of: HTTPRequest(url: url, allowsLocalNetwork: true))
        #expect(error.code == .invalidRequest && error.cause.contains(/host|Malformed input/), "\(error)")
    }

    @Test("an international URL is requested in ASCII, and its redirects are of the same origin")
    func requested() async throws {
        let (name, ascii) = ("http://käse.example/ä", "http://xn--kse-qla.example/%C3%A4")
        let (proxy, client) = try Stage.proxied {
            $0.target == ascii ? .redirect(to: "http://KÄSE.example/b") : .json("[]")
        }
        let response = try await client.fetch(HTTPRequest(url: name, headers: ["X-Key": "1"], allowsLocalNetwork: true))
        #expect(response.url == "http://xn--kse-qla.example/b")
        #expect(proxy.requests.map(\.target) == [ascii, "http://xn--kse-qla.example/b"])
        #expect(proxy.requests.map { $0.header("Host") } == ["xn--kse-qla.example", "xn--kse-qla.example"])
        #expect(proxy.requests.map { $0.header("X-Key") } == ["1", "1"])
        #expect(haveSameOrigin(name, "http://xn--kse-qla.example/"))
    }
}
