import JokesCore
import JokesSources
import TestSupport
import Testing

/// Bad items and answers: each bad item is refused and counted, and the others are kept.
@Suite struct HostileUpstreamTests {
    /// Returns the batches or the error of a sync in which an answer replaces the catalog of three jokes.
    private func outcome(of answer: LoopbackAnswer) async throws -> Result<[SourceBatch], SourceError> {
        let server = try LoopbackServer()
        server.route(
            "/jokes/random/1000000",
            .text("The passed path exceeds the number of jokes (3).", type: "text/html; charset=utf-8"))
        server.route("/jokes/random/3", answer)
        return try await Stage().official(server.url).outcome()
    }

    private static let good = #"{"type":"dad","setup":"Good?","punchline":"Yes.","id":1}"#

    @Test(
        "a bad item is refused and counted; it may be a known joke, so no joke is missing",
        arguments: [
            "null", "7", "[]", #""text""#, "{}", #"{"setup":"No type","punchline":"x"}"#,
            #"{"type":"dad","setup":7,"punchline":"x"}"#, #"{"type":"dad","setup":"x","punchline":["y"]}"#,
            #"{"type":"dad","setup":"x","punchline":1e30}"#, #"{"type":1000000000000000000000000000000,"setup":"x"}"#,
            #"{"type":"dad","setup":"lone \ud83d surrogate","punchline":"x"}"#,
            #"{"type":"error","setup":"x","punchline":"y"}"#, #"{"type":"error","message":"joke not found"}"#,
        ])
    func item(_ item: String) async throws {
        let batches = try await outcome(of: .json("[\(Self.good),\(item),\(Self.good)]")).get()
        #expect(batches.jokes.map(\.setup) == ["Good?", "Good?"])
        #expect(batches.refused == 1)
        #expect(batches.last?.progress == .partial)
    }

    @Test("invalid UTF-8 affects only its own item")
    func encoding() async throws {
        let bytes =
            Array("[\(Self.good),{\"type\":\"dad\",\"setup\":\"".utf8) + [0xff, 0xc0, 0xaf]
            + Array("\"},\(Self.good)]".utf8)
        let batches = try await outcome(of: LoopbackAnswer(type: "application/json", body: bytes)).get()
        #expect(batches.jokes.count == 2 && batches.refused == 1)
    }

    @Test("U+0000 is left to the normalizer, and IDs of any type are ignored")
    func harmless() async throws {
        let odd = #"{"type":"dad","setup":"a\u0000b","punchline":"c","id":{"x":1e99}}"#
        let batches = try await outcome(of: .json("[\(odd),\(Self.good),\(Self.good)]")).get()
        #expect(batches.jokes.first?.setup == "a\u{0}b" && batches.refused == 0)
    }

    @Test("an answer with too few jokes does not complete a full sync")
    func tooFew() async throws {
        let batches = try await outcome(of: .json("[\(Self.good)]")).get()
        #expect(batches.last?.progress == .partial && batches.last?.position.validators.etag == nil)
    }

