import Glibc
import TestSupport
import Testing
import Unix

/// The real viewer in a pseudo terminal.
@Suite struct ViewerTests {
    private let terminal: PseudoTerminal
    private let folder: TemporaryFolder

    init() throws {
        terminal = try PseudoTerminal(columns: 60, rows: 20)
        folder = try TemporaryFolder()
    }

    @Test("with an error in tui.json the viewer does not start, and reports the position of the error")
    func wrongKeys() throws {
        try makeFolder(folder.path("jokesd"), mode: 0o700)
        let file = try folder.write("{keys: {\n  star: ['f'],\n  quit: ['f']}}", to: "jokesd/tui.json")
        let before = try terminal.modes()
        let viewer = try ChildProcess(
            builtProgram("jokes-tui"), ["--socket", folder.path("socket")],
            environment: ["TERM": "xterm-256color", "XDG_CONFIG_HOME": folder.path], terminal: terminal)
        try #expect(viewer.waitForEnd() == .exited(78))
        #expect(viewer.errors.text.contains("\(file):3: keys.quit: 'f' is already bound to star on line 2"))
        try #expect(terminal.modes() == before)
    }

    @Test("without a terminal, or with a wrong command line, the viewer prints an error and exits with its code")
    func refused() throws {
        let program = builtProgram("jokes-tui")
        let piped = try ChildProcess.run(program)
        #expect(piped.ending == .exited(69))
        #expect(piped.errors.contains("not a terminal"))
        for type in ["dumb", "no-such-type"] {
            let viewer = try ChildProcess(program, [], environment: ["TERM": type], terminal: terminal)
            try #expect(viewer.waitForEnd() == .exited(69))
            #expect(viewer.errors.text.contains("Try: TERM=xterm-256color jokes-tui, or: jokes-tui --plain\n"))
        }
        let wrong = try ChildProcess.run(program, ["--colour"])
        #expect(wrong.ending == .exited(64))
        #expect(wrong.errors.contains("--color"))
        #expect(wrong.output.isEmpty)
        let empty = try ChildProcess.run(program, ["--socket", ""])
        #expect(empty.ending == .exited(64))
        #expect(empty.errors.contains("option '--socket' needs a value that is not empty"))
        let help = try ChildProcess.run(program, ["--help"])
        #expect(help.ending == .exited(0) && help.output.contains("Usage: jokes-tui"))
    }

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

    @Test(
        "lines select jokes, search, set a note and quit; a page has the whole width; no line has a control character")
    func lines() async throws {
        let setup = "Another joke, which is longer than a popup over a list is wide?"
        let server = try OfficialJokeServer([
            .init(setup: setup, punchline: "Yes."),
            .init(setup: "Why did the \u{1B}[31mduck\u{7} cross?", punchline: "To get here."),
        ])
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let viewer = try ChildProcess(
            builtProgram("jokes-tui"), ["--plain", "--socket", daemon.socket], environment: [:], terminal: terminal)
        var printed = try terminal.read(until: "Enter alone shows the punchline.\r\n")
        for (line, answer) in [
            ("/duck", "1 joke found for 'duck'."), ("", "To get here."), ("e", "Note: "), ("home", "Note saved"),
            ("escape", "is wide?"), ("?", "Help"), ("PgDn", "Nothing new."), ("q", "is wide?"),
            ("p", "Details\r\n\(setup)\r\n"), ("q", "is wide?"),
        ] {
            try terminal.type(line + "\n")
            printed += try terminal.read(until: answer)
        }
        #expect(try daemon.control("export").output.contains("\"home\""))
        try terminal.type("q\n")
        try #expect(viewer.waitForEnd() == .exited(0))
        let controls = printed.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls.allSatisfy { $0 == "\n" || $0 == "\r" }, "\(printed)")
    }

    @Test("a viewer applies the colors and keys of tui.json when the file is written, and ignores one with an error")
    func reloaded() throws {
        try makeFolder(folder.path("jokesd"), mode: 0o700)
        let viewer = try ChildProcess(
            builtProgram("jokes-tui"), ["--socket", folder.path("socket")],
            environment: ["TERM": "xterm-256color", "XDG_CONFIG_HOME": folder.path], terminal: terminal)
        _ = try terminal.read(until: "Daemon unreachable.")
        try folder.write(##"{theme: {text: "#ff00ff"}}"##, to: "jokesd/tui.json")
        _ = try terminal.read(until: "Settings reloaded")
        try folder.write(##"{theme: {text: "#00ff00"}, keys: {quit: ["Q"]}, mouse: false}"##, to: "jokesd/new")
        #expect(rename(folder.path("jokesd/new"), folder.path("jokesd/tui.json")) == 0)
        // The screen is drawn again with the new color.
        _ = try terminal.read(until: "\u{1B}[38;5;46m")
        try folder.write("{\ntheme: 'drak'}", to: "jokesd/tui.json")
        _ = try terminal.read(until: "tui.json:2: theme: unknown theme 'drak': did you mean")
        try terminal.type("q")
        try terminal.type("Q")
        try #expect(viewer.waitForEnd() == .exited(0))
    }
}
