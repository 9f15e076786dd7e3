import TestSupport
import Testing

/// Jokes that the filter excludes, in every command.
@Suite struct FilterEverywhereTests {
    /// Each joke but the first two is excluded by one rule of the filter.
    private let jokes = [
        JokeAPIService.Joke(0, "A first harmless test joke."),
        JokeAPIService.Joke(1, "A second harmless test joke,", delivery: "in two parts."),
        JokeAPIService.Joke(2, "Excluded, for its flag denies that it is safe.", flags: ["nsfw"], safe: true),
        JokeAPIService.Joke(3, "Excluded, for it is not safe by its own word.", safe: false),
        JokeAPIService.Joke(4, "Excluded, for nobody wants to read of a zebra."),
        JokeAPIService.Joke(5, "Excluded, for it is long: \(String(repeating: "very ", count: 40))."),
        JokeAPIService.Joke(0, lang: "de", "Excluded, for it says that it is German."),
    ]
    private let excluded = ["jokeapi:en:2", "jokeapi:en:3", "jokeapi:en:4", "jokeapi:en:5", "jokeapi:de:0"]

    private func configuration(_ url: String, filter: String) -> String {
        """
        {"sources": [{"name": "jokeapi", "type": "jokeapi", "url": "\(url)", "allowLocalNetwork": true,
            "languages": ["en", "de"]}],
         "filter": \(filter)}
        """
    }

    private let lax = #"{"safe": false, "maxLength": 8192}"#
    private let strict = #"{"safe": true, "languages": ["en"], "words": ["zebra"], "maxLength": 100}"#

