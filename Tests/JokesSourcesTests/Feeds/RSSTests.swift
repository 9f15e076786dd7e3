import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct RSSTests {
    @Test("all parts of a joke are read from RSS 2.0")
    func whole() async throws {
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- generated --><?style sheet?>
            <!DOCTYPE rss PUBLIC "-//Example//DTD RSS>//EN" 'http://jokes.example/[rss].dtd'>
            <rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
                xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">
              <channel>
                <title>Jokes &amp; more</title><link>http://jokes.example/</link><language>en-gb</language>
                <atom:link rel="self" href="http://jokes.example/feed"/>
                <item>
                  <title>Why did the &lt;b&gt;daemon&lt;/b&gt; fork?</title>
                  <media:title>Not this one</media:title>
                  <description>Too short</description>
                  <c:encoded><![CDATA[<p>It was&nbsp;told to <em>spawn</em>.</p>]]></c:encoded>
                  <guid isPermaLink="false"> joke:7 </guid>
                  <link>/jokes/7?a=b&amp;c=d</link>
                  <pubDate>Fri, 20 Nov 2026 14:01 EST</pubDate>
                  <author>ada@jokes.example (Ada Lovelace)</author>
                  <category>dev</category><category domain="x">pun</category>
                  <media:rating>adult</media:rating>
                </item>
                <item xml:lang="de">
                  <title>Allein</title>
                  <guid>http://jokes.example/8</guid><dc:creator>Bob</dc:creator><dc:date>2026-11-20</dc:date>
                </item>
              </channel>
            </rss>
            <!-- the end -->
            """
        let server = try FeedServer(.rss, .xml(document))
        let batches = try await server.source().sync()
        #expect(batches.map(\.progress) == [.partial] && batches.refused == 0)
        #expect(
            batches.jokes == [
                FetchedJoke(
                    upstreamID: "joke:7", setup: "Why did the daemon fork?", punchline: "It was\u{A0}told to spawn.",
                    language: "en-gb", categories: ["dev", "pun"], flags: ["nsfw"],
                    details: JokeDetails(
                        url: server.server.url + "/jokes/7?a=b&c=d", author: "Ada Lovelace",
                        date: "2026-11-20T14:01:00-05:00")),
                FetchedJoke(
                    upstreamID: "http://jokes.example/8", setup: "Allein", language: "de",
                    details: JokeDetails(url: "http://jokes.example/8", author: "Bob", date: "2026-11-20")),
            ])
    }

    // MARK: XML

    static let texts: [(xml: String, text: String)] = [
        ("<title>a &lt; b &#38; c &#x26; d</title>", "a < b & c & d"),
        ("<title><![CDATA[a < b]]> c</title>", "a < b c"),
        ("<title>caf&eacute; &hellip;</title>", "café …"), ("<title>It&amp;#8217;s</title>", "It’s"),
        ("<title>a<!-- b -- c -->d<?e f?>g</title>", "adg"), ("<title>a <b>b <i>c</i></b> d</title>", "a b c d"),
        ("<description>a<br/>b<p>c</p></description>", "a\nb\n\nc"), ("<title>\u{1}a</title>", "a"),
        ("<title\n  a='1'\tb = \"2>\"\n>a</title  >", "a"), ("<title/><description>a</description>", "a"),
        ("<title>one</title><title>two</title>", "one"), ("<title>AT&amp;T</title>", "AT&T"),
        ("<x:y><title>no</title></x:y><title>a</title>", "a"), ("<title>a]]></title>", "a]]>"),
        ("<x:title>no</x:title><title>a</title>", "a"), ("<source><title>no</title></source><title>a</title>", "a"),
        ("<title>&#27;[31ma</title>", "a"), ("<name.with-dots:and_é/><title>a</title>", "a"),
    ]

    @Test("the escapes of XML and then of HTML are undone", arguments: texts)
    func text(xml: String, text: String) async throws {
        let batches = try await sync(.rss, .rss("<item>\(xml)</item>"))
        #expect(batches.jokes.map(\.setup) == [text] && batches.jokes.map(\.punchline) == [nil])
    }

    static let malformed: [(document: String, jokes: [String])] = [
        // Half a joke may be missing at the end.
        ("<rss>\n<channel><item><title>a?</title>", []),
        ("<rss><channel><item><title>a</title><item><title>b</title></channel></rss>", ["a", "b"]),
        ("<rss><channel><item><title>a</title><source>x</channel></rss>", ["a"]),
        (
            "<rss xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><item><rdf:RDF></rdf:RDF><title>a</title></item></rss>",
            ["a"]
        ),
        ("<rss><item><title>a?</title><description>b</description><guid>1", ["a?"]),
        ("<rss><item><title>a?<description>b</description></item></rss>", ["a?"]),
        ("<rss><item><link href='http://x.example/'><category term='x'><title>a</title></item></rss>", ["a"]),
        ("<rss><item xmlns:n='http://www.w3.org/2005/Atom'><n:title>a</n:title></item></rss>", ["a"]),
        ("<!DOCTYPE rss [<!ENTITY a 'b'>\n] ><rss><item><title><![CDATA[a]]></title></item></rss>", ["a"]),
        ("<rss><item><title>a</title></item></channel></rss>", ["a"]),
        ("<rss><item><title>a</title></item></rss><rss><item><title>b</title></item></rss>", ["a", "b"]),
        ("<rss><item><title>a & &nope; b</title></item></rss>x", ["a & &nope; b"]),
        ("<rss a='&nope;' a='1' b c=2><item><title>a</title></item></rss>", ["a"]),
        ("<rss><item><title>a</title><item><title>b</title></item></rss>", ["a", "b"]),
        ("<rss><item><title>1 < 2 <3</title></item></rss", ["1 < 2 <3"]),
        ("<rss><item><title>a</title></item><item><title>half of", ["a"]),
        ("<rss><item><title>a</title></item><item><title>b</title><description>half of", ["a"]),
        ("<rss><item><title>a<guid>1</guid><link>x</link></item></rss>", ["a"]),
        ("<rss><item><title>a</b></title></p></item></rss>", ["a"]),
        ("<!-- <rss/><rss><item><title>a</title></item></rss>", ["a"]),
        ("<rss><![CDATA[<item><title>a</title></item></rss>", ["a"]),
        (
            "<!DOCTYPE rss [<!ENTITY a 'b'><!ENTITY f SYSTEM 'file:///x'>]><rss><item><title>&a;&f;</title></item></rss>",
            ["&a;&f;"]
        ),
        ("<!DOCTYPE rss SYSTEM 'x><rss><item><title>a</title></item></rss>", ["a"]),
        ("<!ELEMENT rss><rss><item><title>a</title></item></rss>", ["a"]),
        ("<rss>" + String(repeating: "<a>", count: 100_000) + "<item><title>a</title></item>", ["a"]),
        ("<rss " + (0..<65).map { "a\($0)='' " }.joined() + "><item><title>a</title></item></rss>", ["a"]),
    ]

    @Test("XML that is not well formed is read as a person would read it", arguments: malformed)
    func malformedDocument(document: String, jokes: [String]) async throws {
        #expect(try await sync(.rss, .xml(document)).jokes.map(\.setup) == jokes)
    }

    @Test(
        "a document that is no feed is refused",
        arguments: ["jokes", "<?xml ", "<![CDATA[x]]>", "<opml><body/></opml>", "<html><body><rss/></body></html>"])
    func noFeed(document: String) async throws {
        #expect(try await failure(.rss, .xml(document)).code == .unreadable)
    }

    // MARK: Encodings

    static let encodings: [(bytes: [UInt8], type: String)] = [
        (document("é", encoding: nil), "text/xml"),
        (document("\u{FFFD}", encoding: "ISO-8859-2").replacing([0xEF, 0xBF, 0xBD], with: [0xE9]), "application/xml"),
        (
            document("\u{FFFD}", encoding: nil).replacing([0xEF, 0xBF, 0xBD], with: [0xA8, 0xA6]),
            "text/xml; charset=GB18030"
        ),
    ]

    @Test("an encoding of the declaration or of the header is read", arguments: encodings)
    func encoding(bytes: [UInt8], type: String) async throws {
        let batches = try await sync(.rss, LoopbackAnswer(type: type, body: bytes))
        #expect(batches.jokes.map(\.setup) == ["é!"])
    }

    private static func document(_ text: String, encoding: String?) -> [UInt8] {
        let declaration = encoding.map { " encoding='\($0)'" } ?? ""
        return Array(
            "<?xml version=\"1.0\"\(declaration)?><rss><channel><item><title>\(text)!</title></item></channel></rss>"
                .utf8)
    }

    // MARK: HTTP

    @Test("an unchanged feed is one conditional request to exactly the configured URL")
    func unchanged() async throws {
        let items = (1...5).map { "<item><title>Joke \($0)</title><guid>\($0)</guid></item>" }.joined()
        let server = try FeedServer(.rss, .rss(""))
        server.server.routeEverythingElse { request in
            if request.header("If-None-Match") == "\"1\"" { return LoopbackAnswer(status: 304) }
            return LoopbackAnswer(
                type: "text/xml", headers: [("ETag", "\"1\"")],
                body: Array("<rss><channel>\(items)</channel></rss>".utf8))
        }
        let source = try server.source("/jokes/")
        let first = try await source.nextBatch(from: SourcePosition(), atMost: 2)
        #expect(first.jokes.map(\.upstreamID) == ["1", "2"] && first.progress == .partial && !first.beginsFullSync)
        #expect(first.position.validators.etag == "\"1\"")
        let second = try await source.nextBatch(from: first.position, atMost: 2)
        #expect(second.progress == .unchanged && second.jokes.isEmpty && second.position == first.position)
        #expect(try await server.source("/jokes").nextBatch(from: SourcePosition(), atMost: 3).jokes.count == 3)
        #expect(server.server.requests.map(\.target) == ["/jokes/", "/jokes/", "/jokes"])
    }

    @Test("the body decides, not the type", arguments: ["text/html", "application/json", "image/png", "x"])
    func anyType(type: String) async throws {
        for kind in [SourceKind.rss, .jsonfeed] {
            #expect(
                try await sync(kind, .text("<rss><item><title>a</title></item></rss>", type: type)).jokes.count == 1)
            let feed = #"{"version":"https://jsonfeed.org/version/1","items":[{"content_text":"a"}]}"#
            #expect(try await sync(kind, .text(feed, type: type)).jokes.count == 1)
        }
    }

    @Test("a source without a url is misconfigured")
    func misconfigured() throws {
        for kind in [SourceKind.rss, .jsonfeed] {
            let error = #expect(throws: SourceError.self) {
                _ = try Stage().readers.reader(for: SourceConfiguration(name: "feed", kind: kind))
            }
            #expect(error?.code == .misconfigured)
        }
    }

    // MARK: Items

    @Test("an item without text is refused; a feed of such items is an error, and a feed without items is not")
    func emptyItems() async throws {
        let bad = "<item><title> </title><description>&lt;img src='x'&gt;</description><guid>1</guid></item>"
        let batches = try await sync(.rss, .rss("<item/><item><title>Good.</title></item>\(bad)"))
        #expect(batches.jokes.map(\.setup) == ["Good."] && batches.refused == 2)
        let error = try await failure(.rss, .rss(bad + bad))
        #expect(error.code == .empty && error.description.hasSuffix("returned no jokes (items refused: 2)"))
        #expect(try await sync(.rss, .rss("")).map(\.progress) == [.partial])
    }

    static let links: [(link: String, url: String?)] = [
        ("http://other.example/a", "http://other.example/a"),
        ("  https://other.example/é ", "https://other.example/%c3%a9"),
        ("//other.example/a", "http://other.example/a"), ("a/../b", "/b"), ("?x=1", "/feed?x=1"),
        ("javascript:alert(1)", nil), ("mailto:ada@jokes.example", nil), ("file:///etc/passwd", nil), ("", nil),
        ("http://", nil), ("data:text/plain,x", nil),
        ("http://other.example/" + String(repeating: "a", count: 3000), nil),
    ]

    @Test("a link becomes an absolute http or https URL, or is left out", arguments: links)
    func link(link: String, url: String?) async throws {
        let server = try FeedServer(.rss, .rss("<item><title>a</title><link>\(link)</link></item>"))
        let joke = try #require(try await server.source().sync().jokes.first)
        // Releases of libcurl differ in the case of the digits.
        #expect(joke.details.url?.lowercased() == url.map { $0.hasPrefix("/") ? server.server.url + $0 : $0 })
    }

    @Test("at most 2,000 items are read")
    func manyItems() async throws {
        let batches = try await sync(.rss, .rss(String(repeating: "<item><title>a</title></item>", count: 6_000)))
        #expect(batches.jokes.count == 2_000)
    }
}
