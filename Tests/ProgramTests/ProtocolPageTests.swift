import TestSupport
import Testing
import Unix

/// docs/protocol.md, and the client that a stranger wrote from it.
@Suite(.enabled(if: PlainPython.path != nil, "\(PlainPython.absence)"))
struct ProtocolPageTests {
    private func page() throws -> String {
        String(decoding: try contentsOfFile(PlainPython.checkout("docs/protocol.md"), limit: 1 << 20), as: UTF8.self)
    }

    private func replay(_ page: String) throws -> ChildProcess.Result {
        let folder = try TemporaryFolder()
        let file = try folder.write(page, to: "page.md")
        return try ChildProcess.run(
            try #require(PlainPython.path), PlainPython.arguments("replay_page.py", [file]))
    }

    @Test("the client says and takes the page's example byte for byte, and has the page's picture after each step")
    func example() throws {
        let result = try replay(try page())
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

    @Test(
        "a page that says something else is found out",
        arguments: [
            // A byte, the text beside the bytes, a byte and its text, a picture.
            ("7b 22 6d 65 74 68", "7b 22 6d 65 74 69"),
            ("6f  {\"method\":\"org.jokesd.Jo\n", "6f  {\"method\":\"org.jokesd.JO\n"),
            ("7a 65 22 3a 32 7d", "7a 65 22 3a 32 20"),
            ("    3  jokes: joke/mine:3\n", "    3  jokes: joke/mine:2\n"),
            ("    6  favoriteJokes", "    7  favoriteJokes"),
        ])
    func falsehood(_ said: String, _ changed: String) throws {
        let page = try page()
        var pieces = page.split(separator: said, omittingEmptySubsequences: false)
        // Once is enough.
        let head = try #require(pieces.count > 1 ? pieces.removeFirst() : nil, "the page says \(said)")
        let result = try replay(head + changed + pieces.joined(separator: said))
        #expect(result.ending == .exited(1), "\(result)")
        #expect(result.errors.hasPrefix("replay_page: "), "\(result.errors)")
    }
}
