import Glibc
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Wrong uses of jokesctl and failures of its environment. Each has a message, a hint and an exit code.
@Suite struct MisuseTests {
    /// The environment of a misuse.
    private struct World {
        let daemon: DaemonUnderTest
        let newer: OtherDaemon
        let forbidden: OtherDaemon
        let folder: TemporaryFolder
        let file: String

        init() throws {
            daemon = try DaemonUnderTest()
            newer = try OtherDaemon(version: "99.1.0", "interface org.jokesd.Jokes\nmethod Tell() -> ()\n")
            forbidden = try OtherDaemon(version: "1", "interface org.jokesd.Jokes\nmethod Tell() -> ()\n")
            #expect(chmod(forbidden.socket, 0) == 0)
            folder = try TemporaryFolder()
            file = try folder.write("", to: "file")
        }
    }

    private struct Misuse: Sendable {
        let name: String
        var socket: @Sendable (World) -> String = { $0.daemon.socket }
        let arguments: [String]
        /// A program that starts jokesctl, with its arguments.
        var starter: [String] = []
        let status: Int32
        /// `@` is a placeholder for the socket.
        let message: String
        /// `@` is a placeholder for the socket.
        let hint: String

        /// The message and the hint for the socket.
        func words(_ socket: String) -> (message: String, hint: String) {
            (message.replacing("@", with: socket), hint.replacing("@", with: socket))
        }
    }

    private static let table = [
        Misuse(
            name: "unknown command", arguments: ["\u{1B}[31mzzzzzz"], status: 64,
            message: "unknown command '\u{FFFD}[31mzzzzzz'", hint: "Try: jokesctl help"),
        Misuse(
            name: "unknown id", arguments: ["show", "nope"], status: 1, message: "no joke matches 'nope'",
            hint: "Try: jokesctl --socket @ list. A joke that the filter excludes is not shown."),
        Misuse(
            name: "ambiguous id", arguments: ["show", "starter:"], status: 1,
            message: "ID prefix 'starter:' is ambiguous:", hint: "  starter~"),
        Misuse(
            name: "daemon away", socket: { $0.folder.path("none") }, arguments: ["random"], status: 69,
            message: "cannot connect to the daemon at @: no such file or directory",
            hint: "Start the daemon: jokesd --socket @ &"),
        Misuse(
            name: "no permission on the socket", socket: { $0.forbidden.socket }, arguments: ["random"],
            starter: withoutPrivileges, status: 69, message: "cannot connect to the daemon at @: permission denied",
            hint: "The socket may belong to another user. Name another socket with --socket PATH or $JOKESD_SOCKET."),
        Misuse(
            name: "not a socket", socket: { $0.file }, arguments: ["random"], status: 69,
            message: "cannot connect to the daemon at @: not a socket",
            hint: "Name another socket with --socket PATH or $JOKESD_SOCKET."),
        Misuse(
            name: "daemon of a newer protocol", socket: { $0.newer.socket }, arguments: ["random"], status: 1,
            message: "the daemon does not know the method org.jokesd.Jokes.Random",
            hint:
                "jokesd has version 99.1.0, this program has version \(jokesdVersion). Install the same version of both"
        ),
        Misuse(
            name: "closed stdout", arguments: ["list"], starter: ["/bin/sh", "-c", #"exec "$@" >&-"#, "sh"], status: 70,
            message: "cannot write to standard output: bad file descriptor",
            hint: "Open standard output for writing, or use >/dev/null to discard the output."),
    ]

    /// Root without capabilities is subject to permissions.
    private static var withoutPrivileges: [String] {
        getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all"] : []
    }

    @Test("each misuse prints a message and a hint on standard error, and has its exit code")
    func table() throws {
        let world = try World()
        for misuse in Self.table {
            let socket = misuse.socket(world)
            let words = misuse.starter + [builtProgram("jokesctl"), "--socket", socket] + misuse.arguments
            let result = try ChildProcess.run(words[0], Array(words.dropFirst()))
            #expect(result.ending == .exited(misuse.status), "\(misuse.name): \(result)")
            #expect(result.output.isEmpty, "\(misuse.name)")
            let lines = result.errors.split(separator: "\n", omittingEmptySubsequences: false)
            let (message, hint) = misuse.words(socket)
            #expect(lines.first == "jokesctl: \(message)", "\(misuse.name)")
            #expect(lines.dropFirst().first?.hasPrefix(hint) == true, "\(misuse.name): \(result.errors)")
            #expect(
                lines.last == "" && lines.count == 3 || misuse.name == "ambiguous id",
                "\(misuse.name): \(result.errors)")
        }
    }

    @Test(
        "an unknown error, interface or parameter of a newer daemon is reported with both versions"
    )
    func newer() throws {
        let other = try OtherDaemon(
            product: "tunesd", version: "2", "interface org.tunes.Player\nmethod Play() -> ()\n")
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", other.socket, "status"])
        #expect(result.ending == .exited(1))
        #expect(
            result.errors == """
                jokesctl: the service at this socket is not jokesd
                The service is tunesd 2. Name another socket with --socket PATH or $JOKESD_SOCKET.

                """)
    }

    @Test("refresh reports an unknown state of a newer daemon with both versions, also in the middle of a stream")
    func unknownState() throws {
        struct Reply: Encodable {
            struct Source: Encodable {
                var name = "dad"
                var state = "postponed"
            }
            var sources = [Source()]
        }
        let newer = try OtherDaemon(
            version: "99.1.0",
            """
            interface org.jokesd.Jokes
            # [Supports 'more' flag]
            method Refresh(sources: ?[]string, force: ?bool) -> (sources: [](name: string, state: string))

            """,
            methods: [
                .handle(RefreshMethod.name) { (call: VarlinkCall<RefreshMethod.Parameters, Reply>) in
                    if call.wantsMore { call.send(Reply()) }
                    call.reply(Reply())
                }
            ])
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", newer.socket, "refresh"])
        #expect(result.ending == .exited(1))
        #expect(
            result.errors == """
                jokesctl: the daemon sent an unexpected answer
                jokesd has version 99.1.0, this program has version \(jokesdVersion). Install the same version of both, \
                then restart the daemon.

                """)
    }

    @Test("a full disk under the output is reported as incomplete output")
    func fullDisk() throws {
        let daemon = try DaemonUnderTest()
        let result = try ChildProcess.run(
            "/bin/sh",
            ["-c", #"exec "$@" >/dev/full"#, "sh", builtProgram("jokesctl"), "--socket", daemon.socket, "list"])
        #expect(result.ending == .exited(70))
        #expect(
            result.errors == """
                jokesctl: cannot write to standard output: no space left on device
                The output is incomplete.

                """)
    }

    @Test("a standard descriptor that is closed at the start is not used for the connection")
    func closed() throws {
        let daemon = try DaemonUnderTest(arguments: ["--log-level", "debug"])
        for closing in ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"] {
            let result = try ChildProcess.run(
                "/bin/sh",
                ["-c", #"exec "$@" \#(closing)"#, "sh", builtProgram("jokesctl"), "--socket", daemon.socket, "list"])
            #expect(result.ending == .exited(closing.contains(" >&-") || closing == ">&-" ? 70 : 0), "\(closing)")
        }
        #expect(!daemon.process.errors.text.contains("disconnected: "), "\(daemon.process.errors.text)")
    }
}
