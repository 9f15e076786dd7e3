import HTTP
import JokesCore
import TestSupport
import Testing

@testable import JokesSources

/// The recognition of a source from one answer: a function of its body, its headers and its URL.
@Suite struct RecognizedSourceTests {
    private func recognized(
        _ body: String, _ type: String = "application/json", url: String = "https://example.org/jokes"
    ) async throws(SourceError) -> RecognizedSource {
        try await RecognizedSource(
            HTTPResponse(body: Array(body.utf8), headers: ["Content-Type": type], url: url))
    }

    private func setups(_ source: RecognizedSource) -> [String] {
        source.batch.jokes.map { $0.setup + ($0.punchline.map { "|" + $0 } ?? "") }
    }

    private func refusal(
        _ body: String, _ type: String, url: String = "https://example.org/jokes"
    ) async -> SourceError? {
        do throws(SourceError) {
            _ = try await recognized(body, type, url: url)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Feeds

    @Test("JSON Feed, RSS and Atom are recognized, and their jokes are read")
    func feeds() async throws {
        let jsonFeed = try await recognized(
            """
            {"version": "https://jsonfeed.org/version/1.1", "title": "Ducks", "items": [
                {"id": "1", "content_text": "A duck walks."}, {"id": "2"}]}
            """, "application/feed+json")
        #expect(jsonFeed.entry == SourceEntry(.jsonfeed))
        #expect(setups(jsonFeed) == ["A duck walks."] && jsonFeed.batch.refused == 1)
        let rss = try await recognized(
            "<rss version='2.0'><channel><title>T</title><item><title>A goose flies.</title></item></channel></rss>",
            "text/xml; charset=utf-8")
        #expect(rss.entry == SourceEntry(.rss) && setups(rss) == ["A goose flies."])
        let atom = try await recognized(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>A swan swims.</title></entry></feed>",
            "application/atom+xml")
        #expect(atom.entry == SourceEntry(.rss) && setups(atom) == ["A swan swims."])
        // A feed is recognized whatever its type is called.
        #expect(
            try await recognized("<rss><item><title>Ha.</title></item></rss>", "text/html").entry == SourceEntry(.rss))
        let empty = try await recognized("<rss version='2.0'><channel/></rss>", "application/rss+xml")
        #expect(setups(empty) == [] && empty.notes == ["The feed has no items now."])
    }

    private static let titles: [(titles: [String], areHeadings: Bool)] = [
        (["Joke of the day", "Joke of the day", "Joke of the day", "Why?"], true), (["Joke #118", "Joke #117"], true),
        (["Joke of the day: 3 May", "Joke of the day: 2 May"], true), (["Mon, 4 May 2026"], true),
        (["May 4th", "May 5th"], true), (["Why?", "Why?", "How?"], false), (["Why did 7 ducks quack?", "How?"], false),
        (["Ducks"], false), ([], false),
    ]

    @Test("titles that most items share, but for numbers and dates, are recognized as headings", arguments: titles)
    func headings(titles: [String], areHeadings: Bool) async throws {
        let items = titles.enumerated().map { number, title in
            "<item><title>\(title)</title><description>Duck number \(number) quacks.</description></item>"
        }
        let found = try await recognized("<rss><channel>\(items.joined())</channel></rss>", "text/xml")
        #expect(found.entry.titles == (areHeadings ? "skip" : nil))
        #expect(found.notes.contains { $0.contains("headings") } == areHeadings)
        if areHeadings { #expect(setups(found).last == "Duck number \(titles.count - 1) quacks.") }
    }

    // MARK: JSON

    private static let one = "Why did the duck walk?"
    private static let two = "Nobody drove it home."

    @Test("an address that says random, and an answer that states more pages, are remarked")
    func remarks() async throws {
        let list = #"[{"joke": "\#(Self.one)"}, {"joke": "\#(Self.two)"}]"#
        let random = try await recognized(list, url: "https://example.org/Random/ten")
        #expect(random.entry.strategy == "random" && random.notes.count == 1)
        for more in [#""next": 2"#, #""total": 3"#, #""total_pages": 2"#] {
            let paged = try await recognized("{\(more), \"jokes\": \(list)}")
            #expect(paged.entry.strategy == nil && paged.notes.count == 1, "\(more)")
        }
        for all in [#""next": null"#, #""total": 2"#, #""pages": 1"#] {
            #expect(try await recognized("{\(all), \"jokes\": \(list)}").notes.isEmpty, "\(all)")
        }
    }

    @Test("an optional field with values of several types is left out, so it refuses no joke")
    func mixedFields() async throws {
        let body = #"""
            [{"id": 1, "category": "a", "date": {}, "joke": "\#(Self.one)"},
             {"id": 1.5, "category": 7, "url": "x", "joke": "\#(Self.two)"}]
            """#
        let found = try await recognized(body)
        #expect(found.entry.map == [.text: "/joke"] && found.batch.refused == 0)
        let broken = try await recognized(
            #"[{"joke": "\#(Self.one)"}, {"joke": "\ud83d"}, {"joke": 7}, {"joke": "\#(Self.two)"}, {"joke": "x"}]"#)
        #expect(broken.entry.map == [.text: "/joke"] && broken.batch.refused == 2)
    }

    @Test("a name that is not visible in the configuration is not used, and many members take no long time")
    func names() async throws {
        let hidden = try await recognized("[{\"\u{202E}joke\": \"\(Self.one)\", \"text\": \"\(Self.two)\"}]")
        #expect(hidden.entry.map == [.text: "/text"])
        let wide = (0..<300).map { number in
            "{" + (0..<100).map { "\"m\($0)\": \(number)" }.joined(separator: ",")
                + ", \"id\": \(number), \"joke\": \"\(Self.one)\"}"
        }
        #expect(try await recognized("[\(wide.joined(separator: ","))]").entry.map == [.id: "/id", .text: "/joke"])
        let level = { (inner: String) in "{" + (0..<20).map { "\"m\($0)\": \(inner)" }.joined(separator: ",") + "}" }
        #expect(await refusal(level(level(level("{}"))), "application/json")?.code == .unreadable)
        let flat = "{" + (0..<20_000).map { "\"m\($0)\": \($0)" }.joined(separator: ",") + "}"
        #expect(await refusal(flat, "application/json")?.code == .unreadable)
    }

    // MARK: Other answers

    @Test(
        "an answer without jokes is refused with its reason",
        arguments: [
            ("", "application/json", "returned an empty answer"), (" \n", "text/html", "returned an empty answer"),
            ("{", "application/json", "malformed JSON"), ("{}", "application/json", "JSON without jokes"),
            ("[1, 2]", "application/json", "JSON without jokes"), ("[]", "text/plain", "JSON without jokes"),
            (#"{"1": {"q": "A?"}, "2": {"q": "B?"}, "3": {"q": "C?"}}"#, "application/json", "JSON without jokes"),
            (
                #"{"error": true, "code": 106, "message": "No matching joke found"}"#, "application/json",
                "No matching joke found"
            ),
            ("Just a joke.", "text/plain", "returned text/plain, not a feed"),
            ("\u{89}PNG", "image/png", "returned image/png, not a feed"),
            ("<a/>", "application/xml", "XML that is not a feed"), ("<rss", "text/xml", "XML that is not a feed"),
            (#"{"joke": "A duck walks."}"#, "text/html", "returned JSON as text/html"),
            ("<!doctype html><html><p>Ha.</p></html>", "text/html", "returned a web page (HTML)"),
        ])
    func refused(body: String, type: String, reason: String) async throws {
        let error = try #require(await refusal(body, type))
        #expect(error.description.contains(reason), "\(error)")
        #expect(!error.description.contains("Ha."))
    }

    @Test(
        "the refusal of a web page names the first feed that the page names",
        arguments: [
            (#"<link rel="alternate" type="application/rss+xml" href="/feed.xml">"#, "'https://example.org/feed.xml'"),
            ("<LINK href=atom type='application/atom+xml' />", "'https://example.org/atom'"),
            (
                #"<link rel="icon" href="/i"><link type="application/feed+json" href="https://b.org/f?a=1&amp;b='">"#,
                "'https://b.org/f?a=1&b=%27'"
            ),
            (#"<link type="application/rss+xml" href="javascript:alert(1)">"#, nil),
            (#"<link type="text/css" href="/a.css"><link type= href= >"#, nil), ("<link ", nil), ("", nil),
        ] as [(String, String?)])
    func pages(head: String, feed: String?) async throws {
        let error = try #require(await refusal("<html><head>\(head)</head>", "text/html"))
        if let feed {
            #expect(error.hint == "The page has a feed. Try: jokesctl source add \(feed)")
        } else {
            #expect(error.hint?.hasPrefix("Find the address of a feed") == true, "\(error.hint ?? "")")
        }
    }

    @Test("whatever the bytes are, they are recognized or refused, and a recognized source has its jokes")
    func random() async throws {
        var random = SplitMix64(seed: testSeed)
        var count = 0
        for _ in 0..<scaled(4_000) {
            let services = RecognizedServicesTests.services + RecognizedServicesTests.sets
            var bytes = Array(services[random.int(in: 0..<services.count)].body.utf8)
            for _ in 0..<random.int(in: 0..<3) {
                let place = random.int(in: 0..<bytes.count)
                bytes[place] =
                    random.chance(1, in: 2) ? bytes[random.int(in: 0..<bytes.count)] : UInt8(random.int(in: 0..<256))
            }
            let types = ["application/json", "text/plain", "text/html", "application/rss+xml", ""]
            let answer = HTTPResponse(
                body: bytes, headers: ["Content-Type": types[random.chance(3, in: 4) ? 0 : random.int(in: 0..<5)]],
                url: "https://example.org/")
            do throws(SourceError) {
                let found = try await RecognizedSource(answer)
                count += setups(found).isEmpty ? 0 : 1
            } catch {
                #expect([.unreadable, .empty].contains(error.code), "\(error)")
            }
        }
        #expect(count > scaled(500))
    }
}
