import FoundationEssentials
import TestSupport
import Testing

/// The configuration changes while sources are asked, and while no daemon runs.
@Suite struct ReloadWhileAskingTests {
    @Test("a source that is vouched for while no daemon runs is shown by the next one")
    func betweenRuns() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("A joke that somebody vouches for, later.\n%\n", to: "f")
        let daemon = try DaemonUnderTest(configuration: configuration(fortuneSource(file, safety: "unknown")))
        try await daemon.waitForSyncs()
        #expect(try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self).isEmpty)
        #expect(try daemon.stop() == .exited(0))
        try daemon.folder.write(configuration(fortuneSource(file)), to: "config.json")
        try daemon.start()
        try await waitUntil("it is shown") {
            try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self).count == 1
        }
    }

    @Test("a source that is taken away, or asked something else, while it is asked is let go at once")
    func unwanted() async throws {
        let gate = try Gate()
        let (slow, other) = (try LoopbackServer(), try OfficialJokeServer([.init(setup: "Other?", punchline: "Yes.")]))
        slow.routeEverythingElse { _ in LoopbackAnswer.json("[]").held(by: gate) }
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(slow.url)))
        try await waitUntil("it is asked") { !slow.requests.isEmpty }
        // The gate stays shut: nothing but the reload ends the request.
        try daemon.reload(configuration(officialSource(other.url)))
        try await waitUntil("the other is asked") {
            try daemon.json("list", "--source", "official", as: [PrintedJoke].self).count == 1
        }
        #expect(try await daemon.quietSources().map(\.failure) == [nil])
        #expect(try daemon.stop() == .exited(0))
    }

    @Test("who follows the refresh of several sources has an end of each, the removed ones too, and the daemon goes on")
    func follower() async throws {
        let names = ["a", "b", "c"]
        let (gates, servers) = (try names.map { _ in try Gate() }, try names.map { _ in try LoopbackServer() })
        for (server, gate) in zip(servers, gates) {
            server.routeEverythingElse { _ in
                LoopbackAnswer.json(#"[{"type":"x","setup":"Held?","punchline":"Yes."}]"#).held(by: gate)
            }
        }
        let sources = zip(names, servers).map { officialSource($1.url, name: $0) }
        let daemon = try DaemonUnderTest(configuration: configuration(sources.joined(separator: ",")))
        try await waitUntil("all are asked") { servers.allSatisfy { !$0.requests.isEmpty } }
        let follower = try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "--json", "refresh"])
        try follower.output.waitFor("\"c\"")
        try daemon.reload(configuration(sources[0]))
        // Those of the others stay shut: an answer that comes would be taken if it came before the word to stop.
        gates[0].open()
        let ending = try follower.waitForEnd()
        #expect(ending == .exited(75), "\(follower.errors.text)")
        let ends = follower.output.lines.filter { $0.contains("succeeded") || $0.contains("failed") }
        #expect(ends.count == 3, "\(follower.output.text)")
        #expect(try daemon.control("status").ending == .exited(0))
    }
}
