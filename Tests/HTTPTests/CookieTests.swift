import HTTP
import TestSupport
import Testing

@Suite struct CookieTests {
    private func redirect(to location: String, cookies: String...) -> LoopbackAnswer {
        LoopbackAnswer(status: 302, headers: [("Location", location)] + cookies.map { ("Set-Cookie", $0) })
    }

    @Test("cookies of redirects are sent on within the request, and never in a later one")
    func sentOn() async throws {
        let stage = try Stage()
        stage.server.route("/a", redirect(to: "/b", cookies: "one=1; HttpOnly; Max-Age=3600", "gone=1; Max-Age=0"))
        stage.server.route("/b", redirect(to: "/c", cookies: "two=2"))
        stage.server.route("/c", LoopbackAnswer(headers: [("Set-Cookie", "three=3")]))
        for _ in 0..<2 { _ = try await stage.client.fetch(stage.request("/a")) }
        _ = try await stage.client.fetch(stage.request("/c"))
        let sent = stage.server.requests.map { $0.header("Cookie").map { Set($0.split(separator: "; ")) } }
        #expect(sent == [nil, ["one=1"], ["one=1", "two=2"], nil, ["one=1"], ["one=1", "two=2"], nil])
        #expect(Set(stage.server.requests.map(\.connection)) == [0])
    }

    @Test("a redirect to the same URL is followed with the cookie that it sets, but only three times")
    func sameURL() async throws {
        let stage = try Stage()
        stage.server.route("/") { [self] request in
            request.header("Cookie") == "seen=yes" ? .json("[]") : redirect(to: "/", cookies: "seen=yes")
        }
        stage.server.route("/loop") { [self] request in
            redirect(to: "/loop", cookies: "count=\((request.header("Cookie") ?? "").utf8.count)")
        }
        #expect(try await text(stage.client.fetch(stage.request("/"))) == "[]")
        let error = try await stage.failure(of: stage.request("/loop"))
        #expect(error.code == .redirectRefused && error.cause.hasSuffix("more than 3 redirects"))
        #expect(stage.server.requests.map(\.path) == ["/", "/", "/loop", "/loop", "/loop", "/loop"])
    }

    @Test("a cookie is sent to its host, or to its domain, and to no other host")
    func hosts() async throws {
        let (proxy, client) = try Stage.proxied { [self] request in
            switch request.target {
            case "http://www.jokes.test/":
                redirect(
                    to: "http://jokes.test/", cookies: "own=1", "all=2; Domain=jokes.test",
                    "other=3; Domain=other.test",
                    "top=4; Domain=test")
            case "http://jokes.test/": redirect(to: "http://other.test/")
            case "http://other.test/": redirect(to: "http://www.jokes.test/end")
            default: .json("[]")
            }
        }
        _ = try await client.fetch(HTTPRequest(url: "http://www.jokes.test/", allowsLocalNetwork: true))
        let sent = proxy.requests.map { $0.header("Cookie").map { Set($0.split(separator: "; ")) } }
        #expect(sent == [nil, ["all=2"], nil, ["own=1", "all=2"]])
    }

    @Test("the Cookie header of a source and the cookies of redirects are one header, which other hosts do not get")
    func configured() async throws {
        let (proxy, client) = try Stage.proxied { [self] request in
            switch request.target {
            case "http://jokes.test/": redirect(to: "/b", cookies: "new=1")
            case "http://jokes.test/b": redirect(to: "http://other.test/")
            default: .json("[]")
            }
        }
        _ = try await client.fetch(
            HTTPRequest(url: "http://jokes.test/", headers: ["Cookie": "key=sesame"], allowsLocalNetwork: true))
        let sent = proxy.requests.map { request in
            request.headers.filter { $0.name.lowercased() == "cookie" }.map { Set($0.value.split(separator: "; ")) }
        }
        #expect(sent == [[["key=sesame"]], [["key=sesame", "new=1"]], []])
    }
}
