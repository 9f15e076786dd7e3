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
            $0.fields.id = ["/n/id"]
            $0.fields.setup = ["/q"]
            $0.fields.punchline = ["/a"]
            $0.fields.language = ["/l"]
            $0.fields.categories = ["/tags/*/name"]
            $0.fields.url = ["/link"]
            $0.fields.author = ["/by"]
            $0.fields.date = ["/at"]
            $0.flags = ["/f", "/more", "/rude", "/kind", "/none"]
        }
        #expect(
            jokes == [
                FetchedJoke(
                    upstreamID: "1000000000000000000000000000000", setup: "Q?", punchline: "A.", language: "pt-BR",
                    categories: ["x", "y"], flags: ["nsfw", "political", "rude", "explicit"],
                    url: "https://example.org/1", author: "Ann", date: "1700000000")
            ])
    }

    @Test(
        "an item with more than a thousand values at one place is refused",
        arguments: [(1000, 0), (1001, 1)])
    func mostValues(_ count: Int, _ refused: Int) async throws {
        let list = { (element: String) in repeatElement(element, count: count).joined(separator: ",") }
        let members = (0..<count).map { "\"f\($0)\":true" }.joined(separator: ",")
        for tags in ["[\(list("\"x\""))]", "[[\(list("\"x\""))],[]]", "{\(members)}"] {
            let item = "[{\"t\":\"T\",\"tags\":\(tags)}]"
            let pointer: JSONPointer = tags.hasPrefix("{") ? "/tags" : "/tags/*"
            let batches = try await batches("[\"Good.\",\(item.dropFirst())") {
                $0.fields.text = ["/t"]
                if tags.hasPrefix("{") { $0.flags = [pointer] } else { $0.fields.categories = [pointer] }
            }
            #expect(batches.jokes.count == 2 - refused && batches.refused == refused)
        }
    }

    @Test("the first of several places with a value is read; null is not a value")
    func firstThatResolves() async throws {
        let jokes = try await jokes(
            #"[{"a":"A"},{"a":null,"b":"B"},{"b":"B","c":["C","D"]},{"t":"T","a":"A","p":"P"},{"t":"T","p":"P"}]"#
        ) {
            $0.fields.setup = ["/a", "/c/0", "/b"]
            $0.fields.text = ["/t"]
            $0.fields.punchline = ["/p", "/c/1"]
        }
        #expect(jokes.map(\.setup) == ["A", "B", "C", "A", "T"])
        // Only a setup has a punchline.
        #expect(jokes.map(\.punchline) == [nil, nil, "D", "P", nil])
    }

    @Test("a star selects the lines of a text; in other fields, the first value is read")
    func stars() async throws {
        let jokes = try await jokes(#"[{"lines":["one","two",null,"three"],"by":["Ann","Bob"],"c":["x"]}]"#) {
            $0.fields.text = ["/lines/*"]
            $0.fields.author = ["/by/*"]
            $0.fields.categories = ["/c"]
        }
        #expect(jokes == [FetchedJoke(setup: "one\ntwo\nthree", categories: ["x"], author: "Ann")])
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
            (.newline, "Why?\nSo.\nYes.", "Why?", "\nSo.\nYes."), (.newline, "\n\nWhy\r\nSo", "\n\nWhy", "\r\nSo"),
            (.newline, "Why?\n \n", "Why?\n \n", nil), (.newline, "Why? So.", "Why? So.", nil),
        ] as [(JSONMapping.Split, String, String, String?)])
    func split(_ split: JSONMapping.Split, _ text: String, _ setup: String, _ punchline: String?) async throws {
        let quoted = text.unicodeScalars.map { scalar in
            scalar.value < 0x20 ? "\\u000\(String(scalar.value, radix: 16))" : String(scalar)
        }.joined()
        let fetched = try await jokes("[{\"t\":\"\(quoted)\"}]") {
            $0.split = split
            $0.fields.text = ["/t"]
        }
        #expect(fetched == [FetchedJoke(setup: setup, punchline: punchline)])
    }

    @Test("splitting takes linear time", arguments: JSONMapping.Split.allCases)
    func splitLongText(_ split: JSONMapping.Split) async throws {
        // Quadratic time would be minutes.
        let blank = String(repeating: "\\n", count: 16_000)
        let item = "\"\(blank)Why?\(blank)So.\""
        let fetched = try await jokes("[\(repeatElement(item, count: 16).joined(separator: ","))]") { $0.split = split }
        #expect(fetched.count == 16 && fetched.allSatisfy { ($0.punchline == nil) == (split == .none) })
    }

    @Test("a joke with a punchline is not split")
    func splitNotTwice() async throws {
        let jokes = try await jokes(#"[{"q":"Why? I ask.","a":"So."}]"#) {
            $0.split = .question
            $0.fields.setup = ["/q"]
            $0.fields.punchline = ["/a"]
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
            #"{"t":["a",1]}"#, #"{"t":"x","id":1.5}"#, #"{"t":"x","id":1e999}"#, #"{"t":"x","id":true}"#,
            #"{"t":"x","id":{}}"#, #"{"t":"x","c":7}"#, #"{"t":"x","c":["a",7]}"#, #"{"t":"x","f":7}"#,
            #"{"t":"x","f":{"nsfw":"no"}}"#, #"{"t":"x","f":{"nsfw":1}}"#, #"{"t":"x","f":[true]}"#,
            #"{"t":"x","by":{"name":"Ann"}}"#, #"{"t":"x","at":[]}"#,
        ])
    func refuses(_ item: String) async throws {
        let good = #"{"t":"good","id":"g","c":null,"f":null,"more":{"t":[[[]]]}}"#
        let batches = try await batches("[\(good),\(item),\(good)]") {
            $0.fields.id = ["/id"]
            $0.fields.text = ["/t", "/t/*"]
            $0.fields.categories = ["/c"]
            $0.fields.author = ["/by"]
            $0.fields.date = ["/at"]
            $0.flags = ["/f"]
        }
        #expect(
            batches.jokes == [FetchedJoke(upstreamID: "g", setup: "good"), FetchedJoke(upstreamID: "g", setup: "good")])
        #expect(batches.refused == 1 && batches.last?.progress == .partial)
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

    @Test("JSON with the type text/plain is read")
    func plainText() async throws {
        #expect(try await outcome(of: .text("[\"a\"]", type: "text/plain; charset=utf-8")).get().jokes.count == 1)
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
            ("null", .equals(.null), true), ("0", .equals(.null), false), ("null", .exists(true), false),
            ("null", .exists(false), true), ("false", .exists(true), true), ("[]", .exists(true), true),
            ("false", .differs(.bool(true)), true), (#""lone \ud83d""#, .equals(.string("lone")), false),
        ] as [(String, JSONCondition.Test, Bool)])
    func conditions(_ value: String, _ test: JSONCondition.Test, _ expected: Bool) async throws {
        let result = try await outcome(
            of: .json("{\"x\":\(value),\"j\":[\"a\"]}"),
            mapping {
                $0.items = "/j"; $0.error = [JSONCondition("/none", .exists(true)), JSONCondition("/x", test)]
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
