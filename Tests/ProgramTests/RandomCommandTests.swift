import Glibc
import TestSupport
import Testing

/// The options of `jokesctl random` that are for prompts, login shells and scripts.
@Suite struct RandomCommandTests {
    private func daemon() async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("One\n  duck.\n%\nTwo ducks.\n", to: "f")
        try daemon.reload(configuration(fortuneSource(file)))
        try await daemon.waitForSyncs()
        return daemon
    }

    @Test("a joke of several lines is one line where that is asked for")
    func singleLine() async throws {
        let daemon = try await daemon()
        let told = try daemon.control("random", "--source", "fortunes", "--single-line", "--count", "2")
        #expect(told.ending == .exited(0))
        #expect(Set(told.output.split(separator: "\n")) == ["One duck.", "Two ducks."])
    }

    @Test("so many jokes are told as are wanted, none twice while there are others, with an empty line between them")
    func count() async throws {
        let daemon = try await daemon()
        let text = try daemon.control("random", "--source", "fortunes", "-n", "2").output
        #expect(["One\n  duck.\n\nTwo ducks.\n", "Two ducks.\n\nOne\n  duck.\n"].contains(text), "\(text)")
        let list: [PrintedJoke] = try daemon.json("random", "--source", "starter", "--count", "20")
        #expect(Set(list.map(\.id)).count == 20)
        #expect(try daemon.json("random", "--count", "1", as: [PrintedJoke].self).count == 1)
        #expect(try daemon.json("random", "--source", "fortunes", as: PrintedJoke.self).id.hasPrefix("fortunes:"))
        #expect(try daemon.control("random", "--count", "1001").ending == .exited(64))
    }

    @Test("with --quiet nothing is said where there is no daemon or no joke, and what is wrong with the command is")
    func quiet() async throws {
        let daemon = try await daemon()
        let none = try daemon.control("random", "--quiet", "--max-length", "1")
        #expect(none.ending == .exited(75) && none.output.isEmpty && none.errors.isEmpty)
        for command in [["random", "-q", "--source", "nobody"], ["random", "-q", "--count", "0"]] {
            #expect(try !daemon.control(command).errors.isEmpty)
        }
        #expect(try daemon.stop() == .exited(0))
        let away = try daemon.control("random", "--quiet")
        #expect(away.ending == .exited(69) && away.output.isEmpty && away.errors.isEmpty)
        #expect(try !daemon.control("random").errors.isEmpty)
    }
}
