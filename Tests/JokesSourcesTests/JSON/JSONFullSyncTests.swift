import JSON
import JokesCore
import TestSupport
import Testing

@testable import JokesSources

/// The requests of a JSON source.
@Suite struct JSONFullSyncTests {
    private let server: JSONCatalogServer

    init() throws {
        server = try JSONCatalogServer()
    }

    private func texts(_ count: Int, _ name: String = "Joke") -> [String?] {
        (0..<count).map { "\(name) \($0)?" }
    }

    private func source(
        _ path: String, languages: [String] = [], _ edit: (inout JSONMapping) -> Void = { _ in }
    ) throws -> any JokeSource {
        try Stage().json(
            server.server.url + path, languages: languages,
            mapping {
                $0.items = "/items"
                $0.fields[.text] = ["/t"]
                edit(&$0)
            })
    }

    private var targets: [String] {
        server.server.requests.map(\.target)
    }

    @Test("pages are numbered from the first, with the other fields of the query")
    func pages() async throws {
        server.change { $0.catalogs = ["": texts(5)] }
        let source = try source("/jokes?page={page}#top") {
            $0.strategy = .page
            $0.size = 2
            $0.query = [SentField("size", SentValue("{limit}")), SentField("q", SentValue("a&b ü"))]
        }
        let batches = try await source.sync()
        #expect(batches.jokes.count == 5 && batches.map(\.progress) == [.more, .more, .complete])
        #expect(batches.map(\.beginsFullSync) == [true, false, false])
        #expect(targets == (1...3).map { "/jokes?page=\($0)&size=2&q=a%26b%20%C3%BC" })
    }

    @Test("pages may begin at 0 and ranges at any number, and a range includes its last number")
    func first() async throws {
        server.change { $0.catalogs = ["": texts(4)] }
        _ = try await source("/jokes?page={page}&size={limit}") { ($0.strategy, $0.first, $0.size) = (.page, 0, 9) }
            .nextBatch(from: SourcePosition(), atMost: nil)
        _ = try await source("/jokes/{from}/{to}?size=2") { ($0.strategy, $0.first, $0.size) = (.range, 10, 2) }
            .nextBatch(from: SourcePosition(), atMost: nil)
        #expect(targets == ["/jokes?page=0&size=9", "/jokes/10/11?size=2"])
    }

    @Test("a service that returns smaller pages than requested is read to its end")
    func capped() async throws {
        server.change { ($0.catalogs, $0.most) = (["": texts(25)], 10) }
        let batches = try await source("/jokes?page={page}&size={limit}") { ($0.strategy, $0.size) = (.page, 50) }
            .sync()
        #expect(batches.jokes.count == 25 && batches.last?.progress == .complete && targets.count == 3)
    }

    @Test("a service that ignores the page number gets two requests, and its jokes are returned once")
    func ignored() async throws {
        server.change { $0.catalogs = ["": texts(7)] }
        let batches = try await source("/jokes?p={page}") { $0.strategy = .page }.sync()
        #expect(batches.jokes.count == 7 && batches.last?.progress == .complete && targets.count == 2)
    }

