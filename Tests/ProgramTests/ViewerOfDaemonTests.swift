import Glibc
import TestSupport
import Testing

/// The real viewer in a terminal of its own, with a real daemon.
@Suite struct ViewerOfDaemonTests {
    private let jokes = (1...3).map { number in
        OfficialJokeServer.Entry(setup: "What is test joke number \(number)?", punchline: "Answer \(number).")
    }

    /// Waits until the official source has answered.
    private func waitForSync(_ daemon: DaemonUnderTest) async throws {
        try await waitUntil("the jokes are there", Deadline(after: .seconds(60))) {
            try daemon.json("sources", as: [PrintedSource].self).allSatisfy { $0.lastSuccess != nil }
        }
    }

    @Test("a star set elsewhere is shown in the open viewer, and one set here is kept by the daemon")
    func stars() async throws {
        let server = try OfficialJokeServer(jokes)
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await waitForSync(daemon)
        let newest: [PrintedJoke] = try daemon.json("list", "--source", "official")
        let viewer = try OpenViewer(of: daemon)
        try viewer.wait("the jokes were shown") { $0.contains("What is test joke number 1?") }
        #expect(try daemon.control("favorite", try #require(newest.last?.id)).ending == .exited(0))
        try viewer.wait("the star was shown") { $0.hasPrefix("▾ Favorites (1)\n★ What is test joke") }
        try viewer.type("f")
        try viewer.wait("both favorites were shown") {
            $0.hasPrefix("▾ Favorites (2)") && $0.ranges(of: "★ What is test joke").count == 4
        }
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).count == 2)
        try viewer.type(" ")
        try viewer.wait("the punchline was shown") { $0.contains("— Answer ") }
        try viewer.quit()
    }

    @Test("a daemon that is killed is said to be away, and found again when it is back")
    func killed() throws {
        let daemon = try DaemonUnderTest()
        let viewer = try OpenViewer(of: daemon)
        try viewer.wait("the picture was there") { $0.contains("jokes cached") }
        try daemon.kill()
        try viewer.wait("the daemon was away") { $0.contains("daemon away · next try") && $0.contains("▾ Jokes") }
        try daemon.start()
        try viewer.wait("the daemon was back") { $0.contains("jokes cached") }
        try viewer.quit()
    }

    @Test("while a slow source answers, loading rows lead the jokes; when it fails, they go and the header says so")
    func slowSource() throws {
        let gate = try Gate()
        let server = try LoopbackServer()
        server.routeEverythingElse { _ in
            LoopbackAnswer(steps: [.wait(gate), .send(Array("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n".utf8))])
        }
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        let viewer = try OpenViewer(of: daemon)
        try viewer.wait("ten rows were loading above the jokes") {
            $0.ranges(of: "  Loading…\n").count == 10 && $0.contains("syncing…") && $0.contains("starter")
        }
        try viewer.type("G")
        try viewer.wait("it went to the end meanwhile") { !$0.contains("Loading…") }
        try viewer.type("g")
        gate.open()
        try viewer.wait("the failure was said") { !$0.contains("Loading…") && $0.contains("failing: official") }
        try viewer.quit()
    }

    @Test("no control character of a joke reaches the terminal")
    func hostile() async throws {
        let hostile = ["Copied\u{1B}]52;c;ZXZpbA==\u{7}?", "Asked\u{1B}[6n\u{9B}6n?", "Turned \u{202E}dnuora\u{202C}?"]
        let server = try OfficialJokeServer(
            hostile.map { OfficialJokeServer.Entry(type: "pun\u{1B}[5m", setup: $0, punchline: "\u{1B}c" + $0) })
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await waitForSync(daemon)
        let viewer = try OpenViewer(of: daemon)
        try viewer.wait("the jokes were shown") { $0.contains("  Copied?") }
        try viewer.type(" j j ")
        try viewer.wait("all was revealed") { $0.ranges(of: "  — ").count == 3 && $0.contains("— Turned dnuora?") }
        let written = String(decoding: viewer.written, as: UTF8.self)
        for forbidden in ["]52", "\u{7}", "[6n", "\u{9B}", "\u{202E}", "[5m", "\u{1B}c"] {
            #expect(!written.contains(forbidden), "\(forbidden.debugDescription)")
        }
        try viewer.quit()
    }
}

/// A viewer that runs, and the screen it shows: one that knows no colours, so that all of it is text.
private final class OpenViewer {
    private let terminal: PseudoTerminal
    private let process: ChildProcess
    /// All that came to the terminal.
    private(set) var written: [UInt8] = []

    init(of daemon: DaemonUnderTest) throws {
        terminal = try PseudoTerminal(columns: 80, rows: 24)
        process = try ChildProcess(
            builtProgram("jokes-tui"), ["--socket", daemon.socket], environment: ["TERM": "vt52"], terminal: terminal)
    }

    func wait(_ claim: String, _ condition: (String) -> Bool) throws {
        written = try terminal.waitForScreen(
            columns: 80, rows: 24, after: written, claim, Deadline(after: .seconds(60)), condition
        ).written
    }

    func type(_ text: String) throws {
        try terminal.type(text)
    }

    func quit() throws {
        try terminal.type("q")
        try #expect(process.waitForEnd() == .exited(0))
    }
}
