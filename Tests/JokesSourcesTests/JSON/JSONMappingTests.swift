import JSON
import JokesCore
import JokesSources
import TestSupport
import Testing

/// The joke of an item.
@Suite struct JSONMappingTests {
    private func jokes(_ items: String, _ edit: (inout JSONMapping) -> Void) async throws -> [FetchedJoke] {
        try await batches(items, edit).jokes
    }

    private func batches(_ items: String, _ edit: (inout JSONMapping) -> Void) async throws -> [SourceBatch] {
        try await outcome(of: .json(items), mapping(edit)).get()
    }

    @Test("every field is read, IDs unchanged")
    func everyField() async throws {
        let item = #"""
            [{"n":{"id":1000000000000000000000000000000},"q":"Q?","a":"A.","l":"pt-BR","tags":[{"name":"x"},{"name":"y"}],
              "f":{"nsfw":true,"sexist":false,"racist":null},"more":["political"],"rude":true,"kind":"explicit",
              "link":"https://example.org/1","by":"Ann","at":1700000000}]
            """#
        let jokes = try await jokes(item) {
            $0.fields[.id] = ["/n/id"]
            $0.fields[.setup] = ["/q"]
            $0.fields[.punchline] = ["/a"]
            $0.fields[.language] = ["/l"]
            $0.fields[.categories] = ["/tags/*/name"]
            $0.fields[.url] = ["/link"]
            $0.fields[.author] = ["/by"]
            $0.fields[.date] = ["/at"]
            $0.flags = ["/f", "/more", "/rude", "/kind", "/none"]
        }
        #expect(
            jokes == [
                FetchedJoke(
                    upstreamID: "1000000000000000000000000000000", setup: "Q?", punchline: "A.", language: "pt-BR",
                    categories: ["x", "y"], flags: ["nsfw", "political", "rude", "explicit"],
                    details: JokeDetails(url: "https://example.org/1", author: "Ann", date: "1700000000"))
            ])
    }

    @Test("an item with more than a thousand categories is kept, and one with more flags has the flag other")
    func mostValues() async throws {
        let count = 1001
        let list = { (element: String) in repeatElement(element, count: count).joined(separator: ",") }
        let members = (0..<count).map { "\"f\($0)\":true" }.joined(separator: ",")
        for tags in ["[\(list("\"x\""))]", "[[\(list("\"x\""))],[]]", "{\(members)}"] {
            let item = "[{\"t\":\"T\",\"tags\":\(tags)}]"
            let pointer: JSONPointer = tags.hasPrefix("{") ? "/tags" : "/tags/*"
            let jokes = try await jokes("[\"Good.\",\(item.dropFirst())") {
                $0.fields[.text] = ["/t"]
                if tags.hasPrefix("{") { $0.flags = [pointer] } else { $0.fields[.categories] = [pointer] }
            }
            #expect(jokes.count == 2 && (jokes.last?.flags == ["other"]) == tags.hasPrefix("{"))
            #expect((0...1000).contains(jokes.last?.categories.count ?? -1))
        }
    }

    @Test("the first of several places with a value is read; null is not a value")
    func firstThatResolves() async throws {
        let jokes = try await jokes(
            #"[{"a":"A"},{"a":null,"b":"B"},{"b":"B","c":["C","D"]},{"t":"T","a":"A","p":"P"},{"t":"T","p":"P"}]"#
        ) {
            $0.fields[.setup] = ["/a", "/c/0", "/b"]
            $0.fields[.text] = ["/t"]
            $0.fields[.punchline] = ["/p", "/c/1"]
        }
        #expect(jokes.map(\.setup) == ["A", "B", "C", "A", "T"])
        // Only a setup has a punchline.
        #expect(jokes.map(\.punchline) == [nil, nil, "D", "P", nil])
    }

    @Test("a star selects the lines of a text; in other fields, the first value is read")
    func stars() async throws {
        let jokes = try await jokes(#"[{"lines":["one","two",null,"three"],"by":["Ann","Bob"],"c":["x"]}]"#) {
            $0.fields[.text] = ["/lines/*"]
            $0.fields[.author] = ["/by/*"]
            $0.fields[.categories] = ["/c"]
        }
        #expect(
            jokes == [FetchedJoke(setup: "one\ntwo\nthree", categories: ["x"], details: JokeDetails(author: "Ann"))])
    }

    @Test("a list of texts, and one text, are jokes without a map")
    func bareTexts() async throws {
        #expect(try await jokes(#"["one",2,"three"]"#) { _ in }.map(\.setup) == ["one", "three"])
        #expect(try await jokes(#"{"data":{"joke":"one"}}"#) { $0.items = "/data/joke" }.map(\.setup) == ["one"])
    }

    @Test(
        "text is split as configured, if both parts are not blank",
        arguments: [
            (.none, "Why? So.", "Why? So.", nil), (.question, "Why? So.", "Why?", " So."),
            (.question, "A? B? C", "A? B?", " C"), (.question, "Why? So?", "Why?", " So?"),
            (.question, "Why?", "Why?", nil), (.question, "Why? \n", "Why? \n", nil), (.question, "So.", "So.", nil),
            (.question, "为什么？因为。", "为什么？", "因为。"), (.question, "?x", "?", "x"),
            (.question, "\"Why?\" she said.", "\"Why?\" she said.", nil), (.question, "“A?” B? C", "“A?” B?", " C"),
            (.question, "„A?“ and «B?» or 「C?」 D", "„A?“ and «B?» or 「C?」 D", nil),
            (.question, "A 6\" duck? No.", "A 6\" duck?", " No."), (.question, "“Why? So.", "“Why?", " So."),
            (.question, "»A?« B? »C?« D", "»A?« B?", " »C?« D"),
            (.newline, "Why?\nSo.\nYes.", "Why?", "\nSo.\nYes."), (.newline, "\n\nWhy\r\nSo", "\n\nWhy", "\r\nSo"),
            (.newline, "Why?\n \n", "Why?\n \n", nil), (.newline, "Why? So.", "Why? So.", nil),
        ] as [(JSONMapping.Split, String, String, String?)])
    func split(_ split: JSONMapping.Split, _ text: String, _ setup: String, _ punchline: String?) async throws {
        let quoted = text.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar == "\""
                ? "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))" : String(scalar)
        }.joined()
        let fetched = try await jokes("[{\"t\":\"\(quoted)\"}]") {
            $0.split = split
            $0.fields[.text] = ["/t"]
        }
        #expect(fetched == [FetchedJoke(setup: setup, punchline: punchline)])
    }

    @Test("splitting takes linear time", arguments: JSONMapping.Split.allCases)
    func splitLongText(_ split: JSONMapping.Split) async throws {
        // Quadratic time would be minutes.
        let blank = String(repeating: "\\n", count: 16_000)
        let item = "\"\(String(repeating: "„", count: 200))\(blank)Why?\(blank)So.\""
        let fetched = try await jokes("[\(repeatElement(item, count: 16).joined(separator: ","))]") { $0.split = split }
        #expect(fetched.count == 16 && fetched.allSatisfy { ($0.punchline == nil) == (split == .none) })
    }

    @Test("a joke with a punchline is not split")
    func splitNotTwice() async throws {
        let jokes = try await jokes(#"[{"q":"Why? I ask.","a":"So."}]"#) {
            $0.split = .question
            $0.fields[.setup] = ["/q"]
            $0.fields[.punchline] = ["/a"]
        }
        #expect(jokes == [FetchedJoke(setup: "Why? I ask.", punchline: "So.")])
    }

    @Test("HTML is left to the normalizer, unless a text is split")
    func html() async throws {
        let text = #"["<a href=\"?x=1\">Why?</a><br>R&amp;D."]"#
        #expect(
            try await jokes(text) { $0.isHTML = true }
                == [FetchedJoke(setup: #"<a href="?x=1">Why?</a><br>R&amp;D."#, isHTML: true)])
        for split in [JSONMapping.Split.question, .newline] {
            #expect(
                try await jokes(text) {
                    $0.isHTML = true; $0.split = split
                }
                    == [FetchedJoke(setup: "Why?", punchline: "\nR&D.")])
        }
    }

    @Test(
        "an item with a value of a wrong type is refused and counted, and the others are kept",
        arguments: [
            "null", "7", "true", "[]", "[\"x\"]", "{}", "malformed", #"{"t":7}"#, #"{"t":{"a":1}}"#, #"{"t":true}"#,
            #"{"t":1e999}"#, #"{"t":"lone \ud83d surrogate"}"#, "{\"t\":\"a\nb\"}", #"{"t":"a","t":"b"}"#,
            #"{"t":["a",1]}"#, #"{"c":["a"]}"#,
        ])
    func refuses(_ item: String) async throws {
        let good = #"{"t":"good","id":"g","c":null,"f":null,"more":{"t":[[[]]]}}"#
        let batches = try await batches("[\(good),\(item),\(good)]") {
            $0.fields[.id] = ["/id"]
            $0.fields[.text] = ["/t", "/t/*"]
            $0.fields[.categories] = ["/c"]
            $0.fields[.author] = ["/by"]
            $0.fields[.date] = ["/at"]
            $0.flags = ["/f"]
        }
        #expect(
            batches.jokes == [FetchedJoke(upstreamID: "g", setup: "good"), FetchedJoke(upstreamID: "g", setup: "good")])
        #expect(batches.refused == 1 && batches.last?.progress == .partial)
    }

    @Test(
        "an optional field of another shape does not cost the joke; a warning that cannot be read makes it unsafe",
        arguments: [
            (#""id":1.5"#, FetchedJoke(setup: "x")), (#""id":1e999"#, FetchedJoke(setup: "x")),
            (#""id":true,"c":7"#, FetchedJoke(setup: "x")), (#""id":{},"at":[]"#, FetchedJoke(setup: "x")),
            (#""by":{"name":"Ann"},"by":"Bob""#, FetchedJoke(setup: "x")),
            (
                #""c":["a",7,{"b":1},null],"at":17"#,
                FetchedJoke(setup: "x", categories: ["a"], details: JokeDetails(date: "17"))
            ),
            (#""f":{"nsfw":1,"racist":0,"sexist":"false"}"#, FetchedJoke(setup: "x", flags: ["nsfw"])),
            (#""f":1"#, FetchedJoke(setup: "x", flags: ["f"])),
            (#""f":0,"r":1"#, FetchedJoke(setup: "x", safety: .safe)),
            (#""f":7"#, FetchedJoke(setup: "x", flags: ["other"])),
            (#""f":[true]"#, FetchedJoke(setup: "x", flags: ["other"])),
            (#""f":false,"f":true"#, FetchedJoke(setup: "x", flags: ["other"])),
            (#""f":{"nsfw":"no"},"r":true"#, FetchedJoke(setup: "x", flags: ["other"], safety: .safe)),
            (#""r":false"#, FetchedJoke(setup: "x", safety: .unsafe)), (#""r":null"#, FetchedJoke(setup: "x")),
            (#""r":"maybe""#, FetchedJoke(setup: "x", safety: .unsafe)),
            (#""r":true,"r":true"#, FetchedJoke(setup: "x", safety: .unsafe)),
        ])
    func keeps(_ members: String, _ expected: FetchedJoke) async throws {
        let batches = try await batches(#"[{"t":"x",\#(members)}]"#) {
            $0.fields[.id] = ["/id"]
            $0.fields[.text] = ["/t"]
            $0.fields[.categories] = ["/c"]
            $0.fields[.author] = ["/by"]
            $0.fields[.date] = ["/at"]
            $0.fields[.safe] = ["/r"]
            $0.flags = ["/f"]
        }
        #expect(batches.jokes == [expected] && batches.refused == 0)
    }

    @Test("an empty setup is no setup, so the text counts")
    func emptySetup() async throws {
        let jokes = try await jokes(#"[{"s":"","t":"T","p":""},{"s":"S","t":"","p":"P"},{"s":"","p":"P"}]"#) {
            $0.fields[.setup] = ["/s"]
            $0.fields[.text] = ["/t"]
            $0.fields[.punchline] = ["/p"]
        }
        #expect(jokes.map(\.setup) == ["T", "S", ""] && jokes.map(\.punchline) == [nil, "P", "P"])
    }

    @Test(
        "a star in 'items' reads every list or every item of an object or list",
        arguments: [
            (#"{"a":["1","2"],"n":2,"b":["3"]}"#, "/*", "1 2 3"), (#"{"1":{"t":"1"},"2":"2","n":0}"#, "/*", "1 2"),
            (#"{"tags":["x"],"a":[{"t":"1"}],"b":[{"t":"2"}],"c":[]}"#, "/*", "1 2"),
            (#"[{"kind":"x","all":[{"t":"1"}]},{"all":[{"t":"2"},{"t":"3"}]},{}]"#, "/*/all", "1 2 3"),
        ])
    func starItems(_ body: String, _ items: String, _ expected: String) async throws {
        let jokes = try await outcome(
            of: .json(body),
            mapping {
                $0.items = JSONPointer(stringLiteral: items)
                $0.fields[.text] = ["/t"]
            }
        ).get().jokes
        #expect(jokes.map(\.setup).joined(separator: " ") == expected)
    }

    @Test("an object with a key for each of 2,000 items is read in full")
    func manyKeys() async throws {
        let members = (0..<2_000).map { "\"\($0)\":{\"t\":\"\($0)\"}" }.joined(separator: ",")
        let jokes = try await outcome(
            of: .json("{\(members)}"),
            mapping {
                $0.items = "/*"
                $0.fields[.text] = ["/t"]
            }
        ).get().jokes
        #expect(jokes.count == 2_000)
    }

    @Test(
        "JSON documents on lines are a list, and a broken line is refused",
        arguments: [
            ("\"a\"\n\"b\"\n", 2, 0), ("\u{FEFF}\"a\"\r\n\r\n \n{\"t\":\"b\"}", 2, 0), ("\"a\"\n{\"t\":\n\"c\"", 2, 1),
            ("\"a\"\n[1,\n\"c\",\n", 1, 2),
        ])
    func lines(_ body: String, _ count: Int, _ refused: Int) async throws {
        for type in ["application/x-ndjson", "application/json", "text/plain; charset=utf-8", "application/jsonl"] {
            let batches = try await outcome(of: .text(body, type: type), mapping { $0.fields[.text] = ["/t"] }).get()
            #expect(batches.jokes.count == count && batches.refused == refused, "\(type)")
        }
    }

    @Test("invalid UTF-8 and 100,000 levels affect only their own item")
    func spoilt() async throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let items = Array("[\"one\",\"".utf8) + [0xFF, 0xC0] + Array("\",\(deep),\"a\\u0000b\"]".utf8)
        let batches = try await outcome(of: LoopbackAnswer(type: "application/json", body: items)).get()
        #expect(batches.jokes.map(\.setup) == ["one", "a\u{0}b"] && batches.refused == 2)
    }

    @Test(
        "an answer that is not a list of jokes is an error, with the reason",
        arguments: [
            (LoopbackAnswer.json("[]"), SourceError.Code.empty), (.json("[1,2,3]"), .empty), (.json("{}"), .empty),
            (.json("7"), .unreadable), (.json("null"), .empty), (.json(""), .unreadable),
            (.json("[\"a\""), .unreadable),
            (.json("<html>"), .unreadable), (.text("<html>\"a\"", type: "text/html"), .unreadable),
            (.text("[\"a\"]", type: "text/html"), .unreadable), (LoopbackAnswer(body: Array("[]".utf8)), .unreadable),
            (.json("[\"a\"]", status: 500), .status), (.json("", status: 503), .busy),
            (LoopbackAnswer(status: 304), .transfer),
            (LoopbackAnswer(status: 204), .unreadable), (.redirect(to: "ftp://example.org/"), .transfer),
            (.json(String(repeating: "[", count: 100_000)), .unreadable),
        ])
    func answer(_ answer: LoopbackAnswer, _ code: SourceError.Code) async throws {
        let error = try await outcome(of: answer).failure
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(error?.description.hasSuffix(".") == false)
    }

    @Test("the error for missing items has their place, and quotes nothing")
    func noItems() async throws {
        for text in [#"{"s3cr3t":1}"#, #"{"data":{"jokes":7},"x":"s3cr3t"}"#, #"{"data":1,"data":"s3cr3t"}"#] {
            let error = try await outcome(of: .json(text), mapping { $0.items = "/data/jokes" }).failure
            #expect(error?.code == .unreadable)
            #expect(
                error?.description.contains("/data/jokes") == true && error?.description.contains("s3cr3t") == false)
        }
    }

    @Test(
        "conditions test for values and for missing values",
        arguments: [
            (#""a""#, JSONCondition.Test.equals(.string("a")), true), ("1", .equals(.string("1")), false),
            ("106", .equals(.number(106)), true), ("106.0", .equals(.number(106)), true),
            ("1e999", .equals(.number(106)), false), (#""106""#, .equals(.number(106)), false),
            ("true", .equals(.bool(true)), true), ("true", .differs(.bool(true)), false),
            ("null", .equals(.null), true), ("0", .equals(.null), false), ("null", .differs(.null), false),
            ("false", .differs(.null), true), ("[]", .differs(.null), true),
            ("false", .differs(.bool(true)), true), (#""lone \ud83d""#, .equals(.string("lone")), false),
        ] as [(String, JSONCondition.Test, Bool)])
    func conditions(_ value: String, _ test: JSONCondition.Test, _ expected: Bool) async throws {
        let result = try await outcome(
            of: .json("{\"x\":\(value),\"j\":[\"a\"]}"),
            mapping {
                $0.items = "/j"; $0.error = [JSONCondition("/none", .differs(.null)), JSONCondition("/x", test)]
            })
        #expect((result.failure?.code == .upstreamError) == expected)
    }

    @Test("an answer that is empty by a condition is not an error, and no joke is missing")
    func empty() async throws {
        let mapping = mapping {
            $0.items = "/j"; $0.empty = [JSONCondition("/code", .equals(.number(106)))]
        }
        let batches = try await outcome(of: .json(#"{"error":true,"code":106}"#), mapping).get()
        #expect(batches.jokes.isEmpty && batches.map(\.progress) == [.partial])
    }
}
