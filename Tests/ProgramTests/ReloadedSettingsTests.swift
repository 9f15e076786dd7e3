import Glibc
import TestSupport
import Testing
import Unix

/// The real viewer while its settings change.
@Suite struct ReloadedSettingsTests {
    private let terminal: PseudoTerminal
    private let folder: TemporaryFolder

    init() throws {
        terminal = try PseudoTerminal(columns: 80, rows: 20)
        folder = try TemporaryFolder()
    }

    private func start() throws -> ChildProcess {
        let viewer = try ChildProcess(
            builtProgram("jokes-tui"), ["--socket", folder.path("socket")],
            environment: ["TERM": "xterm-256color", "XDG_CONFIG_HOME": folder.path], terminal: terminal)
        _ = try terminal.read(until: "Daemon unreachable.")
        return viewer
    }

    @Test("a viewer applies the colors and keys of tui.json when the file is written, and ignores one with an error")
    func reloaded() throws {
        try makeFolder(folder.path("jokesd"), mode: 0o700)
        let viewer = try start()
        try folder.write(##"{theme: {text: "#ff00ff"}}"##, to: "jokesd/tui.json")
        _ = try terminal.read(until: "Settings reloaded")
        try folder.write(##"{theme: {text: "#00ff00"}, keys: {quit: ["Q"]}, mouse: false}"##, to: "jokesd/new")
        #expect(rename(folder.path("jokesd/new"), folder.path("jokesd/tui.json")) == 0)
        // The screen is drawn again with the new color.
        _ = try terminal.read(until: "\u{1B}[38;5;46m")
        try folder.write("{\ntheme: 'drak'}", to: "jokesd/tui.json")
        _ = try terminal.read(until: "tui.json:2: theme: unknown theme 'drak': did you mean 'dark'?")
        try terminal.type("q")
        try terminal.type("Q")
        try #expect(viewer.waitForEnd() == .exited(0))
    }

    @Test("without the folder of tui.json, the viewer starts as usual")
    func noFolder() throws {
        let viewer = try start()
        try terminal.type("q")
        try #expect(viewer.waitForEnd() == .exited(0))
    }
}
