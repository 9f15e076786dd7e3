import Glibc
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

@testable import JokesClient

@Suite struct ClientErrorWordsTests {
    @Test("each error of the interface has its sentence and its hint", arguments: refusals)
    func words(refusal: JokesError, sentence: String, hint: String?) {
        #expect(ClientError.refused(refusal).sentence == sentence)
        #expect(ClientError.refused(refusal).hint == hint)
    }

    @Test("the errors of Varlink have sentences, and an unknown error is named", arguments: unknownErrors)
    func unknown(reply: ErrorReply, sentence: String) {
        #expect(ClientError.unknownError(reply).sentence == sentence)
    }

    @Test(
        "the hint after an unknown error names the service and both versions",
        arguments: [
            (nil, "This program has version \(jokesdVersion). Compare with: jokesd --version"),
            (("jokesd", jokesdVersion), "Both programs have version \(jokesdVersion): please report this as a bug."),
            (
                ("jokesd", "9.1"),
                "jokesd has version 9.1, this program has version \(jokesdVersion). Install the same version of both, then "
                    + "restart the daemon."
            ),
            (("tunesd", "2"), "The service is tunesd 2. Name another socket with --socket PATH or $JOKESD_SOCKET."),
        ] as [((String, String)?, String)])
    func versions(service: (product: String, version: String)?, hint: String) {
        let name = service.map { ClientError.ServiceName(product: $0.product, version: $0.version) }
        #expect(ClientError.unknownError(.permissionDenied, by: name).hint == hint)
    }

    @Test("a service without a name and without the interface is not reported as another version")
    func namelessService() {
        let hint = ClientError.unknownError(.interfaceNotFound("org.jokesd.Jokes")).hint
        #expect(hint == "Name another socket with --socket PATH or $JOKESD_SOCKET.")
    }

