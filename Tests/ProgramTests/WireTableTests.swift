import Glibc
import TestSupport
import Testing

/// Messages to a daemon, byte by byte, and the answers. `|` is the NUL that ends a message.
@Suite struct WireTableTests {
    private static let method = "org.jokesd.Jokes."
    private static let standard = "org.varlink.service."

    /// The answer of the daemon.
    enum Outcome: Sendable {
        /// Replies with these beginnings, and then the end of the connection.
        case replies([String])
        /// The end of the connection, and the reason in the log.
        case end(String)
        /// Replies, the end of the connection, and the reason in the log.
        case repliesAndEnd([String], String)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let sent: [UInt8]
        let outcome: Outcome
        var testDescription: String { name }

        init(_ name: String, _ sent: String, _ outcome: Outcome) {
            self.init(name, Array(sent.utf8), outcome)
        }

        init(_ name: String, _ sent: [UInt8], _ outcome: Outcome) {
            self.name = name
            self.sent = sent.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
            self.outcome = outcome
        }
    }

    private static func call(_ name: String, _ parameters: String? = nil, _ rest: String = "") -> String {
        let parameters = parameters.map { #","parameters":\#($0)"# } ?? ""
        return #"{"method":"\#(method)\#(name)"\#(parameters)\#(rest)}|"#
    }

    private static func invalid(_ parameter: String) -> Outcome {
        .replies([#"{"error":"\#(standard)InvalidParameter","parameters":{"parameter":"\#(parameter)"}}"#])
    }

    private static let status = call("Status")
    private static let printed = #"{"parameters":{"version":""#
    private static let unknown = call("Get", #"{"id":"nobody:1"}"#)
    private static let noSuchJoke = #"{"error":"\#(method)NoSuchJoke","parameters":{"id":"nobody:1"}}"#
    private static let deep = String(repeating: "[", count: 3000) + String(repeating: "]", count: 3000)

    static let rows: [Row] =
        frames + calls + parameters + texts

    private static let frames = [
        Row("no NUL", #"{"method":"\#(method)Status"}"#, .end("the connection ended within a message")),
        Row("no bytes", "", .replies([])),
        Row("an empty message", "|", .end("a message is empty")),
        Row("an empty message after a call", status + "|" + status, .repliesAndEnd([printed], "a message is empty")),
        Row("seventeen megabytes", [UInt8](repeating: 0x20, count: 17 << 20), .end("longer than 1048576 bytes")),
        Row("two messages in one write", status + unknown, .replies([printed, noSuchJoke])),
        Row(
            "a hundred messages in one write", String(repeating: status, count: 100),
            .replies(.init(repeating: printed, count: 100))),
        Row("not an object", "[1]|", .end("a message is not an object")),
        Row("not JSON", "hello|", .end("expected a value")),
        Row("no method", "{}|", .end("a call has no method")),
        Row("a key twice", #"{"method":"a.B","method":"a.B"}|"#, .end("duplicate member 'method'")),
    ]

    private static let long = String(repeating: "n", count: (1 << 20) - 60)

    private static let calls = [
        Row(
            "a method's name of a megabyte", #"{"method":"\#(method)\#(long)"}|"#,
            .replies([#"{"error":"\#(standard)MethodNotFound","parameters":{"method":"\#(method)nnnn"#])),
        Row(
            "an interface's name of a megabyte", #"{"method":"\#(long).A"}|"#,
            .replies([#"{"error":"\#(standard)InterfaceNotFound","parameters":{"interface":"nnnn"#])),
        Row(
            "a megabyte of combining marks", #"{"method":"a.e\#(String(repeating: "\u{301}", count: 1 << 18))"}|"#,
            .replies([#"{"error":"\#(standard)InterfaceNotFound","parameters":{"interface":"a"}}"#])),
        Row(
            "an unknown method", call("Steal"),
            .replies([#"{"error":"\#(standard)MethodNotFound","parameters":{"method":"\#(method)Steal"}}"#])),
        Row(
            "an unknown interface", #"{"method":"org.nobody.Status"}|"#,
            .replies([#"{"error":"\#(standard)InterfaceNotFound","parameters":{"interface":"org.nobody"}}"#])),
        Row("oneway", call("Status", nil, #","oneway":true"#) + unknown, .replies([noSuchJoke])),
        Row(
            "oneway to a method that fails", call("Get", #"{"id":"nobody:1"}"#, #","oneway":true"#) + status,
            .replies([printed])),
        Row("oneway to an unknown method", call("Steal", nil, #","oneway":true"#) + status, .replies([printed])),
        Row(
            "more to a plain method", call("Status", nil, #","more":true"#) + unknown, .replies([printed, noSuchJoke])),
        Row(
            "more to a method that fails", call("Get", #"{"id":"nobody:1"}"#, #","more":true"#), .replies([noSuchJoke])),
        Row("oneway and more", call("Watch", nil, #","oneway":true,"more":true"#), .end("cannot be combined")),
        Row(
            "upgrade", call("Status", nil, #","upgrade":true"#) + status,
            .replies([
                #"{"error":"\#(standard)MethodNotImplemented","parameters":{"method":"\#(method)Status"}}"#, printed,
            ])),
        Row("more that is not a boolean", call("Watch", nil, #","more":1"#), .end("is not a boolean")),
        Row("a key of a later Varlink", call("Status", nil, #","later":{"a":[null]}"#), .replies([printed])),
        Row(
            "everything null",
            #"{"method":"\#(method)Status","parameters":null,"more":null,"oneway":null,"upgrade":null}|"#,
            .replies([printed])),
    ]

    private static let parameters = [
        Row("parameters in a list", call("Status", "[]"), invalid("parameters")),
        Row("an unknown parameter", call("Status", #"{"x":1}"#), invalid("x")),
        Row("a parameter of another type", call("List", #"{"limit":"5"}"#), invalid("limit")),
        Row("an id of a megabyte", call("Get", #"{"id":"\#(long.dropLast(20))"}"#), .replies([#"{"error":""#])),
        Row("a missing parameter", call("Get", "{}"), invalid("id")),
        Row("a parameter twice", call("Get", #"{"id":"a:1","id":"a:1"}"#), invalid("id")),
        Row("a float for an integer", call("List", #"{"limit":5.0}"#), invalid("limit")),
        Row("an integer with an exponent", call("List", #"{"limit":5e0}"#), invalid("limit")),
        Row("an unknown choice", call("Suggest", #"{"what":"joke","prefix":""}"#), invalid("what")),
        Row("an integer past 64 bits", call("List", #"{"limit":9223372036854775808}"#), invalid("limit")),
        Row("a negative integer", call("List", #"{"limit":-1}"#), invalid("limit")),
        Row("an unknown nested parameter", call("Watch", #"{"view":{"queryy":"a"}}"#), invalid("view.queryy")),
        Row(
            "a name of a megabyte", call("Get", #"{"\#(String(repeating: "n", count: 1 << 19))":1}"#),
            .replies([#"{"error":"\#(standard)InvalidParameter","parameters":{"parameter":"nnnn"#])),
    ]

    private static let texts = [
        Row(
            "bytes that are not UTF-8",
            Array(#"{"method":"\#(method)Get","parameters":{"id":""#.utf8) + [0xC3, 0x28] + Array("\"}}|".utf8),
            .end("not UTF-8 text")),
        Row("a lone surrogate", call("Get", #"{"id":"\ud800"}"#), .end("lone surrogate")),
        Row("half a surrogate pair", call("Get", #"{"id":"\ud83d\u0041"}"#), .end("lone surrogate")),
        Row("U+0000", call("Get", #"{"id":"\u0000"}"#), .end("U+0000 is not allowed")),
        Row("a line break in a text", call("Get", "{\"id\":\"a\nb\"}"), .end("unescaped control character")),
        Row("arrays nested three thousand deep", call("Get", deep), .end("nested too deeply")),
    ]

    @Test("each message of the table is answered as the protocol says, and the daemon stays usable", arguments: rows)
    func answers(_ row: Row) async throws {
        let daemon = try DaemonUnderTest(arguments: ["--log-level", "debug"])
        let client = try RawClient(daemon.socket)
        try client.send(row.sent)
        client.shutDownWriting()
        let (expected, reason): ([String], String?) =
            switch row.outcome {
            case .replies(let replies): (replies, nil)
            case .end(let reason): ([], reason)
            case .repliesAndEnd(let replies, let reason): (replies, reason)
            }
        let replies = try client.receiveAll().split(separator: "|").map(String.init)
        #expect(replies.count == expected.count, "\(replies)")
        for (reply, words) in zip(replies, expected) {
            #expect(reply.hasPrefix(words), "\(reply)")
            #expect(try StockReply.problem(with: reply) == nil)
        }
        if let reason {
            try daemon.process.errors.waitForLine(with: reason)
            let line = try #require(daemon.process.errors.lines.first { $0.contains(reason) })
            #expect(line.contains("(pid \(getpid()), uid \(getuid())) disconnected: "))
        } else {
            #expect(!daemon.process.errors.text.contains("disconnected: "))
        }
        #expect(try daemon.control("status").ending == .exited(0))
    }

    @Test("a call that arrives byte by byte is answered like a whole one")
    func bytes() throws {
        let daemon = try DaemonUnderTest()
        let client = try RawClient(daemon.socket)
        for byte in (Self.unknown + Self.unknown).utf8 { try client.send([byte == UInt8(ascii: "|") ? 0 : byte]) }
        #expect(try client.receive() == Self.noSuchJoke)
        #expect(try client.receive() == Self.noSuchJoke)
    }

    @Test("--socket accepts a Varlink address with a mode, and an invalid mode is reported")
    func address() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("other")
        let daemon = try DaemonUnderTest(arguments: ["--socket", "unix:\(path);mode=0620"])
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o620)
        let control = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", "unix:\(path)", "status"])
        #expect(control.ending == .exited(0), "\(control)")
        withExtendedLifetime(daemon) {}
        let state = folder.path("state")
        let refused = try ChildProcess.run(
            builtProgram("jokesd"), ["--state-dir", state, "--socket", "unix:\(path);mode=0999"])
        #expect(refused.ending == .exited(64))
        #expect(refused.errors.contains("mode must have 3 or 4 octal digits, up to 0777"), "\(refused)")
    }
}
