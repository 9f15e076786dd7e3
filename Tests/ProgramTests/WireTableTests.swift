import Glibc
import TestSupport
import Testing

/// Messages of megabytes, and calls with parameters of other types. `FrameTests` of Varlink has the other messages.
@Suite struct WireTableTests {
    private static let method = "org.jokesd.Jokes."
    private static let long = String(repeating: "n", count: (1 << 20) - 60)

    private static func call(_ name: String, _ parameters: String) -> String {
        #"{"method":"\#(method)\#(name)","parameters":\#(parameters)}|"#
    }

    /// The beginning of an error reply.
    private static func error(_ name: String, _ parameters: String) -> String {
        #"{"error":"org.varlink.service.\#(name)","parameters":{\#(parameters)"#
    }

    private static func invalid(_ parameter: String) -> String {
        error("InvalidParameter", #""parameter":"\#(parameter)"}"#)
    }

    /// Messages, in which `|` is the NUL at the end, and the beginnings of the replies.
    private static let rows: [(sent: String, reply: String)] = [
        (#"{"method":"\#(method)\#(long)"}|"#, error("MethodNotFound", #""method":"\#(method)nnnn"#)),
        (#"{"method":"\#(long).A"}|"#, error("InterfaceNotFound", #""interface":"nnnn"#)),
        (
            #"{"method":"a.e\#(String(repeating: "\u{301}", count: 1 << 18))"}|"#,
            error("InterfaceNotFound", #""interface":"a"}"#)
        ),
        (
            #"{"method":"\#(method)Status","parameters":null,"more":null,"oneway":null,"upgrade":null}|"#,
            #"{"parameters":{"version":""#
        ),
        (call("Get", #"{"id":"\#(long.dropLast(20))"}"#), #"{"error":""#),
        (
            call("Get", #"{"\#(String(repeating: "n", count: 1 << 19))":1}"#),
            error("InvalidParameter", #""parameter":"nnnn"#)
        ),
        (call("Suggest", #"{"what":"joke","prefix":""}"#), invalid("what")),
        (call("List", #"{"limit":9223372036854775808}"#), invalid("limit")),
        (call("List", #"{"limit":-1}"#), invalid("limit")),
        (call("Watch", #"{"view":{"queryy":"a"}}"#), invalid("view.queryy")),
    ]

    @Test("each message of the table is answered as the protocol says, and the daemon stays usable")
    func answers() throws {
        let daemon = try DaemonUnderTest(arguments: ["--log-level", "debug"])
        for (sent, reply) in Self.rows {
            let client = try RawClient(daemon.socket)
            try client.send(sent)
            client.shutDownWriting()
            let replies = try client.receiveAll().split(separator: "|").map(String.init)
            #expect(replies.count == 1 && replies[0].hasPrefix(reply), "\(sent.prefix(100)): \(replies)")
            #expect(try replies.allSatisfy { try StockReply.problem(with: $0) == nil })
        }
        #expect(!daemon.process.errors.text.contains("disconnected: "))
        let endless = try RawClient(daemon.socket)
        try endless.send([UInt8](repeating: UInt8(ascii: " "), count: 17 << 20))
        #expect(try endless.receiveAll().isEmpty)
        let reason = "longer than 1048576 bytes"
        try daemon.process.errors.waitForLine(with: reason)
        let line = try #require(daemon.process.errors.lines.first { $0.contains(reason) })
        #expect(line.contains("(pid \(getpid()), uid \(getuid())) disconnected: "))
        #expect(try daemon.control("status").ending == .exited(0))
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
