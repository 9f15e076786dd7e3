import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct OfficialJokeAPITests {
    private static func entries(_ count: Int) -> [OfficialJokeServer.Entry] {
        (1...count).map { OfficialJokeServer.Entry(type: "dad", setup: "Setup \($0)?", punchline: "Punchline \($0).") }
    }

    @Test("the first sync returns the whole catalog in two requests, without the IDs, which are positions")
    func first() async throws {
        let server = try OfficialJokeServer(Self.entries(451))
        let batches = try await Stage().official(server.url + "/").sync()
        #expect(server.server.requests.map(\.target) == ["/jokes/random/1000000", "/jokes/random/451"])
        #expect(batches.map(\.progress) == [.more, .complete] && batches.map(\.beginsFullSync) == [false, true])
        #expect(batches.refused == 0)
        #expect(Set(batches.jokes.map(\.setup)) == Set(Self.entries(451).map(\.setup)))
        let joke = try #require(batches.jokes.first { $0.setup == "Setup 7?" })
        #expect(joke == FetchedJoke(setup: "Setup 7?", punchline: "Punchline 7.", categories: ["dad"]))
    }

    @Test("a sync without changes is one conditional request")
    func unchanged() async throws {
        let server = try OfficialJokeServer(Self.entries(20))
        let source = try Stage().official(server.url)
        let position = try #require(try await source.sync().last).position
        #expect(position.validators.etag != nil)
        let second = try await source.sync(from: position)
        #expect(second.map(\.progress) == [.unchanged] && second.jokes.isEmpty)
        #expect(second.map(\.beginsFullSync) == [false])
        #expect(server.server.requests.count == 3)
        #expect(server.server.requests.last?.header("If-None-Match") == position.validators.etag)
    }

    @Test("a catalog with a bad item has one request per sync without changes")
    func alwaysBad() async throws {
        let server = try OfficialJokeServer(Self.entries(20) + [.init(type: "error", setup: "x", punchline: "y")])
        let source = try Stage().official(server.url)
        let first = try await source.sync()
        #expect(first.refused == 1 && first.last?.progress == .partial)
        let second = try await source.sync(from: try #require(first.last).position)
        #expect(second.map(\.progress) == [.unchanged] && server.server.requests.count == 3)
    }

    @Test("each step makes one request, and continues after the last one")
    func slowRate() async throws {
        let server = try OfficialJokeServer(Self.entries(5))
        let left = Locked(0)
        let source = try Stage().readers.reader(
            for: SourceConfiguration(
                name: "official", kind: .officialJokeAPI, url: server.url, allowLocalNetwork: true),
            through: RequestGate(
                enter: {
                    left.withLock { left in
                        left -= 1
                        return left < 0 ? .after(.seconds(3600), reason: "wait") : .admitted
                    }
                }, leave: { _ in }))
        var (position, progress) = (SourcePosition(), [SourceBatch.Progress]())
        for _ in 0..<3 {
            left.withLock { $0 = 1 }
            let batch = try await source.nextBatch(from: position, atMost: nil)
            (position, progress) = (batch.position, progress + [batch.progress])
            #expect(try await source.failure(from: position).code == .paused)
        }
        #expect(progress == [.more, .complete, .unchanged])
    }

    @Test("a catalog that has become smaller between the steps is fetched")
    func shrunk() async throws {
        let server = try OfficialJokeServer(Self.entries(20))
        let source = try Stage().official(server.url)
        let size = try await source.nextBatch(from: SourcePosition(), atMost: nil)
        server.entries = Self.entries(19)
        let batches = try await source.sync(from: size.position)
        #expect(batches.map(\.progress) == [.more, .complete] && batches.jokes.count == 19)
    }

    @Test("an edit that keeps the number of jokes is found within 29 syncs")
    func edited() async throws {
        let server = try OfficialJokeServer(Self.entries(5))
        let source = try Stage().official(server.url)
        let position = try #require(try await source.sync().last).position
        server.entries[2].punchline = "Edited."
        #expect(try await source.unchangedSyncs(from: position) == 28)
    }

    @Test("a sync with a limit requests that many jokes, and is partial")
    func limited() async throws {
        let server = try OfficialJokeServer(Self.entries(50))
        let source = try Stage().official(server.url)
        let size = try await source.nextBatch(from: SourcePosition(), atMost: 10)
        let batch = try await source.nextBatch(from: size.position, atMost: 10)
        #expect(batch.jokes.count == 10 && batch.progress == .partial)
        #expect(batch.position.validators.etag == nil)
    }

    @Test("a server that accepts too large a number has returned all jokes")
    func generous() async throws {
        let server = try LoopbackServer()
        server.route("/jokes/random/1000000", .json(#"[{"type":"dad","setup":"S","punchline":"P","id":1}]"#))
        let batches = try await Stage().official(server.url).sync()
        #expect(batches.jokes.count == 1 && batches.last?.progress == .complete)
        #expect(server.requests.count == 1)
    }

    @Test("a sync with a limit returns no more jokes, even if the server does")
    func limitedGenerous() async throws {
        let server = try LoopbackServer()
        let jokes = (1...9).map { #"{"type":"dad","setup":"S\#($0)","punchline":"P","id":\#($0)}"# }
        server.routeEverythingElse { _ in .json("[\(jokes.joined(separator: ","))]") }
        let batch = try await Stage().official(server.url).nextBatch(from: SourcePosition(), atMost: 4)
        #expect(batch.jokes.count == 4 && batch.progress == .partial)
    }

    @Test("a server that is down is unreachable, and the position stays valid")
    func away() async throws {
        let server = try OfficialJokeServer(Self.entries(5))
        let source = try Stage().official(server.url)
        server.server.stop()
        let error = try await source.failure()
        #expect(error.code == .unreachable && error.isUnreachable)
        #expect(error.description.hasSuffix("connection refused"))
        let again = try OfficialJokeServer(Self.entries(5), port: server.server.port)
        #expect(try await source.sync().jokes.count == 5)
        #expect(again.server.requests.count == 2)
    }
}
