import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Lists of several pages, in each format.
@Suite struct PagedListTests {
    private static let formats = [[], ["--json"], ["--format", "{setup}"]]

    /// Answers List with this number of pages of 100 jokes. `page` may wait or throw before the answer.
    private func standIn(_ pages: Int = .max, page: @escaping @Sendable (Int) throws -> Void = { _ in })
        throws -> OtherDaemon
    {
        try OtherDaemon([
            .answer(ListMethod.name) { (parameters: ListMethod.Parameters) -> ListMethod.Reply in
                let number = Int(parameters.parameters.cursor ?? "0") ?? 0
                try page(number)
                let jokes = (100 * number..<100 * number + 100).map { row in
                    Joke.single("mine:\(row)", "Duck \(row). \(Self.filling)")
                }
                let next = number + 1 == pages ? nil : "\(number + 1)"
                return ListMethod.Reply(jokes: jokes, total: 1000, next: next)
            }
        ])
    }

    private static let filling = String(repeating: "quack ", count: 100)

    private func start(_ arguments: [String], _ daemon: OtherDaemon) throws -> ChildProcess {
        try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "list"] + arguments)
    }

    @Test("a page is printed before the next page is requested", arguments: formats)
    func order(format: [String]) throws {
        let isPrinted = try Mailbox<Void>()
        let daemon = try standIn(3) { if $0 == 1 { try isPrinted.take("the first page was printed") } }
        let list = try start(format, daemon)
        try list.output.waitFor("Duck 99.")
        isPrinted.put(())
        #expect(try list.waitForEnd() == .exited(0))
        #expect(list.output.text.ranges(of: "Duck ").count == 300)
        if format == ["--json"] { #expect(try AnyJSON(list.output.text).elements.count == 300) }
    }

    @Test("the memory of jokesctl does not grow with the number of pages", arguments: formats)
    func memory(format: [String]) throws {
        let requested = try Mailbox<Int>()
        let isMeasured = try Mailbox<Void>()
        let daemon = try standIn(101) { number in
            guard [10, 100].contains(number) else { return }
            requested.put(number)
            try isMeasured.take("the memory was measured")
        }
        let list = try start(format, daemon)
        let peaks = try (0..<2).map { _ in
            _ = try requested.take("the page was requested")
            defer { isMeasured.put(()) }
            return try list.memory("VmHWM:")
        }
        // The rows of the pages between are 6 MB.
        #expect(peaks[1] < peaks[0] + 3_000, "\(peaks) kB")
        #expect(try list.waitForEnd() == .exited(0))
    }

    @Test("a list ends when the program that reads its output ends", arguments: formats)
    func head(format: [String]) throws {
        let daemon = try standIn()
        let result = try ChildProcess.run(
            "/bin/sh",
            ["-c", #""$0" "$@" | head -n 4"#, builtProgram("jokesctl"), "--socket", daemon.socket, "list"] + format)
        #expect(result.ending == .exited(0) && result.errors.isEmpty)
        #expect(result.output.contains("Duck 0.") && result.output.ranges(of: "\n").count == 4)
    }

    @Test("if a page fails, the pages before it are printed, then the error", arguments: formats)
    func failure(format: [String]) throws {
        let daemon = try standIn { number in
            let busy = JokesError.busy(retryAfterMs: 1)
            if number == 2 { throw ErrorReply(busy, of: JokesInterface.name) }
        }
        let list = try start(format, daemon)
        #expect(try list.waitForEnd() == .exited(75))
        #expect(list.errors.text.hasPrefix("jokesctl: the daemon is busy\n"))
        #expect(list.output.text.ranges(of: "Duck ").count == 200)
    }
}
