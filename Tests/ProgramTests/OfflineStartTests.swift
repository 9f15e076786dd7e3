import TestSupport
import Testing

/// Row 14 of what must not break it: no network at all from the start.
@Suite struct OfflineStartTests {
    @Test("with nobody to be reached the starter jokes are told and shown, and it is said what failed")
    func offline() async throws {
        // Nobody listens where a server has been.
        let servers = try (0..<3).map { _ in try LoopbackServer() }
        for server in servers { server.stop() }
        let sources = servers.enumerated().map { officialSource($1.url, name: "s\($0)") }
        let daemon = try DaemonUnderTest(configuration: configuration(sources.joined(separator: ", ")))
        try await daemon.waitForSyncs()
        let status: PrintedStatus = try daemon.json("status")
        #expect(status.offline && status.cached >= 80 && status.failing == ["s0", "s1", "s2"])
        let told = try daemon.control("random")
        #expect(told.ending == .exited(0) && !told.output.isEmpty)
        let health = try await daemon.quietSources()
        #expect(health.allSatisfy { $0.failure?.contains("connection refused") == true })
        // One is tried for all.
        #expect(health.count { $0.nextAttempt != nil } == 1)
        let printed = try daemon.control("status").output
        #expect(printed.contains("offline: no source on the network can be reached"))
        let viewer = try OpenViewer(of: daemon)
        try viewer.wait("the starter jokes were shown offline") { $0.contains("starter") && $0.contains("offline") }
        try viewer.quit()
    }
}
