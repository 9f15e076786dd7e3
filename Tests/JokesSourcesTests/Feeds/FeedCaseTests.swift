import HTTP
import JSON
import JokesCore
import JokesExchange
import JokesSources
import TestSupport
import Testing
import Unix

/// Small feeds as servers send them, in the folder `Cases`.
@Suite struct FeedCaseTests {
    /// What a feed has. Texts are compared without the number of spaces; absent fields are not checked.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let file: String
        /// The Content-Type of the server.
        let type: String?
        /// The jokes in any order, their parts on lines; nil if the feed must be refused.
        let jokes: [String]?
        let link, author, date, language, category, safety: String?

        var testDescription: String { file }
    }

    private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Cases/"

    static let cases: [Case] = {
        let bytes = try? RegularFile(opening: folder + "index.json").bytes(at: 0, count: 1 << 20)
        return bytes.flatMap { try? JSONDocument($0).root.decode([Case].self) } ?? []
    }()

    @Test("all cases are read")
    func count() { #expect(Self.cases.count > 250) }

    @Test("a feed is read as a person would read it", arguments: cases)
    func feed(feed: Case) async throws {
        let body = try RegularFile(opening: Self.folder + feed.file).bytes(at: 0, count: 1 << 20)
        let kind: SourceKind = feed.file.hasPrefix("jsonfeed") ? .jsonfeed : .rss
        let server = try FeedServer(kind, LoopbackAnswer(type: feed.type, body: body))
        guard let expected = feed.jokes else {
            #expect([.unreadable, .empty].contains(try await server.source().failure().code))
            return
        }
        let jokes = try await server.source().sync().flatMap(\.jokes)
            .map { try Normalizer(source: "feed").normalize($0).content }
        let texts = jokes.map { Self.folded([$0.text.setup, $0.text.punchline ?? ""].joined(separator: " ")) }
        #expect(texts.sorted() == expected.map(Self.folded).sorted())
        guard let joke = jokes.first else { return }
        if let link = feed.link {
            #expect(
                joke.details.url?.lowercased() == (link.hasPrefix("/") ? server.server.url : "") + link.lowercased())
        }
        if let author = feed.author { #expect(joke.details.author == author) }
        if let date = feed.date { #expect(joke.details.date == date) }
        if let language = feed.language { #expect(joke.language == language) }
        if let category = feed.category { #expect(joke.categories == [category]) }
        if let safety = feed.safety { #expect(joke.safety.rawValue == safety) }
    }

    private static func folded(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("tags and pictures in a text do not count toward its length")
    func longMarkup() async throws {
        let image = "&lt;img src=\"data:image/png;base64,\(String(repeating: "A", count: 60_000))\"&gt;"
        let tags = String(repeating: "<p style=\"color:red\"></p>", count: 2_000)
        let items = """
            <item><title>Why?</title><description>So.\(image)</description></item>
            <item><title>How?</title><description>Thus.</description><content:encoded><![CDATA[\(tags)]]></content:encoded></item>
            """
        let jokes = try await sync(.rss, .rss(items)).jokes
        #expect(jokes.map(\.punchline) == ["So.", "Thus."])
    }

    // MARK: What a joke depends on

    private static let words = ["Why", "did", "the", "duck", "quack", "so", "loud?", "It", "was", "late."]

    private static func item(_ random: inout SplitMix64) -> (title: String, body: String, id: Int) {
        let text = { (random: inout SplitMix64, count: Int) in
            (0..<count).map { _ in words[random.int(in: 0..<words.count)] }.joined(separator: " ")
        }
        return (text(&random, random.int(in: 1..<4)), text(&random, random.int(in: 1..<5)), random.int(in: 0..<3))
    }

    @Test("the text of a joke does not depend on the other items")
    func neighbors() throws {
        try checkProperty(
            "neighbors", cases: 1_000, maxSize: 8,
            generate: { random, size in (0...size).map { _ in Self.item(&random) } }
        ) { items in
            let texts = items.map { Self.jokes([$0])[0].setup + "|" + (Self.jokes([$0])[0].punchline ?? "") }
            let together = Self.jokes(items).map { $0.setup + "|" + ($0.punchline ?? "") }
            try verify(texts == together, "\(texts) alone, \(together) together")
        }
    }

    @Test("no two items with different texts have one ID, whatever their guids are")
    func identity() throws {
        try checkProperty(
            "identity", cases: 1_000, maxSize: 8,
            generate: { random, size in (0...size).map { _ in Self.item(&random) } }
        ) { items in
            var texts: [JokeID: JokeText] = [:]
            for joke in Self.jokes(items) {
                let known = try Normalizer(source: "feed").normalize(joke)
                let other = texts.updateValue(known.content.text, forKey: known.id)
                try verify(other == nil || Fingerprint(of: other!) == known.fingerprint, "\(known) is also \(other!)")
            }
        }
    }

    private static func jokes(_ items: [(title: String, body: String, id: Int)]) -> [FetchedJoke] {
        // A link that is the guid of another item identifies nothing.
        let text = items.map {
            "<item><link>guid-\($0.body.count % 3)</link><title>\($0.title)</title><description>\($0.body)</description><guid>guid-\($0.id)</guid></item>"
        }.joined()
        let document = Array("<rss><channel><title>Ducks</title>\(text)</channel></rss>".utf8)
        return Feed(xml: document, url: "http://feed.example/") { link, _ in link }?.jokes().jokes ?? []
    }

    @Test("items that all have dates are ordered by them, the newest first, and others as the document has them")
    func order() async throws {
        let item = { (name: String, date: String?) in
            "<item><title>\(name)</title>\(date.map { "<pubDate>\($0)</pubDate>" } ?? "")</item>"
        }
        let dated = [item("b", "2026-01-02"), item("c", "2026-01-01"), item("a", "Sat, 03 Jan 2026 00:00:00 +0900")]
        #expect(try await sync(.rss, .rss(dated.joined())).jokes.map(\.setup) == ["a", "b", "c"])
        let mixed = dated + [item("d", nil)]
        #expect(try await sync(.rss, .rss(mixed.joined())).jokes.map(\.setup) == ["b", "c", "a", "d"])
        let json = [("b", "02"), ("c", "01"), ("a", "03")].map {
            #"{"content_text":"\#($0.0)","date_published":"2026-01-\#($0.1)T00:00:00Z"}"#
        }
        #expect(
            try await sync(.jsonfeed, .jsonFeed(json.joined(separator: ","))).jokes.map(\.setup) == ["a", "b", "c"])
    }
}
