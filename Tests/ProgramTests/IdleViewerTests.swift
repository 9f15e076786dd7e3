import TestSupport
import Testing

/// Timers of the real viewer.
@Suite struct IdleViewerTests {
    @Test("the viewer sets no timer after it has shown a new joke, and none after a joke was read")
    func idle() async throws {
        let daemon = try await DaemonUnderTest.withJokes(5)
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try await waitUntil("no timer is set") { try viewer.areTimersOff() }
        let file = try daemon.folder.write("Why did the timer stop? Nothing was due.\n%\n", to: "news")
        try daemon.reload(#"{"sources": [\#(fortuneSource(file, name: "news"))]}"#)
        try viewer.wait("the new joke is shown") { $0.contains("  Why did the timer stop?") }
        try await waitUntil("no timer is set") { try viewer.areTimersOff() }
        try viewer.type("k")
        try await waitUntil("no timer is set") { try viewer.areTimersOff() }
        try viewer.quit()
    }
}
