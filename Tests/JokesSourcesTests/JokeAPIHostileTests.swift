import JokesCore
import JokesSources
import TestSupport
import Testing

/// Bad answers of jokeapi.
@Suite struct JokeAPIHostileTests {
    private static let good: JokeAPIService.Joke = JokeAPIService.Joke(0, "Good.")

    /// Returns the batches or the error of a sync of three IDs, in which an answer replaces that of the range.
    private func window(_ answer: LoopbackAnswer) async throws -> Result<[SourceBatch], SourceError> {
        let server = try UpstreamServer(JokeAPIService([Self.good, JokeAPIService.Joke(2, "Better.")]))
        server.answerOverride = { $0.path.hasPrefix("/joke/") ? answer : nil }
        let result = try await Stage().reader(.jokeAPI, at: server.url).outcome(within: 5)
        if case .failure = result { #expect(server.server.requests.count == 2) }
        return result
    }

    private static func joke(_ id: String, _ more: String = "") -> String {
        #"{"category":"Pun","type":"single","joke":"J","flags":{"nsfw":false},"id":\#(id),"safe":true\#(more)}"#
    }

    private static func list(_ items: String...) -> LoopbackAnswer {
        .json(#"{"error":false,"amount":\#(items.count),"jokes":[\#(items.joined(separator: ","))]}"#)
    }

    @Test(
        "a bad item is refused and counted, the others are kept, and the full sync is not complete",
        arguments: [
            "null", "7", "[]", "{}", #""text""#, joke("1e30"), joke("9007199254740993"), joke("3"), joke("-1"),
            joke("null"), joke("\"x\""), joke("1", #","lang":"de""#), joke("1", #","lang":7"#), joke("0"),
            joke("1").replacing("single", with: "threepart"), joke("1").replacing("single", with: "twopart"),
            joke("1").replacing("true", with: "\"yes\""), joke("1").replacing("\"nsfw\":false", with: "\"nsfw\":1"),
            joke("1").replacing("\"J\"", with: #""lone \ud83d""#), joke("1").replacing("\"J\"", with: "[\"J\"]"),
            joke("1").replacing("\"Pun\"", with: "7"), joke("1").replacing("{\"nsfw\":false}", with: "[]"),
        ])
    func item(_ item: String) async throws {
        let batches = try await window(Self.list(Self.joke("0"), item, Self.joke("2"))).get()
        #expect(batches.jokes.map(\.upstreamID) == ["en:2", "en:0"] && batches.refused == 1)
        #expect(batches.map(\.progress) == [.more, .partial])
    }

    @Test("an ID may be a text, flags and rating are optional, and a single joke needs no list")
    func variants() async throws {
        #expect(try await window(Self.list(Self.joke("\"2\""))).get().jokes.map(\.upstreamID) == ["en:2"])
        let bare = try await window(.json(#"{"category":"Pun","type":"single","joke":"J","id":1}"#)).get().jokes
        #expect(bare == [FetchedJoke(upstreamID: "en:1", setup: "J", language: "en", categories: ["Pun"])])
        let single = try await window(.json(#"{"error":false,"type":"single","id":1}"#)).get()
        #expect(single.jokes.isEmpty && single.refused == 1)
    }

    private static func error(_ code: String, _ detail: String = "D", status: Int = 200) -> LoopbackAnswer {
        .json(
            #"{"error":true,"internalError":false,"code":\#(code),"message":"M","additionalInfo":"\#(detail)"}"#,
            status: status, headers: [("Retry-After", "60")])
    }

    @Test("error 106 is an empty page, with a number or a text as code; if all pages are empty, the sync is partial")
    func nothingThere() async throws {
        for code in ["106", "\"106\""] {
            let batches = try await window(Self.error(code)).get()
            #expect(batches.map(\.progress) == [.more, .partial] && batches.last?.position == SourcePosition())
        }
        let range = "The specified ID range is invalid. Got: 230 to 239"
        #expect(try await window(Self.error("106", range)).get().count == 2)
    }

    @Test(
        "an answer that is not a page is an error, with the reason",
        arguments: [
            (error("106", "The specified language code is invalid."), SourceError.Code.upstreamError),
            (error("106", "The specified category/ies is/are invalid."), .upstreamError),
            (error("\"102\""), .upstreamError), (error("100"), .upstreamError), (error("[]"), .upstreamError),
            (.json(#"{"error":"yes"}"#), .upstreamError), (.json(#"{"error":null}"#), .upstreamError),
            (list(), .empty), (.json("{}"), .unreadable), (.json("[]"), .unreadable), (.json("null"), .unreadable),
            (.json(""), .unreadable), (.json(#"{"error":false,"jokes":{}}"#), .unreadable),
            (.json(#"{"error":false,"jokes":[1"#), .unreadable), (.html("Joke."), .unreadable),
            (.text("Joke.", type: "text/plain"), .unreadable), (.html("Forbidden", status: 403), .status),
            (.html("Not found", status: 404), .status), (error("\"108\"", status: 414), .status),
            (LoopbackAnswer(status: 304), .transfer),
        ])
    func answer(_ answer: LoopbackAnswer, _ code: SourceError.Code) async throws {
        let result = try await window(answer)
        let error = #expect(throws: SourceError.self) { try result.get() }
        #expect(error?.code == code && error?.retryAfter == nil, "\(String(describing: error))")
    }

    @Test("too many requests are an error with the message and the Retry-After of the service")
    func limiting() async throws {
        let server = try UpstreamServer(JokeAPIService([Self.good]))
        server.isRateLimiting = true
        let error = try await Stage().reader(.jokeAPI, at: server.url).failure()
        #expect(error.code == .busy && error.retryAfter == .seconds(60))
        #expect(error.description == "\(server.url)/info returned 429: Request blocked by Rate Limiting")
    }

    @Test(
        "an implausible /info is an error",
        arguments: [
            (#"{"en":[0,1000000000]}"#, SourceError.Code.unreadable), (#"{"en":[0,1e30]}"#, .unreadable),
            (#"{"en":[5]}"#, .unreadable), (#"{"en":"0-3"}"#, .unreadable), (#"{"en":null}"#, .unreadable),
            (#"{"en":[-5,3]}"#, .unreadable), (#"{"en":[0,-1]}"#, .empty), (#"{"en":[0,-9]}"#, .empty),
            ("{}", .misconfigured), ("[]", .unreadable), ("7", .unreadable),
        ])
    func info(_ ranges: String, _ code: SourceError.Code) async throws {
        let server = try LoopbackServer()
        server.route("/info", .json(#"{"error":false,"jokes":{"categories":["Any"],"idRange":\#(ranges)}}"#))
        #expect(try await Stage().reader(.jokeAPI, at: server.url).failure().code == code)
        #expect(server.requests.count == 1)
    }

    @Test("an invalid range of another language is ignored, and an error of /info is an error")
    func infoVariants() async throws {
        let server = try LoopbackServer()
        server.route(
            "/info", .json(#"{"jokes":{"categories":[7,"Any"],"idRange":{"de":[0,1e30],"fr":7,"en":[0,2]}}}"#))
        let begun = try await Stage().reader(.jokeAPI, at: server.url).nextBatch(from: SourcePosition(), atMost: nil)
        #expect(begun.progress == .more)
        server.route("/info", Self.error("100"))
        #expect(try await Stage().reader(.jokeAPI, at: server.url).failure().code == .upstreamError)
    }
}
