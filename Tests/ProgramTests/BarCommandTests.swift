import Glibc
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The formats for status bars, with real daemons.
@Suite struct BarCommandTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write("The <b>first</b> \"goose\" \\o/ & co.\n", to: "geese")
    }

    private func daemon() async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest(configuration: configuration(fortuneSource(file, name: "geese")))
        try await daemon.waitForSyncs()
        return daemon
    }

    private func watch(_ socket: String, _ format: String) throws -> ChildProcess {
        try ChildProcess(builtProgram("jokesctl"), ["--socket", socket, "watch", "--format", format])
    }

    /// Waits for the line with this number, from 0, and decodes it.
    private func document(_ number: Int, of watcher: ChildProcess) throws -> AnyJSON {
        try AnyJSON(String(watcher.output.waitForLines(number + 1)[number]))
    }

    @Test("waybar shows the newest joke, a failed source, and an unreachable daemon until it returns")
    func waybar() async throws {
        let daemon = try await daemon()
        let watcher = try watch(daemon.socket, "waybar")
        let first = try document(0, of: watcher)
        let text = #"The &lt;b&gt;first&lt;/b&gt; &quot;goose&quot; \o/ &amp; co."#
        #expect(
            first
                == .object([
                    "text": .string(text), "tooltip": .string(text), "alt": .string("ok"), "class": .string("ok"),
                ]))
        unlink(file)
        try await refresh(daemon, until: "geese: failed")
        let failing = try document(1, of: watcher)
        #expect(failing["text"] == .string(text) && failing["class"] == .string("failing"))
        #expect(failing["tooltip"]?.text?.hasSuffix("\n\nFailing: geese. Try: jokesctl sources") == true)
        try daemon.kill()
        let away = try document(2, of: watcher)
        #expect(away["text"] == .string(text) && away["class"] == .string("away") && away["alt"] == .string("away"))
        try daemon.start()
        #expect(try document(3, of: watcher)["class"] != .string("away"))
        #expect(watcher.errors.text.isEmpty)
    }

    /// Refreshes the source as soon as its rate limit allows.
    private func refresh(_ daemon: DaemonUnderTest, until outcome: String) async throws {
        try await waitUntil(outcome) { try daemon.control("refresh", "geese").output.contains(outcome) }
    }

    @Test("a change that the bar does not show prints no line")
    func unchanged() async throws {
        let daemon = try await daemon()
        let watcher = try watch(daemon.socket, "waybar")
        _ = try document(0, of: watcher)
        let plain = try await daemon.watch()
        let ids = try daemon.json("list", "--source", "starter", "--limit", "3", as: [PrintedJoke].self).map(\.id)
        for id in ids { #expect(try daemon.control("favorite", id).ending == .exited(0)) }
        #expect(try plain.output.waitForLines(4).count >= 4)
        // Only the last change is shown.
        let goose = try #require(try daemon.json("list", "--source", "geese", as: [PrintedJoke].self).first?.id)
        #expect(try daemon.control("hide", goose).ending == .exited(0))
        _ = try document(1, of: watcher)
        #expect(watcher.output.lines.count == 2)
    }

    @Test(
        "without a daemon at the start, watch prints the class away and waits for the daemon",
        arguments: ["waybar", "i3blocks"])
    func early(format: String) async throws {
        let daemon = try await daemon()
        #expect(try daemon.stop() == .exited(0))
        let watcher = try watch(daemon.socket, format)
        #expect(try watcher.output.waitForLines(1)[0].contains("jokesd is unreachable"))
        try daemon.start()
        try watcher.output.waitForLine(with: "goose")
        #expect(watcher.errors.text.isEmpty)
    }

    @Test("after a restart with the same snapshot, the class is no longer away")
    func unchangedReturn() throws {
        // The first connection is closed; the second one gets an empty difference.
        let service = try OtherDaemon([
            .handle(WatchMethod.name) { (call: VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>) in
                if call.parameters.generation == nil {
                    call.send(WatchMethod.Reply(epoch: "e", generation: 1, complete: true, snapshot: []))
                    let busy = JokesError.busy(retryAfterMs: 1)
                    call.fail(ErrorReply(busy, of: JokesInterface.name))
                } else {
                    call.send(WatchMethod.Reply(epoch: "e", generation: 1, difference: Wire.Difference(base: 1)))
                    call.onClosed { withExtendedLifetime(call) {} }
                }
            }
        ])
        let watcher = try watch(service.socket, "waybar")
        let states = try (0..<3).map { try document($0, of: watcher)["class"] }
        #expect(states == [.string("empty"), .string("away"), .string("empty")])
    }

    // MARK: The same states from random and watch

    /// The class of waybar that random prints, and the one that watch prints first.
    private func classes(_ daemon: DaemonUnderTest, _ options: String...) throws -> [String?] {
        let random = try daemon.control(["random", "--format", "waybar"] + options)
        #expect(random.ending == .exited(0) && random.errors.isEmpty && random.output.split(separator: "\n").count == 1)
        let watcher = try watch(daemon.socket, "waybar")
        return try [AnyJSON(random.output)["class"]?.text, document(0, of: watcher)["class"]?.text]
    }

    @Test("random and watch print the same class if all is well, a source fails, or the network is away")
    func sameStates() async throws {
        let daemon = try await daemon()
        #expect(try classes(daemon) == ["ok", "ok"])
        unlink(file)
        try await refresh(daemon, until: "geese: failed")
        #expect(try classes(daemon) == ["failing", "failing"])
        let upstream = try LoopbackServer()
        upstream.stop()
        try daemon.reload(configuration(officialSource(upstream.url)))
        try await daemon.waitForSyncs()
        #expect(try classes(daemon) == ["offline", "offline"])
        #expect(try daemon.stop() == .exited(0))
        #expect(try classes(daemon) == ["away", "away"])
    }

    @Test("random asks for the status only for a bar, and shows the joke if there is no status")
    func oneMoreCall() throws {
        let asked = Locked([String]())
        let joke = Joke.single("mine:1", "One duck.")
        let service = try OtherDaemon([
            .answer(RandomMethod.name) { (_: RandomMethod.Parameters) -> RandomMethod.Reply in
                asked.withLock { $0.append("Random") }
                return RandomMethod.Reply(joke: joke)
            },
            .answer(StatusMethod.name) { () -> StatusMethod.Reply in
                asked.withLock { $0.append("Status") }
                let busy = JokesError.busy(retryAfterMs: 1)
                throw ErrorReply(busy, of: JokesInterface.name)
            },
        ])
        func run(_ options: String...) throws -> String {
            let words = ["--socket", service.socket, "random"] + options
            let result = try ChildProcess.run(builtProgram("jokesctl"), words)
            #expect(result.ending == .exited(0) && result.errors.isEmpty)
            return result.output
        }
        #expect(try run() == "One duck.\n")
        #expect(try run("--format", "{text}") == "One duck.\n")
        #expect(asked.withLock { $0 } == ["Random", "Random"])
        let bar = try AnyJSON(run("--format", "waybar"))
        #expect(bar["text"] == .string("One duck.") && bar["class"] == .string("ok"))
        #expect(asked.withLock { $0 }.suffix(2) == ["Random", "Status"])
    }

    private static let i3blocks = "/usr/bin/i3blocks"

    @Test(
        "i3blocks shows the exact joke, and a message in red if the daemon is unreachable",
        .enabled(if: access(i3blocks, X_OK) == 0, "i3blocks is not installed: make test installs it."))
    func realI3Blocks() async throws {
        let daemon = try await daemon()
        let command = "'\(builtProgram("jokesctl"))' --socket '\(daemon.socket)' watch --format i3blocks"
        let block = "[jokes]\ncommand=\(command)\ninterval=persist\nformat=json\n"
        let bar = try ChildProcess(
            Self.i3blocks, ["-c", try folder.write(block, to: "i3blocks.conf")],
            environment: ["PATH": "/usr/bin:/bin"])
        let text = "The &lt;b&gt;first&lt;/b&gt; &quot;goose&quot; &#92;o/ &amp; co."
        try bar.output.waitForLine(with: #""full_text":"\#(text)""#)
        let line = try #require(bar.output.lines.last { $0.contains("goose") })
        #expect(line.contains(#""markup":"pango""#) && !line.contains("color"), "\(line)")
        try daemon.kill()
        try bar.output.waitForLine(with: ##""color":"#FF0000""##)
        #expect(bar.output.lines.last { $0.contains("#FF0000") }?.contains(text) == true)
    }
}
