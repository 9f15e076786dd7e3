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

    /// A page of the service with some replaced values.
    private static func page(
        _ number: Int, of pages: String, _ results: String, total: String = "4"
    ) -> LoopbackAnswer {
        .json(
            """
            {"current_page":\(number),"limit":30,"next_page":\(number),"previous_page":1,"results":\(results),\
            "search_term":"","status":200,"total_jokes":\(total),"total_pages":\(pages)}
            """)
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

    @Test("a sync without changes has one request; after 28 of them, there is a full sync")
    func unchanged() async throws {
        let server = try UpstreamServer(DadJokeService(Self.jokes(31)))
        let reader = try reader(server.url)
        let position = try #require(try await reader.sync(within: 3).last).position
        #expect(try await reader.sync(from: position, within: 1).map(\.progress) == [.unchanged])
        #expect(server.server.requests.count == 3)
        #expect(try await reader.unchangedSyncs(from: position) == 28)
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

    @Test("an answer in HTML is busy with 503, an error with 403, and unreadable with 200")
    func challenge() async throws {
        let server = try UpstreamServer(DadJokeService(Self.jokes(3)))
        for (status, code) in [(503, SourceError.Code.busy), (403, .status), (200, .unreadable)] {
            server.answerOverride = { _ in .html("Checking your browser", status: status) }
            let error = try await reader(server.url).failure()
            #expect(error.code == code && error.retryAfter == nil)
        }
    }

    @Test("a repeated page ends the full sync, which is not complete, and the next sync begins again")
    func repeating() async throws {
        let two = ##"[{"id":"a","joke":"A"},{"id":"b","joke":"B"}]"##
        for number in [1, 2] {
            let server = try LoopbackServer()
            server.route("/search") { request in
                Self.page(request.query["page"] == "2" ? number : 1, of: "9", two)
            }
            let batches = try await reader(server.url).sync(within: 3)
            #expect(batches.map(\.progress) == [.more, .partial] && server.requests.count == 2)
            let again = try await reader(server.url).sync(from: try #require(batches.last).position, within: 3)
            #expect(again.first?.beginsFullSync == true)
        }
    }

    @Test("a page without jokes ends the full sync, which is not complete; an empty list is an error")
    func empty() async throws {
        let server = try LoopbackServer()
        server.route("/search") { request in
            request.query["page"] == "1"
                ? Self.page(1, of: "1000000000", #"[{"id":"a","joke":"A"}]"#)
                : Self.page(2, of: "1000000000", "[]")
        }
        let batches = try await reader(server.url).sync(within: 3)
        #expect(batches.map(\.progress) == [.more, .partial] && batches.jokes.count == 1)
        server.route("/search") { _ in Self.page(1, of: "1", "[]", total: "0") }
        #expect(try await reader(server.url).failure().code == .empty)
    }

    @Test(
        "a bad item is refused and counted, the others are kept, and the full sync is not complete",
        arguments: [
            "null", "7", "[]", "{}", #"{"id":"x"}"#, #"{"id":"x","joke":1}"#, #"{"id":"x","joke":"lone \ud83d"}"#,
        ])
    func item(_ item: String) async throws {
        let server = try LoopbackServer()
        server.route("/search") { _ in
            Self.page(1, of: "1", ##"[{"id":"a","joke":"A"},\##(item),{"id":7,"joke":"B"}]"##, total: "3")
        }
        let batches = try await reader(server.url).sync(within: 1)
        #expect(batches.jokes.map(\.upstreamID) == ["a", "7"] && batches.refused == 1)
        #expect(batches.map(\.progress) == [.partial])
        #expect(
            try await reader(server.url).sync(from: batches[0].position, within: 1).map(\.progress) == [.unchanged])
    }

    @Test(
        "an answer that is not a page is an error",
        arguments: [
            ("{}", SourceError.Code.upstreamError), ("null", .upstreamError), ("", .unreadable),
            (#"{"status":200,"total_pages":1}"#, .unreadable), (#"{"results":7,"status":200}"#, .unreadable),
            (#"{"results":[{"id":"a","joke":"A"}],"status":200,"#, .unreadable),
        ])
    func shape(_ body: String, _ code: SourceError.Code) async throws {
        let server = try LoopbackServer()
        server.route("/search", .json(body))
        #expect(try await reader(server.url).failure().code == code)
    }
}
