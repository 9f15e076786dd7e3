import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct ChuckNorrisTests {
    private typealias Joke = ChuckNorrisService.Joke

    private static let jokes = [
        Joke("bwoz2uwsqnwmyawyxdvo1w", "Chuck counts.", categories: ["dev"], created: "2019-06-02 08:47:39.43184"),
        Joke("_Aoz2uwsqnwmyawyxdvo1w", "chuck waits.", created: "2020-01-05 13:42:28.420821"),
        Joke("_aoz2uwsqnwmyawyxdvo1w", "CHUCK sleeps.", categories: ["explicit"], created: "2019-06-02 08:47:39"),
        Joke("-aoz2uwsqnwmyawyxdvo1w", "Chuck runs.", categories: ["political"], created: "2019-06-02 08:47:39.1"),
    ]

    private func reader(_ url: String, categories: [String] = []) throws -> any JokeSource {
        try Stage().reader(.chuckNorris, at: url) { $0.categories = categories }
    }

    @Test("the first sync is one search for all jokes, with IDs and dates unchanged")
    func first() async throws {
        let server = try UpstreamServer(ChuckNorrisService(Self.jokes))
        let batches = try await reader(server.url).sync(within: 1)
        #expect(server.server.targets == ["/jokes/search?query=chuck"])
        #expect(server.server.requests.first?.header("Accept") == "application/json")
        #expect(batches.map(\.progress) == [.complete] && batches.map(\.beginsFullSync) == [true])
        #expect(Set(batches.jokes.compactMap(\.upstreamID)) == Set(Self.jokes.map(\.id)))
        let joke = try #require(batches.jokes.first { $0.setup == "Chuck counts." })
        #expect(
            joke
                == FetchedJoke(
                    upstreamID: "bwoz2uwsqnwmyawyxdvo1w", setup: "Chuck counts.", categories: ["dev"],
                    details: JokeDetails(
                        url: "https://api.chucknorris.io/jokes/bwoz2uwsqnwmyawyxdvo1w",
                        date: "2019-06-02 08:47:39.43184")))
    }

    @Test("explicit is a flag, and the other jokes are unrated")
    func safety() async throws {
        let server = try UpstreamServer(ChuckNorrisService(Self.jokes))
        let normalizer = Normalizer(source: "chuck")
        let contents = try await reader(server.url).sync(within: 1).jokes.map { try normalizer.normalize($0).content }
        let flagged = contents.filter { $0.safety == .unsafe }
        #expect(Set(flagged.flatMap(\.flags.names)) == ["explicit", "political"] && flagged.count == 2)
        #expect(contents.filter { $0.safety == .unknown }.count == 2)
    }

    @Test("an answer with fewer jokes than stated does not show that the others are gone")
    func short() async throws {
        let server = try LoopbackServer()
        server.route("/jokes/search", .json(#"{"total":2,"result":[{"id":"a","value":"Chuck","categories":[]}]}"#))
        #expect(try await reader(server.url).sync(within: 1).map(\.progress) == [.partial])
    }

    @Test("only the configured categories are kept; an unknown category is a configuration error")
    func categories() async throws {
        let server = try UpstreamServer(ChuckNorrisService(Self.jokes))
        let both = try reader(server.url, categories: ["Explicit", "dev"])
        #expect(try await both.sync(within: 1).jokes.map(\.setup) == ["Chuck counts.", "CHUCK sleeps."])
        let error = try await reader(server.url, categories: ["sports"]).failure()
        #expect(error.code == .misconfigured)
        #expect(error.description.hasSuffix("has no category 'sports': use one of dev, explicit, political"))
    }

    @Test("categories that cannot be read may be a warning, so the joke is flagged")
    func unreadableCategories() async throws {
        let server = try LoopbackServer()
        server.route("/jokes/search", .json(#"{"total":1,"result":[{"id":"a","value":"Chuck","categories":[7]}]}"#))
        #expect(try await reader(server.url).sync(within: 1).jokes.map(\.flags) == [["other"]])
    }

    @Test("an error has the message of the service")
    func error() async throws {
        let server = try UpstreamServer(ChuckNorrisService(Self.jokes))
        server.answerOverride = { _ in
            .json(
                """
                {"timestamp":"2026-11-20T14:01:19.123Z","status":400,"error":"Bad Request","message":"search.query: size",\
                "violations":{"search.query":"size must be between 3 and 120"}}
                """, status: 400)
        }
        let error = try await reader(server.url).failure()
        #expect(error.code == .status)
        #expect(error.description == "\(server.url)/jokes/search?... returned 400: search.query: size")
    }
}
