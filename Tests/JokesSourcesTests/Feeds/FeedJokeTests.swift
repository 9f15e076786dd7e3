import JokesCore
import JokesSources
import TestSupport
import Testing

/// The joke of a title and a body.
@Suite struct FeedJokeTests {
    private static let long = String(repeating: "He goes on and on. ", count: 20)

    static let items: [(title: String, body: String, setup: String, punchline: String?)] = [
        // The title is the setup.
        (
            "Why do loops never finish?", "They get around to it.", "Why do loops never finish?",
            "They get around to it."
        ),
        (
            "I told my wife she should embrace her mistakes", "She hugged me.",
            "I told my wife she should embrace her mistakes", "She hugged me."
        ),
        ("Dad jokes…", "they are how I roll.", "Dad jokes…", "they are how I roll."),
        ("Two words?", "a\nb", "Two words?", "a\nb"),
        // The body begins with the title, or the title begins with the body.
        ("Why so?", "Why so? Because.", "Why so? Because.", nil), ("Why so?", "WHY  so!", "WHY  so!", nil),
        ("A man walks into a b...", "A man walks into a bar. Ouch.", "A man walks into a bar. Ouch.", nil),
        ("A man walks into a bar. Ouch.", "A man walks…", "A man walks into a bar. Ouch.", nil),
        ("A man walks into a bar?", "A man walks into a barn.", "A man walks into a bar?", "A man walks into a barn."),
        ("No title at all?", "Not one.", "No title at all?", "Not one."), ("...", "All of it.", "All of it.", nil),
        ("All of it.", "", "All of it.", nil), ("", "All of it.", "All of it.", nil),
        // The title is a heading, or the body is long.
        ("Pirate joke", "Why are they? They arr.", "Pirate joke\n\nWhy are they? They arr.", nil),
        ("A horse and a cow meet", long, "A horse and a cow meet\n\n" + long.dropLast(), nil),
        ("Why?", "Why not.", "Why?", "Why not."), ("No pun in ten did.", "No", "No pun in ten did.", "No"),
        ("What do you call it?", "First.\n\nSecond.", "What do you call it?\n\nFirst.\n\nSecond.", nil),
    ]

    @Test("a title that is a setup becomes its own part, and other titles do not", arguments: items)
    func item(title: String, body: String, setup: String, punchline: String?) async throws {
        let item = "{\"id\":\"1\",\"title\":\(quoted(title)),\"content_text\":\(quoted(body))}"
        let joke = try #require(try await sync(.jsonfeed, .jsonFeed(item)).jokes.first)
        #expect(joke.setup == setup && joke.punchline == punchline)
    }

    @Test("a title is left out if it is that of the feed, a placeholder, or if the configuration says so")
    func headings() async throws {
        let items = [
            ("Jokes", "So."), ("Untitled", "One."), ("Joke 7", "Two."), ("Why?", "So."), ("Why?", "Thus."),
            ("Jokes", ""),
        ]
        .map { "<item><title>\($0)</title><description>\($1)</description></item>" }.joined()
        let server = try FeedServer(.rss, .rss(items))
        let jokes = try await server.source().sync().jokes
        #expect(jokes.map(\.setup) == ["So.", "One.", "Joke 7\n\nTwo.", "Why?", "Why?"])
        #expect(jokes.map(\.punchline) == [nil, nil, nil, "So.", "Thus."])
        let skipping = try await server.source(skipsTitles: true).sync().jokes
        #expect(skipping.map(\.setup) == ["So.", "One.", "Two.", "So.", "Thus."])
    }

    @Test("posts of Reddit have the text of their authors, in two parts")
    func reddit() async throws {
        let footer = """
            &amp;#32; submitted by &amp;#32; &lt;a href=&quot;https://www.reddit.com/user/ada&quot;&gt; /u/ada &lt;/a&gt; \
            &lt;br/&gt; &lt;span&gt;&lt;a href=&quot;https://x/&quot;&gt;[link]&lt;/a&gt;&lt;/span&gt;
            """
        let entry = """
            <entry><author><name>/u/ada</name></author><category term="Jokes" label="r/Jokes"/>
            <content type="html">&lt;!-- SC_OFF --&gt;&lt;div class=&quot;md&quot;&gt;&lt;p&gt;It&amp;#39;s &amp;quot;asleep&amp;quot;.\
            &lt;/p&gt; &lt;/div&gt;&lt;!-- SC_ON --&gt; \(footer)</content><id>t3_1abc</id>
            <link href="https://www.reddit.com/r/Jokes/comments/1abc/x/"/><updated>2026-11-20T14:01:13+00:00</updated>
            <published>2026-11-19T14:01:13+00:00</published><title>Why won&#39;t the thread answer &amp; run?</title></entry>
            <entry><content type="html">\(footer)</content><id>t3_2</id><title>All of it is in the title &lt;3</title></entry>
            """
        let jokes = try await sync(.rss, .atom(entry)).jokes
        #expect(
            jokes == [
                FetchedJoke(
                    upstreamID: "t3_1abc", setup: "Why won't the thread answer & run?", punchline: "It's \"asleep\".",
                    categories: ["Jokes"],
                    details: JokeDetails(
                        url: "https://www.reddit.com/r/Jokes/comments/1abc/x/", author: "/u/ada",
                        date: "2026-11-19T14:01:13+00:00")),
                FetchedJoke(upstreamID: "t3_2", setup: "All of it is in the title <3"),
            ])
    }
}

/// The text as a JSON string.
private func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\n" ? "\\n" : $0 == "\"" ? "\\\"" : "\($0)" }.joined() + "\""
}
