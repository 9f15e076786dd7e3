import TestSupport
import Testing

/// A cache with a size limit.
@Suite struct CacheLimitTests {
    private func configuration(_ file: String, limit: Int) -> String {
        #"{"sources": [\#(fortuneSource(file))], "cache": {"maxJokes": \#(limit)}}"#
    }

    @Test("a cache of 120 jokes keeps the bundled jokes, the favorite and the newest jokes of a source of 300")
    func keepsItsSize() async throws {
        let daemon = try DaemonUnderTest()
        let bundled: [PrintedJoke] = try daemon.json("list", "-n", "1000")
        let jokes = (0..<300).map { "Duck number \($0) crossed the road." }
        let file = try daemon.folder.write(jokes.map { "\($0)\n%\n" }.joined(), to: "ducks")
        try daemon.reload(configuration(file, limit: 1_000))
        try await daemon.waitForSyncs()
        let first: [PrintedJoke] = try daemon.json("list", "-n", "1000")
        let favorite = try #require(first.first { $0.setup == jokes[292] })
        #expect(try daemon.control("favorite", favorite.id).ending == .exited(0))

        try daemon.reload(configuration(file, limit: 120))
        try await waitUntil("the cache has shrunk to its limit") {
            try daemon.json("status", as: PrintedStatus.self).jokes.cached == 121
        }
        let newest = jokes.prefix(120 - bundled.count)
        for round in 0..<2 {
            let status: PrintedStatus = try daemon.json("status")
            #expect(status.jokes.cached == 121 && status.favorites == 1)
            let listed: [PrintedJoke] = try daemon.json("list", "-n", "1000")
            #expect(listed.map(\.setup) == newest + [jokes[292]] + bundled.map(\.setup))
            #expect(listed.filter { $0.favorite == true }.map(\.setup) == [jokes[292]])
            // A different request signature, so that the sync starts at once.
            let again = try daemon.folder.write(jokes.map { "\($0)\n%\n" }.joined(), to: "ducks\(round)")
            try daemon.reload(configuration(again, limit: 120))
            try await daemon.waitForSyncs()
        }
    }

    @Test("when the limit grows, a feed is fetched once without its ETag, even if an evicted joke is gone from it")
    func refill() async throws {
        let items = (0..<60).map { #"{"id": "\#($0)", "content_text": "Duck number \#($0)."}"# }
        let server = try LoopbackServer()
        func publish(_ items: some Sequence<String>, etag: String) {
            let feed = """
                {"version": "https://jsonfeed.org/version/1.1", "title": "Ducks", "items": [\(items.joined(separator: ","))]}
                """
            server.route("/") { request in
                request.header("If-None-Match") == etag
                    ? LoopbackAnswer(status: 304) : .text(feed, type: "application/json", headers: [("ETag", etag)])
            }
        }
        func configuration(limit: Int) -> String {
            """
            {"sources": [{"name": "feed", "type": "jsonfeed", "url": "\(server.url)/", "safety": "safe", \
            "allowLocalNetwork": true}], "cache": {"maxJokes": \(limit)}}
            """
        }
        publish(items, etag: "\"1\"")
        let daemon = try DaemonUnderTest()
        func counts() throws -> PrintedCounts { try daemon.json("status", as: PrintedStatus.self).jokes }
        let bundled = try counts().cached
        try daemon.reload(configuration(limit: bundled + 16))
        try await daemon.waitForSyncs()
        try await waitUntil("jokes are evicted") { try counts().cached == bundled + 16 }
        // There is room for three of the 44 evicted jokes.
        try daemon.reload(configuration(limit: bundled + 19))
        #expect(try daemon.control("refresh", "feed").ending == .exited(0))
        #expect(try counts().cached == bundled + 19 && counts().evicted == 41)
        publish(items[..<20] + items[25...], etag: "\"2\"")
        try daemon.reload(configuration(limit: 1_000))
        #expect(try daemon.control("refresh", "feed").ending == .exited(0))
        try await waitUntil("no joke counts as evicted") { try counts().evicted == 0 }
        #expect(try counts().cached == bundled + 55)
        #expect(try daemon.control("refresh", "feed").ending == .exited(0))
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, nil, nil, "\"2\""])
    }
}
