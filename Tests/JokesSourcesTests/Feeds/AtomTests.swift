import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct AtomTests {
    @Test("all parts of a joke are read from Atom, with any prefix")
    func whole() async throws {
        let document = """
            <a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"
                xml:base="http://jokes.example/feed/">
              <a:title type="html">Jokes</a:title><a:author><a:name>Everybody</a:name><a:email>x@y</a:email></a:author>
              <a:entry>
                <a:title type="xhtml"><div>Why did the <b>pointer</b> dangle?</div></a:title>
                <a:content type="xhtml"><div><p>It had no&#160;&lt;b&gt;object&lt;/b&gt;<br/>&amp; no hope.</p></div></a:content>
                <a:summary>Not this</a:summary>
                <a:id>urn:x:1</a:id><a:link rel="self" href="http://jokes.example/no"/><a:link href="1.html"/>
                <a:link rel="alternate" href="http://jokes.example/second"/>
                <a:updated>2026-11-20T14:01:13Z</a:updated><a:category term="dev" label="Developers"/>
              </a:entry>
              <a:entry xml:base="/other/" xml:lang="fr">
                <a:title type="text">1 &lt; 2 &amp;amp; 3</a:title><a:summary type="html">1 &amp;lt; 2 &amp;amp;amp; 3, &lt;i&gt;non&lt;/i&gt; ?</a:summary>
                <a:content type="image/png">iVBORw0KGgo=</a:content>
                <a:link href="https://jokes.example/2"/><a:author><a:name>Blaise</a:name></a:author>
                <a:published>2026-11-19T14:01:13Z</a:published><a:updated>2026-11-20T14:01:13Z</a:updated>
              </a:entry>
              <a:entry><a:title xml:lang="la">Risus</a:title></a:entry>
            </a:feed>
            """
        let batches = try await sync(.rss, .text(document, type: "application/atom+xml"))
        #expect(
            batches.jokes == [
                FetchedJoke(
                    upstreamID: "urn:x:1", setup: "Why did the pointer dangle?",
                    punchline: "It had no\u{A0}<b>object</b>\n& no hope.", language: "en", categories: ["dev"],
                    details: JokeDetails(
                        url: "http://jokes.example/feed/1.html", author: "Everybody", date: "2026-11-20T14:01:13Z")),
                FetchedJoke(
                    // Only the title is plain text. The summary is HTML, and begins with the title.
                    setup: "1 < 2 &amp; 3, non ?", language: "fr",
                    details: JokeDetails(url: "https://jokes.example/2", author: "Blaise", date: "2026-11-19T14:01:13Z")
                ),
                FetchedJoke(setup: "Risus", language: "la", details: JokeDetails(author: "Everybody")),
            ])
    }

    @Test("a joke has no safety and language if the feed states none")
    func defaults() async throws {
        let joke = try #require(try await sync(.rss, .atom("<entry><title>a</title></entry>")).jokes.first)
        #expect(joke == FetchedJoke(setup: "a"))
        for kind in [SourceKind.rss, .jsonfeed] {
            #expect(SourceConfiguration(name: "feed", kind: kind).defaults == SourceDefaults())
        }
    }

    @Test("an entry without text is refused and counted")
    func empty() async throws {
        let batches = try await sync(.rss, .atom("<entry><id>1</id></entry><entry><title>a</title></entry>"))
        #expect(batches.jokes.count == 1 && batches.refused == 1)
    }
}
