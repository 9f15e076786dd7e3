import TestSupport
import Testing

/// Text that wants to be more than text.
@Suite struct HostileTextTests {
    /// Clears the screen, sets the clipboard, asks for the cursor, turns the line around, hides, rings, strikes over.
    static let hostile = [
        "Clear\u{1B}[2J\u{1B}[Hed?", "Copied\u{1B}]52;c;ZXZpbA==\u{7}?", "Copied again\u{1B}]52;c;ZXZpbA==\u{1B}\\?",
        "Asked\u{1B}[6n?", "C1 asked\u{9B}6n?", "Turned \u{202E}dnuora\u{202C}?", "Isolated \u{2067}text\u{2069}?",
        "Bell\u{7}s?", "Back\u{8}\u{8}wards?", "Null\u{0}ed?", "Carriage\rreturn?", "Unfinished \u{1B}[38;5?",
    ]

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    @Test("no control character of a joke leaves jokesctl, by any command, as text or as JSON")
    func commands() async throws {
        let server = try OfficialJokeServer(
            Self.hostile.map { .init(type: "ge\u{1B}[31mneral", setup: $0, punchline: "\u{1B}c" + $0) })
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "official")
        #expect(jokes.count == Self.hostile.count)
        let id = try #require(jokes.first?.id)
        let commands = [
            ["list"], ["show", id], ["favorite", id], ["favorites"], ["sources"], ["status"],
            ["random", "--source", "official"], ["show", "\u{1B}[2Jno"], ["list", "--source", "\u{9B}2J"],
            ["\u{1B}[2J"], ["refresh", "\u{202E}official"],
        ]
        for command in commands {
            for options in [["--color", "never"], ["--json"]] {
                let result = try ChildProcess.run(
                    builtProgram("jokesctl"), ["--socket", daemon.socket] + options + command)
                let printed = result.output + result.errors
                #expect(!printed.isEmpty)
                #expect(
                    printed.unicodeScalars.allSatisfy(Self.isHarmless),
                    "\(command) \(options): \(printed.debugDescription)")
            }
        }
        let watcher = try await daemon.watch()
        #expect(watcher.output.text.unicodeScalars.allSatisfy(Self.isHarmless))
    }

    @Test("the text around what was taken out is kept")
    func keptText() async throws {
        let server = try OfficialJokeServer(Self.hostile.map { .init(setup: $0, punchline: "Right.") })
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        let setups = Set(try daemon.json("list", "--source", "official", as: [PrintedJoke].self).map(\.setup))
        #expect(setups.isSuperset(of: ["Cleared?", "Copied?", "Copied again?", "Asked?", "Turned dnuora?", "Bells?"]))
    }
}
