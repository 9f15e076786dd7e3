import Glibc
import TestSupport
import Testing

/// `jokes-tui --plain` with a real daemon, as a screen reader uses it: lines of text in a terminal.
@Suite struct PlainViewerTests {
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
}
