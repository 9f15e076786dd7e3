import FoundationEssentials
import TestSupport
import Testing
import Unix

/// All real data at once, each in the format of its service, if a copy is next to the checkout.
@Suite struct RealSyncTests {
    private static let languages = ["cs", "de", "en", "es", "pt"]

    private func decoded<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        let bytes = try contentsOfFile(try #require(realData(name)), limit: 10_000_000)
        return try JSONDecoder().decode(type, from: Data(bytes))
    }

    private func jokeAPI() throws -> UpstreamServer<JokeAPIService> {
        let jokes = try Self.languages.flatMap { language in
            try decoded("jokeapi-v2/jokes-\(language).json", as: [JokeAPIService.Joke].self).map { joke in
                var joke = joke
                joke.lang = language
                return joke
            }
        }
        return try UpstreamServer(JokeAPIService(jokes))
    }

    /// An unmodified entry of the file: a question, a quotation, or by mistake a text.
    private struct ReadmeEntry: Codable {
        var members: [String: String]?
        var text: String?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try? value.decode(String.self)
            members = text == nil ? try value.decode([String: String].self) : nil
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            if let text { try value.encode(text) } else { try value.encode(members) }
        }
    }

    @Test(
        "a first sync makes as many requests as each format implies, and a second sync one that stores nothing",
        .enabled(if: isSlowTier, "slow tier"),
        .enabled(if: realData("jokeapi-v2/jokes-en.json") != nil, Comment(rawValue: realDataSkipReason)))
    func all() async throws {
        let folder = try TemporaryFolder()
        let token = try folder.write("token", to: "token")
        let official = try OfficialJokeServer(decoded("official-joke-api/jokes.json"))
        let jokeAPI = try jokeAPI()
        let french: [BlaguesService.Joke] = try decoded("blagues-api/blagues.json")
        let blagues = try UpstreamServer(BlaguesService(french, token: "token"))
        let readme = try LoopbackServer()
        let readmeJokes: [String: ReadmeEntry] = try decoded("readme-jokes/jokes.json")
        let body = try JSONEncoder().encode(readmeJokes.sorted { Int($0.key)! < Int($1.key)! }.map(\.value))
        readme.route("/jokes", .json(String(decoding: body, as: UTF8.self)))
        let dad = try LoopbackServer()
        let openers = try contentsOfFile(try #require(realData("dadjokes-online/jokes.txt")), limit: 1_000_000)
            .split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self).split(separator: "<>") }
            .filter { !$0.isEmpty }
        let turn = Locked(0)
        dad.routeEverythingElse { _ in
            let line = openers[
                turn.withLock { turn in
                    turn += 1
                    return turn - 1
                } % openers.count]
            let answer = ["Joke": ["Opener": String(line[0]), "Punchline": line.count > 1 ? String(line[1]) : ""]]
            return .json(String(decoding: (try? JSONEncoder().encode(answer)) ?? Data(), as: UTF8.self))
        }
        let local = #""allowLocalNetwork": true"#
        let sources = [
            officialSource(official.url),
            #"{"name": "jokeapi", "type": "jokeapi", "url": "\#(jokeAPI.url)", \#(local), "languages": ["cs", "de", "en", "es", "pt"]}"#,
            #"{"name": "blagues", "type": "blagues-api", "url": "\#(blagues.url)", \#(local), "token": "@file:\#(token)"}"#,
            #"{"name": "readme", "type": "json", "url": "\#(readme.url)/jokes", \#(local), "html": "strip", "map": {"setup": ["/q", "/quote"], "punchline": "/a"}}"#,
            #"{"name": "dad", "type": "json", "url": "\#(dad.url)/", \#(local), "strategy": "random", "map": {"setup": "/Joke/Opener", "punchline": "/Joke/Punchline"}}"#,
        ]
        let daemon = try DaemonUnderTest(
            configuration:
                #"{"sources": [\#(sources.joined(separator: ","))], "filter": {"safe": false, "maxLength": 8192}}"#)
        let servers = [official.server, jokeAPI.server, blagues.server, readme, dad]
        try await daemon.waitForSyncs()
        let implied = [
            2, 1 + Self.languages.reduce(0) { $0 + jokeAPI.service.lastID($1) / 10 + 1 },
            1 + (french.map(\.id).max() ?? 0), 1,
        ]
        let first = servers.map(\.requests.count)
        #expect(Array(first.prefix(4)) == implied)
        #expect((3...50).contains(first[4]))
        let health = try daemon.configuredSources()
        #expect(health.allSatisfy { $0.failure == nil && $0.refused == 0 })
        let status: PrintedStatus = try daemon.json("status")

        for name in ["official", "jokeapi", "blagues", "readme"] {
            // The refresh fails until the minimum interval between two syncs has passed.
            try await waitUntil("\(name) was synced again") {
                try daemon.control("refresh", name).ending == .exited(0)
            }
        }
        #expect(servers.prefix(4).map(\.requests.count) == first.prefix(4).map { $0 + 1 })
        let again: PrintedStatus = try daemon.json("status")
        #expect(again.jokes.cached == status.jokes.cached && again.jokes.shown == status.jokes.shown)
    }
}
