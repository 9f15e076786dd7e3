import TestSupport
import Testing
import Unix

/// A sync of a source whose service answers each request with a random joke.
@Suite struct RandomSourceTests {
    enum Answer: Sendable { case new, old, status500, warning, status429 }

    private static func answer(_ answer: Answer, _ number: Int) -> LoopbackAnswer {
        switch answer {
        case .new: .json(#"{"joke": "Joke number \#(number)."}"#)
        case .old: .json(#"{"joke": "The old one."}"#)
        case .status500: .json("{}", status: 500)
        case .warning: .text(#"<b>Warning</b>: slow {"joke": "Lost."}"#, type: "text/html")
        case .status429: .json("{}", status: 429)
        }
    }

    struct Case: Sendable {
        /// Returns the answer to the request with this number, from 1.
        let answer: @Sendable (Int) -> Answer
        let requests: Int
        let status: Int32
        let line: String
    }

    static let cases = [
        Case(
            answer: { $0 == 2 ? .status500 : $0 == 5 ? .warning : .new }, requests: 50, status: 0,
            line: "48 new of 48, 2 refused"),
        Case(answer: { $0 % 2 == 1 ? .status500 : .new }, requests: 50, status: 0, line: "25 new of 25, 25 refused"),
        Case(
            answer: { $0 == 1 ? .new : $0 == 3 ? .status500 : .old }, requests: 6, status: 0,
            line: "2 new of 5, 1 refused"),
        Case(answer: { _ in .status500 }, requests: 3, status: 75, line: "failed: "),
        Case(answer: { $0 <= 10 ? .new : .warning }, requests: 23, status: 75, line: "failed: "),
        Case(answer: { $0 == 4 ? .status429 : .new }, requests: 4, status: 75, line: "failed: "),
    ]

    @Test("a sync skips failed requests, and fails if most of them fail or the service is busy", arguments: cases)
    func sync(_ expected: Case) throws {
        let server = try LoopbackServer()
        let count = Locked(0)
        server.route("/joke") { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Self.answer(expected.answer(number), number)
        }
        let folder = try TemporaryFolder()
        let file = try folder.write(
            configuration(
                #"{"name": "mine", "type": "json", "url": "\#(server.url)/joke", "allowLocalNetwork": true, "strategy": "random", "map": {"text": "/joke"}}"#
            ),
            to: "config.json")
        let result = try ChildProcess.run(
            builtProgram("jokesd"), ["--config", file, "--state-dir", folder.path("state"), "--once"])
        #expect(result.ending == .exited(expected.status), "\(result.errors)")
        #expect(result.output.hasPrefix("mine: \(expected.line)"), "\(result.output)")
        #expect(server.requests.count == expected.requests)
    }
}
