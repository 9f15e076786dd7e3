import Glibc
import TestSupport
import Testing
import Unix

/// `random --tell`: the setup, a pause, and the punchline.
@Suite struct PunchlinePauseTests {
    private static let setup = "Why did the test joke stop?"
    private static let punchline = "To be told in two parts."

    /// Starts a daemon with one joke of two parts, and one of one part.
    private func daemon() async throws -> DaemonUnderTest {
        let server = try OfficialJokeServer([.init(setup: Self.setup, punchline: Self.punchline)])
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("All of it at once.\n%\n", to: "f")
        try daemon.reload(configuration(officialSource(server.url), fortuneSource(file)))
        try await daemon.waitForSyncs()
        return daemon
    }

    /// A pause that is longer than any test.
    private static let endless = ["random", "--source", "official", "--tell", "--pause", "3600"]

    private func begin(_ daemon: DaemonUnderTest, ignored: String? = nil) throws -> ControlTerminal {
        let terminal = try ControlTerminal(daemon, Self.endless, ignored: ignored)
        try terminal.wait("the setup was printed") { $0.hasPrefix("\(Self.setup)\n") }
        return terminal
    }

    @Test("Enter prints the punchline at once")
    func enter() async throws {
        let daemon = try await daemon()
        for key in ["\n", "\r"] {
            let terminal = try begin(daemon)
            try terminal.type(key)
            try terminal.waitForEnd()
            #expect(terminal.text.split(separator: "\n") == [Self.setup[...], Self.punchline[...]])
        }
    }

    @Test("input after Enter is for the next program")
    func typedAhead() async throws {
        let terminal = try begin(try await daemon())
        try terminal.type("\nrest\n")
        try terminal.waitForEnd()
        #expect(try terminal.readLine() == "rest\n")
    }

    @Test("the pause ends after the time of --pause")
    func time() async throws {
        let daemon = try await daemon()
        for pause in [["--pause", "0"], ["--pause", "1"], []] {
            let terminal = try ControlTerminal(daemon, ["random", "--source", "official", "--tell"] + pause)
            try terminal.waitForEnd()
            #expect(terminal.text.split(separator: "\n") == [Self.setup[...], Self.punchline[...]])
        }
    }

    @Test("a signal ends the pause without a punchline", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) async throws {
        let terminal = try begin(try await daemon())
        terminal.process.signal(signal)
        try terminal.waitForEnd(.killed(signal: signal))
        #expect(terminal.text.split(separator: "\n") == [Self.setup[...]])
    }

    @Test("a signal that is ignored at the start changes nothing")
    func ignored() async throws {
        let terminal = try begin(try await daemon(), ignored: "HUP")
        terminal.process.signal(SIGHUP)
        try terminal.type("\n")
        try terminal.waitForEnd()
        #expect(terminal.text.split(separator: "\n") == [Self.setup[...], Self.punchline[...]])
    }

    @Test("jokesctl is not connected during the pause")
    func daemonIsFree() async throws {
        let daemon = try await daemon()
        let terminal = try begin(daemon)
        try await waitUntil("the daemon has no connection") { try connections(of: daemon) == 0 }
        try terminal.type("\n")
        try terminal.waitForEnd()
    }

    /// The number of connected clients: the rows of the kernel's socket table with this path and the state "connected".
    private func connections(of daemon: DaemonUnderTest) throws -> Int {
        let table = String(decoding: try contentsOfFile("/proc/net/unix", limit: 16 << 20), as: UTF8.self)
        return table.split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.last == daemon.socket[...] && columns[5] == "03"
        }
    }

    @Test("without a terminal, and for a joke of one part, there is no pause")
    func noPause() async throws {
        let daemon = try await daemon()
        let result = try daemon.control(Self.endless)
        #expect(result.ending == .exited(0) && result.output == "\(Self.setup)\n\(Self.punchline)\n")
        let terminal = try ControlTerminal(daemon, ["random", "--source", "fortunes", "--tell", "--pause", "3600"])
        try terminal.waitForEnd()
        #expect(terminal.text.split(separator: "\n") == ["All of it at once."])
    }

    @Test(
        "options that cannot be used together are refused before the daemon is called",
        arguments: [
            ["--tell", "--json"], ["--pause", "3"], ["--tell", "--pause", "soon"], ["--tell", "--pause", "3601"],
        ])
    func refused(options: [String]) throws {
        let result = try ChildProcess.run(
            builtProgram("jokesctl"), ["--socket", "/no/such/socket", "random"] + options)
        #expect(result.ending == .exited(64) && result.output.isEmpty, "\(result)")
    }
}
