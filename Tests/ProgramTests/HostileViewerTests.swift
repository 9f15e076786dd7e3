import TestSupport
import Testing

/// Jokes with control characters, in the terminal of the viewer.
///
/// The terminal obeys only the commands that ncurses has to write. Any other command, also OSC, C1 and bidi controls,
/// fails the test when the viewer quits.
@Suite struct HostileViewerTests {
    /// Characters of all widths, and many combining marks. None may move its neighbors to other columns.
    private static let awkward = [
        "Wide 日本語\u{1B}[2J 👩‍👩‍👧‍👦 ❤️ 🇩🇪?", "Heap Z\(String(repeating: "\u{301}\u{316}", count: 50))?",
        "Joined \u{200D}\u{200D}a\u{FEFF}\u{200B}b\u{AD}c?", "Right שלום \u{200F}left\u{200E}?", "Tab\tbed\u{B}out?",
        "Home\u{1B}[13;37Hrun?", "Scroll\u{1B}[2;3r\u{1B}M?", "Blink\u{1B}[5m\u{1B}[31mred?",
        "DCS\u{1B}P+q544e\u{1B}\\?",
        "Mouse\u{1B}[?1000h?", "Reset\u{1B}c\u{1B}#8?",
    ]

    /// Returns the start of the text that looks the same on every terminal.
    private func plainStart(_ text: String) -> Substring {
        text.prefix { $0.isASCII && $0 != "\n" }
    }

    @Test("no control character of a joke reaches the terminal from a source, and every row keeps its columns")
    func jokes() async throws {
        let texts = HostileTextTests.hostile + Self.awkward
        let server = try OfficialJokeServer(
            texts.map { .init(type: "pun\u{1B}[5m\u{202E}", setup: $0, punchline: "So\u{1B}c " + $0) })
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        let listed: [PrintedJoke] = try daemon.json("list", "--source", "official")
        #expect(listed.count == texts.count)
        let viewer = try OpenViewer(of: daemon, columns: 80, rows: 40)
        try viewer.waitForJokes()
        var rows = viewer.list[...]
        for joke in listed {
            let lines = Array(rows.prefix(joke.setup.split(separator: "\n").count))
            rows = rows.dropFirst(lines.count)
            #expect(
                lines[0].hasPrefix("  \(plainStart(joke.setup))") && lines[0].hasSuffix("  official"), "\(lines)")
        }
        for joke in listed {
            try viewer.type(" ")
            let start = plainStart(try #require(joke.punchline))
            try viewer.wait("the punchline was shown") { $0.contains("  — \(start)") }
            try viewer.type(" fj")
        }
        try viewer.type("g")
        try viewer.wait("all were favorites") {
            $0.contains("Favorites 1/\(listed.count) ") || $0.contains("Favorites \(listed.count) ")
        }
        try viewer.quit()
    }

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
