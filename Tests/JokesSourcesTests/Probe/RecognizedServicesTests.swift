import HTTP
import JokesCore
import TestSupport
import Testing
import Unix

@testable import JokesSources

/// The recognition of JSON in the shapes of public services and data sets.
@Suite struct RecognizedServicesTests {
    /// An answer in JSON, and the expected entry.
    struct Service: Sendable, CustomTestStringConvertible {
        let name: String
        var url = "https://example.org/jokes"
        var type = "application/json"
        let body: String
        let entry: SourceEntry
        let jokes: [String]
        /// A part of the only note; nil for none.
        var note: String?
        var testDescription: String { name }

        init(
            _ name: String, url: String = "https://example.org/jokes", type: String = "application/json",
            _ body: String,
            items: String? = nil, _ map: FieldTable<String>?, jokes: [String] = [one, two], note: String? = nil,
            _ more: (inout SourceEntry) -> Void = { _ in }
        ) {
            var entry = SourceEntry(.json, items: items, map: map)
            more(&entry)
            (self.name, self.url, self.type, self.body, self.entry) = (name, url, type, body, entry)
            (self.jokes, self.note) = (jokes, note)
        }
    }

    private static let one = "Why did the duck walk?"
    private static let two = "Nobody drove it home."
    private static let pair = ["\(one)|\(two)"]

    private static func random(_ entry: inout SourceEntry) { entry.strategy = "random" }

