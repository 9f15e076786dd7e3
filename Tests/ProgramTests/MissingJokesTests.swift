import TestSupport
import Testing

/// Answers that lack cached jokes.
@Suite struct MissingJokesTests {
    @Test("a joke that its file no longer has is removed, but not by a sync in which no item is a joke")
    func allRejected() async throws {
        let daemon = try DaemonUnderTest()
        func write(_ jokes: String...) throws -> String {
            try daemon.folder.write(jokes.map { "\($0)\n%\n" }.joined(), to: "ducks")
        }
        try daemon.reload(configuration(fortuneSource(try write("One duck.", "Two ducks."), name: "ducks")))
        try await daemon.waitForSyncs()
        let second = try #require(
            try daemon.json("list", "--source", "ducks", as: [PrintedJoke].self).first { $0.setup == "Two ducks." })
        let tooLong = String(repeating: "quack ", count: 2_000)
        _ = try write(tooLong, "\(tooLong)!")
        let refused = try daemon.control("refresh", "ducks")
        #expect(refused.ending == .exited(75))
        #expect(refused.output.contains("none of the 2 items received is a joke"), "\(refused.output)")
        #expect(try daemon.control("show", second.id).ending == .exited(0))
        _ = try write("One duck.")
        #expect(try daemon.control("refresh", "ducks").ending == .exited(0))
        try await waitUntil("the second joke is removed") {
            try daemon.control("show", second.id).ending == .exited(1)
        }
        #expect(try daemon.json("list", "--source", "ducks", as: [PrintedJoke].self).map(\.setup) == ["One duck."])
    }
}
