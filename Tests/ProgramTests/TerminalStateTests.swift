import Glibc
import TestSupport
import Testing
import Unix

/// The terminal after the real viewer: modes, screen, cursor and mouse are restored.
@Suite struct TerminalStateTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func openViewer() throws -> OpenViewer {
        let viewer = try OpenViewer(on: folder.path("socket"))
        try viewer.wait("the daemon was reported as unreachable") { _ in viewer.status.contains("daemon unreachable") }
        return viewer
    }

    @Test("the terminal is restored after q and signals to end", arguments: [nil, SIGTERM, SIGINT, SIGHUP])
    func ended(signal: Int32?) throws {
        try openViewer().quit(by: signal)
    }

    @Test(
        "the terminal is restored once after several signals to end that arrive while the viewer is stopped",
        arguments: [[SIGHUP, SIGTERM], [SIGTERM, SIGHUP], [SIGINT, SIGTERM, SIGHUP]])
    func endedTwice(signals: [Int32]) async throws {
        let viewer = try openViewer()
        try await viewer.signalTogether(signals)
        try viewer.waitForEnd()
    }

    @Test(
        "the terminal is restored if a signal to end and a signal to stop arrive at the same moment",
        arguments: [[SIGTERM, SIGTSTP], [SIGTSTP, SIGTERM], [SIGTSTP, SIGHUP], [SIGHUP, SIGTSTP, SIGTERM]])
    func endedAndStopped(signals: [Int32]) async throws {
        let viewer = try openViewer()
        try await viewer.signalTogetherWhileHeld(signals)
        try viewer.waitForEnd()
    }

    @Test(
        "the terminal is restored after a crash or another fatal signal, and the viewer still ends by that signal",
        arguments: [
            SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
            SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT,
        ])
    func fault(signal: Int32) throws {
        try openViewer().quit(by: signal, ending: .killed(signal: signal))
    }

    @Test("a signal that was ignored at the start changes nothing", arguments: ["QUIT", "USR1"])
    func ignored(name: String) throws {
        let viewer = try OpenViewer(on: folder.path("socket"), ignored: name)
        try viewer.wait("the daemon was reported as unreachable") { _ in viewer.status.contains("daemon unreachable") }
        viewer.signal(name == "QUIT" ? SIGQUIT : SIGUSR1)
        try viewer.type("?")
        try viewer.wait("the help was shown") { $0.contains(" Help ") }
        try viewer.quit(by: SIGTERM)
    }

    /// Terminals that the machine's terminfo database may lack, with their differences from xterm.
    private static let colorful = [
        ("jokes-sixteen", "colors#16, pairs#256, setaf=\\E[%?%p1%{8}%<%t3%p1%d%e9%p1%{8}%-%d%;m,", "\u{1B}[91m"),
        (
            "jokes-direct",
            "RGB, colors#0x1000000, pairs#0x10000, setaf=\\E[%?%p1%{8}%<%t3%p1%d%e38:2::%p1%{65536}%/%d:"
                + "%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m,",
            "\u{1B}[38:2::255:135:135m"
        ),
    ]

    @Test("the viewer uses the colors of terminals with 16 colors and with direct colors", arguments: colorful)
    func colors(name: String, abilities: String, bad: String) throws {
        let source = try folder.write("\(name)|a terminal,\n\tuse=xterm-256color, \(abilities)\n", to: "terminal")
        let made = try ChildProcess.run(
            "/usr/bin/tic", ["-x", "-o", folder.path("terminfo"), source], environment: ["PATH": "/usr/bin:/bin"])
        try #require(made.ending == .exited(0), "\(made.errors)")
        let terminal = try PseudoTerminal(columns: 80, rows: 10)
        for (variables, isColored) in [([:], true), (["NO_COLOR": "1"], false)] {
            let viewer = try ChildProcess(
                builtProgram("jokes-tui"), ["--socket", folder.path("socket")],
                environment: ["TERM": name, "TERMINFO": folder.path("terminfo"), "COLORFGBG": "15;0"]
                    .merging(variables) { $1 },
                terminal: terminal)
            let written = try terminal.read(until: "daemon unreachable")
            #expect(written.contains(bad) == isColored, "\(written.debugDescription)")
            try terminal.type("q")
            try #expect(viewer.waitForEnd() == .exited(0))
            _ = try terminal.read(until: "\u{1B}[?1049l")
        }
    }
}