    @Test(
        "list, search, random, favorites and watch print neither excluded jokes nor their IDs"
    )
    func everyCommand() async throws {
        let server = try UpstreamServer(JokeAPIService(jokes))
        let daemon = try DaemonUnderTest(configuration: configuration(server.url, filter: lax))
        try await daemon.waitForSyncs()
        #expect(try daemon.json("list", "--source", "jokeapi", as: [PrintedJoke].self).count == jokes.count)
        for id in excluded + ["jokeapi:en:0"] {
            #expect(try daemon.control("favorite", id).ending == .exited(0))
        }
        let requests = server.server.requests.count
        try daemon.reload(configuration(server.url, filter: strict))

        var outputs: [String] = []
        for command in [
            ["list"], ["search", "excluded"], ["favorites"], ["sources"], ["status"], ["show", "jokeapi:en"],
        ] {
            for json in [[], ["--json"]] {
                let result = try daemon.control(json + command)
                outputs += [result.output, result.errors]
            }
        }
        for id in excluded {
            #expect(try daemon.control("favorite", id).ending == .exited(1))
        }
        let cached = try daemon.json("status", as: PrintedStatus.self).jokes.shown
        for _ in 0..<cached + 5 { outputs.append(try daemon.control("random").output) }
        let watcher = try await daemon.watch()
        outputs.append(watcher.output.text)
        for output in outputs {
            #expect(!output.contains("Excluded"), "\(output)")
            for id in excluded { #expect(!output.contains(id), "\(output)") }
        }
        #expect(outputs.contains { $0.contains("A first harmless") })
        #expect(try daemon.control("status").output.contains("favorites     6, 5 of them excluded by the filter"))

        // The filter caused no request, and lost no joke.
        try daemon.reload(configuration(server.url, filter: lax))
        #expect(try daemon.json("favorites", as: [PrintedFavorite].self).count == 6)
        #expect(try daemon.json("search", "excluded", as: [PrintedSearchResult].self).count == 5)
        #expect(server.server.requests.count == requests)
    }

    @Test("show, list and search say why a joke is not shown, and name the command or key that changes it")
    func reasons() async throws {
        let server = try UpstreamServer(JokeAPIService(jokes))
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("An unrated duck.\n%\nA first harmless test joke.\n", to: "f")
        let jokeapi = """
            {"name": "jokeapi", "type": "jokeapi", "url": "\(server.url)", "allowLocalNetwork": true,
             "languages": ["en", "de"]}
            """
        let all = "\(jokeapi), \(fortuneSource(file, safety: "unknown"))"
        try daemon.reload(#"{"sources": [\#(all)], "filter": \#(strict)}"#)
        try await daemon.waitForSyncs()
        let unrated = try daemon.json("list", "--excluded", "--source", "fortunes", as: [ExcludedJoke].self)
        let duck = try #require(unrated.first?.id)
        #expect(unrated.count == 1)
        #expect(try daemon.control("search", "duck", "--excluded", "--format", "{id}").output == "\(duck)\n")
        let reasons = [
            duck: "unrated, and the filter is safe; jokesctl source set fortunes --safety safe",
            "jokeapi:en:2": "rated unsafe, and the filter is safe; change \"filter\" in the configuration",
            "jokeapi:en:3": "rated unsafe, and the filter is safe; change \"filter\" in the configuration",
            "jokeapi:en:4": "the filter excludes its words; change \"filter\" in the configuration",
            "jokeapi:en:5": "the filter excludes more than 100 characters; change \"filter\" in the configuration",
            "jokeapi:de:0": "the filter excludes the language de; change \"filter\" in the configuration",
        ]
        let listed = try daemon.json("list", "--excluded", "--not-source", "starter", as: [ExcludedJoke].self)
        #expect(Dictionary(uniqueKeysWithValues: listed.map { ($0.id, $0.notShown) }) == reasons)
        for (id, reason) in reasons {
            let shown = try daemon.control("show", id)
            #expect(shown.ending == .exited(0) && unwrapped(shown.output).contains("not shown \(reason)"), "\(shown)")
        }
        let german = try daemon.control("search", "German", "--excluded", "--language", "de")
        #expect(unwrapped(german.output).contains("jokeapi:de:0 Excluded, for it says that it is German. the filter"))
        #expect(
            try daemon.json(
                "list", "--excluded", "--not-source", "starter", "-n", "1", as: [ExcludedJoke].self) == [listed[0]])
        #expect(try daemon.control("search", "goose", "--excluded").output.contains("No excluded joke matches."))

        #expect(try daemon.control("hide", "jokeapi:en:1").ending == .exited(0))
        let hidden = unwrapped(try daemon.control("show", "jokeapi:en:1").output)
        #expect(hidden.contains("not shown hidden; jokesctl unhide jokeapi:en:1"), "\(hidden)")
        try daemon.reload(#"{"sources": [\#(fortuneSource(file, safety: "safe"))], "filter": \#(strict)}"#)
        try await daemon.waitForSyncs()
        #expect(try daemon.json("show", duck, as: Details.self).joke.notShown == nil)
        let removed = try daemon.json("show", "jokeapi:en:0", as: Details.self).joke.notShown
        #expect(removed?.hasPrefix("the same text as fortunes:") == true, "\(removed ?? "shown")")
        #expect(
            try daemon.json("show", "jokeapi:en:4", as: Details.self).joke.notShown
                == "source 'jokeapi' is no longer configured; jokesctl source add")
    }

    private struct Details: Decodable {
        var joke: ExcludedJoke
    }

    private struct ExcludedJoke: Decodable, Equatable {
        var id: String
        var notShown: String?
    }

    /// The text with one space between words.
    private func unwrapped(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private struct PrintedFavorite: Decodable {
        var id: String
    }

    @Test("a favorite disappears from an open view when a sync finds an unsafe duplicate of it")
    func unsafeDuplicate() async throws {
        let daemon = try DaemonUnderTest()
        func write(_ joke: String, to name: String) throws -> String {
            try daemon.folder.write("\(joke)\n%\n", to: name)
        }
        let sources = [
            fortuneSource(try write("One duck.", to: "kind"), name: "kind"),
            fortuneSource(try write("Another goose.", to: "rude"), name: "rude", safety: "unsafe"),
        ]
        try daemon.reload(#"{"sources": [\#(sources.joined(separator: ", "))]}"#)
        try await daemon.waitForSyncs()
        let id = try #require(daemon.json("list", "--source", "kind", as: [PrintedJoke].self).first).id
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        let watcher = try await daemon.watch()
        #expect(watcher.output.text.contains("favorite/\(id)"))
        _ = try write("One duck.", to: "rude")
        #expect(try daemon.control("refresh", "rude").ending == .exited(0))
        let second = try await daemon.watch()
        #expect(!second.output.text.contains("favorite/\(id)"))
    }
}
