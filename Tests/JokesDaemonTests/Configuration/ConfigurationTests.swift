import JSON
import JSON5
import JokesCore
import Testing

@testable import JokesDaemon

struct ConfigurationTests {
    private func parse(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration.parse(Array(text.utf8), file: "config.json")
    }

    @Test("an empty object is the built-in configuration")
    func emptyIsBuiltIn() throws {
        #expect(try parse("{}") == Configuration.builtIn)
    }

    @Test("the default values are those of the example")
    func defaultsAreShown() throws {
        var ninjas = JSONMapping()
        let key = SentField("X-Api-Key", SentValue("", secret: .file("/etc/jokesd/api-ninjas.key")))
        ninjas.strategy = .random
        ninjas.fields[.text] = [try JSONPointer("/joke"), try JSONPointer("/text")]
        var defaults = Configuration()
        defaults.sources = [
            SourceConfiguration(name: "official", kind: .officialJokeAPI),
            SourceConfiguration(
                name: "jokeapi", kind: .jokeAPI, languages: ["en"], categories: ["Programming", "Pun", "Misc"]),
            SourceConfiguration(name: "dad", kind: .iCanHazDadJoke, interval: .seconds(43_200)),
            SourceConfiguration(
                name: "chuck", kind: .chuckNorris, isEnabled: false, interval: .seconds(604_800),
                categories: ["dev", "science"]),
            SourceConfiguration(
                name: "blagues", kind: .blaguesAPI, isEnabled: false, interval: .seconds(86_400),
                categories: ["global", "dev"], token: .file("/etc/jokesd/blagues-api.token")),
            SourceConfiguration(
                name: "fortunes", kind: .fortune, path: "/usr/share/games/fortunes/riddles", isOptional: true),
            SourceConfiguration(
                name: "feed", kind: .jsonfeed, url: "https://example.org/jokes.json", isEnabled: false),
            SourceConfiguration(
                name: "reddit", kind: .rss, url: "https://www.reddit.com/r/cleanjokes/top.rss?t=week",
                isEnabled: false, interval: .seconds(86_400), language: "en"),
            SourceConfiguration(
                name: "ninjas", kind: .json, url: "https://api.api-ninjas.com/v1/jokes", isEnabled: false,
                interval: .seconds(86_400), headers: [key], rate: RequestRate(requests: 50, per: .seconds(86_400)),
                language: "en",
                json: ninjas),
        ]
        #expect(Configuration.builtIn == defaults)
        // Files without a list have these sources. Without them, the built-in configuration would read itself.
        #expect(Configuration.defaultSourcesText.contains("name"))
    }

    @Test("a URL may have international characters, but none that cannot be seen")
    func internationalURL() throws {
        func parse(url: String) throws(ConfigurationError) -> Configuration {
            try self.parse("{ sources: [ { name: 'a', type: 'rss', url: '\(url)' } ] }")
        }
        #expect(try parse(url: "https://käse.example/日本").sources.map(\.url) == ["https://käse.example/日本"])
        for hidden in ["\u{A0}", "\u{85}", "\u{200B}", "\u{202E}", "\u{3000}", "\u{E0041}"] {
            #expect(throws: ConfigurationError.self) { try parse(url: "https://example.org/\(hidden)") }
        }
    }

    @Test("every key sets its value")
    func readsEveryKey() throws {
        let read = try parse(
            """
            {
              sources: [
                { name: 'a', type: 'official-joke-api', url: 'http://127.0.0.1:8080/api', allowLocalNetwork: true,
                  enabled: false, interval: '90s', limit: 7, language: 'pt-br', safety: 'unknown',
                  filter: { words: ['goose'] } },
                { name: 'b', type: 'fortune', path: '/srv/fortunes', optional: true },
              ],
              filter: { safe: false, languages: ['EN', 'und'], flags: ['nsfw', 'political'], words: ['duck'], maxLength: 99 },
              feed: { size: 20, placeholders: 0 },
              network: { timeout: '2m', maxBody: '500KB', contact: 'jokes@example.org' },
            }
            """)
        var expected = Configuration()
        expected.sources = [
            SourceConfiguration(
                name: "a", kind: .officialJokeAPI, url: "http://127.0.0.1:8080/api", isEnabled: false,
                interval: .seconds(90), limit: 7, allowLocalNetwork: true, language: "pt-BR", safety: .unknown,
                filter: JokeFilter(safe: false, words: ["goose"], maxLength: nil)),
            SourceConfiguration(name: "b", kind: .fortune, path: "/srv/fortunes", isOptional: true),
        ]
        expected.filter = JokeFilter(
            safe: false, languages: ["en", "und"], flags: [.nsfw, .political], words: ["duck"], maxLength: 99)
        expected.feed.size = 20
        expected.feed.placeholders = 0
        expected.network.timeout = .seconds(120)
        expected.network.maxBody = 500_000
        expected.network.contact = "jokes@example.org"
        #expect(read == expected)
    }

    @Test("a list of sources replaces the built-in one, even if the list is empty")
    func sourcesAreReplaced() throws {
        #expect(try parse("{ sources: [] }").sources.isEmpty)
    }

    @Test(
        "an invalid file is refused with the line, the key and the correction",
        arguments: BadFile.all + BadFile.sources + BadFile.mappings)
    func refuses(_ bad: BadFile) throws {
        let error = try #require(throws: ConfigurationError.self) { try parse(bad.text) }
        let expected = bad.complaints.map { "config.json:\($0)" }.joined(separator: "\n")
        #expect(error.description == expected)
    }

    @Test("bytes that are not UTF-8 are refused with their line")
    func refusesOtherEncodings() throws {
        let bytes = Array("{\n// Sm\u{F8}rrebr\u{F8}d\n}".unicodeScalars.map { UInt8($0.value) })
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration.parse(bytes, file: "config.json")
        }
        #expect(error.description == "config.json:2: the file is not UTF-8 text")
    }
}
