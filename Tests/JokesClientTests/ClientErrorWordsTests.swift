import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Testing
import Varlink

@Suite struct ClientErrorWordsTests {
    @Test("what a refusal of the daemon means is said, and its hint is passed on", arguments: refusals)
    func words(refusal: JokesError, sentence: String, hint: String?) {
        #expect(ClientError.refused(refusal).sentence == sentence)
        #expect(ClientError.refused(refusal).hint == hint)
    }

    @Test("what every service may answer is said in words, and of what nobody knows the name", arguments: strangers)
    func unknown(reply: ErrorReply, sentence: String) {
        #expect(ClientError.misunderstood(reply).sentence == sentence)
    }

    @Test(
        "whom a program does not understand it names, with both versions",
        arguments: [
            (nil, "It may be of another version than \(jokesdVersion), as this is: jokesd --version tells."),
            (("jokesd", jokesdVersion), "Both are of version \(jokesdVersion): it is a mistake in one of them."),
            (
                ("jokesd", "9.1"),
                "It is jokesd 9.1, and this is of \(jokesdVersion): install both of one version, and start it anew."
            ),
            (("tunesd", "2"), "It is tunesd 2: the option --socket PATH, or JOKESD_SOCKET, names another socket."),
        ] as [((String, String)?, String)])
    func versions(service: (product: String, version: String)?, hint: String) {
        let name = service.map { ClientError.ServiceName(product: $0.product, version: $0.version) }
        #expect(ClientError.misunderstood(.permissionDenied, by: name).hint == hint)
    }

    private static let strangers: [(ErrorReply, sentence: String)] = [
        (.methodNotFound("org.jokesd.Jokes.Tell"), "The daemon does not know the method org.jokesd.Jokes.Tell."),
        (.methodNotImplemented("Tell"), "The daemon does not know the method Tell."),
        (.invalidParameter("view.size"), "The daemon does not take the parameter view.size as it was given."),
        (.interfaceNotFound("org.jokesd.Jokes"), "What answers there is no jokesd."),
        (.permissionDenied, "The daemon does not permit it."),
        (
            ErrorReply("org.example.Odd", ["why": ["nobody", "knows"]]),
            "The daemon answered with an error that is not known here, org.example.Odd."
        ),
    ]

    @Test("no error is told as a program writes it, and each sentence is one")
    func sentences() {
        let errors =
            Self.refusals.map { ClientError.refused($0.0) } + [
                .unreachable(path: "/run/jokesd.sock", reason: "connection refused", errno: ECONNREFUSED),
                .broken(reason: "The daemon ended the stream."),
            ] + Self.strangers.map { .misunderstood($0.0) }
        for error in errors {
            #expect(error.sentence.hasSuffix(".") || error.sentence.hasSuffix(":"), "\(error.sentence)")
            for sign in ["Optional", "JokesError", "reason:", "nil", "{", "\""] {
                #expect(!error.sentence.contains(sign) && error.hint?.contains(sign) != true)
            }
        }
    }

    @Test("who may not connect is told so, and not to start what runs", arguments: [EACCES, EPERM])
    func forbidden(code: Int32) throws {
        let error = ClientError.unreachable(path: "/run/jokesd.sock", reason: "permission denied", errno: code)
        #expect(error.sentence == "The daemon cannot be reached at /run/jokesd.sock: permission denied.")
        #expect(try #require(error.hint).contains("group jokes"))
    }

    private static let refusals: [(JokesError, sentence: String, hint: String?)] = [
        (
            .storageUnavailable(reason: "the disk of /var/lib/jokesd is full", hint: "Make room on the disk."),
            "The daemon cannot use its storage: the disk of /var/lib/jokesd is full.", "Make room on the disk."
        ),
        (
            .storageUnavailable(reason: "it is odd"), "The daemon cannot use its storage: it is odd.",
            "jokesctl status says what can be done."
        ),
        (.noSuchJoke(id: "dad:1"), "There is no joke dad:1.", "jokesctl list shows the ids."),
        (
            .ambiguousID(id: "d", matches: ["dad:1", "dad:2"]), "The beginning d names more than one joke:",
            "  dad:1\n  dad:2"
        ),
        (.noSuchSource(name: "dad"), "There is no source dad.", "jokesctl sources lists them."),
        (
            .noJokes(reason: "all are told"), "There is nothing to tell: all are told.",
            "jokesctl status shows what is cached and how the sources do."
        ),
        (.busy(retryAfterMs: 1500), "The daemon is busy.", "Try again in 2 s."),
        (.busy(retryAfterMs: 0, reason: "it starts"), "The daemon is busy: it starts.", "Try again in 1 s."),
        (.noSuchImport(id: "7"), "The daemon has forgotten the import.", "Nothing was imported; try again."),
        (.importRefused(reason: "too large"), "The daemon refused the import: too large.", "Nothing was imported."),
        (
            .cannotStart(reason: "The state is in use.", hint: "Another jokesd runs on it."),
            "The daemon cannot start: The state is in use.", "Another jokesd runs on it."
        ),
        (
            .cannotStart(reason: "The disk is broken."), "The daemon cannot start: The disk is broken.",
            "journalctl -u jokesd, or with --user, says more."
        ),
    ]
}
