import Glibc
import JokesCore
import TestSupport
import Testing

/// What people do wrong with jokesctl, or have gone wrong around it: each is told in one sentence and a next step, and has its
/// exit code.
@Suite struct MisuseTests {
    /// What a misuse is done to.
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
        /// `@` stands for the socket.
        let sentence: String
        let hint: String
    }

    private static let table = [
        Misuse(
            name: "unknown command with a near miss", arguments: ["rnadom"], status: 64,
            sentence: "There is no command rnadom. Did you mean random?", hint: "jokesctl help lists the commands."),
        Misuse(
            name: "missing id", arguments: ["show"], status: 64, sentence: "The command show needs an ID.",
            hint: "jokesctl list shows the ids of jokes."),
        Misuse(
            name: "ambiguous id", arguments: ["show", "starter:"], status: 1,
            sentence: "The beginning starter: names more than one joke:", hint: "  starter:~"),
        Misuse(
            name: "unknown option", arguments: ["list", "--limt", "3"], status: 64,
            sentence: "There is no option --limt. Did you mean --limit?", hint: "jokesctl help list says what it takes."
        ),
        Misuse(
            name: "daemon away", socket: { $0.folder.path("none") }, arguments: ["random"], status: 69,
            sentence: "The daemon cannot be reached at @: no such file or directory.",
            hint: "Start it with: systemctl --user start jokesd, or: jokesd &"),
        Misuse(
            name: "no permission on the socket", socket: { $0.forbidden.socket }, arguments: ["random"],
            starter: withoutPrivileges, status: 69, sentence: "The daemon cannot be reached at @: permission denied.",
            hint:
                "The system daemon serves the group jokes: sudo usermod -aG jokes $USER, and log in anew."
        ),
        Misuse(
            name: "not a socket", socket: { $0.file }, arguments: ["random"], status: 69,
            sentence: "The daemon cannot be reached at @: that is no socket.",
            hint: "The option --socket PATH, or JOKESD_SOCKET, names another socket."),
        Misuse(
            name: "daemon of a newer protocol", socket: { $0.newer.socket }, arguments: ["random"], status: 1,
            sentence: "The daemon does not know the method org.jokesd.Jokes.Random.",
            hint:
                "It is jokesd 99.1.0, and this is of \(jokesdVersion): install both of one version, and start it anew."),
        Misuse(
            name: "bad template", arguments: ["random", "--format", "{setp}"], status: 64,
            sentence: "There is no field {setp}, at character 1 of the format. Did you mean {setup}?",
            hint: "Fields: {setup} {punchline} {text}"),
        Misuse(
            name: "closed stdout", arguments: ["list"], starter: ["/bin/sh", "-c", #"exec "$@" >&-"#, "sh"], status: 70,
            sentence: "Cannot write to standard output: bad file descriptor.",
            hint: "It is closed, or not open for that; >/dev/null takes what nobody is to see."),
    ]

    /// Root may do everything, but without its capabilities.
    private static var withoutPrivileges: [String] {
        getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all"] : []
    }

    @Test("each misuse is told in one sentence and a next step, on standard error alone, and has its exit code")
    func table() throws {
        let world = try World()
        for misuse in Self.table {
            let socket = misuse.socket(world)
            let words = misuse.starter + [builtProgram("jokesctl"), "--socket", socket] + misuse.arguments
            let result = try ChildProcess.run(words[0], Array(words.dropFirst()))
            #expect(result.ending == .exited(misuse.status), "\(misuse.name): \(result)")
            #expect(result.output.isEmpty, "\(misuse.name)")
            let lines = result.errors.split(separator: "\n", omittingEmptySubsequences: false)
            let sentence = misuse.sentence.split(separator: "@", omittingEmptySubsequences: false).joined(
                separator: socket)
            #expect(lines.first == "jokesctl: \(sentence)", "\(misuse.name)")
            #expect(lines.dropFirst().first?.hasPrefix(misuse.hint) == true, "\(misuse.name): \(result.errors)")
            #expect(
                lines.last == "" && lines.count == 3 || misuse.name == "ambiguous id",
                "\(misuse.name): \(result.errors)")
        }
    }

    @Test(
        "no newer daemon is misunderstood silently: an unknown error, interface or parameter is told with both versions"
    )
    func newer() throws {
        let other = try OtherDaemon(
            product: "tunesd", version: "2", "interface org.tunes.Player\nmethod Play() -> ()\n")
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", other.socket, "status"])
        #expect(result.ending == .exited(1))
        #expect(
            result.errors == """
                jokesctl: What answers there is no jokesd.
                It is tunesd 2: the option --socket PATH, or JOKESD_SOCKET, names another socket.

                """)
    }

    @Test("a disk that is full under the output is told, and that what was printed is not complete")
    func fullDisk() throws {
        let daemon = try DaemonUnderTest()
        let result = try ChildProcess.run(
            "/bin/sh",
            ["-c", #"exec "$@" >/dev/full"#, "sh", builtProgram("jokesctl"), "--socket", daemon.socket, "list"])
        #expect(result.ending == .exited(70))
        #expect(
            result.errors == """
                jokesctl: Cannot write to standard output: no space left on device.
                What was printed is not complete.

                """)
    }

    @Test("what is closed at the start does not become the connection to the daemon, whatever is closed")
    func closed() throws {
        let daemon = try DaemonUnderTest()
        for closing in ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"] {
            let result = try ChildProcess.run(
                "/bin/sh",
                ["-c", #"exec "$@" \#(closing)"#, "sh", builtProgram("jokesctl"), "--socket", daemon.socket, "list"])
            #expect(result.ending == .exited(closing.contains(" >&-") || closing == ">&-" ? 70 : 0), "\(closing)")
        }
        #expect(!daemon.process.errors.text.contains("disconnected"), "\(daemon.process.errors.text)")
    }
}
