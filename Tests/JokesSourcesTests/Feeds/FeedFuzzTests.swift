import DocumentFuzz
import TestSupport
import Testing

/// Valid feeds with random damage.
@Suite struct FeedFuzzTests {
    private static let feeds = [
        """
        <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE rss SYSTEM "x"><!-- c --><rss version="2.0" \
        xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Jokes</title><item><title>Why &amp; \
        how?</title><content:encoded><![CDATA[<p>So &#39;it&#39; is.</p>]]></content:encoded><guid a='b'>1</guid>\
        <pubDate>Fri, 20 Nov 2026 14:01:13 GMT</pubDate><link>/1</link></item><item><title>Two</title></item></channel></rss>
        """,
        """
        <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Jokes</title><entry><title type="html">Why &lt;i&gt;so\
        &lt;/i&gt;?</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a<br/>&#x1F600;</div></content>\
        <id>1</id><link href="x"/><updated>2026-11-20T14:01:13.5+01:00</updated></entry></feed>
        """,
        """
        {"version":"https://jsonfeed.org/version/1.1","title":"Jokes","next_url":"//","items":[{"id":"1","title":"Why?",\
        "content_html":"<p>So &amp; so.</p>","tags":["a"],"date_published":"2026-11-20T14:01:13Z","_jokesd":\
        {"flags":["nsfw"],"safety":"safe"}},{"id":2,"content_text":"Two"}]}
        """,
    ]

    @Test("any bytes are read as documents of bounded size without control characters")
    func anyBytes() throws {
        try checkProperty(
            "documents", cases: 1_000,
            generate: { random, _ in
                let feed = Self.feeds[random.int(in: 0..<Self.feeds.count)]
                return (0..<random.int(in: 1..<8)).reduce(Array(feed.utf8)) { bytes, _ in damage(bytes, &random) }
            }, property: checkDocument)
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
