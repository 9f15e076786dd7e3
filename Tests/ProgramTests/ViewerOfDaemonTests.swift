import Glibc
import TestSupport
import Testing

/// The real viewer in a pseudo terminal, with a real daemon.
@Suite struct ViewerOfDaemonTests {
    private let jokes = (1...6).map { number in
        OfficialJokeServer.Entry(setup: "What is test joke number \(number)?", punchline: "Answer \(number).")
    }

    /// Starts a daemon with the jokes; returns the jokes in its order.
    private func daemonWithJokes() async throws -> (DaemonUnderTest, OfficialJokeServer, [PrintedJoke]) {
        let server = try OfficialJokeServer(jokes)
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        return (daemon, server, try daemon.json("list", "--source", "official"))
    }

    @Test("a favorite set elsewhere appears in the open viewer, and one set here is stored by the daemon")
    func stars() async throws {
        let (daemon, _, listed) = try await daemonWithJokes()
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        #expect(try daemon.control("favorite", listed[5].id).ending == .exited(0))
        try viewer.wait("the star was shown") {
            viewer.list[1].hasPrefix("★ \(listed[5].setup)") && $0.ranges(of: "★ \(listed[5].setup)").count == 2
        }
        try viewer.type("f")
        try viewer.wait("both favorites were shown") {
            viewer.list[1].hasPrefix("★ \(listed[0].setup)") && $0.ranges(of: "★").count == 4
        }
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [listed[0].id, listed[5].id])
        try viewer.type("f")
        try viewer.wait("one favorite was left") {
            viewer.list[0].hasSuffix("─ 1") && $0.ranges(of: "★").count == 2
        }
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [listed[5].id])
        try viewer.quit()
    }

    @Test("keys that are typed at once change one joke after the other")
    func atOnce() async throws {
        let (daemon, _, listed) = try await daemonWithJokes()
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try viewer.type("fjfxx/q")
        try viewer.wait("the search was open") { _ in viewer.status.hasPrefix("/q ") }
        let kept = try daemon.json("favorites", as: [PrintedJoke].self).map(\.id)
        #expect(kept == [listed[1].id, listed[0].id])
        let left = try daemon.json("list", "--source", "official", as: [PrintedJoke].self).map(\.id)
        #expect(left == listed.map(\.id).filter { ![listed[1].id, listed[2].id].contains($0) })
        try viewer.type("\u{1B}")
        try viewer.wait("the search was closed") { _ in !viewer.status.hasPrefix("/") }
        try viewer.quit()
    }

    @Test("a favorite set just before ^Z is stored while the viewer is stopped, and shown after it continues")
    func stopped() async throws {
        let (daemon, _, listed) = try await daemonWithJokes()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        // A process without a shell to continue it is not stopped by ^Z.
        let shell = try ChildProcess(
            "/bin/bash",
            [
                "-c", "exec 2>&1; set -m; \"$0\" --socket \"$1\"; echo it has stopped; read; fg",
                builtProgram("jokes-tui"),
                daemon.socket,
            ], environment: ["TERM": "xterm-256color"], terminal: terminal)
        _ = try terminal.read(until: " random")
        try terminal.type("f\u{1A}")
        _ = try terminal.read(until: "it has stopped")
        try await waitUntil("the daemon had the favorite") {
            try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [listed[0].id]
        }
        try terminal.type("\n")
        _ = try terminal.read(until: "▾ Favorites")
        try terminal.type("q")
        try #expect(shell.waitForEnd() == .exited(0))
    }

    @Test("if the daemon is killed, the viewer reports it, keys still work, and it reconnects by itself")
    func killed() async throws {
        let (daemon, _, listed) = try await daemonWithJokes()
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try daemon.kill()
        try viewer.wait("the daemon was reported as unreachable") { $0.contains("\n daemon unreachable · next try ") }
        #expect(viewer.text.contains(listed[0].setup))
        let punchline = try #require(listed[2].punchline)
        try viewer.type("jj ")
        try viewer.wait("a punchline was shown") { $0.contains("  — \(punchline)") }
        try viewer.type("f")
        try viewer.wait("a favorite was refused") { $0.contains("\n Favorite unchanged: not connected") }
        try daemon.start()
        // The key dismisses the notice. The status is then the daemon's.
        try viewer.type("\u{1B}")
        try viewer.wait("the daemon was back") { _ in viewer.status.contains("z random") }
        #expect(viewer.text.contains("  — \(punchline)"))
        try viewer.type("f")
        try viewer.wait("the star was shown") { _ in viewer.list[1].hasPrefix("★ \(listed[2].setup)") }
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [listed[2].id])
        try viewer.quit()
    }

    @Test("while a slow source answers, a loading row is above the jokes; when it fails, the header reports it")
    func slowSource() throws {
        let gate = try Gate()
        let server = try LoopbackServer()
        server.routeEverythingElse { _ in
            LoopbackAnswer(steps: [.wait(gate), .send(Array("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n".utf8))])
        }
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        let starter = try #require(try daemon.json("list", as: [PrintedJoke].self).first)
        let viewer = try OpenViewer(of: daemon)
        try viewer.wait("a row was loading above the jokes") {
            let lines = viewer.list
            return lines.count > 2 && $0.contains("syncing…") && lines[0] == "  Loading…"
                && lines[1].contains(starter.setup.prefix(30))
        }
        try viewer.type("r")
        try viewer.wait("the refresh was reported") { $0.contains("\n Refreshing official") }
        try viewer.type("G")
        try viewer.wait("the end of the list was shown") { !$0.contains("Loading…") }
        try viewer.type("gf")
        try viewer.wait("the loading row was selected again") { $0.contains("Loading…") && !$0.contains("Favorites") }
        gate.open()
        try viewer.wait("the failure was reported") {
            let header = $0.prefix { $0 != "\n" }
            return header.contains("failing: official · s shows why") && !$0.contains("Loading…")
        }
        try viewer.quit()
    }

    @Test("after a resize, the viewer shows the same as a viewer opened in that size")
    func resized() async throws {
        let (daemon, _, listed) = try await daemonWithJokes()
        #expect(try daemon.control("favorite", listed[0].id).ending == .exited(0))
        let viewer = try OpenViewer(of: daemon)
        try viewer.waitForJokes()
        try viewer.type("g")
        for (columns, rows) in [(50, 10), (120, 40), (24, 6), (80, 24)] {
            let fresh = try OpenViewer(of: daemon, columns: columns, rows: rows)
            try fresh.waitForJokes()
            try fresh.type("g")
            try fresh.wait("the header was selected") {
                $0.contains("▾ Favorites") && ($0.contains("tab fold") || rows < 10)
            }
            try viewer.resize(columns: columns, rows: rows)
            try viewer.wait("it showed what another one shows:\n\(fresh.text)") { $0 == fresh.text }
            try fresh.quit()
        }
        try viewer.quit()
    }
}
