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

    private func start(on socket: String? = nil) throws -> ChildProcess {
        try ChildProcess(
            builtProgram("jokes-tui"), ["--socket", socket ?? folder.path("socket")],
            environment: ["TERM": "xterm-256color"], terminal: terminal)
    }

    // MARK: Without a daemon

    @Test("without a daemon the viewer says so, q quits, and the terminal is restored")
    func quit() throws {
        let before = try terminal.modes()
        let viewer = try start()
        let screen = try terminal.read(until: "Daemon unreachable.")
        #expect(screen.contains("\u{1B}[?1049h"))
        try terminal.type("q")
        try #expect(viewer.waitForEnd() == .exited(0))
        try #expect(terminal.read(until: "\u{1B}[?1049l").contains("\u{1B}[?1049l"))
        try #expect(terminal.modes() == before)
    }

    @Test("a signal to end restores the terminal", arguments: [SIGTERM, SIGHUP, SIGINT])
    func ended(signal: Int32) throws {
        let before = try terminal.modes()
        let viewer = try start()
        _ = try terminal.read(until: "Daemon unreachable.")
        viewer.signal(signal)
        try #expect(viewer.waitForEnd() == .exited(0))
        try #expect(terminal.read(until: "\u{1B}[?1049l").contains("\u{1B}[?1049l"))
        try #expect(terminal.modes() == before)
    }

    @Test("the viewer adapts to a new size")
    func resized() throws {
        let viewer = try start()
        _ = try terminal.read(until: "Daemon unreachable.")
        try terminal.resize(columns: 30, rows: 8)
        // The last word of "Cannot connect to the daemon at" is now on a separate line.
        _ = try terminal.read(until: "Hat\u{1B}")
        try terminal.type("q")
        try #expect(viewer.waitForEnd() == .exited(0))
    }

    @Test("stopped and continued, the viewer repaints its screen and sets the terminal's modes again")
    func stopped() async throws {
        let viewer = try start()
        _ = try terminal.read(until: "Daemon unreachable.")
        viewer.signal(SIGSTOP)
        // Before the viewer has stopped, SIGCONT would cancel the stop.
        try await waitUntil("it has stopped") {
            let status = try contentsOfFile("/proc/\(viewer.pid)/status", limit: 65536)
            return String(decoding: status, as: UTF8.self).contains("\nState:\tT")
        }
        viewer.signal(SIGCONT)
        // The last mode that is set, after the screen.
        let again = try terminal.read(until: "\u{1B}[?2031h")
        #expect(again.contains("Daemon unreachable."))
        for mode in [1000, 1006, 2004, 2031] { #expect(again.contains("\u{1B}[?\(mode)h")) }
        try terminal.type("q")
        try #expect(viewer.waitForEnd() == .exited(0))
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
}
