import Glibc
import TestSupport
import Testing
import Unix

/// `jokesctl random --notify` and `watch --notify`, with a notify-send that records its arguments.
@Suite struct NotificationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try makeFolder(folder.path("bin"), mode: 0o700)
    }

    /// Installs a notify-send that records the number of its arguments, and each of them followed by NUL.
    private func installNotifySend(andThen more: String = "") throws {
        try install(#"printf '%s\0' "$#" "$@" >>'\#(folder.path("calls"))'; \#(more)"#)
    }

    /// Installs a notify-send with this script.
    private func install(_ script: String) throws {
        let program = try folder.write("#!/bin/sh\n\(script)\n", to: "bin/notify-send")
        try #require(chmod(program, 0o755) == 0)
    }

    /// The arguments of each call of notify-send so far.
    private func calls() throws -> [[String]] {
        guard exists(folder.path("calls")) else { return [] }
        let bytes = try contentsOfFile(folder.path("calls"), limit: 1 << 20)
        var words = String(decoding: bytes, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
            .dropLast().map(String.init)[...]
        var calls: [[String]] = []
        while let count = words.popFirst().flatMap({ Int($0) }) {
            calls.append(Array(words.prefix(count)))
            words = words.dropFirst(count)
        }
        return calls
    }

    private var environment: [String: String] { ["PATH": folder.path("bin")] }

    private func run(_ daemon: DaemonUnderTest, _ arguments: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(
            builtProgram("jokesctl"), ["--socket", daemon.socket] + arguments, environment: environment)
    }

    // MARK: random

    private static let hostile = [
        "-n is no option.", "--help $(id) `id` ; rm *", "A back\\slash \\n and \\\\ two.", "<b>No</b> &amp; markup",
        "\"Quotes\" and 'these'", "Two\nlines.", "One <\u{301} two", "👩‍👩‍👧 & 字", "\u{1B}[31mred\u{7}", "%s%n",
    ]

    @Test("random --notify passes each joke to notify-send, byte for byte, and prints nothing")
    func arguments() async throws {
        try installNotifySend()
        let daemon = try await DaemonUnderTest.serving(Self.hostile, name: "geese")
        let count = Self.hostile.count
        let result = try run(daemon, "random", "--notify", "--source", "geese", "--limit", "\(count)")
        #expect(result.ending == .exited(0) && result.output.isEmpty && result.errors.isEmpty, "\(result)")
        let calls = try calls()
        #expect(calls.allSatisfy { $0.count == 4 && Array($0.prefix(3)) == ["--app-name=jokesd", "--", "Joke"] })
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "geese")
        #expect(jokes.count == count)
        let bodies = jokes.map { joke in
            joke.setup.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "&"): Array("&amp;".utf8)
                case UInt8(ascii: "<"): Array("&lt;".utf8)
                case UInt8(ascii: ">"): Array("&gt;".utf8)
                case UInt8(ascii: "\\"): Array(#"\\"#.utf8)
                default: [byte]
                }
            }
        }
        #expect(Set(calls.map { Array($0[3].utf8) }) == Set(bodies))
    }

    @Test("without notify-send, random and watch say how to install it, and no joke is served")
    func missing() throws {
        let daemon = try DaemonUnderTest()
        let message = """
            jokesctl: cannot show a notification: notify-send is not installed
            Install it; on Debian: sudo apt install libnotify-bin

            """
        for command in ["random", "watch"] {
            let result = try run(daemon, command, "--notify")
            #expect(result.ending == .exited(1) && result.output.isEmpty && result.errors == message, "\(result)")
        }
        let quiet = try run(daemon, "random", "--notify", "--quiet")
        #expect(quiet.ending == .exited(1) && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
        #expect(try daemon.control("show", "last").errors.contains("no joke was printed yet"))
    }

    @Test(
        "a failure of notify-send is reported with its first line and the next step",
        arguments: [
            ("echo 'No \u{1B}[31mservice' >&2; echo more >&2; exit 1", "notify-send failed: No \u{FFFD}[31mservice"),
            ("exit 3", "notify-send failed"), ("kill -9 $$", "notify-send failed"),
        ])
    func failing(script: String, reason: String) throws {
        try install(script)
        let daemon = try DaemonUnderTest()
        let result = try run(daemon, "random", "--notify")
        #expect(result.ending == .exited(1) && result.output.isEmpty)
        #expect(
            result.errors == """
                jokesctl: cannot show a notification: \(reason)
                Start a notification service, such as mako or dunst. To test it: notify-send Test

                """)
        let quiet = try run(daemon, "random", "--notify", "-q")
        #expect(quiet.ending == .exited(1) && quiet.output.isEmpty && quiet.errors.isEmpty)
    }

    @Test("a notify-send that hangs is killed, after a second with --quiet")
    func hanging() throws {
        try install("kill -STOP $$")
        let daemon = try DaemonUnderTest()
        let quiet = try run(daemon, "random", "--notify", "--quiet")
        #expect(quiet.ending == .exited(1) && quiet.output.isEmpty && quiet.errors.isEmpty)
    }

    @Test("without a daemon or a joke, the error is that of random without --notify")
    func noJoke() throws {
        try installNotifySend()
        let daemon = try DaemonUnderTest()
        let none = try run(daemon, "random", "--notify", "--max-length", "1")
        #expect(none.ending == .exited(75) && none.errors.contains("no joke to show"))
        #expect(try daemon.stop() == .exited(0))
        let away = try run(daemon, "random", "--notify")
        #expect(away.ending == .exited(69) && away.errors.contains("Start the daemon: "))
        #expect(try calls().isEmpty)
    }

    @Test(
        "options that print jokes are refused with --notify",
        arguments: [
            ["random", "--json"], ["random", "--format", "{id}"], ["random", "--format", "waybar"],
            ["random", "--single-line"], ["watch", "--json"],
            ["watch", "--format", "i3blocks"],
        ])
    func refused(arguments: [String]) throws {
        let result = try ChildProcess.run(
            builtProgram("jokesctl"), ["--socket", folder.path("none")] + arguments + ["--notify"])
        #expect(result.ending == .exited(64) && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("options '--notify' and '\(arguments[1])' cannot be used together\n"))
        #expect(result.errors.hasSuffix("Try: jokesctl help \(arguments[0])\n"))
    }

    // MARK: watch

    /// Writes these jokes to the source, and refreshes it as soon as its rate limit allows.
    private func add(_ jokes: [String], to daemon: DaemonUnderTest) async throws {
        try daemon.folder.write(jokes.map { "\($0)\n%\n" }.joined(), to: "geese")
        try await waitUntil("geese: done") { try daemon.control("refresh", "geese").output.contains("geese: done") }
    }

    @Test("watch --notify shows each new joke once, and none of the first snapshot, also after a restart of the daemon")
    func watch() async throws {
        try installNotifySend(andThen: "echo called")
        let daemon = try await DaemonUnderTest.serving(["The first goose."], name: "geese")
        let watcher = try ChildProcess(
            builtProgram("jokesctl"), ["--socket", daemon.socket, "watch", "--notify"], environment: environment)
        try await waitUntil("the watcher subscribed") { try daemon.subscribers() == 1 }
        try await add(["The first goose.", "The second goose.", "The third & last goose."], to: daemon)
        try await waitUntil("two notifications were shown") { try calls().count == 2 }
        #expect(
            try Set(calls().map { $0[3] }) == ["The second goose.", "The third &amp; last goose."])
        try daemon.kill()
        try watcher.errors.waitForLine(with: "; waiting for the daemon")
        try daemon.start()
        try await waitUntil("the watcher subscribed again") { try daemon.subscribers() == 1 }
        try await add(["The first goose.", "The fourth goose."], to: daemon)
        try await waitUntil("another notification was shown") { try calls().count >= 3 }
        #expect(try calls().count == 3 && calls()[2][3] == "The fourth goose.")
        #expect(watcher.output.text.isEmpty && watcher.errors.lines.count == 1)
    }

    @Test("if a notification fails, watch prints the reason and shows the next one")
    func continuing() async throws {
        try install("echo gone >&2; exit 1")
        let daemon = try await DaemonUnderTest.serving(["The first goose."], name: "geese")
        let watcher = try ChildProcess(
            builtProgram("jokesctl"), ["--socket", daemon.socket, "watch", "--notify"], environment: environment)
        try await waitUntil("the watcher subscribed") { try daemon.subscribers() == 1 }
        try await add(["The second goose."], to: daemon)
        try watcher.errors.waitForLine(with: "Start a notification service")
        #expect(watcher.errors.lines.first == "jokesctl: cannot show a notification: notify-send failed: gone")
        try installNotifySend()
        try await add(["The third goose."], to: daemon)
        try await waitUntil("a notification was shown") { try calls().map { $0[3] } == ["The third goose."] }
        #expect(watcher.errors.lines.count == 2)
    }
}

extension DaemonUnderTest {
    /// The number of clients that watch.
    fileprivate func subscribers() throws -> Int {
        struct Status: Decodable { var subscribers: Int }
        return try json("status", as: Status.self).subscribers
    }
}
