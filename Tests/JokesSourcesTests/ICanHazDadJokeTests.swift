import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct ICanHazDadJokeTests {
    private static func jokes(_ count: Int) -> [DadJokeService.Joke] {
        (0..<count).map { DadJokeService.Joke("Id\($0)x", "Joke \($0).") }
    }

    private func reader(_ url: String) throws -> any JokeSource {
        try Stage().reader(.iCanHazDadJoke, at: url)
    }

    @Test("the first sync requests each page once, although the last one names itself as the next")
    func first() async throws {
        let server = try UpstreamServer(DadJokeService(Self.jokes(65)))
        let batches = try await reader(server.url).sync(within: 10)
        #expect(server.server.targets == (1...3).map { "/search?limit=30&page=\($0)" })
        #expect(batches.map(\.progress) == [.more, .more, .complete])
        #expect(batches.map(\.beginsFullSync) == [true, false, false])
        #expect(Set(batches.jokes.compactMap(\.upstreamID)) == Set(Self.jokes(65).map(\.id)))
        #expect(batches.jokes.first == FetchedJoke(upstreamID: "Id0x", setup: "Joke 0."))
        let request = try #require(server.server.requests.first)
        #expect(request.header("Accept") == "application/json" && request.header("User-Agent") == "jokesd/test")
    }

    @Test("another number of jokes begins a full sync with the same page")
    func grown() async throws {
        let server = try UpstreamServer(DadJokeService(Self.jokes(31)))
        let reader = try reader(server.url)
        let position = try #require(try await reader.sync(within: 3).last).position
        server.service.jokes = Self.jokes(30)
        let batches = try await reader.sync(from: position, within: 3)
        #expect(batches.map(\.progress) == [.complete] && batches.jokes.count == 30)
        #expect(batches.first?.beginsFullSync == true)
        #expect(server.server.requests.count == 3)
    }

    @Test("a list that changes during a full sync is not complete, and is read again")
    func moving() async throws {
        let server = try UpstreamServer(DadJokeService(Self.jokes(70)))
        let reader = try reader(server.url)
        let first = try await reader.nextBatch(from: SourcePosition(), atMost: nil)
        server.service.jokes.removeFirst()
        let rest = try await reader.sync(from: first.position, within: 3)
        #expect(rest.map(\.progress) == [.more, .partial])
        let again = try await reader.sync(from: try #require(rest.last).position, within: 4)
        #expect(again.map(\.progress) == [.more, .more, .complete] && again.jokes.count == 69)
    }

    @Test("an error with status 200 is an error of the service")
    func error() async throws {
        let server = try UpstreamServer(DadJokeService(Self.jokes(3)))
        server.answerOverride = { _ in .json(#"{"message":"No such page","status":404}"#) }
        let error = try await reader(server.url + "/").failure()
        #expect(error.code == .upstreamError)
        #expect(error.description == "\(server.url)/search?... returned an error (condition /status)")
    }
}
