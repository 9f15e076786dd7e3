import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct JokeAPITests {
    private typealias Joke = JokeAPIService.Joke

    /// Jokes of a language with these IDs.
    private static func jokes(_ ids: [Int], lang: String = "en") -> [Joke] {
        ids.map { Joke($0, lang: lang, "Setup \($0) \(lang)?", delivery: $0 % 2 == 0 ? "Punchline \($0)." : nil) }
    }

    @Test("the first sync requests /info and each range of ten IDs, and returns every joke of the language")
    func first() async throws {
        let server = try UpstreamServer(
            JokeAPIService(Self.jokes([0, 1, 9, 10, 25]) + Self.jokes([0, 3], lang: "de")))
        let batches = try await Stage().reader(.jokeAPI, at: server.url + "/").sync(within: 10)
        #expect(
            server.server.targets == [
                "/info", "/joke/Any?lang=en&idRange=0-9&amount=10", "/joke/Any?lang=en&idRange=10-19&amount=10",
                "/joke/Any?lang=en&idRange=20-25&amount=10",
            ])
        #expect(batches.map(\.progress) == [.more, .more, .more, .complete])
        #expect(batches.map(\.beginsFullSync) == [true, false, false, false])
        #expect(Set(batches.jokes.compactMap(\.upstreamID)) == ["en:0", "en:1", "en:9", "en:10", "en:25"])
        #expect(batches.refused == 0)
        let even = try #require(batches.jokes.first { $0.upstreamID == "en:10" })
        #expect(
            even
                == FetchedJoke(
                    upstreamID: "en:10", setup: "Setup 10 en?", punchline: "Punchline 10.", language: "en",
                    categories: ["Pun"], safety: .safe))
        #expect(batches.jokes.first { $0.upstreamID == "en:9" }?.punchline == nil)
    }

    @Test("each configured language is read, and IDs belong to a language; one without jokes has no request")
    func languages() async throws {
        let server = try UpstreamServer(JokeAPIService(Self.jokes([0, 4]) + Self.jokes([0, 12], lang: "de")))
        let reader = try Stage().reader(.jokeAPI, at: server.url) { $0.languages = ["fr", "en", "DE"] }
        let batches = try await reader.sync(within: 10)
        #expect(Set(batches.jokes.compactMap(\.upstreamID)) == ["en:0", "en:4", "de:0", "de:12"])
        #expect(batches.jokes.filter { $0.language == "de" }.count == 2)
        #expect(server.server.requests.count == 1 + 2 + 1 && batches.last?.progress == .complete)
    }

    @Test("a language without the jokes of /info makes a full sync incomplete")
    func languageInVain() async throws {
        let server = try UpstreamServer(JokeAPIService(Self.jokes([0, 4]) + Self.jokes([0, 12], lang: "de")))
        server.answerOverride = { request in
            guard request.query["lang"] == "de" else { return nil }
            return .json(#"{"error":true,"code":106,"message":"No matching joke found","additionalInfo":"None."}"#)
        }
        for languages in [["de", "en"], ["de", "fr"]] {
            let reader = try Stage().reader(.jokeAPI, at: server.url) { $0.languages = languages }
            let batches = try await reader.sync(within: 10)
            #expect(batches.jokes.count == (languages.contains("en") ? 2 : 0))
            #expect(batches.last?.progress == .partial)
        }
        server.answerOverride = { $0.query["lang"] == "en" ? .json(#"{"error":true,"code":106}"#) : nil }
        let reader = try Stage().reader(.jokeAPI, at: server.url) { $0.languages = ["de", "en"] }
        #expect(try await reader.sync(within: 10).last?.progress == .partial)
    }

    @Test("a sync without changes has one request for /info; after 28 of them, there is a full sync")
    func unchanged() async throws {
        let server = try UpstreamServer(JokeAPIService(Self.jokes([0, 1])))
        let reader = try Stage().reader(.jokeAPI, at: server.url)
        let position = try #require(try await reader.sync(within: 3).last).position
        let second = try await reader.sync(from: position, within: 1)
        #expect(second.map(\.progress) == [.unchanged] && second.jokes.isEmpty && server.server.targets.last == "/info")
        #expect(server.server.requests.count == 3)
        #expect(try await reader.unchangedSyncs(from: position) == 28)
    }

    @Test(
        "a change of /info begins a full sync",
        arguments: [
            { $0.jokes.append(Joke(2, "New.")) }, { $0.jokes.removeFirst() }, { $0.version = "2.4.0" },
            { $0.jokes[0].safe = false },
        ] as [@Sendable (inout JokeAPIService) -> Void])
    func changed(_ change: @Sendable (inout JokeAPIService) -> Void) async throws {
        let server = try UpstreamServer(JokeAPIService(Self.jokes([0, 1])))
        let reader = try Stage().reader(.jokeAPI, at: server.url)
        let position = try #require(try await reader.sync(within: 3).last).position
        change(&server.service)
        let batches = try await reader.sync(from: position, within: 3)
        #expect(batches.map(\.progress) == [.more, .complete] && batches.first?.beginsFullSync == true)
        #expect(batches.jokes.count == server.service.jokes.count)
    }

    @Test("flags and the rating are read, and flags take precedence")
    func flags() async throws {
        let jokes = [
            Joke(0, "Safe and flagged.", flags: ["nsfw", "racist"]), Joke(1, "Unsafe.", safe: false), Joke(2, "Safe."),
        ]
        let server = try UpstreamServer(JokeAPIService(jokes))
        let batches = try await Stage().reader(.jokeAPI, at: server.url).sync(within: 3)
        let fetched = batches.jokes.sorted { $0.setup < $1.setup }
        #expect(fetched.map(\.flags) == [["nsfw", "racist"], [], []])
        #expect(fetched.map(\.safety) == [.safe, .safe, .unsafe])
        let normalizer = Normalizer(source: "jokes")
        #expect(try fetched.map { try normalizer.normalize($0).content.safety } == [.unsafe, .safe, .unsafe])
    }

    @Test(
        "the rating safe counts only in languages in which the service also rates jokes unsafe",
        arguments: [
            ("cs", Safety.unknown), ("de", .safe), ("en", .safe), ("es", .safe), ("fr", .unknown), ("pt", .safe),
        ])
    func ratedLanguages(_ language: String, _ expected: Safety) async throws {
        let jokes = [
            Joke(0, lang: language, "A safe one."), Joke(1, lang: language, "Flagged.", flags: ["sexist"]),
            Joke(2, lang: language, "Unsafe.", safe: false), Joke(3, lang: language, category: "Dark", "Very dark."),
        ]
        let server = try UpstreamServer(JokeAPIService(jokes))
        let reader = try Stage().reader(.jokeAPI, at: server.url) { $0.languages = [language.uppercased()] }
        let fetched = try await reader.sync(within: 3).jokes.sorted { $0.setup < $1.setup }
        let normalizer = Normalizer(source: "jokes")
        let ratings = try fetched.map { try normalizer.normalize($0).content.safety }
        #expect(ratings == [expected, .unsafe, .unsafe, .unsafe])
        let summary = SourcePreset.named("jokeapi-\(language)")?.summary ?? "rated by the service"
        #expect(summary.hasSuffix("rated by the service") == (expected == .safe))
    }

    @Test("a cursor of a release in which the ratings of all languages counted begins a full sync")
    func formerCursor() async throws {
        let server = try UpstreamServer(JokeAPIService(Self.jokes([0], lang: "fr")))
        let reader = try Stage().reader(.jokeAPI, at: server.url) { $0.languages = ["fr"] }
        var position = try #require(try await reader.sync(within: 3).last).position
        position.cursor = position.cursor?.replacing("catalog", with: "catalogue")
        #expect(try await reader.sync(from: position, within: 3).jokes.map(\.safety) == [nil])
    }

    @Test("a joke of category Dark is unsafe, although the service rates it safe")
    func dark() async throws {
        let jokes = [Joke(0, category: "Dark", "Dark."), Joke(1, category: "dark", "Dim."), Joke(2, "Light.")]
        let server = try UpstreamServer(JokeAPIService(jokes))
        let fetched = try await Stage().reader(.jokeAPI, at: server.url).sync(within: 3).jokes
        #expect(fetched.sorted { $0.setup < $1.setup }.map(\.safety) == [.unsafe, .unsafe, .safe])
    }

    @Test("only safe jokes are requested if the filter of the source requires them")
    func safeMode() async throws {
        let server = try UpstreamServer(JokeAPIService([Joke(0, "Safe."), Joke(1, "Unsafe.", safe: false)]))
        let reader = try Stage().reader(.jokeAPI, at: server.url) { $0.filter = JokeFilter(safe: true) }
        #expect(try await reader.sync(within: 3).jokes.map(\.setup) == ["Safe."])
        #expect(server.server.targets.last?.hasSuffix("&safe-mode") == true)
        let loosened = try Stage().reader(.jokeAPI, at: server.url) { $0.filter = JokeFilter(safe: false) }
        #expect(try await loosened.sync(within: 3).jokes.count == 2)
    }

    @Test("only the configured categories are requested")
    func categories() async throws {
        let jokes = [
            Joke(0, category: "Pun", "Pun."), Joke(1, category: "Dark", "Dark."), Joke(2, category: "Misc", "M."),
        ]
        let server = try UpstreamServer(JokeAPIService(jokes))
        let names = JokeAPIService.categories.dropFirst().filter { $0 != "Dark" }
        let reader = try Stage().reader(.jokeAPI, at: server.url) {
            $0.categories = (0..<100).flatMap { _ in names }
            $0.filter = JokeFilter(safe: true)
        }
        #expect(Set(try await reader.sync(within: 3).jokes.map(\.setup)) == ["Pun.", "M."])
        #expect(server.server.targets.allSatisfy { $0.utf8.count < 250 })
        let all = try Stage().reader(.jokeAPI, at: server.url) { $0.categories = ["any"] }
        #expect(try await all.sync(within: 3).jokes.count == 3)
    }

    @Test("an unknown language or category is a configuration error that lists the known ones")
    func misconfigured() async throws {
        let server = try UpstreamServer(JokeAPIService(Self.jokes([0])))
        let language = try await Stage().reader(.jokeAPI, at: server.url) { $0.languages = ["en", "zz"] }.failure()
        #expect(language.code == .misconfigured)
        #expect(language.description == "\(server.url)/info has no jokes in 'zz': use one of cs, de, en, es, fr, pt")
        let category = try await Stage().reader(.jokeAPI, at: server.url) { $0.categories = ["Puns"] }.failure()
        #expect(category.code == .misconfigured && category.description.contains("no category 'puns': use one of Any,"))
        #expect(server.server.requests.count == 2)
    }
}
