import TestSupport
import Testing

/// docs/protocol.md, and the client that a stranger wrote from it.
@Suite(.enabled(if: PlainPython.path != nil, "\(PlainPython.absence)"))
struct ProtocolPageTests {
    @Test("the client says and takes the page's example byte for byte, and has the page's picture after each step")
    func example() throws {
        let arguments = PlainPython.arguments("replay_page.py", [PlainPython.checkout("docs/protocol.md")])
        let result = try ChildProcess.run(try #require(PlainPython.path), arguments)
        #expect(result.ending == .exited(0), "\(result.errors)")
        #expect(result.output == "4 messages and 7 pictures are as the page shows them.\n")
        #expect(result.errors.isEmpty)
    }

    @Test("a daemon answers what the page says that it answers, byte for byte but for its own times")
    func answers() throws {
        let daemon = try DaemonUnderTest()
        let arguments = [daemon.socket, PlainPython.checkout("docs/protocol.md")]
        let result = try ChildProcess.run(
            try #require(PlainPython.path), PlainPython.arguments("ask_page.py", arguments))
        #expect(result.ending == .exited(0), "\(result.errors)")
        #expect(result.output == "The daemon says what the page says.\n")
    }
}
