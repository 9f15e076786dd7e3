import TestSupport
import Testing

/// A start without any network.
@Suite struct OfflineStartTests {
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
}
