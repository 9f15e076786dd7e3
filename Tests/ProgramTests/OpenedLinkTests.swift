import Glibc
import TestSupport
import Testing
import Unix

/// The URL of a joke, opened by the desktop's program for it.
@Suite struct OpenedLinkTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Starts a daemon with one joke that has a URL, and the bundled jokes.
    private func daemonWithLink() async throws -> (DaemonUnderTest, LoopbackServer) {
        let server = try LoopbackServer()
        let item =
            #"{"id": "1", "content_text": "A duck.", "url": "https://example.org/1", "_jokesd": {"safety": "safe"}}"#
        server.route("/", .json(#"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [\#(item)]}"#))
        let source = #"{"name": "friend", "type": "jsonfeed", "url": "\#(server.url)/", "allowLocalNetwork": true}"#
        let daemon = try DaemonUnderTest(configuration: configuration(source))
        try await daemon.waitForSyncs()
        return (daemon, server)
    }

    @Test("a failure of the program is reported, even if the viewer was started with SIGCHLD ignored")
    func failure() async throws {
        let (daemon, server) = try await daemonWithLink()
        let program = try folder.write("#!/bin/sh\nexit 3\n", to: "xdg-open")
        try #require(chmod(program, 0o755) == 0)
        let viewer = try OpenViewer(on: daemon.socket, ignored: "CHLD", variables: ["PATH": folder.path(".")])
        try viewer.waitForJokes()
        try viewer.type("o")
        try viewer.wait("the failure was reported") { _ in
            viewer.status.contains("xdg-open failed: https://example.org/1")
        }
        try viewer.quit()
        withExtendedLifetime(server) {}
    }
}
