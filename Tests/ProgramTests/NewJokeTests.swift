import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// The size of the message about a new joke.
@Suite struct NewJokeTests {
    @Test("one new joke among fifty is a message of less than 1 KiB")
    func size() async throws {
        let daemon = try await DaemonUnderTest.withJokes(60)
        let watcher = try Watcher(daemon)
        try watcher.begin()
        let before = try watcher.jokes
        #expect(before.count == 50)
        let text =
            "Why did the new joke wait at the door of the feed? It had heard that fifty are in there, and all old."
        let file = try daemon.folder.write(text + "\n%\n", to: "news")
        let configuration = String(
            decoding: try contentsOfFile(daemon.folder.path("config.json"), limit: 65536), as: UTF8.self)
        try daemon.reload(
            configuration.replacing(#""sources": ["#, with: #""sources": [\#(fortuneSource(file, name: "news")), "#))
        let messages = try watcher.next { try $0.jokes.first?.rawValue.hasPrefix("news:") == true }
        let message = try #require(messages.last)
        #expect(message.difference?.insertedItems?.flatMap(\.items).count == 1)
        #expect(try watcher.jokes.dropFirst() == before.dropLast())
        #expect(try EncodedReply(message, continues: true).byteCount < 1024)
    }
}