    @Test(
        "an answer that is not a list of jokes is an error, with the reason",
        arguments: [
            (LoopbackAnswer.json("[]"), SourceError.Code.empty), (.json("[1,2,3]"), .empty),
            (.json("{}"), .unreadable), (.json("null"), .unreadable), (.json(""), .unreadable),
            (.json("[1"), .unreadable),
            (.json("<html>"), .unreadable), (.json(good), .unreadable),
            (.json(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)), .empty),
            (
                .json("[\(String(repeating: "{\"a\":", count: 100_000))1\(String(repeating: "}", count: 100_000))]"),
                .empty
            ),
            (.text("[]", type: "text/html"), .unreadable), (LoopbackAnswer(body: Array("[]".utf8)), .unreadable),
            (.text("No.", type: "text/html", status: 403), .status), (.json("[]", status: 500), .status),
            (.json(#"{"type":"error","message":"joke not found"}"#), .upstreamError),
            (.json(#"{"type":"error","message":"gone"}"#, status: 404), .status), (.json("", status: 503), .busy),
            (LoopbackAnswer(status: 304), .transfer), (LoopbackAnswer(status: 204), .unreadable),
            (.redirect(to: "ftp://example.org/"), .transfer),
        ])
    func answer(_ answer: LoopbackAnswer, _ code: SourceError.Code) async throws {
        let result = try await outcome(of: answer)
        let error = #expect(throws: SourceError.self) { try result.get() }
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(error?.description.hasSuffix(".") == false)
    }

    @Test(
        "an implausible number is not requested",
        arguments: ["0", "-3", "100001", "99999999999999999999", "", "x", "3"])
    func size(_ size: String) async throws {
        let server = try LoopbackServer()
        let opening = size == "3" ? "There are (" : "The passed path exceeds the number of jokes ("
        server.route("/jokes/random/1000000", .text("\(opening)\(size)).", type: "text/html"))
        #expect(try await Stage().official(server.url).failure().code == .unreadable)
        #expect(server.requests.count == 1)
    }

    @Test("a message of the service has one line without control characters")
    func words() async throws {
        let message =
            #"{"type":"error","message":"a\u001b]52;c;QQ==\u0007\n\u202eb\#(String(repeating: "x", count: 5000))"}"#
        let result = try await outcome(of: .json(message, status: 500))
        let error = #expect(throws: SourceError.self) { try result.get() }
        let text = try #require(error?.description)
        #expect(text.contains("returned 500: a") && text.count < 600)
        let isBenign = { (scalar: Unicode.Scalar) in
            scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
        }
        #expect(text.unicodeScalars.allSatisfy(isBenign))
    }

    @Test(
        "a service that repeats a key of the configured URL is not quoted",
        arguments: [SourceKind.json, .jsonfeed, .rss])
    func keyInURL(_ kind: SourceKind) async throws {
        let server = try LoopbackServer()
        server.routeEverythingElse { _ in .json(#"{"message":"The key XYZ is invalid"}"#, status: 401) }
        let reader = try Stage().reader(kind, at: server.url + "/jokes?key=XYZ") {
            if kind == .json { $0.json = JSONMapping() }
        }
        let error = try await reader.failure()
        #expect(error.code == .status && !error.description.contains("XYZ"), "\(error)")
        #expect(error.hint?.contains("--header") == true && error.hint?.contains("network.contact") == true)
        #expect(server.targets == ["/jokes?key=XYZ"])
    }

    @Test(
        "Retry-After is read only with 429 and 503, as seconds or a date, up to a day",
        arguments: [
            (429, "120", 120), (503, "120", 120), (500, "120", nil), (429, "315360000", 86400),
            (429, "99999999999999999999", 86400), (429, "0", 0), (429, "-5", 900), (429, "soon", 900), (429, "", 900),
            (503, "-5", nil), (429, "Fri, 20 Nov 2026 14:31:13 GMT", 1800), (429, "Fri, 20 Nov 2026 13:01:13 GMT", 900),
            (429, "Thu, 20 Nov 2036 14:01:13 GMT", 86400), (429, "Mon, 01 Mar 2027 00:00:00 GMT", 86400),
            (429, "Fri, 99 Nov 2026 14:31:13 GMT", 900), (503, "Fri, 20 Nov 2026 14:01:14 GMT", 1),
            (503, "Sat, 21 Nov 2026 00:00:00 GMT", 35927),
        ] as [(Int, String, Int?)])
    func retryAfter(_ status: Int, _ value: String, _ seconds: Int?) async throws {
        let headers = [(name: "Date", value: "Fri, 20 Nov 2026 14:01:13 GMT"), (name: "Retry-After", value: value)]
        let result = try await outcome(of: LoopbackAnswer(status: status, headers: headers))
        let error = #expect(throws: SourceError.self) { try result.get() }
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
    }

    @Test("without a Date header, a Retry-After date is compared with the clock of this machine")
    func retryAfterWithoutDate() async throws {
        for (date, seconds) in [("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Fri, 20 Nov 2015 14:01:13 GMT", 900)] {
            let result = try await outcome(of: LoopbackAnswer(status: 429, headers: [("Retry-After", date)]))
            let error = #expect(throws: SourceError.self) { try result.get() }
            #expect(error?.retryAfter == .seconds(seconds), "\(date)")
        }
    }
}