    /// A source of six pages with one joke each, whose answers state the number of pages. While `third` has a text, this
    /// text is the answer of the third page.
    private func sixPages(_ third: Locked<String?>, _ strategy: JSONMapping.Strategy) throws -> any JokeSource {
        server.server.routeEverythingElse { request in
            let number = request.query["page"].flatMap { Int($0) } ?? 1
            if number == 3, let third = third.withLock({ $0 }) { return .json(third) }
            let next = number < 6 ? "\(number + 1)" : "null"
            return .json(#"{"items":[{"t":"Joke \#(number)?"}],"next":\#(next),"pages":6,"total":6}"#)
        }
        let place = strategy == .page ? "{page}" : strategy == .range ? "{from}" : "{cursor}"
        return try source("/jokes?page=\(place)") {
            ($0.strategy, $0.size) = (strategy, 1)
            if strategy == .page { $0.pages = "/pages" } else { $0.total = "/total" }
            if strategy == .cursor { $0.next = "/next" }
        }
    }

    @Test(
        "a full sync with fewer pages or jokes than stated is not complete, and is repeated once",
        arguments: [
            (JSONMapping.Strategy.page, #"{"items":[]}"#), (.page, #"{"items":[],"pages":6,"total":6}"#),
            (.page, #"{"items":[],"pages":0,"total":0}"#), (.page, #"{"items":[{"t":"Joke 2?"}],"pages":6,"total":6}"#),
            (.range, #"{"items":[]}"#), (.range, #"{"items":[{"t":"Joke 2?"}],"pages":6,"total":6}"#),
            (.cursor, #"{"items":[]}"#), (.cursor, #"{"items":[],"next":null,"total":0}"#),
        ])
    func endsEarly(_ strategy: JSONMapping.Strategy, _ answer: String) async throws {
        let third = Locked<String?>(answer)
        let source = try sixPages(third, strategy)
        let short = try await source.sync()
        #expect(short.jokes.count == 2 && short.last?.progress == .partial)
        let again = try await source.sync(from: try #require(short.last).position)
        #expect(again.first?.beginsFullSync == true && again.jokes.count == 2 && again.last?.progress == .partial)
        // The source accepts the second result: the service may count in another way.
        let position = try #require(again.last).position
        #expect(try await source.sync(from: position).map(\.progress) == [.unchanged])
        third.withLock { $0 = nil }
        let whole = try await source.sync(from: try #require(short.last).position)
        #expect(whole.jokes.count == 6 && whole.last?.progress == .complete)
    }

    @Test("an empty language next to others makes a full sync incomplete")
    func emptyLanguage() async throws {
        server.change { $0.catalogs = ["en": texts(3), "de": []] }
        let batches = try await source("/jokes?lang={lang}", languages: ["en", "de"]).sync()
        #expect(batches.jokes.count == 3 && batches.last?.progress == .partial)
    }

    @Test("a full sync with an unreadable item is not complete, and a sync without changes has one request")
    func refusedItem() async throws {
        let server = try LoopbackServer()
        server.route("/jokes") { request in
            request.header("If-None-Match") == "\"one\""
                ? LoopbackAnswer(status: 304) : .json(#"["Good.",7]"#, headers: [("ETag", "\"one\"")])
        }
        let source = try Stage().json(server.url + "/jokes", mapping { _ in })
        let batches = try await source.sync()
        #expect(batches.jokes.count == 1 && batches.refused == 1 && batches.last?.progress == .partial)
        let next = try await source.sync(from: try #require(batches.last).position)
        #expect(next.map(\.progress) == [.unchanged] && server.requests.last?.header("If-None-Match") == "\"one\"")
        #expect(server.requests.count == 2)
    }

    @Test("with several languages, the first pages are checked in turn, and any change begins a full sync")
    func lookingInTurn() async throws {
        server.change { $0.catalogs = ["en": texts(3), "de": texts(2, "Witz")] }
        let source = try source("/jokes?lang={lang}", languages: ["en", "de"])
        var position = try #require(try await source.sync().last).position
        for _ in 0..<2 {
            let batches = try await source.sync(from: position)
            #expect(batches.map(\.progress) == [.unchanged])
            position = try #require(batches.last).position
        }
        #expect(targets.suffix(2) == ["/jokes?lang=en", "/jokes?lang=de"])
        server.change { $0.catalogs["de"] = texts(3, "Witz") }
        position = try #require(try await source.sync(from: position).last).position
        let batches = try await source.sync(from: position)
        #expect(batches.map(\.progress) == [.more, .more, .complete] && batches.jokes.count == 6)
        #expect(batches.map(\.beginsFullSync) == [false, true, false])
    }

    @Test("a change after the first page is found within 29 syncs")
    func syncsAgain() async throws {
        server.change { $0.catalogs = ["": texts(5)] }
        let source = try source("/jokes?page={page}&size=2") { $0.strategy = .page }
        var position = try #require(try await source.sync().last).position
        server.change { $0.catalogs[""]?[4] = "Edited?" }
        var unchanged = 0
        while unchanged < 100 {
            let batch = try await source.nextBatch(from: position, atMost: nil)
            position = batch.position
            if batch.progress != .unchanged { break }
            unchanged += 1
        }
        #expect(unchanged == 28)
        #expect(try await source.sync(from: position).jokes.map(\.setup).contains("Edited?"))
    }

    @Test("a whole answer is requested with its validators, and 304 means no change")
    func validators() async throws {
        server.change { ($0.catalogs, $0.etag) = (["": texts(3)], "\"one\"") }
        let source = try source("/jokes")
        var position = try #require(try await source.sync().last).position
        #expect(position.validators.etag == "\"one\"")
        let second = try await source.sync(from: position)
        #expect(
            second.map(\.progress) == [.unchanged] && server.server.requests.last?.header("If-None-Match") == "\"one\"")
        position = try #require(second.last).position
        // Another ETag with the same jokes is not a change.
        server.change { $0.etag = "\"two\"" }
        let third = try await source.sync(from: position)
        #expect(third.map(\.progress) == [.unchanged] && third.last?.position.validators.etag == "\"two\"")
        server.change { ($0.catalogs, $0.etag) = (["": texts(4)], "\"three\"") }
        #expect(try await source.sync(from: position).jokes.count == 4)
    }

    @Test("random jokes have one request each, with the languages in turn")
    func randomRequests() async throws {
        server.change { $0.catalogs = ["en": texts(3), "de": texts(2, "Witz")] }
        let source = try source("/jokes?lang={lang}&n={limit}", languages: ["en", "de"]) { $0.strategy = .random }
        var batch = try await source.nextBatch(from: SourcePosition(), atMost: nil)
        #expect(batch.progress == .random && !batch.beginsFullSync && batch.jokes.count == 3)
        batch = try await source.nextBatch(from: batch.position, atMost: 1)
        #expect(batch.progress == .random && batch.jokes.map(\.language) == ["de"])
        #expect(targets == ["/jokes?lang=en&n=50", "/jokes?lang=de&n=50"])
    }

    @Test(
        "a failed random request is skipped and the next language follows; a requested pause is an error",
        arguments: [
            (.json("{}", status: 500), .status, true),
            (.text("<b>Warning</b>{}", type: "text/html"), .unreadable, true),
            (.json(#"{"items":[]}"#), .empty, true), (.json("", status: 429), .busy, false),
            (.json("", status: 503), .busy, false),
        ] as [(LoopbackAnswer, SourceError.Code, Bool)])
    func randomFailed(_ answer: LoopbackAnswer, _ code: SourceError.Code, _ isSkipped: Bool) async throws {
        server.change { $0.catalogs = ["de": texts(2, "Witz")] }
        server.server.route("/en", answer)
        let source = try source("/{lang}?lang={lang}", languages: ["en", "de"]) { $0.strategy = .random }
        guard isSkipped else {
            #expect(try await source.failure().code == code)
            return
        }
        let failed = try await source.nextBatch(from: SourcePosition(), atMost: nil)
        #expect(failed.progress.drawError?.code == code && failed.jokes.isEmpty && failed.refused == 1)
        let next = try await source.nextBatch(from: failed.position, atMost: nil)
        #expect(next.progress == .random && next.jokes.map(\.language) == ["de", "de"])
    }

    @Test("the first request has no field for the cursor, and the others have it escaped")
    func cursors() async throws {
        let server = try LoopbackServer()
        server.route("/jokes") { request in
            .json(
                #"{"items":[{"t":"\#(request.query["after"] ?? "first")"}],"next":\#(request.query["after"] == nil ? "\"a/b&c=\"" : "\"\"")}"#
            )
        }
        let batches = try await Stage().json(
            server.url + "/jokes?after={cursor}&x=1",
            mapping {
                ($0.strategy, $0.next, $0.items) = (.cursor, "/next", "/items"); $0.fields[.text] = ["/t"]
            }
        ).sync()
        #expect(server.requests.map(\.target) == ["/jokes?x=1", "/jokes?after=a%2Fb%26c%3D&x=1"])
        #expect(batches.jokes.map(\.setup) == ["first", "a%2Fb%26c%3D"] && batches.last?.progress == .complete)
    }

    @Test(
        "each form of a next URL on the same server is requested",
        arguments: [
            "HOST/jokes/2?x=1", "https://HOST/jokes/2?x=1#part", "http://HOST/jokes/2?x=1", "//HOST/jokes/2?x=1",
            "/jokes/2?x=1", "2?x=1",
        ])
    func nextURL(_ next: String) async throws {
        let next = next.hasPrefix("HOST") ? "http://\(next)" : next
        let (targets, result) = try await targets(next: next)
        #expect(targets == ["/jokes/1", "/jokes/2?x=1"] && result.failure == nil)
    }

    @Test(
        "a next URL that is invalid or on another server is an error, and not requested",
        arguments: [
            "https://example.org/jokes", "http://127.0.0.1/jokes", "//example.org/", "file:///etc/passwd",
            "http://me@HOST/", "gopher:x", "/a b", "/\\u0000", "/\\u00e4", "\(String(repeating: "x", count: 3000))",
        ])
    func foreignNext(_ next: String) async throws {
        let (targets, result) = try await targets(next: next)
        #expect(targets == ["/jokes/1"] && result.failure?.code == .unreadable)
    }

    @Test("the next URL of an international host may have its name in punycode")
    func internationalNext() async throws {
        let proxy = try LoopbackServer()
        proxy.routeEverythingElse { request in
            request.path.hasSuffix("/1")
                ? .json(#"{"items":["one"],"next":"http://xn--kse-qla.example/2"}"#)
                : .json(#"{"items":["two"],"next":null}"#)
        }
        let source = try Stage(proxy: proxy).json(
            "http://käse.example/1", mapping { ($0.strategy, $0.next, $0.items) = (.cursor, "/next", "/items") })
        #expect(try await source.sync().jokes.count == 2)
        #expect(proxy.requests.map(\.target) == ["http://xn--kse-qla.example/1", "http://xn--kse-qla.example/2"])
    }

    private func targets(next: String) async throws -> (targets: [String], Result<[SourceBatch], SourceError>) {
        let server = try LoopbackServer()
        let next = next.replacing("HOST", with: "127.0.0.1:\(server.port)")
        server.routeEverythingElse { request in
            request.target == "/jokes/1"
                ? .json(#"{"items":["one"],"next":"\#(next)"}"#) : .json(#"{"items":["two"],"next":null}"#)
        }
        let source = try Stage().json(
            server.url + "/jokes/1", mapping { ($0.strategy, $0.next, $0.items) = (.cursor, "/next", "/items") })
        let result = try await source.outcome()
        return (server.targets, result)
    }

    @Test("a full sync ends after 2,000 requests, and is not complete")
    func endless() async throws {
        let mapping = mapping { ($0.strategy, $0.next, $0.items) = (.cursor, "/next", "/items") }
        var cursor = JSONCursor()
        var progress = SourceBatch.Progress.more
        var requests = 0
        while progress == .more && requests < 5_000 {
            requests += 1
            let text = #"{"items":["Joke \#(requests)"],"next":"\#(requests)"}"#
            let page = try await JSONPage(JSONDocument(Array(text.utf8), .structure).root, from: "endless", mapping)
            progress = cursor.handle(page, limit: nil, mapping, languages: 1).progress
        }
        #expect(requests == 2_000 && progress == .partial)
    }

    @Test("reading the items of an answer ends if the task is canceled")
    func cancelled() async throws {
        let root = try JSONDocument(
            Array("[\(repeatElement("\"Joke.\"", count: 2000).joined(separator: ","))]".utf8)
        ).root
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: SourceError.self) { try await JSONPage(root, from: "here", JSONMapping()) }
        }.value
        #expect(error?.code == .cancelled)
    }
}
