import Glibc
import JokesCore
import TestSupport
import Testing
import TextLayout

/// The output of jokesctl on terminals of several widths.
@Suite struct TerminalOutputTests {
    private static let long =
        "A test joke that is longer than any terminal here is wide, \(Self.words), and has an end."
    private static let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    private static let wide = "長い質問は、端末の幅で折り返されなければなりませんか？いつでもそうですか？それとも、短いのですか？"
    private static let name = "a-source-whose-name-is-very-long"

    /// Starts a daemon with short, long and wide jokes, favorites with notes, a failed source and a disabled source.
    private func daemon() async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let text = [Self.long, Self.wide, "An astronaut \u{1F469}\u{200D}\u{1F680} joke.", "Short."]
        let file = try daemon.folder.write(text.map { "\($0)\n%\n" }.joined(), to: "f")
        try daemon.reload(
            configuration(
                fortuneSource(file, name: Self.name), fortuneSource("/no/such/folder/with/a/long/name/f", name: "gone"),
                #"{"name": "off", "type": "jokeapi", "enabled": false}"#))
        try await waitUntil("the enabled sources were synced") {
            let sources = try daemon.configuredSources()
            return sources.filter { $0.name != "off" }.allSatisfy(\.isQuiet)
        }
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", Self.name)
        for joke in jokes {
            #expect(try daemon.control("favorite", joke.id, "--note", Self.words).ending == .exited(0))
        }
        return daemon
    }

    @Test("no line of any command is wider than the terminal, and no word is lost", arguments: [200, 80, 40, 21, 9])
    func columns(_ columns: Int) async throws {
        let daemon = try await daemon()
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", Self.name)
        let long = try #require(jokes.first { $0.setup == Self.long })
        let commands = [
            ["list"], ["favorites"], ["search", "joke"], ["search", "nothing"], ["show", long.id], ["sources"],
            ["status"], ["random", "--source", Self.name], ["today"], ["categories"], ["stats"],
            ["favorite", long.id], ["hide", long.id], ["hidden"], ["show", long.id], ["unhide", long.id],
            ["unhide", long.id],
        ]
        for command in commands {
            let printed = try ControlTerminal.lines(daemon, command, columns: columns)
            #expect(!printed.isEmpty)
            #expect(printed.allSatisfy { $0.columns <= columns }, "\(command): \(printed)")
        }
        func joined(_ command: String...) throws -> String {
            try ControlTerminal.lines(daemon, command, columns: columns).joined(separator: " ")
                .split(separator: " ").joined(separator: " ")
        }
        if columns >= 21 {
            #expect(try joined("show", long.id).contains(Self.long))
            #expect(try joined("sources").contains("no such file or directory"))
            #expect(try joined("favorites").contains(Self.words))
        }
    }

    @Test("a list has one line for each joke, cut off at the width, and the jokes begin in one column")
    func rows() async throws {
        let daemon = try await daemon()
        let lines = try ControlTerminal.lines(daemon, ["list", "--source", Self.name], columns: 80)
        #expect(lines.count == 4 && lines.count { $0.hasSuffix("…") } == 2)
        let starters = try ControlTerminal.lines(daemon, ["list", "-n", "30"], columns: 80).filter {
            $0.contains(" starter~")
        }
        #expect(starters.count > 10 && starters.allSatisfy { $0.dropFirst(2 + 80 / 3).hasPrefix("  ") })
    }

    @Test("without a terminal, no line is wrapped or cut off")
    func pipe() async throws {
        let daemon = try await daemon()
        let list = try daemon.control("list", "--source", Self.name).output.split(separator: "\n")
        #expect(
            list.count == 4 && list.contains { $0.hasSuffix(Self.long) } && list.contains { $0.hasSuffix(Self.wide) })
        let id = try #require(list.first { $0.hasSuffix(Self.long) }?.split(separator: " ").dropFirst().first)
        #expect(try daemon.control("show", String(id)).output.hasPrefix(Self.long + "\n\n"))
        // The title, three sources, the reason of a failure, the bundled jokes, and the total.
        #expect(try daemon.control("sources").output.split(separator: "\n").count == 7)
    }

    @Test("an empty answer has a hint for the next step")
    func empty() throws {
        let daemon = try DaemonUnderTest()
        let search = try daemon.control("search", "giraffe zebra").output
        #expect(search.contains("Search for fewer, other or shorter words."))
        let written = daemon.folder.path("favorites.json")
        let report = try ControlTerminal.lines(daemon, ["export", "--output", written], columns: 200)
        #expect(report == ["jokesctl: exported to \(written)"])
        #expect(try daemon.control("export", "--output", written).errors.isEmpty)
    }

    @Test("an error is wrapped between words on a terminal, and keeps its line ends")
    func errors() throws {
        let daemon = try DaemonUnderTest()
        let lines = try ControlTerminal.lines(daemon, ["show", "starter:"], columns: 40, ending: .exited(1))
        #expect(lines.prefix(2) == ["jokesctl: ID prefix 'starter:' is", "ambiguous:"])
        #expect(lines.count == 14 && lines.dropFirst(2).prefix(10).allSatisfy { $0.hasPrefix("  starter~") })
        #expect(lines.suffix(2) == ["At most 10 matches are listed. Use a", "longer prefix."])
    }

    @Test("watch uses the current width of the terminal")
    func resized() async throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("\(Self.long)\n%\n", to: "f")
        let terminal = try ControlTerminal(daemon, ["watch", "--section", "favoriteJokes,jokes", "--limit", "1"])
        try terminal.wait("the first joke was shown") { $0.contains("starter~") }
        try terminal.resize(columns: 50, rows: 24)
        try daemon.reload(configuration(fortuneSource(file)))
        try terminal.wait("another one was shown") { text in
            text.split(separator: "\n").contains { $0.contains("fortunes~") && $0.hasSuffix("…") && $0.columns == 50 }
        }
        terminal.process.signal(SIGINT)
        try terminal.waitForEnd(.killed(signal: SIGINT))
    }
}
