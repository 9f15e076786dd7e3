import JokesCore
import JokesSources
import TestSupport
import Testing

/// Limits on the texts of a feed, which may be as long as an answer.
@Suite struct FeedBoundTests {
    private static let longest = 4 * Normalizer.maxBytes

    private static func feeds(_ text: String) -> [(kind: SourceKind, answer: LoopbackAnswer)] {
        [
            (.rss, .rss("<item><title>Good.</title></item><item><title>\(text)</title></item>")),
            (
                .rss,
                .rss("<item><title>Good.</title></item><item><title>T</title><description>\(text)</description></item>")
            ),
            (
                .rss,
                .rss("<item><title>Good.</title></item><item><description>x<![CDATA[\(text)]]></description></item>")
            ),
            (
                .rss,
                .atom("<entry><title>Good.</title></entry><entry><title>T</title><content>\(text)</content></entry>")
            ),
            (
                .rss,
                .atom(
                    "<entry><title>Good.</title></entry><entry><content type=\"xhtml\"><p>\(text)</p></content></entry>"
                )
            ),
            (.jsonfeed, .jsonFeed("{\"title\":\"Good.\"},{\"title\":\"\(text)\"}")),
            (.jsonfeed, .jsonFeed("{\"title\":\"Good.\"},{\"title\":\"T\",\"content_text\":\"\(text)\"}")),
            (.jsonfeed, .jsonFeed("{\"title\":\"Good.\"},{\"title\":\"T\",\"content_html\":\"\(text)\"}")),
        ]
    }

    @Test("an item with a text that is too long for a joke is refused, and the others are kept")
    func tooLong() async throws {
        for feed in Self.feeds(String(repeating: "a ", count: Self.longest / 2 + 1)) {
            let batches = try await sync(feed.kind, feed.answer)
            #expect(batches.jokes.map(\.setup) == ["Good."] && batches.refused == 1, "\(feed.kind) \(feed.answer)")
        }
    }

    @Test("a text that is a little shorter is left to the normalizer")
    func justFits() async throws {
        for feed in Self.feeds(String(repeating: "a ", count: Self.longest / 2 - 10)) {
            let batches = try await sync(feed.kind, feed.answer)
            #expect(batches.jokes.count == 2 && batches.refused == 0, "\(feed.kind) \(feed.answer)")
        }
    }
}
