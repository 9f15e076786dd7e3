import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct JSONFeedTests {
    @Test("all parts of a joke are read from JSON Feed")
    func whole() async throws {
        let items = """
            {"id":"a1","title":"Why did the actor wait?","content_html":"<p>It was <b>isolated</b> &amp; alone.</p>",
             "url":"/jokes/1","authors":[{"name":"Ada"},{"url":"x"},{"name":"Bob"}],"tags":["dev","pun"],"language":"en-GB",
             "date_published":"2026-11-20T14:01:13.5Z","attachments":[{"x":1}]},
            {"id":2,"content_text":"1 < 2 &amp; 3","content_html":"<p>no</p>","author":{"name":"Eve"},
             "external_url":"https://other.example/2","date_published":"soon","tags":"dev","url":7}
            """
        let server = try FeedServer(.jsonfeed, .jsonFeed(items, more: ",\"language\":\"en\""))
        let batches = try await server.source().sync()
        #expect(batches.map(\.progress) == [.partial] && batches.refused == 0)
        #expect(
            batches.jokes == [
                FetchedJoke(
                    upstreamID: "a1", setup: "Why did the actor wait?", punchline: "It was isolated & alone.",
                    language: "en-GB", categories: ["dev", "pun"],
                    details: JokeDetails(
                        url: server.server.url + "/jokes/1", author: "Ada, Bob", date: "2026-11-20T14:01:13Z")),
                FetchedJoke(
                    upstreamID: "2", setup: "1 < 2 &amp; 3", language: "en",
                    details: JokeDetails(url: "https://other.example/2", author: "Eve")),
            ])
    }

    @Test("the object of another jokesd takes precedence")
    func exported() async throws {
        let items = """
            {"id":"x","content_text":"no","_jokesd":{"id":"dad:en:7","setup":"Knock?","punchline":"Who?","flags":["nsfw"],
             "safety":"unsafe"}},
            {"id":"y","content_text":"Fine.","_jokesd":{"safety":"safe","more":[]}},
            {"id":"z","title":"no","content_text":"no","_jokesd":{"setup":"All of it.","safety":"quite"}}
            """
        #expect(
            try await sync(.jsonfeed, .jsonFeed(items)).jokes == [
                FetchedJoke(
                    upstreamID: "dad:en:7", setup: "Knock?", punchline: "Who?", flags: ["nsfw"], safety: .unsafe),
                FetchedJoke(upstreamID: "y", setup: "Fine.", safety: .safe),
                FetchedJoke(upstreamID: "z", setup: "All of it."),
            ])
    }

    @Test(
        "a bad item is refused and counted",
        arguments: [
            "null", "7", "[]", "\"text\"", "{}", "{\"id\":\"1\"}", "{\"id\":\"1\",\"content_text\":7}",
            "{\"title\":[],\"content_text\":\"x\"}", "{\"content_text\":\"lone \\ud83d surrogate\"}",
            "{\"content_text\":\"x\",\"_jokesd\":{\"flags\":\"nsfw\"}}", "{\"content_text\":\"x\",\"_jokesd\":7}",
            "{\"content_text\":1e30}", "{\"content_html\":\"<script>x</script>\"}",
        ])
    func badItem(item: String) async throws {
        let good = "{\"id\":\"1\",\"content_text\":\"Good.\"}"
        let batches = try await sync(.jsonfeed, .jsonFeed("\(good),\(item),\(good)"))
        #expect(batches.jokes.map(\.setup) == ["Good.", "Good."] && batches.refused == 1)
    }

    @Test("unusual IDs do not affect other fields", arguments: ["1e400", "{}", "null", "[1]", "true", "1.5"])
    func oddID(id: String) async throws {
        let batches = try await sync(.jsonfeed, .jsonFeed("{\"id\":\(id),\"content_text\":\"Good.\"}"))
        #expect(batches.jokes.map(\.upstreamID) == [nil])
    }

    static let versions: [(version: String, isKnown: Bool)] = [
        ("https://jsonfeed.org/version/1", true), ("https://jsonfeed.org/version/1.1", true),
        ("http://jsonfeed.org/version/1", true), ("https://jsonfeed.org/version/2", false),
        ("https://jsonfeed.org/version/11", false), ("1.1", true), ("", false),
    ]

    @Test("only versions 1 and 1.1 are accepted", arguments: versions)
    func version(version: String, isKnown: Bool) async throws {
        let answer = LoopbackAnswer.json("{\"version\":\"\(version)\",\"items\":[]}")
        if isKnown {
            #expect(try await sync(.jsonfeed, answer).map(\.progress) == [.partial])
        } else {
            let error = try await failure(.jsonfeed, answer)
            #expect(error.code == .unreadable && error.description.hasSuffix("that is not a JSON Feed of version 1"))
        }
    }

    static let unreadable: [LoopbackAnswer] = [
        .text("<html>Sorry</html>", type: "text/html"), .json("[]"), .json("{\"items\":[]}"), .json("{"),
        .json("{\"version\":\"https://jsonfeed.org/version/1\"}"), .json("{\"version\":1,\"items\":[]}"),
        .json("{\"version\":\"https://jsonfeed.org/version/1\",\"items\":{}}"),
        .json(String(repeating: "[", count: 100_000)),
    ]

    @Test("an answer that is not a JSON Feed is an error", arguments: unreadable)
    func unreadableAnswer(answer: LoopbackAnswer) async throws {
        #expect(try await failure(.jsonfeed, answer).code == .unreadable)
    }

    // MARK: Pages

    private static func page(_ number: Int, next: String?) -> LoopbackAnswer {
        .jsonFeed(
            "{\"id\":\"\(number)\",\"content_text\":\"\(number)\"}", more: next.map { ",\"next_url\":\"\($0)\"" } ?? "")
    }

    @Test("at most 20 pages of the same origin are read, and the next sync is conditional")
    func pages() async throws {
        let server = try FeedServer(.jsonfeed, Self.page(1, next: nil))
        server.server.routeEverythingElse { request in
            if request.header("If-None-Match") != nil { return LoopbackAnswer(status: 304) }
            let number = request.query["page"].flatMap { Int($0) } ?? 1
            var answer = Self.page(number, next: "/pages?page=\(number + 1)")
            answer.steps = answer.steps.map { step in
                guard case .send(let bytes) = step else { return step }
                return .send(
                    bytes.replacing(
                        Array("\r\n\r\n".utf8), with: Array("\r\nETag: \"\(number)\"\r\n\r\n".utf8), maxReplacements: 1)
                )
            }
            return answer
        }
        let source = try server.source("/pages")
        let batches = try await source.sync()
        #expect(batches.jokes.map(\.upstreamID) == (1...20).map { "\($0)" })
        #expect(batches.map(\.progress) == Array(repeating: .more, count: 19) + [.partial])
        let last = try #require(batches.last)
        #expect(last.position.validators.etag == "\"1\"")
        #expect(try await source.sync(from: last.position).map(\.progress) == [.unchanged])
        #expect(server.server.requests.count == 21)
    }

    @Test("an interrupted sync continues at its page")
    func interrupted() async throws {
        let server = try FeedServer(.jsonfeed, Self.page(1, next: "/two"))
        server.server.route("/two", Self.page(2, next: nil))
        let first = try await server.source().nextBatch(from: SourcePosition(), atMost: nil)
        #expect(first.progress == .more)
        #expect(try await server.source().sync(from: first.position).jokes.map(\.upstreamID) == ["2"])
        #expect(server.server.requests.map(\.target) == ["/feed", "/two"])
    }

    @Test("a sync ends at its limit, and the next one does not continue there")
    func limited() async throws {
        let server = try FeedServer(.jsonfeed, Self.page(1, next: "/two"))
        let batch = try await server.source().nextBatch(from: SourcePosition(), atMost: 1)
        #expect(batch.jokes.count == 1 && batch.progress == .partial)
        #expect(try await server.source().sync(from: batch.position).first?.jokes.map(\.upstreamID) == ["1"])
    }

    @Test(
        "the next page must be another page of the same server",
        arguments: [
            "http://127.0.0.1:1/x", "https://127.0.0.1/feed", "file:///etc/passwd", "/feed", "", "//localhost/x",
        ])
    func foreignPage(next: String) async throws {
        let server = try FeedServer(.jsonfeed, Self.page(1, next: next))
        #expect(try await server.source().sync().map(\.progress) == [.partial])
        #expect(server.server.requests.count == 1)
    }

    @Test("circular pages end")
    func circle() async throws {
        let server = try FeedServer(.jsonfeed, Self.page(1, next: "/two"))
        server.server.route("/two", Self.page(2, next: "/feed"))
        #expect(try await server.source().sync().count == 20)
    }

    static let badPages: [LoopbackAnswer] = [
        .json("{}", status: 404), .text("<html>", type: "text/html"), .json("{"), .jsonFeed("7"),
    ]

    @Test("an unreadable further page ends the sync, and the next sync begins again", arguments: badPages)
    func badPage(answer: LoopbackAnswer) async throws {
        let server = try FeedServer(.jsonfeed, Self.page(1, next: "/two"))
        server.server.route("/two", answer)
        let batches = try await server.source().sync()
        #expect(batches.map(\.progress) == [.more, .partial] && batches.jokes.count == 1 && batches.refused == 1)
        #expect(batches.last?.position == SourcePosition())
    }

    @Test("a busy server of a further page is an error with a pause")
    func busyPage() async throws {
        let server = try FeedServer(.jsonfeed, Self.page(1, next: "/two"))
        server.server.route("/two", .json("{}", status: 503, headers: [("Retry-After", "7")]))
        let first = try await server.source().nextBatch(from: SourcePosition(), atMost: nil)
        let error = try await server.source().failure(from: first.position)
        #expect(error.code == .busy && error.retryAfter == .seconds(7))
    }

    @Test("at most 100,000 jokes are read, and each bad item is counted")
    func manyItems() async throws {
        let items = ["{\"content_text\":\"a\"}"] + Array(repeating: "0", count: 100_001)
        let batches = try await sync(.jsonfeed, .jsonFeed(items.joined(separator: ",")))
        #expect(batches.jokes.count == 1 && batches.refused == 100_001)
    }
}
