import Glibc
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The options of `jokesctl random` for prompts, login shells and scripts.
@Suite struct RandomCommandTests {
    private func daemon() async throws -> DaemonUnderTest {
        try await .serving(["One\n  duck.", "Two ducks."])
    }

    @Test("--single-line prints a joke of several lines on one line")
    func singleLine() async throws {
        let daemon = try await daemon()
        let result = try daemon.control("random", "--source", "fortunes", "--single-line", "--limit", "2")
        #expect(result.ending == .exited(0))
        #expect(Set(result.output.split(separator: "\n")) == ["One duck.", "Two ducks."])
    }

    @Test("--limit prints this number of jokes, with empty lines between them, and repeats none before all others")
    func count() async throws {
        let daemon = try await daemon()
        let text = try daemon.control("random", "--source", "fortunes", "-n", "2").output
        #expect(["One\n  duck.\n\nTwo ducks.\n", "Two ducks.\n\nOne\n  duck.\n"].contains(text), "\(text)")
        let list: [PrintedJoke] = try daemon.json("random", "--source", "starter", "--limit", "20")
        #expect(Set(list.map(\.id)).count == 20)
        #expect(try daemon.json("random", "--limit", "1", as: [PrintedJoke].self).count == 1)
        #expect(try daemon.json("random", "--source", "fortunes", as: PrintedJoke.self).id.hasPrefix("fortunes:"))
        #expect(try daemon.control("random", "--limit", "1001").ending == .exited(64))
    }

    @Test("the jokes before a failure are printed, as text and as a JSON list, and then the error")
    func cutOff() throws {
        let joke = Joke.single("mine:1", "One duck.")
        let asked = Locked(0)
        let service = try OtherDaemon([
            .answer(RandomMethod.name) { (_: RandomMethod.Parameters) -> RandomMethod.Reply in
                if asked.withLock({
                    $0 += 1; return $0
                }) % 2 == 1 {
                    return RandomMethod.Reply(joke: joke)
                }
                let refusal = JokesError.noJokes(reason: "none left")
                throw ErrorReply(refusal, of: JokesInterface.name)
            }
        ])
        let command = ["--socket", service.socket, "random", "--limit", "3"]
        let text = try ChildProcess.run(builtProgram("jokesctl"), command)
        #expect(text.ending == .exited(75) && text.output == "One duck.\n" && text.errors.contains("none left"))
        let json = try ChildProcess.run(builtProgram("jokesctl"), command + ["--json"])
        #expect(json.ending == .exited(75) && json.errors == text.errors)
        #expect(try AnyJSON(json.output).elements.map { $0["id"] } == [.string("mine:1")])
    }

    @Test("--quiet prints nothing without a daemon or a joke, but reports a wrong command")
    func quiet() async throws {
        let daemon = try await daemon()
        let none = try daemon.control("random", "--quiet", "--max-length", "1")
        #expect(none.ending == .exited(75) && none.output.isEmpty && none.errors.isEmpty)
        for command in [["random", "-q", "--source", "nobody"], ["random", "-q", "--limit", "0"]] {
            #expect(try !daemon.control(command).errors.isEmpty)
        }
        daemon.process.signal(SIGSTOP)
        let silent = try daemon.control("random", "--quiet")
        #expect(silent.ending == .exited(69) && silent.output.isEmpty && silent.errors.isEmpty)
        daemon.process.signal(SIGCONT)
        #expect(try daemon.stop() == .exited(0))
        let away = try daemon.control("random", "--quiet")
        #expect(away.ending == .exited(69) && away.output.isEmpty && away.errors.isEmpty)
        #expect(try !daemon.control("random").errors.isEmpty)
    }
}
