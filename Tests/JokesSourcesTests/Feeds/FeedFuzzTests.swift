import DocumentFuzz
import JokesCore
import JokesSources
import TestSupport
import Testing

/// Valid feeds with random damage.
@Suite struct FeedFuzzTests {
    static let feeds: [(kind: SourceKind, type: String, document: String)] = [
        (
            .rss, "application/rss+xml",
            """
            <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE rss SYSTEM "x"><!-- c --><rss version="2.0" \
            xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Jokes</title><item><title>Why &amp; \
            how?</title><content:encoded><![CDATA[<p>So &#39;it&#39; is.</p>]]></content:encoded><guid a='b'>1</guid>\
            <pubDate>Fri, 20 Nov 2026 14:01:13 GMT</pubDate><link>/1</link></item><item><title>Two</title></item></channel></rss>
            """
        ),
        (
            .rss, "application/atom+xml",
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Jokes</title><entry><title type="html">Why &lt;i&gt;so\
            &lt;/i&gt;?</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a<br/>&#x1F600;</div></content>\
            <id>1</id><link href="x"/><updated>2026-11-20T14:01:13.5+01:00</updated></entry></feed>
            """
        ),
        (
            .jsonfeed, "application/feed+json",
            """
            {"version":"https://jsonfeed.org/version/1.1","title":"Jokes","next_url":"//","items":[{"id":"1","title":"Why?",\
            "content_html":"<p>So &amp; so.</p>","tags":["a"],"date_published":"2026-11-20T14:01:13Z","_jokesd":\
            {"flags":["nsfw"],"safety":"safe"}},{"id":2,"content_text":"Two"}]}
            """
        ),
    ]

    @Test("a damaged feed is read or refused, and does not become larger", arguments: 0..<feeds.count)
    func damaged(feed: Int) async throws {
        let (kind, type, document) = Self.feeds[feed]
        let server = try FeedServer(kind, LoopbackAnswer(type: type, body: Array(document.utf8)))
        let source = try server.source()
        #expect(try await source.sync().jokes.count >= 1)
        var outcomes = (read: 0, refused: 0)
        for number in 0..<scaled(1_000) {
            var random = SplitMix64(seed: testSeed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
            let body = damage(Array(document.utf8), &random)
            server.set(LoopbackAnswer(type: type, body: body))
            do {
                let batch = try await source.nextBatch(from: SourcePosition(), atMost: nil)
                try requireBounded(batch, body, seed: number)
                outcomes.read += 1
            } catch let error as SourceError {
                try verify(
                    [.unreadable, .empty].contains(error.code) && !error.description.utf8.contains { $0 < 0x20 },
                    "case \(number) of JOKESD_TEST_SEED=\(testSeed): \(error)")
                outcomes.refused += 1
            }
        }
        #expect(outcomes.read > scaled(20))
    }

    @Test("any bytes are read as documents of bounded size without control characters")
    func anyBytes() throws {
        try checkProperty(
            "documents", cases: 1_000,
            generate: { random, _ in
                let feed = Self.feeds[random.int(in: 0..<Self.feeds.count)].document
                return (0..<random.int(in: 1..<8)).reduce(Array(feed.utf8)) { bytes, _ in damage(bytes, &random) }
            }, property: checkDocument)
    }

    private func requireBounded(_ batch: SourceBatch, _ body: [UInt8], seed: Int) throws {
        let texts = batch.jokes.flatMap { [$0.setup, $0.punchline ?? ""] }
        let size = texts.reduce(0) { $0 + $1.utf8.count }
        // windows-1252 makes three bytes of one.
        try verify(
            size <= 3 * body.count + 2 * texts.count, "case \(seed) of JOKESD_TEST_SEED=\(testSeed): \(size) bytes")
        try verify(
            batch.jokes.count + batch.refused <= body.count,
            "case \(seed) of JOKESD_TEST_SEED=\(testSeed): \(batch.jokes.count) jokes")
        for joke in batch.jokes { _ = try? Normalizer(source: "feed").normalize(joke) }
    }

    private func damage(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.int(in: 1..<4) {
            guard !bytes.isEmpty else { break }
            let start = random.int(in: 0..<bytes.count)
            let end = min(bytes.count, start + random.int(in: 0..<(random.chance(1, in: 4) ? 200 : 3)))
            switch random.int(in: 0..<5) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: random.int(in: 0..<bytes.count))
            case 2: bytes[start] = UInt8(truncatingIfNeeded: random.next())
            case 3: bytes.insert(contentsOf: Self.morsels[random.int(in: 0..<Self.morsels.count)].utf8, at: start)
            default: bytes.removeSubrange(start..<(random.chance(1, in: 8) ? bytes.count : start + 1))
            }
        }
        return bytes
    }

    private static let morsels = [
        "<", ">", "&", ";", "\"", "'", "/", "]]>", "<![CDATA[", "<!--", "-->", "<?", "<!DOCTYPE x [", "&#0;", "&#x1b;",
        "&lt;",
        "<item>", "</item>", "<entry>", "<a>", "xmlns=''", "\u{0}", "\u{1B}[31m", "{", "}", "[", "]", ",", "null",
        "1e999",
        "\\u0000", "\\ud800", "é", "\u{202E}", "encoding='latin1'",
    ]
}