    @Test("an invalid message is reported as from another program, and its bytes are not quoted")
    func malformed() {
        let error = ClientError(VarlinkError.malformed(reason: "byte 0"))
        #expect(
            error.sentence == "The service at this socket sent an invalid answer; it may not be jokesd."
                && error.hint == "Name another socket with --socket PATH or $JOKESD_SOCKET.")
    }

    @Test(
        "a hint names systemctl only if systemd runs, and a socket if there is no folder for it",
        arguments: [
            ("/run/user/7/jokesd/jokesd.sock", true, true, "systemctl --user start jokesd, or: jokesd &"),
            ("/run/user/7/jokesd/jokesd.sock", true, false, "jokesd &"),
            (SocketPath.system, true, true, "sudo systemctl start jokesd.socket"),
            (SocketPath.system, true, false, "jokesd &"),
            (SocketPath.system, false, false, "export JOKESD_SOCKET=~/jokesd.sock; jokesd &"),
            ("/tmp/a b", true, true, "jokesd --socket '/tmp/a b' &"),
        ])
    func starting(path: String, hasRuntimeFolder: Bool, hasSystemd: Bool, command: String) {
        let personal = hasRuntimeFolder ? "/run/user/7/jokesd/jokesd.sock" : nil
        #expect(
            startHint(at: path, personal: personal, hasSystemd: hasSystemd, isRoot: false, running: nil)
                == "Start the daemon: \(command)")
    }

    @Test("without a folder for its socket, root needs no other socket")
    func startingAsRoot() {
        #expect(
            startHint(at: SocketPath.system, personal: nil, hasSystemd: false, isRoot: true, running: nil)
                == "Start the daemon: jokesd &")
    }

    @Test("if nothing listens at the first path, the error is of a later path that denies the connection")
    func laterPath() throws {
        let folder = try TemporaryFolder()
        let (missing, loop) = (folder.path("missing"), folder.path("loop"))
        try retrying("link", loop) { symlink(loop, loop) }
        for (paths, failed) in [([missing, loop], loop), ([loop, missing], loop), ([missing, "/nowhere"], missing)] {
            let error = #expect(throws: ClientError.self) { try JokesConnection(to: paths).connect() }
            #expect(error?.sentence.hasPrefix("Cannot connect to the daemon at \(failed):") == true)
        }
    }

    private static let unknownErrors: [(ErrorReply, sentence: String)] = [
        (.methodNotFound("org.jokesd.Jokes.Tell"), "The daemon does not know the method org.jokesd.Jokes.Tell."),
        (.methodNotImplemented("Tell"), "The daemon does not know the method Tell."),
        (.invalidParameter("view.size"), "The daemon rejected the parameter view.size."),
        (.interfaceNotFound("org.jokesd.Jokes"), "The service at this socket is not jokesd."),
        (.permissionDenied, "The daemon denied permission."),
        (
            ErrorReply("org.example.Odd", ["why": ["nobody", "knows"]]),
            "The daemon answered with an unknown error: org.example.Odd."
        ),
    ]

    @Test("a sentence shows no Swift syntax, and ends with a period or a colon")
    func sentences() {
        let errors =
            Self.refusals.map { ClientError.refused($0.0) } + [
                .unreachable(path: "/run/jokesd.sock", reason: "connection refused", errno: ECONNREFUSED),
                .broken(reason: "The daemon ended the stream."),
            ] + Self.unknownErrors.map { .unknownError($0.0) }
        for error in errors {
            #expect(error.sentence.hasSuffix(".") || error.sentence.hasSuffix(":"), "\(error.sentence)")
            for sign in ["Optional", "JokesError", "reason:", "nil", "{", "\""] {
                #expect(!error.sentence.contains(sign) && error.hint?.contains(sign) != true)
            }
        }
    }

    @Test(
        "a clause has no capital at its start and no period at its end",
        arguments: [
            ("The disk is full.", "the disk is full"), ("/a/b: no such file", "/a/b: no such file"),
            ("JSON is malformed.", "JSON is malformed"), ("ID prefix 'd' is ambiguous:", "ID prefix 'd' is ambiguous:"),
            ("", ""), (".", ""), ("A", "a"),
        ])
    func clauses(sentence: String, clause: String) {
        #expect(JokesCore.clause(of: sentence) == clause)
    }

    @Test("a denied connection is reported, and only for the system daemon with the group", arguments: [EACCES, EPERM])
    func forbidden(code: Int32) throws {
        let error = ClientError.unreachable(path: "/run/jokesd.sock", reason: "permission denied", errno: code)
        #expect(error.sentence == "Cannot connect to the daemon at /run/jokesd.sock: permission denied.")
        #expect(try #require(error.hint).hasPrefix("The socket may belong to another user."))
        let system = ClientError.unreachable(path: SocketPath.system, reason: "permission denied", errno: code)
        #expect(try #require(system.hint).contains("group jokes"))
    }

    private static let refusals: [(JokesError, sentence: String, hint: String?)] = [
        (
            .storageUnavailable(reason: "the disk of /var/lib/jokesd is full", hint: "Make room on the disk."),
            "The daemon cannot use its storage: the disk of /var/lib/jokesd is full.", "Make room on the disk."
        ),
        (
            .storageUnavailable(reason: "it is odd"), "The daemon cannot use its storage: it is odd.",
            "Try: jokesctl status"
        ),
        (
            .noSuchJoke(id: "dad:1"), "No joke matches 'dad:1'.",
            "Try: jokesctl list. A joke that the filter excludes is not shown."
        ),
        (
            .noSuchJoke(id: "last"),
            "No joke was printed yet, or the last one was removed or is excluded by the filter.",
            "Try: jokesctl random"
        ),
        (
            .ambiguousID(id: "d", matches: ["dad:1", "dad:2"]), "ID prefix 'd' is ambiguous:",
            "  dad:1\n  dad:2\nUse a longer prefix."
        ),
        (.unknownName(what: .source, name: "dad"), "Unknown source 'dad'.", "Try: jokesctl sources"),
        (.unknownName(what: .language, name: "enn", nearest: "en"), "Unknown language 'enn'.", "Did you mean 'en'?"),
        (
            .sourceFailed(reason: "https://a.org returned 404", hint: "Check the address."),
            "Cannot read the source: https://a.org returned 404.", "Check the address."
        ),
        (.configurationRefused(reason: "c.json:1: odd"), "The daemon refused the configuration: c.json:1: odd.", nil),
        (
            .noJokes(reason: "all are hidden"), "No joke to show: all are hidden.", "Try: jokesctl status"
        ),
        (.busy(retryAfterMs: 1500), "The daemon is busy.", "Try again in 2 seconds."),
        (.busy(retryAfterMs: 0, reason: "it starts"), "Not now: it starts.", "Try again in 1 second."),
        (.noSuchImport(id: "7"), "The daemon no longer has this import.", "Nothing was imported. Try again."),
        (.importRefused(reason: "too large"), "The daemon refused the import: too large.", "Nothing was imported."),
        (
            .cannotStart(reason: "The state is in use.", hint: "Another jokesd runs on it."),
            "The daemon cannot start: the state is in use.", "Another jokesd runs on it."
        ),
        (
            .cannotStart(reason: "The disk is broken."), "The daemon cannot start: the disk is broken.",
            hasSystemd
                ? "See the log: journalctl --user -u jokesd (system daemon: journalctl -u jokesd)"
                : "See the log of jokesd, which it writes to standard error."
        ),
    ]
}
