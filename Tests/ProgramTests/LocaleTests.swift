import TestSupport
import Testing

/// The symbols of jokesctl and jokes-tui in locales with and without UTF-8.
@Suite struct LocaleTests {
    private let plain = ["LC_ALL": "C"]

    private func daemon() async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let long = String(repeating: "a long joke about a duck ", count: 20)
        let file = try daemon.folder.write("Ein Witz über Gänse.\n%\nOne \(long).\n", to: "f")
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
            let foreign = plain.unicodeScalars.filter { !$0.isASCII && !"üä".unicodeScalars.contains($0) }
            #expect(foreign.isEmpty && !plain.contains("?"), "\(command): \(plain)")
        }
        #expect(try lines(["list", "--source", "fortunes"], plain).contains("über Gänse."))
    }

    @Test("with LC_ALL=C, the viewer shows its own symbols in ASCII, not as question marks")
    func viewer() async throws {
        let daemon = try await daemon()
        let viewer = try OpenViewer(on: daemon.socket, variables: plain)
        try viewer.wait("the jokes were shown") {
            $0.hasPrefix("+- ")
                && $0.contains("\n|v Favorites -") && $0.contains("\n|* ") && $0.contains("\n|v Jokes -")
        }
        #expect(!viewer.text.split(separator: "\n").contains { $0.hasPrefix("?") }, "\(viewer.text)")
        try viewer.quit()
    }
}