    /// Answers of services with random jokes.
    static let services = [
        Service(
            "official-joke-api, ten jokes", url: "https://example.org/jokes/ten",
            #"[{"type":"general","setup":"\#(one)","punchline":"\#(two)","id":1},{"type":"dad","setup":"Q?","punchline":"A.","id":2}]"#,
            [.id: "/id", .setup: "/setup", .punchline: "/punchline"], jokes: pair + ["Q?|A."], note: "random", random
        ),
        Service(
            "jokeapi, a joke with two parts",
            #"{"error":false,"category":"Pun","type":"twopart","setup":"\#(one)","delivery":"\#(two)","flags":{"nsfw":false},"id":8,"lang":"de"}"#,
            [
                .id: "/id", .setup: "/setup", .punchline: "/delivery", .text: "/joke", .language: "/lang",
                .categories: "/category",
            ], jokes: pair, note: "one joke"
        ) {
            $0.strategy = "random"
            $0.flags = ["/flags"]
        },
        Service(
            "jokeapi, several jokes with one part", url: "https://example.org/joke/Any?lang=en&amount=2",
            #"{"error":false,"amount":2,"jokes":[{"type":"single","joke":"\#(one)","safe":true},{"type":"single","joke":"\#(two)","safe":false}]}"#,
            items: "/jokes", [.setup: "/setup", .punchline: "/delivery", .text: "/joke", .safe: "/safe"],
            note: "URL requests random", random),
        Service(
            "icanhazdadjoke", #"{"id":"R7U","joke":"\#(one)","status":200}"#, [.id: "/id", .text: "/joke"],
            jokes: [one], note: "one joke", random),
        Service(
            "chucknorris",
            #"{"categories":[],"created_at":"2020-01-05","icon_url":"https://e.org/i","id":"a_b","updated_at":"2020","url":"","value":"\#(one)"}"#,
            [.id: "/id", .text: "/value", .categories: "/categories", .date: "/created_at"], jokes: [one],
            note: "one joke", random),
        Service(
            "geek-jokes", #""\#(one)""#, nil, jokes: [one], note: "one joke", random),
        Service(
            "dadjokes.online",
            #"{"Joke":{"Opener":"\#(one)","Punchline":"\#(two)","Processing Time":"0.0"},"DadJokesInfo":{"SourceCode":"https://e.org","Version":"2"}}"#,
            [.setup: "/Joke/Opener", .punchline: "/Joke/Punchline"], jokes: pair, note: "one joke", random),
        Service(
            "blague.xyz", #"{"status":200,"joke":{"question":"\#(one)","answer":"\#(two)"}}"#,
            [.setup: "/joke/question", .punchline: "/joke/answer"], jokes: pair, note: "one joke", random),
        Service(
            "blagues-api", url: "https://example.org/api/random",
            #"{"id":12,"type":"dev","joke":"\#(one)","answer":"\#(two)"}"#,
            [.id: "/id", .setup: "/joke", .punchline: "/answer"], jokes: pair, note: "one joke", random),
        Service(
            "yomama", #"{"joke":"\#(one)"}"#, [.text: "/joke"], jokes: [one], note: "one joke", random),
    ]

    /// Answers of services with pages.
    static let pages = [
        Service(
            "a page in the URL, a total below data", url: "https://example.org/jokes?page=1&size=2",
            #"{"data":{"items":[{"joke":"\#(one)"},{"joke":"\#(two)"}],"total":30,"page":1,"total_pages":15}}"#,
            items: "/data/items", [.text: "/joke"], note: "(\"strategy\": \"page\")"
        ) {
            ($0.url, $0.strategy) = ("https://example.org/jokes?page={page}&size=2", "page")
            ($0.pages, $0.total) = ("/data/total_pages", "/data/total")
        },
        Service(
            "pages from 0 on, without a total", url: "https://example.org/jokes?q=a&Page=0#top",
            #"[{"joke":"\#(one)"},{"joke":"\#(two)"}]"#, [.text: "/joke"], note: "page"
        ) { ($0.url, $0.strategy, $0.first) = ("https://example.org/jokes?q=a&Page={page}#top", "page", 0) },
        Service(
            "an offset", url: "https://example.org/jokes?limit=2&skip=2",
            #"{"quotes":[{"id":3,"quote":"\#(one)","author":"Ann"},{"id":4,"quote":"\#(two)","author":"Bob"}],"total":9}"#,
            items: "/quotes", [.id: "/id", .text: "/quote", .author: "/author"], note: "may have more pages"),
        Service(
            "a link to the next page",
            #"{"links":{"next":"https://example.org/jokes?page=2"},"data":[{"text":"\#(one)"},{"text":"\#(two)"}],"meta":{"total":9}}"#,
            items: "/data", [.text: "/text"], note: "cursor"
        ) { ($0.strategy, $0.next, $0.total) = ("cursor", "/links/next", nil) },
        Service(
            "a listing of Reddit", url: "https://example.org/r/jokes.json?t=week",
            #"{"kind":"Listing","data":{"after":"t3_z","children":[{"data":{"title":"\#(one)","selftext":"\#(two)","over_18":false}},{"data":{"title":"Q?","selftext":"","over_18":true}}]}}"#,
            items: "/data/children", [.setup: "/data/title", .punchline: "/data/selftext"],
            jokes: pair + ["Q?|"], note: "may have more pages"
        ) { $0.flags = ["/data/over_18"] },
        Service(
            "a next page in a number", #"{"next_page":2,"results":[{"joke":"\#(one)"},{"joke":"\#(two)"}]}"#,
            items: "/results", [.text: "/joke"], note: "add the number of the page to the URL"),
        Service(
            "a link to another server, and a total below meta",
            #"{"next":"https://example.com/2","all":[{"joke":"\#(one)"},{"joke":"\#(two)"}],"meta":{"totalCount":9}}"#,
            items: "/all", [.text: "/joke"], note: "SOURCES OF TYPE JSON in jokesd.json(5)"),
    ]

    /// The shapes of data sets.
    static let sets =
        [
            Service(
                "several lists",
                #"{"version":"1.0 of these jokes","dad":[{"joke":"\#(one)"}],"knock":[{"joke":"\#(two)"}],"none":[]}"#,
                items: "/*", [.text: "/joke"]),
            Service(
                "several lists next to other lists",
                #"{"tags":["dad","knock"],"dad":[{"id":1,"q":"\#(one)","a":"\#(two)"}],"knock":[{"id":1,"q":"Q?","a":"A."}]}"#,
                items: "/*", [.setup: "/q", .punchline: "/a"], jokes: pair + ["Q?|A."]),
            Service(
                "several lists of texts below a key", #"{"data":{"dad":["\#(one)"],"knock":["\#(two)"]}}"#,
                items: "/data/*",
                nil),
            Service(
                "groups with a list each",
                #"[{"kind":"dad","jokes":[{"joke":"\#(one)"}]},{"kind":"knock","jokes":[{"joke":"\#(two)"}]}]"#,
                items: "/*/jokes", [.text: "/joke"]),
            Service(
                "two keys", #"{"1":{"setup":"\#(one)","punchline":"\#(two)"},"2":{"setup":"Q?","punchline":"A."}}"#,
                items: "/*",
                [.setup: "/setup", .punchline: "/punchline"], jokes: pair + ["Q?|A."]),
            Service(
                "keys, questions, quotes and texts",
                #"{"0":{"q":"\#(one)","a":"\#(two)","form":"qa"},"1":{"quote":"\#(two)","form":"quote"},"2":"Ducks walk.","5":{"q":"Q?","a":"A."}}"#,
                items: "/*", [.setup: "/q", .punchline: "/a", .text: "/quote"],
                jokes: pair + [two, "Ducks walk.", "Q?|A."]),
            Service(
                "names as keys", #"{"jokes":{"duck":{"text":"\#(one)"},"goose":{"text":"\#(two)"}}}"#,
                items: "/jokes/*",
                [.text: "/text"]),
            Service(
                "documents on lines", type: "application/x-ndjson",
                #"{"id":1,"body":"\#(one)"}\#n{"id":2,"body":"\#(two)"}\#n"#,
                [.id: "/id", .text: "/body"]),
            Service(
                "texts on lines", type: "text/plain", #""\#(one)"\#n"\#(two)""#, nil),
            Service(
                "a list of texts with one number", #"["\#(one)", 7, "\#(two)"]"#, nil),
            Service(
                "a sentence next to the list",
                #"{"message":"Here are your jokes today.","jokes":["\#(one)","\#(two)"]}"#,
                items: "/jokes", nil),
            Service(
                "titles that are setups",
                #"[{"title":"\#(one) Did it have to?","body":"\#(two)","score":1}]"#,
                [.setup: "/title", .punchline: "/body"],
                jokes: ["\(one) Did it have to?|\(two)"], note: "one joke", random),
            Service(
                "HTML", #"[{"text":"\#(one)<br>&quot;No.&quot;"},{"text":"\#(two)"}]"#, [.text: "/text"],
                jokes: ["\(one)<br>&quot;No.&quot;", two]
            ) { $0.html = "strip" },
            Service(
                "unusual names", #"[{"n":1,"zinger":"\#(one)"},{"n":2,"zinger":"\#(two)"}]"#, [.text: "/zinger"]),
            Service(
                "names with / and ~", #"{"a/b":[{"~joke":"\#(one)"},{"~joke":"\#(two)"}]}"#, items: "/a~1b",
                [.text: "/~0joke"]),
            Service(
                "tags of several shapes",
                #"[{"joke":"\#(one)","tags":[],"lang":"en"},{"joke":"\#(two)","tags":[{"name":"x"}],"lang":"en"},{"joke":"Three.","tags":["y"],"lang":7}]"#,
                [.text: "/joke", .language: "/lang", .categories: "/tags"], jokes: [one, two, "Three."]),
            Service(
                "ratings that are numbers, and a warning that is not readable",
                #"[{"joke":"\#(one)","isNSFW":0,"explicit":"false"},{"joke":"\#(two)","isNSFW":1},{"joke":"Three.","isNSFW":{"x":[]}}]"#,
                [.text: "/joke"], jokes: [one, two, "Three."]
            ) { $0.flags = ["/isNSFW", "/explicit"] },
            Service(
                "jokes that are all safe",
                #"[{"joke":"\#(one)","safe":true},{"joke":"\#(two)","safe":true}]"#,
                [.text: "/joke", .safe: "/safe"],
                note: "rates nearly all"
            ) { $0.safety = "unknown" },
            Service(
                "two shapes with empty members",
                #"[{"setup":"\#(one)","punchline":"\#(two)","joke":""},{"setup":"","punchline":"","joke":"\#(two)"}]"#,
                [.setup: "/setup", .punchline: "/punchline", .text: "/joke"], jokes: pair + [two]),
        ]
        + [
            ("setup", "delivery"), ("question", "answer"), ("Frage", "Antwort"), ("question", "réponse"),
            ("Question", "reponse"), ("text", "answer"), ("blague", "reponse"), ("pregunta", "respuesta"),
            ("domanda", "risposta"),
            ("pergunta", "resposta"), ("vraag", "antwoord"), ("pytanie", "odpowiedź"), ("soru", "cevap"),
            ("riddle", "solution"), ("Rätsel", "Lösung"), ("q", "a"), ("joke_question", "joke_answer"),
            ("Witz", "Pointe"),
        ].map { setup, punchline in
            Service(
                "\(setup) and \(punchline)",
                #"[{"\#(setup)":"\#(one)","\#(punchline)":"\#(two)"},{"\#(setup)":"Q?","\#(punchline)":"A."}]"#,
                [.setup: "/\(setup)", .punchline: "/\(punchline)"], jokes: pair + ["Q?|A."])
        }
        + ["joke", "witz", "blague", "chiste", "barzelletta", "piada", "grap", "żart", "texto", "content"].map { name in
            Service(
                name, #"[{"title":"Ducks","\#(name)":"\#(one)"},{"title":"Geese","\#(name)":"\#(two)"}]"#,
                [.text: "/\(name)"])
        }

    @Test(
        "the shapes of services and data sets are recognized, and a sync reads the same jokes",
        arguments: services + pages + sets)
    func recognizes(_ service: Service) async throws {
        let found = try await RecognizedSource(
            HTTPResponse(body: Array(service.body.utf8), headers: ["Content-Type": service.type], url: service.url))
        #expect(found.entry == service.entry)
        #expect(found.batch.refused <= (service.name.hasSuffix("one number") ? 1 : 0))
        #expect(found.batch.jokes.map { $0.setup + ($0.punchline.map { "|\($0)" } ?? "") } == service.jokes)
        #expect(found.notes.count == (service.note == nil ? 0 : 1))
        if let note = service.note { #expect(found.notes[0].contains(note), "\(found.notes)") }
        let server = try LoopbackServer()
        server.route("/jokes", .text(service.body, type: service.type))
        let source = try Stage().json(server.url + "/jokes", JSONMapping(found.entry))
        #expect(try await source.nextBatch(from: SourcePosition(), atMost: nil).jokes == found.batch.jokes)
    }

    @Test("ratings count in both directions, and a warning that cannot be read makes a joke unsafe")
    func ratings() async throws {
        let body = #"""
            [{"joke": "\#(Self.one)", "safe": true, "nsfw": false}, {"joke": "\#(Self.two)", "safe": false, "nsfw": false},
             {"joke": "Three.", "safe": true, "nsfw": true}, {"joke": "Four.", "safe": true, "nsfw": 5},
             {"joke": "Five.", "safe": "perhaps"}, {"joke": "Six."}]
            """#
        let found = try await RecognizedSource(
            HTTPResponse(body: Array(body.utf8), headers: ["Content-Type": "application/json"], url: "https://e.org/"))
        let normalizer = Normalizer(source: "jokes")
        #expect(
            try found.batch.jokes.map { try normalizer.normalize($0).content.safety }
                == [.safe, .unsafe, .unsafe, .unsafe, .unsafe, .unknown])
        #expect(found.notes.isEmpty && found.entry.map?[.safe] == "/safe" && found.entry.flags == ["/nsfw"])
    }

    @Test("a second answer with other jokes shows that the jokes are random; the same jokes in another order do not")
    func secondAnswer() async throws {
        let answers = [
            ["\(Self.one)", "\(Self.two)"], ["\(Self.two)", "\(Self.one)"], ["\(Self.one)", "Another joke now."],
        ]
        for (second, isRandom) in [(answers[0], false), (answers[1], false), (answers[2], true)] {
            let server = try LoopbackServer()
            let turn = Locked(0)
            server.routeEverythingElse { _ in
                let jokes = turn.withLock { turn in
                    turn += 1
                    return turn == 1 ? answers[0] : second
                }
                return .json("[\"\(jokes.joined(separator: "\", \""))\"]")
            }
            let source = SourceConfiguration(
                name: "a", kind: .json, url: server.url + "/jokes", allowLocalNetwork: true)
            let found = try await Stage().readers.recognize(source, through: .open)
            #expect(found.entry.strategy == (isRandom ? "random" : nil) && server.requests.count == 2)
            #expect(found.notes.map { $0.contains("second answer") } == (isRandom ? [true] : []))
            #expect(found.batch.jokes.map(\.setup) == answers[0])
        }
    }

    @Test("a second request that fails does not prevent the recognition")
    func secondFailure() async throws {
        let server = try LoopbackServer()
        server.route("/jokes", .json(#"["\#(Self.one)", "\#(Self.two)"]"#))
        let admissions = Locked(0)
        let source = SourceConfiguration(name: "a", kind: .json, url: server.url + "/jokes", allowLocalNetwork: true)
        let gate = RequestGate(
            enter: {
                admissions.withLock { count in
                    count += 1
                    return count == 1 ? .admitted : .after(.seconds(60), reason: "wait")
                }
            }, leave: { _ in })
        let found = try await Stage().readers.recognize(source, through: gate)
        #expect(found.entry.strategy == nil && found.batch.jokes.count == 2 && server.requests.count == 1)
    }

    @Test("the manual has the section that the notes name")
    func manual() throws {
        let page = try contentsOfFile(SystemPython.checkoutPath("docs/man/jokesd.json.5"), limit: 1 << 20)
        #expect(String(decoding: page, as: UTF8.self).contains("\n.Sh SOURCES OF TYPE JSON\n"))
    }
}
