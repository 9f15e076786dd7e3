import TestSupport
import Testing

/// The clipboard of the terminal.
@Suite struct CopiedJokeTests {
    @Test("y writes the joke in Base64 to the terminal")
    func copies() async throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("Hé!\n%\n", to: "f")
        try daemon.reload(configuration(fortuneSource(file)))
        _ = try await daemon.quietSources()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let viewer = try ChildProcess(
            builtProgram("jokes-tui"), ["--socket", daemon.socket], environment: ["TERM": "xterm-256color"],
            terminal: terminal)
        _ = try terminal.read(until: "Hé!")
        try terminal.type("y")
        #expect(try terminal.read(until: "\u{7}").contains("\u{1B}]52;c;SMOpIQ==\u{7}"))
        try terminal.type("q")
        try #expect(viewer.waitForEnd() == .exited(0))
    }
}
