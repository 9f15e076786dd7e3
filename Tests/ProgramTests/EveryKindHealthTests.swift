import TestSupport
import Testing
import Unix

/// Each type of source with a working upstream, in its real format and with its quirks.
@Suite struct EveryKindHealthTests {
    /// A source's configuration, its upstream, and the IDs of the upstream's jokes.
    private struct Upstream {
        let name: String
        let keys: String
        let server: LoopbackServer
        var path = ""
        /// The IDs without the source's name; `nil` if they are derived from the texts.
        let ids: Set<String>?
        let jokes: Int
        /// True if later requests are conditional.
        var isConditional = false
        /// Retains a stand-in.
        var owner: AnyObject?

        var source: String {
            #"""
            {"name": "\#(name)", "url": "\#(server.url)\#(path)", "allowLocalNetwork": true, "interval": "2h", \#(keys)}
            """#
        }
    }

    private func services(token: String) throws -> [Upstream] {
        // IDs are positions, and a request for too many jokes gets HTML with status 200.
        let official = try OfficialJokeServer((1...3).map { .init(setup: "Official \($0)?", punchline: "Yes.") })
        // A range without jokes is error 106 with status 200, IDs start again in each language, and one flag
        // contradicts `safe`.
        let jokeAPI = try UpstreamServer(
            JokeAPIService([
                .init(0, "Api zero."), .init(1, "Api one?", delivery: "Yes."), .init(25, "Api more.", flags: ["nsfw"]),
                .init(0, lang: "de", "Api null."),
            ]))
        // The last page names itself as the next page.
        let dad = try UpstreamServer(DadJokeService((1...31).map { .init("iD\($0)", "Dad tells number \($0).") }))
        let chuck = try UpstreamServer(
            ChuckNorrisService([
                .init("_aB-c", "Chuck finds small letters."),
                .init("_Ab-c", "Chuck finds capitals.", categories: ["dev"]),
            ]))
        // IDs with gaps.
        let blagues = try UpstreamServer(
            BlaguesService(
                [.init(1, "Un ?", "Oui."), .init(3, "Trois ?", "Oui."), .init(7, "Sept ?", "Oui.")], token: "token"))
        return [
            Upstream(
                name: "official", keys: #""type": "official-joke-api""#, server: official.server, ids: nil, jokes: 3,
                isConditional: true, owner: official),
            Upstream(
                name: "jokeapi", keys: #""type": "jokeapi", "languages": ["en", "de"]"#, server: jokeAPI.server,
                ids: ["en:0", "en:1", "en:25", "de:0"], jokes: 4, owner: jokeAPI),
            Upstream(
                name: "dad", keys: #""type": "icanhazdadjoke""#, server: dad.server,
                ids: Set((1...31).map { "iD\($0)" }), jokes: 31, owner: dad),
            Upstream(
                name: "chuck", keys: #""type": "chucknorris""#, server: chuck.server, ids: ["_aB-c", "_Ab-c"], jokes: 2,
                owner: chuck),
            Upstream(
                name: "blagues", keys: #""type": "blagues-api", "token": "@file:\#(token)""#, server: blagues.server,
                ids: ["1", "3", "7"], jokes: 3, owner: blagues),
        ]
    }

    /// Sources that are described by configuration, and feeds, one of them in Atom.
    private func documents() throws -> [Upstream] {
        let pages = try LoopbackServer()
        // After the last page, the last page is returned again.
        pages.route("/jokes") { request in
            let page = min(request.query["page"].flatMap { Int($0) } ?? 1, 2)
            let items = [2 * page - 1, 2 * page].map {
                Array(#"{"id":\#($0),"text":"Page tells number \#($0)."}"#.utf8)
            }
            return .listing(#"{"success":true,"body":["#, items, "]}")
        }
        func feed(_ type: String, _ text: String) throws -> LoopbackServer {
            let server = try LoopbackServer()
            server.route("/feed") { request in
                let validators = [("ETag", "\"1\""), ("Retry-After", "86400")]
                return request.header("If-None-Match") == "\"1\""
                    ? LoopbackAnswer(status: 304, headers: validators) : .text(text, type: type, headers: validators)
            }
            return server
        }
        let json =
            #"{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":7,"content_text":"Feed."}]}"#
        let rss =
            #"<rss version="2.0"><channel><item><guid isPermaLink="false">r-1</guid><title><![CDATA[RSS &amp; co.]]></title></item></channel></rss>"#
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><id>urn:a:1</id>\
            <title>Atom</title><content type="html">&lt;p&gt;Atom &amp;amp; Eve.&lt;/p&gt;</content></entry></feed>
            """
        return [
            Upstream(
                name: "json",
                keys: #""type": "json", "strategy": "page", "items": "/body", "map": {"id": "/id", "text": "/text"}"#,
                server: pages, path: "/jokes?page={page}", ids: ["1", "2", "3", "4"], jokes: 4),
            Upstream(
                name: "feed", keys: #""type": "jsonfeed""#, server: try feed("application/feed+json", json),
                path: "/feed", ids: ["7"], jokes: 1, isConditional: true),
            Upstream(
                name: "rss", keys: #""type": "rss""#, server: try feed("application/x-rss+xml", rss), path: "/feed",
                ids: ["r-1"], jokes: 1, isConditional: true),
            Upstream(
                name: "atom", keys: #""type": "rss""#, server: try feed("application/atom+xml", atom), path: "/feed",
                ids: ["urn:a:1"], jokes: 1, isConditional: true),
        ]
    }

    /// Refreshes the source as soon as the minimum interval between two attempts has passed.
    private func refresh(_ name: String, _ daemon: DaemonUnderTest) async throws {
        try await waitUntil("\(name) was synced again") {
            try !daemon.control("--json", "refresh", name).output.contains("tooSoon")
        }
    }

    @Test("each source type stores jokes under their IDs, requests them again, and keeps them after a failure")
    func all() async throws {
        let folder = try TemporaryFolder()
        let upstreams = try services(token: try folder.write("token", to: "token")) + documents()
        let sources = upstreams.map(\.source).joined(separator: ",\n")
        let start = PrintedTime.now
        let daemon = try DaemonUnderTest(configuration: #"{"sources": [\#(sources)], "filter": {"safe": false}}"#)

        let first = try await daemon.quietSources()
        let jokes: [PrintedJoke] = try daemon.json("list")
        for (upstream, source) in zip(upstreams, first) {
            let ids = Set(
                jokes.map(\.id).filter { $0.hasPrefix("\(upstream.name):") }.map {
                    String($0.dropFirst(upstream.name.count + 1))
                })
            #expect(ids == upstream.ids ?? ids.filter { $0.hasPrefix("~") }, "\(upstream.name)")
            #expect(
                ids.count == upstream.jokes && source.jokes.cached == upstream.jokes && source.new == upstream.jokes)
            expectHealth(of: source, askedSince: start)
        }

        let again = PrintedTime.now
        for upstream in upstreams { try await refresh(upstream.name, daemon) }
        for (upstream, source) in zip(upstreams, try await daemon.quietSources()) {
            #expect(source.new == 0 && source.jokes.cached == upstream.jokes, "\(upstream.name)")
            #expect(try #require(source.lastSuccess).microseconds >= again)
            expectHealth(of: source, askedSince: again)
            let last = upstream.server.requests.last
            #expect((last?.header("If-None-Match") != nil) == upstream.isConditional, "\(upstream.name)")
        }

        let failing = PrintedTime.now
        for upstream in upstreams {
            upstream.server.route("/jokes", .html("Wait.", status: 503))
            upstream.server.route("/feed", .html("Wait.", status: 503))
            upstream.server.routeEverythingElse { _ in .html("Wait.", status: 503) }
        }
        for upstream in upstreams { try await refresh(upstream.name, daemon) }
        for (upstream, source) in zip(upstreams, try await daemon.quietSources()) {
            #expect(source.failure?.contains("returned 503") == true, "\(upstream.name): \(source.failure ?? "")")
            #expect(source.jokes.cached == upstream.jokes && source.lastSuccess != nil && source.failures > 0)
            let next = Double(try #require(source.nextAttempt).microseconds - failing) / 1e6
            let late = Double(wallClockMicroseconds() - failing) / 1e6
            #expect((0...(late + 60 * Double(1 << source.failures))).contains(next), "\(upstream.name): \(next)")
        }
        #expect(try daemon.json("list", as: [PrintedJoke].self).map(\.id).sorted() == jokes.map(\.id).sorted())
    }

    private func expectHealth(of source: PrintedSource, askedSince start: Int64) {
        #expect(source.failure == nil && source.failures == 0 && source.refused == 0, "\(source.name)")
        let (first, last) = (Double(start) / 1e6 + 0.9 * 7200, Double(wallClockMicroseconds()) / 1e6 + 1.1 * 7200)
        #expect((first...last).contains(Double(source.nextAttempt?.microseconds ?? 0) / 1e6), "\(source.name)")
    }
}

extension LoopbackAnswer {
    /// Returns items between other text, with a header that has no meaning for a success.
    fileprivate static func listing(_ start: String, _ items: [[UInt8]], _ end: String) -> LoopbackAnswer {
        let list = items.joined(separator: Array(",".utf8))
        return LoopbackAnswer(
            type: "application/json", headers: [("Retry-After", "86400")],
            body: Array(start.utf8) + list + Array(end.utf8))
    }
}
