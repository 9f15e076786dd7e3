import Glibc
import TestSupport
import Testing
import TextLayout

/// The symbols of jokesctl and jokes-tui in locales with and without UTF-8.
@Suite struct LocaleTests {
    private let plain = ["LC_ALL": "C"]

    private func daemon() async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let long = String(repeating: "a long joke about a duck ", count: 26)
        let file = try daemon.folder.write("Ein Witz über Gänse, “Straße”…\n%\nOne \(long).\n", to: "f")
        try daemon.reload(configuration(fortuneSource(file), fortuneSource("/nowhere/f", name: "gone")))
        _ = try await daemon.quietSources()
        for joke in try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self) {
            #expect(try daemon.control("favorite", joke.id).ending == .exited(0))
        }
        return daemon
    }

    @Test("with LC_ALL=C, jokesctl adds only ASCII to jokes, which stay UTF-8")
    func control() async throws {
        let daemon = try await daemon()
        func lines(_ command: [String], _ variables: [String: String]) throws -> String {
            let terminal = try ControlTerminal(daemon, ["--no-pager"] + command, columns: 60, variables: variables)
            try terminal.waitForEnd(command == ["doctor"] ? .exited(1) : .exited(0))
            return String(decoding: terminal.written, as: UTF8.self)
        }
        let commands = [
            (["list", "--source", "fortunes"], ["★", "…"], ["*", "..."]), (["doctor"], ["→"], ["->"]),
            (["stats"], ["█"], ["##"]),
        ]
        for (command, symbols, ascii) in commands {
            let utf8 = try lines(command, ["LC_ALL": "C.UTF-8"])
            let unset = try lines(command, [:])
            let plain = try lines(command, plain)
            for symbol in symbols { #expect(utf8.contains(symbol) && unset.contains(symbol), "\(command): \(utf8)") }
            for word in ascii { #expect(plain.contains(word), "\(command): \(plain)") }
            let foreign = plain.unicodeScalars.filter { !$0.isASCII && !"üäß“”…".unicodeScalars.contains($0) }
            #expect(foreign.isEmpty && !plain.contains("?"), "\(command): \(plain)")
        }
        #expect(try lines(["list", "--source", "fortunes"], plain).contains("über Gänse, “Straße”…"))
    }

    @Test("with LC_ALL=C, the viewer shows its symbols and the jokes in ASCII, in straight columns")
    func viewer() async throws {
        let daemon = try await daemon()
        let viewer = try OpenViewer(on: daemon.socket, variables: plain)
        try viewer.wait("the jokes were shown") {
            $0.hasPrefix("+- ")
                && $0.contains("\n|v Favorites -") && $0.contains("\n|* ") && $0.contains("\n|v Jokes -")
        }
        let lines = viewer.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("|* Ein Witz uber Ganse, \"Strasse\"... ") }, "\(viewer.text)")
        #expect(lines.dropLast().allSatisfy { $0.columns == 80 && !$0.contains("?") }, "\(viewer.text)")
        try viewer.quit()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let reader = try ChildProcess(
            builtProgram("jokes-tui"), ["--plain", "--socket", daemon.socket], environment: plain, terminal: terminal)
        var printed = try terminal.read(until: "uber Ganse, \"Strasse\"...")
        try terminal.type("j\n")
        printed += try terminal.read(until: "Number 2, fortunes")
        #expect(printed.utf8.allSatisfy { $0 < 0x80 }, "\(printed)")
        try terminal.type("q\n")
        try #expect(reader.waitForEnd() == .exited(0))
    }
}
