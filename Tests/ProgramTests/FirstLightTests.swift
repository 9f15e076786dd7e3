import TestSupport
import Testing

/// Sources, the daemon and jokesctl together: offline, and with answers that lack jokes.
@Suite struct FirstLightTests {
    @Test("if no source can be reached, the bundled jokes are served and shown, and the failures are reported")
    func offline() async throws {
        // After a stop, connections to a server are refused.
        let servers = try (0..<3).map { _ in try LoopbackServer() }
        for server in servers { server.stop() }
        let sources = servers.enumerated().map { officialSource($1.url, name: "s\($0)") }
        let daemon = try DaemonUnderTest(configuration: configuration(sources.joined(separator: ", ")))
        try await daemon.waitForSyncs()
        let status: PrintedStatus = try daemon.json("status")
        #expect(status.offline && status.jokes.shown >= 80 && status.failing == ["s0", "s1", "s2"])
        let random = try daemon.control("random")
        #expect(random.ending == .exited(0) && !random.output.isEmpty)
        let health = try await daemon.quietSources()
        #expect(health.allSatisfy { $0.failure?.contains("connection refused") == true })
        #expect(health.allSatisfy { $0.nextAttempt != nil })
        let printed = try daemon.control("status").output
        #expect(printed.contains("offline: no source on the network can be reached"))
        let viewer = try OpenViewer(of: daemon)
        try viewer.wait("the bundled jokes were shown offline") { $0.contains("starter") && $0.contains("offline") }
        try viewer.quit()
    }

    @Test("a joke that its file no longer has is removed, but not by a sync in which no item is a joke")
    func allRejected() async throws {
        let daemon = try DaemonUnderTest()
        func write(_ jokes: String...) throws -> String {
            try daemon.folder.write(jokes.map { "\($0)\n%\n" }.joined(), to: "ducks")
        }
        try daemon.reload(configuration(fortuneSource(try write("One duck.", "Two ducks."), name: "ducks")))
        try await daemon.waitForSyncs()
        let second = try #require(
            try daemon.json("list", "--source", "ducks", as: [PrintedJoke].self).first { $0.setup == "Two ducks." })
        let tooLong = String(repeating: "quack ", count: 2_000)
        _ = try write(tooLong, "\(tooLong)!")
        let refused = try daemon.control("refresh", "ducks")
        #expect(refused.ending == .exited(75))
        #expect(refused.output.contains("none of the 2 items received is a joke"), "\(refused.output)")
        #expect(try daemon.control("show", second.id).ending == .exited(0))
        _ = try write("One duck.")
        #expect(try daemon.control("refresh", "ducks").ending == .exited(0))
        try await waitUntil("the second joke is removed") {
            try daemon.control("show", second.id).ending == .exited(1)
        }
        #expect(try daemon.json("list", "--source", "ducks", as: [PrintedJoke].self).map(\.setup) == ["One duck."])
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
