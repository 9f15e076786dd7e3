import JSON
import JSON5
import JokesCore
import Testing

@testable import JokesDaemon

/// The keys that only some source types have.
struct SourceKeysTests {
    private func parse(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration.parse(Array(text.utf8), file: "config.json")
    }

    private func json(_ keys: String) throws -> SourceConfiguration {
        try #require(try parse("{ sources: [ { name: 'a', type: 'json', \(keys) } ] }").sources.first)
    }

    @Test("no message quotes a text that may be a secret")
    func secretsStayUnsaid() {
        for bad in BadFile.sources where bad.text.contains("s3cr3t") && !bad.text.contains("headers: 's3cr3t'") {
            let error = #expect(throws: ConfigurationError.self) { try parse(bad.text) }
            #expect(error?.description.contains("s3cr3t") == false, "\(bad)")
        }
    }

    @Test("every key of a json source sets its value")
    func readsMapping() throws {
        let read = try json(
            """
            url: 'https://{lang}.example.org/jokes?page={page}', languages: ['en', 'DE'],
            rate: { requests: 50, per: '1d' },
            headers: { Accept: 'application/vnd.jokes+json', 'X-Api-Key': '@file:/etc/jokesd/key',
              Authorization: 'Bearer @credential:jokes' }, auth: '@file:/etc/jokesd/login',
            query: { size: '{limit}', 'api-key': '@credential:jokes', keyword: 'beer @ home', at: 'a@file:b' },
            strategy: 'page', size: 30, first: 0, pages: '/pages', total: '/total',
            items: '/data/*', map: { id: '/_id', setup: ['/setup', '/q~1a'], punchline: '/punchline',
              text: '/joke', language: '/lang', categories: '/tags/*/name', url: '/url', author: '/by', date: '/at', safe: '/ok' },
            flags: ['/flags', '/nsfw'],
            error: [ { pointer: '/success', not: true }, { pointer: '/error', exists: true } ],
            empty: { pointer: '/code', is: '106' },
            split: 'question', html: 'strip',
            """)
        var expected = JSONMapping()
        let headers = [
            SentField("Accept", SentValue("application/vnd.jokes+json")),
            SentField("X-Api-Key", SentValue("", secret: .file("/etc/jokesd/key"))),
            SentField("Authorization", SentValue("Bearer ", secret: .credential("jokes"))),
        ]
        expected.query = [
            SentField("size", SentValue("{limit}")), SentField("api-key", SentValue("", secret: .credential("jokes"))),
            SentField("keyword", SentValue("beer @ home")), SentField("at", SentValue("a@file:b")),
        ]
        (expected.strategy, expected.size, expected.first) = (.page, 30, 0)
        expected.pages = try JSONPointer("/pages")
        expected.total = try JSONPointer("/total")
        expected.items = try JSONPointer("/data/*")
        expected.fields[.id] = [try JSONPointer("/_id")]
        expected.fields[.setup] = [try JSONPointer("/setup"), try JSONPointer("/q~1a")]
        expected.fields[.punchline] = [try JSONPointer("/punchline")]
        expected.fields[.text] = [try JSONPointer("/joke")]
        expected.fields[.language] = [try JSONPointer("/lang")]
        expected.fields[.categories] = [try JSONPointer("/tags/*/name")]
        expected.fields[.url] = [try JSONPointer("/url")]
        expected.fields[.author] = [try JSONPointer("/by")]
        expected.fields[.date] = [try JSONPointer("/at")]
        expected.fields[.safe] = [try JSONPointer("/ok")]
        expected.flags = [try JSONPointer("/flags"), try JSONPointer("/nsfw")]
        expected.error = [
            JSONCondition(try JSONPointer("/success"), .differs(.bool(true))),
            JSONCondition(try JSONPointer("/error"), .differs(.null)),
        ]
        expected.empty = [JSONCondition(try JSONPointer("/code"), .equals(.string("106")))]
        expected.split = .question
        expected.isHTML = true
        #expect(
            read
                == SourceConfiguration(
                    name: "a", kind: .json, url: "https://{lang}.example.org/jokes?page={page}",
                    languages: ["en", "de"], headers: headers, auth: .file("/etc/jokesd/login"),
                    rate: RequestRate(requests: 50, per: .seconds(86_400)), json: expected))
    }

    @Test("a json source needs only a URL: the whole answer is a text or a list of texts")
    func shortest() throws {
        let read = try json("url: 'https://example.org/jokes'")
        #expect(
            read == SourceConfiguration(name: "a", kind: .json, url: "https://example.org/jokes", json: JSONMapping()))
        #expect(read.json?.items == .whole)
    }

    @Test("each strategy is accepted with the keys that it needs; ranges begin with 0, pages with 1")
    func strategies() throws {
        #expect(try json("url: 'https://example.org/{limit}', strategy: 'random', size: 10").json?.strategy == .random)
        #expect(try json("url: 'https://example.org/', strategy: 'cursor', next: '/next'").json?.strategy == .cursor)
        #expect(
            try json("url: 'https://example.org/?c={cursor}', strategy: 'cursor', next: '/next'").json?.next
                == JSONPointer("/next"))
        #expect(try json("url: 'https://example.org/?i={from}-{to}', strategy: 'range', size: 10").json?.first == 0)
        #expect(try json("url: 'https://example.org/', query: { p: '{page}' }, strategy: 'page'").json?.first == 1)
        #expect(try json("url: 'https://example.org?p={page}', strategy: 'page'").json?.strategy == .page)
    }

    @Test("languages, categories and a token are read for the source types that have them")
    func services() throws {
        let read = try parse(
            """
            { sources: [
              { name: 'a', type: 'jokeapi', languages: ['de', 'EN'], categories: ['Pun', 'Été 2'] },
              { name: 'b', type: 'blagues-api', token: '@credential:blagues', categories: ['dev'] },
            ] }
            """)
        #expect(
            read.sources == [
                SourceConfiguration(name: "a", kind: .jokeAPI, languages: ["de", "en"], categories: ["Pun", "Été 2"]),
                SourceConfiguration(
                    name: "b", kind: .blaguesAPI, categories: ["dev"], token: .credential("blagues")),
            ])
    }

    @Test("conditions compare with text, numbers, true, false and null")
    func conditions() throws {
        let values: [(String, JSONCondition.Value)] = [
            ("'a'", .string("a")), ("-1.5e3", .number(-1500)), ("0x10", .number(16)), ("true", .bool(true)),
            ("null", .null),
        ]
        for (text, value) in values {
            let mapping = try json("url: 'https://example.org', error: { pointer: '', is: \(text) }").json
            #expect(mapping?.error == [JSONCondition(.whole, .equals(value))])
        }
    }

    @Test(
        "a proxy is none, a URL, or a reference to a URL; the default is the proxy of the environment",
        arguments: [
            ("", Configuration.Network.Proxy.fromEnvironment), ("proxy: 'none'", .direct),
            ("proxy: 'http://proxy.example.org:3128'", .url("http://proxy.example.org:3128")),
            ("proxy: 'https://proxy.example.org/'", .url("https://proxy.example.org/")),
            ("proxy: 'socks5h://[::1]:1080'", .url("socks5h://[::1]:1080")),
            ("proxy: '@file:/etc/jokesd/proxy'", .reference(.file("/etc/jokesd/proxy"))),
            ("proxy: '@credential:proxy'", .reference(.credential("proxy"))),
        ])
    func proxy(_ key: String, _ expected: Configuration.Network.Proxy) throws {
        #expect(try parse("{ network: { \(key) } }").network.proxy == expected)
    }
}
