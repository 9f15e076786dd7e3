import JokesCore
import JokesSources
import TestSupport
import Testing

/// A stored cursor may have any numbers.
@Suite struct DamagedCursorTests {
    /// A source of each type with numbers in its cursor, with its server.
    private struct Sources {
        let official: OfficialJokeServer
        let jokeAPI: UpstreamServer<JokeAPIService>
        let dad: UpstreamServer<DadJokeService>
        let chuck: UpstreamServer<ChuckNorrisService>
        let blagues: UpstreamServer<BlaguesService>
        let json: JSONCatalogServer
        let feed: LoopbackServer
        let folder: TemporaryFolder

        init() throws {
            official = try OfficialJokeServer((1...9).map { .init(setup: "Setup \($0)?", punchline: "Punchline.") })
            jokeAPI = try UpstreamServer(
                JokeAPIService(["en", "de"].flatMap { lang in (0..<12).map { .init($0, lang: lang, "Joke \($0).") } }))
            dad = try UpstreamServer(DadJokeService((1...9).map { .init("\($0)", "Joke \($0).") }))
            chuck = try UpstreamServer(ChuckNorrisService((1...9).map { .init("\($0)", "Chuck \($0).") }))
            blagues = try UpstreamServer(
                BlaguesService((1...4).map { .init($0, "Joke \($0) ?", "Yes.") }, token: "token"))
            json = try JSONCatalogServer()
            json.change { ($0.catalogs, $0.hasTotals) = (["": (1...9).map { "Joke \($0)." }], true) }
            feed = try LoopbackServer()
            feed.routeEverythingElse { request in
                .jsonFeed(
                    #"{"id":"1","content_text":"\#(request.target)"}"#, more: #","next_url":"\#(request.target)1""#)
            }
            folder = try TemporaryFolder()
            try folder.write("token", to: "token")
            try folder.write((1...9).map { "Joke \($0).\n" }.joined(separator: "%\n"), to: "jokes")
        }

        func all() throws -> [(source: any JokeSource, server: LoopbackServer?)] {
            let stage = Stage()
            let token = folder.path("token")
            let strategies: [(JSONMapping.Strategy, path: String)] = [
                (.page, "?page={page}&size={limit}"), (.range, "?from={from}&size={limit}&to={to}"),
                (.cursor, "?cursor={cursor}&size={limit}"), (.random, "?size={limit}"), (.whole, ""),
            ]
            var all: [(source: any JokeSource, server: LoopbackServer?)] = [
                (try stage.official(official.url), official.server),
                (try stage.reader(.jokeAPI, at: jokeAPI.url) { $0.languages = ["en", "de"] }, jokeAPI.server),
                (try stage.reader(.iCanHazDadJoke, at: dad.url), dad.server),
                (try stage.reader(.chuckNorris, at: chuck.url), chuck.server),
                (try stage.reader(.blaguesAPI, at: blagues.url) { $0.token = .file(token) }, blagues.server),
                (try stage.reader(.jsonfeed, at: feed.url + "/1"), feed),
                (try stage.fortune(folder.path("jokes")), nil),
            ]
            for (strategy, path) in strategies {
                let mapping = mapping {
                    ($0.strategy, $0.size, $0.items) = (strategy, 3, "/items")
                    ($0.pages, $0.total, $0.next) = ("/pages", "/total", "/next")
                    $0.fields[.text] = ["/t"]
                }
                all.append((try stage.json("\(json.server.url)/jokes\(path)", mapping), json.server))
            }
            return all
        }
    }

    private static let numbers = [Int.max, Int.max - 1, 1 << 62, -1, Int.min]

    /// The cursor with each of its numbers replaced, and with all of them replaced, and cursors that are none.
    private static func damaged(_ cursor: String) -> [String] {
        // No string in it has a quote: every other part is outside the strings.
        let parts = cursor.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        let places = parts.indices.filter { $0 % 2 == 0 }.flatMap { part in
            parts[part].ranges(of: /-?[0-9]+/).map { (part: part, range: $0) }
        }
        return numbers.flatMap { number in
            let each = places.map { place in
                var damaged = parts
                damaged[place.part].replaceSubrange(place.range, with: "\(number)")
                return damaged
            }
            let all = parts.indices.map { part in
                part % 2 == 0 ? parts[part].replacing(/-?[0-9]+/, with: "\(number)") : parts[part]
            }
            return (each + [all]).map { $0.joined(separator: "\"") }
        } + ["", "[]", "{}"]
    }

    @Test("with any numbers in a stored cursor, or a malformed cursor, the next step makes a valid request")
    func numbers() async throws {
        let sources = try Sources()
        for (source, server) in try sources.all() {
            var position = SourcePosition()
            for _ in 0..<(isSlowTier ? 8 : 3) {
                position = try await source.nextBatch(from: position, atMost: 3).position
                for cursor in Self.damaged(position.cursor ?? "") {
                    var damaged = position
                    damaged.cursor = cursor
                    _ = try await source.nextBatch(from: damaged, atMost: 3)
                    let target = server?.requests.last?.target ?? ""
                    #expect(target.firstMatch(of: /[0-9]{13}/) == nil, "\(target) after \(cursor)")
                }
            }
        }
    }
}
