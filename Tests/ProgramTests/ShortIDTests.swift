import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The short IDs that jokesctl prints for people.
@Suite struct ShortIDTests {
    @Test("every command prints short IDs and accepts them; JSON, formats and --full-ids have the full ones")
    func everywhere() async throws {
        let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 2)
        let (id, short) = (ids[0], ids[0].shortened)
        try #require(short != id)
        let commands = [
            ["list"], ["search", "duck"], ["favorites"], ["show", short], ["favorite", short], ["unfavorite", short],
            ["hide", short], ["hidden"], ["unhide", short], ["favorite", id], ["hide", id], ["unhide", id],
        ]
        for command in commands {
            let result = try daemon.control(command)
            #expect(result.ending == .exited(0) && result.output.contains(short), "\(command): \(result)")
            #expect(!result.output.contains(":~"), "\(command): \(result.output)")
        }
        let full = [
            ["--full-ids", "list"], ["list", "--full-ids"], ["list", "--format", "{id}"], ["--json", "list"],
            ["favorites", "--full-ids"], ["show", "--full-ids", short], ["search", "duck", "--full-ids"],
            ["favorite", "--full-ids", id], ["hide", "--full-ids", id], ["unhide", "--full-ids", id],
            ["show", "--json", short], ["show", short, "--format", "{id}"],
        ]
        for command in full {
            let result = try daemon.control(command)
            #expect(result.ending == .exited(0) && result.output.contains(id), "\(command): \(result)")
        }
        let watcher = try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "watch", "--limit", "5"])
        try watcher.output.waitForLine(with: short)
        #expect(try daemon.control("unfavorite", id).ending == .exited(0))
        try watcher.output.waitForLine(with: "☆ \(short)")
        #expect(!watcher.output.text.contains(":~"))
    }

    /// Answers List with three pages of 100 jokes, and Random.
    private func standIn(calls: Locked<[Int]>, shortens: Bool) throws -> OtherDaemon {
        @Sendable func joke(_ number: Int) -> Joke {
            .single("mine:~0000\(String(0x1234_5678_0000 + number, radix: 16))", "Duck \(number).")
        }
        return try OtherDaemon([
            .answer(ListMethod.name) { (parameters: ListMethod.Parameters) -> ListMethod.Reply in
                let page = Int(parameters.parameters.cursor ?? "0") ?? 0
                let next = page == 2 ? nil : "\(page + 1)"
                return ListMethod.Reply(jokes: (0..<100).map { joke(100 * page + $0) }, total: 300, next: next)
            },
            .answer(RandomMethod.name) { (_: RandomMethod.Parameters) in RandomMethod.Reply(joke: joke(0)) },
            .answer(AbbreviateMethod.name) { (parameters: AbbreviateMethod.Parameters) -> AbbreviateMethod.Reply in
                calls.withLock { $0.append(parameters.ids.count) }
                if !shortens { throw ErrorReply("org.jokesd.Jokes.Busy", ["retryAfterMs": 1]) }
                return AbbreviateMethod.Reply(ids: parameters.ids.map(\.shortened))
            },
        ])
    }

    @Test("a list makes one call for each page, and random, JSON and --full-ids make none")
    func calls() throws {
        let calls = Locked<[Int]>([])
        let daemon = try standIn(calls: calls, shortens: true)
        let list = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", daemon.socket, "list"])
        #expect(list.output.hasPrefix("  mine~000012  Duck 0.\n"))
        #expect(calls.withLock { $0 } == [100, 100, 100])
        for command in [["random"], ["--json", "list"], ["--full-ids", "list"], ["list", "--format", "{id}"]] {
            let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", daemon.socket] + command)
            #expect(result.ending == .exited(0))
        }
        #expect(calls.withLock { $0.count } == 3)
    }

    @Test("if the daemon cannot shorten IDs, they are printed in full")
    func unavailable() throws {
        let calls = Locked<[Int]>([])
        let daemon = try standIn(calls: calls, shortens: false)
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", daemon.socket, "list"])
        #expect(result.ending == .exited(0) && result.output.split(separator: "\n").count == 300)
        #expect(result.output.hasPrefix("  mine:~0000123456780000  Duck 0.\n"))
    }
}
