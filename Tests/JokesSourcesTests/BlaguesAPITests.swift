import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct BlaguesAPITests {
    private typealias Joke = BlaguesService.Joke
    private static let token = "a-token-for-tests"

    private let folder: TemporaryFolder
    private let tokenFile: String

    init() throws {
        folder = try TemporaryFolder()
        tokenFile = try folder.write(Self.token + "\n", to: "token")
    }

    private static func service(_ ids: some Sequence<Int>, type: String = "global") -> BlaguesService {
        BlaguesService(ids.map { Joke($0, type: type, "Question \($0) ?", "Réponse \($0).") }, token: token)
    }

    private func reader(
        _ url: String, categories: [String] = [], on stage: Stage = Stage()
    ) throws -> any JokeSource {
        try stage.reader(.blaguesAPI, at: url) {
            $0.token = .file(tokenFile)
            $0.categories = categories
        }
    }

    @Test("the first sync requests the count and each number until all are found; a gap is not an error")
    func first() async throws {
        let server = try UpstreamServer(Self.service([1, 2, 5, 14]))
        let batches = try await reader(server.url).sync(within: 20)
        #expect(server.server.targets == ["/api/count"] + (1...14).map { "/api/id/\($0)" })
        #expect(server.server.requests.allSatisfy { $0.header("Authorization") == "Bearer \(Self.token)" })
        #expect(batches.map(\.progress) == Array(repeating: .more, count: 14) + [.complete])
        #expect(batches.map(\.beginsFullSync) == [true] + Array(repeating: false, count: 14) && batches.refused == 0)
        #expect(
            batches.jokes.first
                == FetchedJoke(
                    upstreamID: "1", setup: "Question 1 ?", punchline: "Réponse 1.", categories: ["global"],
                    safety: .safe))
        #expect(batches.jokes.map(\.upstreamID) == ["1", "2", "5", "14"])
        #expect(SourceConfiguration(name: "fr", kind: .blaguesAPI).defaults.language == "fr")
    }

    @Test("a sync without changes has one request; after 120 of them, there is a full sync")
    func unchanged() async throws {
        let server = try UpstreamServer(Self.service(1...3))
        let reader = try reader(server.url)
        let position = try #require(try await reader.sync(within: 10).last).position
        #expect(try await reader.sync(from: position, within: 1).map(\.progress) == [.unchanged])
        #expect(server.server.requests.count == 1 + 3 + 1 && server.server.targets.last == "/api/count")
        #expect(try await reader.unchangedSyncs(from: position) == 120)
        server.service = Self.service(1...4)
        let batches = try await reader.sync(from: position, within: 10)
        #expect(batches.last?.progress == .complete && batches.jokes.count == 4)
    }

    @Test("only jokes of the types global and dev are safe")
    func safety() async throws {
        let types = ["global", "dev", "dark", "limit", "beauf", "blondes", "inconnu"]
        let jokes = types.enumerated().map { Joke($0.offset + 1, type: $0.element, "Q ?", "R.") }
        let server = try UpstreamServer(BlaguesService(jokes, token: Self.token))
        let normalizer = Normalizer(source: "fr")
        let contents = try await reader(server.url).sync(within: 10).jokes.map { try normalizer.normalize($0).content }
        #expect(contents.map(\.safety) == [.safe, .safe, .unsafe, .unsafe, .unsafe, .unsafe, .unknown])
        #expect(contents.map(\.flags.names) == [[], [], [], [], [], ["sexist"], []])
    }

    @Test("only the configured types are kept; an unknown type is a configuration error")
    func categories() async throws {
        var service = Self.service([1, 3])
        service.jokes.append(Joke(2, type: "dev", "Q ?", "R."))
        let server = try UpstreamServer(service)
        let batches = try await reader(server.url, categories: ["Dev"]).sync(within: 10)
        #expect(batches.jokes.map(\.upstreamID) == ["2"] && batches.last?.progress == .complete)
        let error = #expect(throws: SourceError.self) { try reader(server.url, categories: ["devs"]) }
        #expect(error?.code == .misconfigured)
        #expect(
            error?.description
                == "source 'jokes' has no category 'devs': use one of beauf, blondes, dark, dev, global, limit")
    }

    @Test("a missing or unreadable token is a configuration error")
    func misconfigured() throws {
        let missing = #expect(throws: SourceError.self) {
            try Stage().reader(.blaguesAPI, at: "http://127.0.0.1:1")
        }
        let unreadable = #expect(throws: SourceError.self) {
            try Stage().reader(.blaguesAPI, at: "http://127.0.0.1:1") { $0.token = .file(folder.path("none")) }
        }
        #expect(missing?.code == .misconfigured && unreadable?.code == .misconfigured)
        #expect(missing?.description.contains("has no token") == true)
    }

    @Test("the error for a refused token does not quote the service, which may repeat the token")
    func refused() async throws {
        let server = try UpstreamServer(BlaguesService([], token: "another"))
        let error = try await reader(server.url).failure()
        #expect(error.code == .status)
        #expect(error.description == "\(server.url)/api/count returned 401")
        server.answerOverride = { request in
            .json(#"{"status":401,"error":"x","message":"No: \#(request.header("Authorization")!)"}"#, status: 401)
        }
        let leaking = try await reader(server.url).failure()
        #expect(leaking.description == "\(server.url)/api/count returned 401")
    }

    @Test("an unreadable joke is refused and counted, the others are kept, and the full sync is not complete")
    func items() async throws {
        let bad = [
            "null", "7", "[]", "{}", "[", #"{"id":2,"type":"dev","joke":"Q"}"#.replacing("dev\"", with: "dev\",\"x\":"),
            #"{"id":2,"type":"dev","joke":7,"answer":"R"}"#, #"{"id":3,"type":"dev","joke":"Q","answer":"R"}"#,
            #"{"id":1e30,"type":"dev","joke":"Q","answer":"R"}"#, #"{"id":9007199254740993,"type":"dev","joke":"Q"}"#,
            #"{"id":2,"type":"dev","joke":"lone \ud83d","answer":"R"}"#,
        ]
        for body in bad {
            let server = try UpstreamServer(Self.service(1...3))
            server.answerOverride = { $0.path == "/api/id/2" ? .json(body) : nil }
            let batches = try await reader(server.url).sync(within: 10)
            #expect(batches.jokes.map(\.upstreamID) == ["1", "3"] && batches.refused == 1, "\(body)")
            #expect(batches.last?.progress == .partial && server.server.requests.count == 4)
        }
    }

    @Test("an ID may be a text")
    func textID() async throws {
        let server = try UpstreamServer(Self.service(1...2))
        server.answerOverride = {
            $0.path == "/api/id/2" ? .json(#"{"id":"2","type":"dev","joke":"Q","answer":"R"}"#) : nil
        }
        #expect(try await reader(server.url).sync(within: 10).jokes.map(\.upstreamID) == ["1", "2"])
    }

    @Test("a 404 from another program is not a gap")
    func strange404() async throws {
        let server = try UpstreamServer(Self.service(1...2))
        server.answerOverride = { $0.path == "/api/count" ? nil : .html("Not here", status: 404) }
        let reader = try reader(server.url)
        let begun = try await reader.nextBatch(from: SourcePosition(), atMost: nil)
        #expect(try await reader.failure(from: begun.position).code == .unreadable)
    }

    @Test("an error with status 200 is an error, except for 404, which is a gap")
    func errorWithinSuccess() async throws {
        let server = try UpstreamServer(Self.service(1...3))
        let body: @Sendable (Int) -> LoopbackAnswer = { status in
            .json(#"{"status":\#(status),"error":"Error","message":"Non."}"#)
        }
        server.answerOverride = { $0.path == "/api/id/1" ? body(500) : nil }
        let reader = try reader(server.url)
        let begun = try await reader.nextBatch(from: SourcePosition(), atMost: nil)
        let error = try await reader.failure(from: begun.position)
        #expect(error.code == .upstreamError && error.description.hasSuffix("returned error 500"))
        server.answerOverride = { $0.path == "/api/id/1" ? body(404) : nil }
        let batches = try await reader.sync(from: begun.position, within: 300)
        #expect(batches.jokes.map(\.upstreamID) == ["2", "3"] && batches.last?.progress == .partial)
    }

    @Test("a full sync ends after 200 numbers without a joke, and is not complete")
    func farPast() async throws {
        let server = try UpstreamServer(Self.service(1...3))
        server.answerOverride = { $0.path == "/api/count" ? .json(#"{"count":4}"#) : nil }
        let batches = try await reader(server.url).sync(within: 300)
        #expect(batches.last?.progress == .partial && server.server.requests.count == 1 + 3 + 200)
        let next = try await reader(server.url).sync(from: try #require(batches.last).position, within: 1)
        #expect(next.map(\.progress) == [.unchanged])
    }

    @Test(
        "an implausible count is an error",
        arguments: [
            (#"{"count":0}"#, SourceError.Code.empty), (#"{"count":-1}"#, .unreadable),
            (#"{"count":1000000000}"#, .unreadable), (#"{"count":1e30}"#, .unreadable),
            (#"{"count":null}"#, .unreadable),
            ("{}", .unreadable), ("[]", .unreadable), ("7", .unreadable), ("", .unreadable),
        ])
    func count(_ body: String, _ code: SourceError.Code) async throws {
        let server = try UpstreamServer(Self.service(1...3))
        server.answerOverride = { $0.path == "/api/count" ? .json(body) : nil }
        #expect(try await reader(server.url).failure().code == code)
        #expect(server.server.requests.count == 1)
    }
}
