import TestSupport

/// The answers of one type of source's upstream, with which a test can build valid and faulty answers.
struct WireShape: Sendable {
    /// The prefix of its sources' names.
    let name: String
    /// Additional keys of its configuration.
    let keys: String
    /// The path of the request, below the source's own path.
    var path = ""
    /// The delay after a 429 without Retry-After, in seconds.
    let window: Double
    /// An item in the upstream's format, with the placeholders VALUE for the text and NUMBER for the number.
    let item: String
    /// Returns the text in the upstream's format.
    var quoted: @Sendable (String) -> String = { "\"\($0)\"" }
    /// Returns the answer to a request for the path, with these items.
    let answer: @Sendable (_ path: String, _ items: [[UInt8]]) -> LoopbackAnswer
    /// The start of the path of the jokes; `nil` if the first request returns them.
    var jokesPath: String?
    /// An error with status 200, and a part of the source's failure.
    let error: (answer: LoopbackAnswer, reason: String)
    /// A part of the failure for an HTML page.
    var otherType = "returned HTML instead of JSON"
    /// A part of the failure for a catalog without jokes; `nil` if that is no failure.
    let emptiness: String?
    /// A part of the failure if no item is a joke.
    let nothingReadable: String
    /// Values that make only their own item malformed.
    var spoilers = WireShape.jsonSpoilers
    /// An unusual text that is accepted, and the text of the joke.
    var oddText = (written: #"a\u0000b"#, read: "ab")

    private static let jsonSpoilers: [(name: String, value: [UInt8])] = [
        ("number", Array("7".utf8)), ("list", Array(#"["x"]"#.utf8)), ("object", Array("{}".utf8)),
        ("null", Array("null".utf8)), ("huge", Array("1000000000000000000000000000000".utf8)),
        ("surrogate", Array(#""lone \ud83d surrogate""#.utf8)),
        ("bytes", Array(#""invalid "#.utf8) + [0xFF, 0xC0, 0xAF] + Array("\"".utf8)),
    ]

    /// Returns an item with a raw value in the place of the text.
    func item(_ number: Int, _ value: [UInt8]) -> [UInt8] {
        let parts = item.replacing("NUMBER", with: "\(number)").split(
            separator: "VALUE", omittingEmptySubsequences: false)
        return Array(parts[0].utf8) + value + Array(parts[1].utf8)
    }

    /// Returns an item that is a joke with this text.
    func item(_ number: Int, _ text: String) -> [UInt8] {
        item(number, Array(quoted(text).utf8))
    }

    /// Returns the configuration of a source below the URL.
    func source(_ name: String, _ url: String) -> String {
        #"{"name": "\#(name)", "url": "\#(url)/\#(name)\#(path)", "allowLocalNetwork": true, "interval": "2h", \#(keys)}"#
    }
}

extension LoopbackAnswer {
    /// Returns items between other text, with a header that has no meaning for a success.
    static func listing(
        _ start: String, _ items: [[UInt8]], _ end: String, separator: String = ",", type: String = "application/json"
    ) -> LoopbackAnswer {
        let list = items.joined(separator: Array(separator.utf8))
        return LoopbackAnswer(
            type: type, headers: [("Retry-After", "86400")], body: Array(start.utf8) + list + Array(end.utf8))
    }
}

extension WireShape {
    /// Every type of source on the network; blagues-api with a token from the file.
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
        otherType: "returned no joke count", emptiness: "returned no joke count",
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
        }, error: (.json(#"{"message":"Not found","status":404}"#), "an error (condition /status)"),
        emptiness: "no jokes", nothingReadable: "no joke that matches")

    private static let chuck = WireShape(
        name: "chuck", keys: #""type": "chucknorris""#, window: 60,
        item: #"{"categories":[],"created_at":"2019-06-02 08:47:39.43184","id":"_ChNUMBER","value":VALUE}"#,
        answer: { _, items in .listing(#"{"total":\#(items.count),"result":["#, items, "]}") },
        error: (.json(#"{"timestamp":"T","status":500,"error":"E","message":"M"}"#), "JSON without /result"),
        emptiness: "no jokes", nothingReadable: "no joke that matches")

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
            error: (.json(#"{"status":500,"error":"E","message":"M"}"#), "error 500|returned no joke count"),
            emptiness: "no jokes", nothingReadable: "items received is a joke",
            // Each item is a separate answer.
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
        emptiness: "returned no jokes", nothingReadable: "no joke that matches")

    private static let jsonFeed = WireShape(
        name: "feed", keys: #""type": "jsonfeed""#, path: "/feed.json", window: 900,
        item: #"{"id":"NUMBER","content_text":VALUE}"#,
        answer: { _, items in
            .listing(
                #"{"version":"https://jsonfeed.org/version/1.1","title":"Jokes","items":["#, items, "]}",
                type: "application/feed+json")
        }, error: (.json(#"{"error":"gone"}"#), "JSON that is not a JSON Feed"),
        otherType: "returned a web page (HTML), not a feed", emptiness: nil, nothingReadable: "items refused: 3",
        // Invalid bytes of a feed are read as windows-1252.
        spoilers: jsonSpoilers.filter { $0.name != "bytes" })

    private static let rss = WireShape(
        name: "rss", keys: #""type": "rss""#, path: "/feed.xml", window: 900,
        item: #"<item><guid isPermaLink="false">NUMBER</guid>VALUE</item>"#,
        quoted: { "<description>\($0)</description>" },
        answer: { _, items in
            .listing(
                #"<rss version="2.0"><channel><title>Jokes</title>"#, items, "</channel></rss>", separator: "\n",
                type: "application/rss+xml; charset=utf-8")
        }, error: (.text("<error>Gone.</error>", type: "text/xml"), "XML that is not a feed"),
        otherType: "returned a web page (HTML), not a feed", emptiness: nil,
        nothingReadable: "items refused: 3",
        spoilers: [
            ("nothing", []), ("blank", Array("<description> &lt;b&gt; </description>".utf8)),
            ("crossed", Array("<description></item></description>".utf8)),
        ],
        oddText: ("a&#0;&#xD83D;&nothing;&#1000000000000000000000000000000;b", "a\u{FFFD}&nothing;\u{FFFD}b"))
}
