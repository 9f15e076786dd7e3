import TestSupport
import Testing

/// Sources, the daemon and jokesctl together: online, offline, and with answers that lack jokes.
@Suite struct FirstLightTests {
    private let twelve = (1...12).map { number in
        OfficialJokeServer.Entry(
            type: number % 2 == 0 ? "general" : "programming", setup: "What is test joke number \(number)?",
            punchline: "The one after \(number - 1).")
    }

    @Test("jokes come from a server and a file, and duplicates are shown once")
    func firstSync() async throws {
        let again = OfficialJokeServer.Entry(setup: "what is  test joke number 3", punchline: "The one after 2!")
        let server = try OfficialJokeServer(twelve + [again])
        let folder = try TemporaryFolder()
        let file = try folder.write("A first fortune.\n%\nWhat is test joke number 5? The one after 4.\n%\n", to: "f")
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url), fortuneSource(file)))
        try await daemon.waitForSyncs()
        let official: [PrintedJoke] = try daemon.json("list", "--source", "official")
        #expect(Set(official.map(\.setup)).count == 12)
        #expect(official.allSatisfy { $0.id.hasPrefix("official:~") })
        let fortunes: [PrintedJoke] = try daemon.json("list", "--source", "fortunes")
        #expect(fortunes.map(\.setup) == ["A first fortune."])
        let status: PrintedStatus = try daemon.json("status")
        #expect(status.jokes.cached == status.jokes.shown + 1)
        let programming: [PrintedJoke] = try daemon.json("list", "--category", "programming", "--source", "official")
        #expect(programming.count == 6)
    }

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
}
