import TestSupport
import Testing

/// Changes of the configuration during syncs.
@Suite struct ReloadWhileAskingTests {
    @Test("a sync is canceled at once if the reload removes or changes its source")
    func unwanted() async throws {
        let gate = try Gate()
        let (slow, other) = (try LoopbackServer(), try OfficialJokeServer([.init(setup: "Other?", punchline: "Yes.")]))
        slow.routeEverythingElse { _ in LoopbackAnswer.json("[]").delayed(until: gate) }
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(slow.url)))
        try await waitUntil("the source is requested") { !slow.requests.isEmpty }
        // The gate stays shut, so only the reload can end the request.
        try daemon.reload(configuration(officialSource(other.url)))
        try await waitUntil("the changed source was synced") {
            try daemon.json("list", "--source", "official", as: [PrintedJoke].self).count == 1
        }
        #expect(try await daemon.quietSources().map(\.failure) == [nil])
        #expect(try daemon.stop() == .exited(0))
    }

    @Test("a client that follows a refresh gets a result for each source, removed ones included")
    func follower() async throws {
        let names = ["a", "b", "c"]
        let (gates, servers) = (try names.map { _ in try Gate() }, try names.map { _ in try LoopbackServer() })
        for (server, gate) in zip(servers, gates) {
            server.routeEverythingElse { _ in
                LoopbackAnswer.json(#"[{"type":"x","setup":"Held?","punchline":"Yes."}]"#).delayed(until: gate)
            }
        }
        let sources = zip(names, servers).map { officialSource($1.url, name: $0) }
        let daemon = try DaemonUnderTest(configuration: configuration(sources.joined(separator: ",")))
        try await waitUntil("all sources are requested") { servers.allSatisfy { !$0.requests.isEmpty } }
        let follower = try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "--json", "refresh"])
        try follower.output.waitFor("\"c\"")
        try daemon.reload(configuration(sources[0]))
        // The other gates stay shut, because an answer that arrives before the cancellation would be stored.
        gates[0].open()
        let ending = try follower.waitForEnd()
        #expect(ending == .exited(75), "\(follower.errors.text)")
        let ends = follower.output.lines.filter { $0.contains("succeeded") || $0.contains("failed") }
        #expect(ends.count == 3, "\(follower.output.text)")
        #expect(try daemon.control("status").ending == .exited(0))
    }
}
