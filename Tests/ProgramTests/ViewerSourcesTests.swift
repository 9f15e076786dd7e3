import TestSupport
import Testing
import Unix

/// The page of the sources in the real viewer, which changes the configuration with the real jokesctl.
@Suite struct ViewerSourcesTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/a", .json(#"[{"id": 1, "joke": "A duck walks into a bar."}]"#))
    }

    private func openSources() async throws -> (daemon: DaemonUnderTest, viewer: OpenViewer) {
        let source = """
            {"name": "a", "type": "json", "url": "\(server.url)/a?key=secret", "allowLocalNetwork": true, "safety": "safe",
             "map": {"text": "/joke", "id": "/id"}}
            """
        let daemon = try DaemonUnderTest(configuration: configuration(source))
        try await daemon.waitForSyncs()
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try viewer.type("s")
        try viewer.wait("the source was shown") { _ in viewer.list[1].hasPrefix(" a  ") }
        return (daemon, viewer)
    }

    @Test("E disables the selected source in the configuration file, and enables it again")
    func toggles() async throws {
        let (daemon, viewer) = try await openSources()
        for (word, isEnabled) in [("disabled", false), ("enabled", true)] {
            try viewer.type("E")
            try viewer.wait("the source was \(word)") { _ in
                viewer.status.contains("Source 'a' \(word) in ") && viewer.list[1].contains(" disabled") != isEnabled
            }
            let file = try contentsOfFile(daemon.folder.path("config.json"), limit: 1 << 20)
            #expect(String(decoding: file, as: UTF8.self).contains(#""enabled": \#(isEnabled)"#))
        }
        try viewer.type("q")
        try viewer.wait("the list was back") { $0.contains("Jokes") }
        try viewer.quit()
    }

    @Test("the page of a source has its URL, without the query, which may have a key")
    func url() async throws {
        let (daemon, viewer) = try await openSources()
        try viewer.type("\r")
        try viewer.wait("the source was shown") { $0.contains("─ Source a ─") && $0.contains("\(server.url)/a?... ") }
        #expect(!viewer.text.contains("secret"))
        try viewer.type("qq")
        try viewer.wait("the list was back") { $0.contains("Jokes") }
        try viewer.quit()
        withExtendedLifetime(daemon) {}
    }
}
