import FoundationEssentials
import JokesCore
import JokesSources
import TestSupport
import Testing
import Unix

/// Tests with the data of real services, if there is a copy beside the checkout.
@Suite struct RealServicesTests {
    private static func entries<Entry: Decodable>(_ name: String, as type: Entry.Type) throws -> [Entry] {
        let bytes = try contentsOfFile(try #require(realData(name)), limit: 10_000_000)
        return try JSONDecoder().decode([Entry].self, from: Data(bytes))
    }

    private static let languages = ["cs", "de", "en", "es", "pt"]

    @Test(
        "jokeapi: a first sync of five languages requests /info and each ten IDs, and the second only /info",
        .enabled(if: realData("jokeapi-v2/jokes-en.json") != nil, Comment(rawValue: realDataSkipReason)))
    func jokeAPI() async throws {
        let jokes = try Self.languages.flatMap { language in
            try Self.entries("jokeapi-v2/jokes-\(language).json", as: JokeAPIService.Joke.self).map { joke in
                var joke = joke
                joke.lang = language
                return joke
            }
        }
        let server = try UpstreamServer(JokeAPIService(jokes))
        let implied = 1 + Self.languages.reduce(0) { $0 + server.service.lastID($1) / 10 + 1 }
        let reader = try Stage().reader(.jokeAPI, at: server.url) { $0.languages = Self.languages }
        let ids = Set(jokes.map { "\($0.lang ?? ""):\($0.id)" })
        try await check(reader, server.server, implied, ids: ids)
    }

    @Test(
        "blagues-api: a first sync requests the count and each number, and the second only the count",
        .enabled(if: realData("blagues-api/blagues.json") != nil, Comment(rawValue: realDataSkipReason)))
    func blaguesAPI() async throws {
        let jokes = try Self.entries("blagues-api/blagues.json", as: BlaguesService.Joke.self)
        let folder = try TemporaryFolder()
        let path = try folder.write("token", to: "token")
        let server = try UpstreamServer(BlaguesService(jokes, token: "token"))
        let last = try #require(jokes.map(\.id).max())
        let reader = try Stage().reader(.blaguesAPI, at: server.url) { $0.token = .file(path) }
        try await check(reader, server.server, 1 + last, ids: Set(jokes.map { "\($0.id)" }))
    }

    /// Checks the jokes and the requests of a first sync, and that the next one is a single request.
    private func check(
        _ reader: any JokeSource, _ server: LoopbackServer, _ requests: Int, ids: Set<String>
    ) async throws {
        let batches = try await reader.sync(within: requests)
        #expect(batches.last?.progress == .complete && batches.refused == 0)
        #expect(batches.jokes.count == ids.count && Set(batches.jokes.compactMap(\.upstreamID)) == ids)
        #expect(server.requests.count == requests)
        print("\(ids.count) real jokes in \(requests) requests and \(batches.count) batches")
        let second = try await reader.sync(from: try #require(batches.last).position, within: 1)
        #expect(second.map(\.progress) == [.unchanged] && server.requests.count == requests + 1)
    }
}
