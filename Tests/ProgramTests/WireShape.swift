import TestSupport

/// How the upstreams of one kind of source answer: what a test has to know to put anything in the place of a joke.
struct WireShape: Sendable {
    /// Leads the names of its sources.
    let name: String
    /// The keys that its configuration has besides.
    let keys: String
    /// What is asked below the source's own path.
    var path = ""
    /// How long a 429 that does not say keeps it away, in seconds.
    let window: Double
    /// An item as the upstream writes it, with VALUE in the place of its text, and NUMBER of its number.
    let item: String
    /// The text as the upstream writes it.
    var quoted: @Sendable (String) -> String = { "\"\($0)\"" }
    /// The answer to the request for the path, where these are the items.
    let answer: @Sendable (_ path: String, _ items: [[UInt8]]) -> LoopbackAnswer
    /// The beginning of the path where the jokes are; nil where it is the first that is asked for.
    var jokesPath: String?
    /// How it says with status 200 that it is an error, and words of what the source's health says then.
    let error: (answer: LoopbackAnswer, reason: String)
    /// The same of a page in HTML, and of a catalogue without jokes, which is none to some.
    var stranger = "text/html instead of JSON"
    let emptiness: String?
    /// Words of the failure where no item is a joke.
    let nothingReadable: String
    /// What spoils an item and nothing else.
    var spoilers = WireShape.jsonSpoilers
    /// What spoils the whole answer, and words of the failure then.
    var ruins: [(name: String, value: [UInt8])] = []
    var ruin = ""
    /// What is odd in a text and spoils nothing, and what comes of it.
    var oddText = (written: #"a\u0000b"#, read: "ab")

    private static let jsonSpoilers: [(name: String, value: [UInt8])] = [
        ("number", Array("7".utf8)), ("list", Array(#"["x"]"#.utf8)), ("object", Array("{}".utf8)),
        ("null", Array("null".utf8)), ("huge", Array("1000000000000000000000000000000".utf8)),
        ("surrogate", Array(#""lone \ud83d surrogate""#.utf8)),
        ("bytes", Array(#""invalid "#.utf8) + [0xFF, 0xC0, 0xAF] + Array("\"".utf8)),
    ]

    /// An item with the value, as it is written, in the place of the text.
    func item(_ number: Int, _ value: [UInt8]) -> [UInt8] {
        let parts = item.replacing("NUMBER", with: "\(number)").split(
            separator: "VALUE", omittingEmptySubsequences: false)
        return Array(parts[0].utf8) + value + Array(parts[1].utf8)
    }

    /// An item that is a joke with this text.
    func item(_ number: Int, _ text: String) -> [UInt8] {
        item(number, Array(quoted(text).utf8))
    }

    /// A source of the configuration that asks below the URL.
    func source(_ name: String, _ url: String) -> String {
        #"{"name": "\#(name)", "url": "\#(url)/\#(name)\#(path)", "allowLocalNetwork": true, "interval": "2h", \#(keys)}"#
    }
}

extension LoopbackAnswer {
    /// Items between other text, with the field that says nothing on a success.
    static func listing(
        _ start: String, _ items: [[UInt8]], _ end: String, separator: String = ",", type: String = "application/json"
    ) -> LoopbackAnswer {
        let list = items.joined(separator: Array(separator.utf8))
        return LoopbackAnswer(
            type: type, headers: [("Retry-After", "86400")], body: Array(start.utf8) + list + Array(end.utf8))
    }
}

extension WireShape {
    /// Every kind that asks the network; blagues-api with a token in the file.
    static func all(token: String) -> [WireShape] {
        [official, jokeAPI, dad, chuck, blagues(token: token), json, jsonFeed, rss]
    }

    private static let official = WireShape(
        name: "official", keys: #""type": "official-joke-api""#, window: 900,
        item: #"{"type":"general","setup":VALUE,"punchline":"Punchline.","id":NUMBER}"#,
        answer: { path, items in
            path == "/jokes/random/1000000"
                ? .text(
                    "The passed path exceeds the number of jokes (\(items.count)).", type: "text/html; charset=utf-8")
                : .listing("[", items, "]")
        }, jokesPath: "/jokes/random/3",
        error: (.json(#"{"type":"error","message":"joke not found"}"#), "an error: joke not found"),
        stranger: "text/html instead of JSON|returned no joke count", emptiness: "returned no joke count",
        nothingReadable: "returned no jokes")

    private static let jokeAPI = WireShape(
        name: "jokeapi", keys: #""type": "jokeapi""#, window: 60,
        item:
            #"{"category":"Pun","type":"single","joke":VALUE,"flags":{"nsfw":false},"id":NUMBER,"safe":true,"lang":"en"}"#,
        answer: { path, items in
            path == "/info"
                ? .json(
                    #"{"error":false,"jokes":{"totalCount":3,"categories":["Any","Pun"],"idRange":{"en":[0,\#(items.count)]}}}"#
                        .replacing(#"[0,0]"#, with: "[0,-1]"), headers: [("Retry-After", "86400")])
                : .listing(#"{"error":false,"amount":3,"jokes":["#, items, "]}")
        }, jokesPath: "/joke/",
        error: (
            .json(#"{"error":true,"code":"102","message":"Blocked","additionalInfo":"D"}"#), "an error: Blocked: D"
        ),
        emptiness: "has no jokes in en", nothingReadable: "items received is a joke")

    private static let dad = WireShape(
        name: "dad", keys: #""type": "icanhazdadjoke""#, window: 60, item: #"{"id":"iDNUMBER","joke":VALUE}"#,
        answer: { _, items in
            .listing(
                #"{"current_page":1,"limit":30,"next_page":1,"previous_page":1,"results":["#, items,
                #"],"search_term":"","status":200,"total_jokes":\#(items.count),"total_pages":1}"#)
        }, error: (.json(#"{"message":"Not found","status":404}"#), "error 404: Not found"),
        emptiness: "no jokes", nothingReadable: "items received is a joke")

    private static let chuck = WireShape(
        name: "chuck", keys: #""type": "chucknorris""#, window: 60,
        item: #"{"categories":[],"created_at":"2019-06-02 08:47:39.43184","id":"_ChNUMBER","value":VALUE}"#,
        answer: { _, items in .listing(#"{"total":\#(items.count),"result":["#, items, "]}") },
        error: (.json(#"{"timestamp":"T","status":500,"error":"E","message":"M"}"#), "unexpected shape"),
        emptiness: "no jokes", nothingReadable: "no jokes")

    private static func blagues(token: String) -> WireShape {
        WireShape(
            name: "blagues", keys: #""type": "blagues-api", "token": "@file:\#(token)""#, window: 60,
            item: #"{"id":NUMBER,"type":"global","joke":VALUE,"answer":"Réponse."}"#,
            answer: { path, items in
                if path == "/api/count" { return .listing(#"{"count":\#(items.count)"#, [], "}") }
                let number = path.split(separator: "/").last.flatMap { Int($0) } ?? 0
                return items.indices.contains(number - 1)
                    ? .listing("", [items[number - 1]], "") : .json(#"{"status":404}"#, status: 404)
            }, jokesPath: "/api/id/",
            error: (.json(#"{"status":500,"error":"E","message":"M"}"#), "error 500|unexpected shape"),
            emptiness: "no jokes", nothingReadable: "items received is a joke",
            // Each item is an answer of its own.
            spoilers: jsonSpoilers + [("deep", Array(String(repeating: "[", count: 100_000).utf8))])
    }

    private static let json = WireShape(
        name: "json",
        keys: """
            "type": "json", "items": "/body", "map": {"id": "/_id", "text": "/text"}, \
            "error": [{"pointer": "/success", "not": true}]
            """, path: "/jokes", window: 3600, item: #"{"_id":"NUMBER","text":VALUE}"#,
        answer: { _, items in .listing(#"{"success":true,"body":["#, items, "]}") },
        error: (.json(#"{"success":false}"#), "an error (condition /success)"),
        stranger: "returned HTML instead of JSON", emptiness: "returned no jokes",
        nothingReadable: "no joke that matches")

    private static let jsonFeed = WireShape(
        name: "feed", keys: #""type": "jsonfeed""#, path: "/feed.json", window: 900,
        item: #"{"id":"NUMBER","content_text":VALUE}"#,
        answer: { _, items in
            .listing(
                #"{"version":"https://jsonfeed.org/version/1.1","title":"Jokes","items":["#, items, "]}",
                type: "application/feed+json")
        }, error: (.json(#"{"error":"gone"}"#), "JSON that is not a JSON Feed"),
        stranger: "returned HTML instead of JSON", emptiness: nil, nothingReadable: "items refused: 3")

    private static let rss = WireShape(
        name: "rss", keys: #""type": "rss""#, path: "/feed.xml", window: 900,
        item: #"<item><guid isPermaLink="false">NUMBER</guid>VALUE</item>"#,
        quoted: { "<description>\($0)</description>" },
        answer: { _, items in
            .listing(
                #"<rss version="2.0"><channel><title>Jokes</title>"#, items, "</channel></rss>", separator: "\n",
                type: "application/rss+xml; charset=utf-8")
        }, error: (.text("<error>Gone.</error>", type: "text/xml"), "neither RSS 2.0 nor Atom"),
        stranger: "text/html instead of an XML feed", emptiness: nil,
        nothingReadable: "items refused: 3",
        spoilers: [("nothing", []), ("blank", Array("<description> &lt;b&gt; </description>".utf8))],
        // XML knows no error that is not the document's, and HTML's references that name no character are none.
        ruins: [
            ("unknown", Array("<description>&nothing;</description>".utf8)),
            ("bytes", Array("<description>".utf8) + [0xFF, 0xC0, 0xAF] + Array("</description>".utf8)),
            ("crossed", Array("<description></item></description>".utf8)),
        ], ruin: "invalid XML",
        oddText: ("a&#0;&#xD83D;&#1000000000000000000000000000000;b", "a\u{FFFD}\u{FFFD}\u{FFFD}b"))
}
