import Glibc
import TestSupport
import Testing

/// Jokes with control characters.
@Suite struct HostileTextTests {
    /// Texts that clear the screen, set the clipboard, query the cursor, reverse the line, hide, ring the bell, or
    /// overwrite.
    static let hostile = [
        "Clear\u{1B}[2J\u{1B}[Hed?", "Copied\u{1B}]52;c;ZXZpbA==\u{7}?", "Copied again\u{1B}]52;c;ZXZpbA==\u{1B}\\?",
        "Asked\u{1B}[6n?", "C1 asked\u{9B}6n?", "Turned \u{202E}dnuora\u{202C}?", "Isolated \u{2067}text\u{2069}?",
        "Bell\u{7}s?", "Back\u{8}\u{8}wards?", "Null\u{0}ed?", "Carriage\rreturn?", "Unfinished \u{1B}[38;5?",
    ]

    /// Private use characters, which are text, although a program might use one internally.
    static let privateUse = (0xF8F0...0xF8FF).map { "Private \(Character(Unicode.Scalar($0)!))use \($0)?" }

    /// The styles that jokesctl itself uses.
    private static let styles = ["0", "1", "2", "31", "32", "33"].map { "\u{1B}[\($0)m" }

    private static func withoutStyles(_ text: String) -> String {
        styles.reduce(text) { $0.replacing($1, with: "") }
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    /// A daemon and its upstreams.
    private struct Hostile {
        let daemon: DaemonUnderTest
        let upstreams: [OfficialJokeServer]
    }

    /// Starts a daemon with hostile and private use texts, and a source whose failure has such a text.
    private func hostileDaemon() async throws -> Hostile {
        let texts = Self.hostile + Self.privateUse
        let server = try OfficialJokeServer(
            texts.map { .init(type: "ge\u{1B}[31m\u{F8F3}neral", setup: $0, punchline: "\u{1B}c" + $0) })
        let failing = try OfficialJokeServer([])
        failing.server.routeEverythingElse { _ in
            .json(#"{"type":"error","message":"Failed \uf8f3\u001b[31mred"}"#, status: 500)
        }
        let daemon = try DaemonUnderTest(
            configuration: configuration(officialSource(server.url), officialSource(failing.url, name: "failing")))
        try await daemon.waitForSyncs()
        return Hostile(daemon: daemon, upstreams: [server, failing])
    }

    @Test(
        "no control character of a joke is in the output of any command, as text, in color or as JSON",
        arguments: [["--color", "never"], ["--color", "always"], ["--json"], ["--json", "--color", "always"]])
    func commands(options: [String]) async throws {
        let hostile = try await hostileDaemon()
        defer { withExtendedLifetime(hostile.upstreams) {} }
        let daemon = hostile.daemon
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "official")
        #expect(jokes.count == Self.hostile.count + Self.privateUse.count)
        let id = try #require(jokes.first { $0.setup.contains("\u{F8F3}") }?.id)
        let isColored = options == ["--color", "always"]
        let commands = [
            ["list"], ["show", id], ["favorite", id], ["favorites"], ["sources"], ["status"], ["stats"], ["categories"],
            ["hidden"], ["today"], ["random", "--source", "official"], ["search", "private"],
            ["show", "\u{1B}[2J\u{F8F3}no"],
            ["list", "--source", "\u{9B}2J"], ["\u{1B}[2J"], ["refresh", "\u{202E}official"], ["refresh"],
        ]
        for command in commands {
            let result = try daemon.control(options + command)
            let printed = result.output + result.errors
            let plain = isColored ? Self.withoutStyles(printed) : printed
            #expect(!printed.isEmpty)
            #expect(plain.unicodeScalars.allSatisfy(Self.isHarmless), "\(command): \(printed.debugDescription)")
        }
        let watcher = try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket] + options + ["watch"])
        try watcher.output.waitFor("Private")
        let watched = isColored ? Self.withoutStyles(watcher.output.text) : watcher.output.text
        #expect(watched.unicodeScalars.allSatisfy(Self.isHarmless))
    }

    @Test("private use characters in a joke stay unchanged, and style nothing, as text, in color and as JSON")
    func privateUse() async throws {
        let hostile = try await hostileDaemon()
        defer { withExtendedLifetime(hostile.upstreams) {} }
        let daemon = hostile.daemon
        let outputs = try [["--color", "never"], ["--color", "always"], ["--json"], ["--json", "--color", "always"]]
            .map { try daemon.control($0 + ["list", "--source", "official"]).output }
        for output in outputs {
            #expect(Self.privateUse.allSatisfy(output.contains), "\(output.debugDescription)")
        }
        // The IDs of a list are dim.
        #expect(outputs[1] != outputs[0] && Self.withoutStyles(outputs[1]) == outputs[0])
        #expect(outputs[3] == outputs[2])
        let failure = try daemon.control("--color", "always", "sources").output
        #expect(failure.contains("Failed \u{F8F3}red"), "\(failure.debugDescription)")
    }

    /// Characters of all widths, and many combining marks. None may move its neighbors to other columns.
    private static let awkward = [
        "Wide 日本語\u{1B}[2J 👩‍👩‍👧‍👦 ❤️ 🇩🇪?", "Heap Z\(String(repeating: "\u{301}\u{316}", count: 50))?",
        "Joined \u{200D}\u{200D}a\u{FEFF}\u{200B}b\u{AD}c?", "Right שלום \u{200F}left\u{200E}?", "Tab\tbed\u{B}out?",
        "Home\u{1B}[13;37Hrun?", "Scroll\u{1B}[2;3r\u{1B}M?", "Blink\u{1B}[5m\u{1B}[31mred?",
        "DCS\u{1B}P+q544e\u{1B}\\?",
        "Mouse\u{1B}[?1000h?", "Reset\u{1B}c\u{1B}#8?",
    ]

    @Test("no control character from a daemon reaches the terminal, in jokes, headers, IDs or errors")
    func daemon() throws {
        let texts = HostileTextTests.hostile + Self.awkward
        let daemon = try OtherDaemon.hostile(texts)
        let viewer = try OpenViewer(on: daemon.socket, columns: 80, rows: 40)
        try viewer.waitForJokes()
        #expect(viewer.text.contains("  Asked"))
        try viewer.type("lf")
        try viewer.wait("the error was shown") {
            $0.contains("  — Punchline") && $0.contains("cannot use its storage:\n Clear")
        }
        try viewer.type("r")
        try viewer.wait("the sources were named") { $0.contains("\n Refreshing Clear") }
        for _ in texts { try viewer.type("jl") }
        try viewer.wait("all punchlines were shown") { $0.contains("  — Punchline Reset") }
        try viewer.quit()
    }

    @Test("no control character in the path of a missing socket reaches the terminal")
    func path() throws {
        let folder = try TemporaryFolder()
        let viewer = try OpenViewer(on: folder.path("no\u{1B}[31m\u{9B}6n\u{202E}pe"))
        try viewer.wait("the path was shown") {
            $0.contains("Cannot connect to the daemon at") && $0.contains("Start the daemon: ")
                && $0.contains("daemon unreachable")
        }
        try viewer.quit()
    }
}
