import JSON
import JokesCore
import TestSupport
import Testing

@testable import JokesSources

/// How the jokes of a JSON source are come by.
@Suite struct JSONSweepTests {
    private let server: JSONCatalogueServer

    init() throws {
        server = try JSONCatalogueServer()
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
                $0.fields.text = ["/t"]
                edit(&$0)
            })
    }

    private var targets: [String] {
        server.server.requests.map(\.target)
    }

    @Test("pages count up from the first, with what else the query takes")
    func pages() async throws {
        server.change { $0.catalogues = ["": texts(5)] }
        let source = try source("/jokes?page={page}#top") {
            $0.strategy = .page
            $0.size = 2
            $0.query = [SentField("size", SentValue("{limit}")), SentField("q", SentValue("a&b ü"))]
        }
        let batches = try await source.sync()
        #expect(batches.jokes.count == 5 && batches.map(\.progress) == [.more, .more, .complete])
        #expect(batches.map(\.beginsSweep) == [true, false, false])
        #expect(targets == (1...3).map { "/jokes?page=\($0)&size=2&q=a%26b%20%C3%BC" })
    }

    @Test("pages may count from 0, and ranges from where it is said; a range names its last number too")
    func first() async throws {
        server.change { $0.catalogues = ["": texts(4)] }
        _ = try await source("/jokes?page={page}&size={limit}") { ($0.strategy, $0.first, $0.size) = (.page, 0, 9) }
            .nextBatch(from: SourcePosition(), atMost: nil)
        _ = try await source("/jokes/{from}/{to}?size=2") { ($0.strategy, $0.first, $0.size) = (.range, 10, 2) }
            .nextBatch(from: SourcePosition(), atMost: nil)
        #expect(targets == ["/jokes?page=0&size=9", "/jokes/10/11?size=2"])
    }

    @Test("a service that gives fewer at once than it is asked for is swept to its end all the same")
    func capped() async throws {
        server.change { ($0.catalogues, $0.most) = (["": texts(25)], 10) }
        let batches = try await source("/jokes?page={page}&size={limit}") { ($0.strategy, $0.size) = (.page, 50) }
            .sync()
        #expect(batches.jokes.count == 25 && batches.last?.progress == .complete && targets.count == 3)
    }

    @Test("a service that ignores the number of the page is asked twice, and its jokes come once")
    func ignored() async throws {
        server.change { $0.catalogues = ["": texts(7)] }
        let batches = try await source("/jokes?p={page}") { $0.strategy = .page }.sync()
        #expect(batches.jokes.count == 7 && batches.last?.progress == .complete && targets.count == 2)
    }

    /// A source of six pages with a joke each, as the answer to every one of them says, but that the third is another
    /// for as long as it is so wanted.
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
        "a sweep that ends before all the pages or jokes that were spoken of completes nothing, and is tried once more",
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
        #expect(again.first?.beginsSweep == true && again.jokes.count == 2 && again.last?.progress == .partial)
        // It is the upstream's way of counting.
        let position = try #require(again.last).position
        #expect(try await source.sync(from: position).map(\.progress) == [.unchanged])
        third.withLock { $0 = nil }
        let whole = try await source.sync(from: try #require(short.last).position)
        #expect(whole.jokes.count == 6 && whole.last?.progress == .complete)
    }

    @Test("a language that answers with nothing beside one that is well completes nothing")
    func emptyLanguage() async throws {
        server.change { $0.catalogues = ["en": texts(3), "de": []] }
        let batches = try await source("/jokes?lang={lang}", languages: ["en", "de"]).sync()
        #expect(batches.jokes.count == 3 && batches.last?.progress == .partial)
    }

    @Test("a sweep with an item that cannot be read completes nothing, and what is unchanged still costs one request")
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

    @Test("a range with nothing in it ends a sweep only where nobody says how far it goes")
    func gaps() async throws {
        var catalogue = texts(20)
        catalogue.replaceSubrange(4..<14, with: repeatElement(nil, count: 10))
        server.change { ($0.catalogues, $0.hasTotals) = (["": catalogue], true) }
        let path = "/jokes?from={from}&size={limit}"
        let all = try await source(path) { ($0.strategy, $0.first, $0.size, $0.total) = (.range, 0, 4, "/total") }
            .sync()
        #expect(all.jokes.count == 10 && targets.count == 5)
        let some = try await source(path) { ($0.strategy, $0.first, $0.size) = (.range, 0, 4) }.sync()
        #expect(some.jokes.count == 4 && targets.count == 7)
    }

    @Test("each language is swept in turn, and its jokes are in it")
    func languages() async throws {
        server.change { $0.catalogues = ["en": texts(3), "de": texts(2, "Witz")] }
        let source = try source("/jokes?lang={lang}", languages: ["en", "de"])
        let batches = try await source.sync()
        #expect(batches.jokes.map(\.language) == ["en", "en", "en", "de", "de"])
        #expect(batches.map(\.progress) == [.more, .complete])
        #expect(targets == ["/jokes?lang=en", "/jokes?lang=de"])
    }

    @Test("with several languages the first page of each is looked at in turn, and any change begins a sweep")
    func lookingInTurn() async throws {
        server.change { $0.catalogues = ["en": texts(3), "de": texts(2, "Witz")] }
        let source = try source("/jokes?lang={lang}", languages: ["en", "de"])
        var position = try #require(try await source.sync().last).position
        for _ in 0..<2 {
            let batches = try await source.sync(from: position)
            #expect(batches.map(\.progress) == [.unchanged])
            position = try #require(batches.last).position
        }
        #expect(targets.suffix(2) == ["/jokes?lang=en", "/jokes?lang=de"])
        server.change { $0.catalogues["de"] = texts(3, "Witz") }
        position = try #require(try await source.sync(from: position).last).position
        let batches = try await source.sync(from: position)
        #expect(batches.map(\.progress) == [.more, .more, .complete] && batches.jokes.count == 6)
        #expect(batches.map(\.beginsSweep) == [false, true, false])
    }

    @Test("what changes behind the first page is seen once in 29 syncs")
    func sweepsAgain() async throws {
        server.change { $0.catalogues = ["": texts(5)] }
        let source = try source("/jokes?page={page}&size=2") { $0.strategy = .page }
        var position = try #require(try await source.sync().last).position
        server.change { $0.catalogues[""]?[4] = "Edited?" }
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

    @Test("a whole answer is asked for with its validators, and 304 is nothing new")
    func validators() async throws {
        server.change { ($0.catalogues, $0.etag) = (["": texts(3)], "\"one\"") }
        let source = try source("/jokes")
        var position = try #require(try await source.sync().last).position
        #expect(position.validators.etag == "\"one\"")
        let second = try await source.sync(from: position)
        #expect(
            second.map(\.progress) == [.unchanged] && server.server.requests.last?.header("If-None-Match") == "\"one\"")
        position = try #require(second.last).position
        // The same jokes with another tag are still nothing new.
        server.change { $0.etag = "\"two\"" }
        let third = try await source.sync(from: position)
        #expect(third.map(\.progress) == [.unchanged] && third.last?.position.validators.etag == "\"two\"")
        server.change { ($0.catalogues, $0.etag) = (["": texts(4)], "\"three\"") }
        #expect(try await source.sync(from: position).jokes.count == 4)
    }

    @Test("a whole answer that a limit cuts goes on where it was cut, without validators until all is seen")
    func cut() async throws {
        server.change { ($0.catalogues, $0.etag) = (["": texts(5)], "\"one\"") }
        let source = try source("/jokes")
        var batch = try await source.nextBatch(from: SourcePosition(), atMost: 2)
        #expect(batch.jokes.count == 2 && batch.beginsSweep && batch.progress == .partial)
        #expect(batch.position.validators.etag == nil)
        batch = try await source.nextBatch(from: batch.position, atMost: 2)
        #expect(batch.jokes.map(\.setup) == ["Joke 2?", "Joke 3?"] && !batch.beginsSweep)
        // A catalogue that changes meanwhile is begun again.
        server.change { $0.catalogues[""]?[0] = "Edited?" }
        batch = try await source.nextBatch(from: batch.position, atMost: nil)
        #expect(batch.jokes.count == 5 && batch.beginsSweep && batch.progress == .complete)
    }

    @Test("draws are draws: one request each, the languages in turn")
    func draws() async throws {
        server.change { $0.catalogues = ["en": texts(3), "de": texts(2, "Witz")] }
        let source = try source("/jokes?lang={lang}&n={limit}", languages: ["en", "de"]) { $0.strategy = .random }
        var batch = try await source.nextBatch(from: SourcePosition(), atMost: nil)
        #expect(batch.progress == .draw && !batch.beginsSweep && batch.jokes.count == 3)
        batch = try await source.nextBatch(from: batch.position, atMost: 1)
        #expect(batch.progress == .draw && batch.jokes.map(\.language) == ["de"])
        #expect(targets == ["/jokes?lang=en&n=50", "/jokes?lang=de&n=50"])
    }

    @Test(
        "a draw that fails by itself is skipped and the next language follows; a service that asks for a wait is left alone",
        arguments: [
            (.json("{}", status: 500), .status, true),
            (.text("<b>Warning</b>{}", type: "text/html"), .unreadable, true),
            (.json(#"{"items":[]}"#), .empty, true), (.json("", status: 429), .busy, false),
            (.json("", status: 503), .busy, false),
        ] as [(LoopbackAnswer, SourceError.Code, Bool)])
    func failedDraw(_ answer: LoopbackAnswer, _ code: SourceError.Code, _ isSkipped: Bool) async throws {
        server.change { $0.catalogues = ["de": texts(2, "Witz")] }
        server.server.route("/en", answer)
        let source = try source("/{lang}?lang={lang}", languages: ["en", "de"]) { $0.strategy = .random }
        guard isSkipped else {
            #expect(try await source.failure().code == code)
            return
        }
        let failed = try await source.nextBatch(from: SourcePosition(), atMost: nil)
        #expect(failed.progress.drawError?.code == code && failed.jokes.isEmpty && failed.refused == 1)
        let next = try await source.nextBatch(from: failed.position, atMost: nil)
        #expect(next.progress == .draw && next.jokes.map(\.language) == ["de", "de"])
    }

    @Test("the first request by cursor has no field for it, the others have it escaped")
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
                ($0.strategy, $0.next, $0.items) = (.cursor, "/next", "/items"); $0.fields.text = ["/t"]
            }
        ).sync()
        #expect(server.requests.map(\.target) == ["/jokes?x=1", "/jokes?after=a%2Fb%26c%3D&x=1"])
        #expect(batches.jokes.map(\.setup) == ["first", "a%2Fb%26c%3D"] && batches.last?.progress == .complete)
    }

    @Test(
        "the next URL is followed on the same server, however it is written",
        arguments: [
            "HOST/jokes/2?x=1", "https://HOST/jokes/2?x=1#part", "http://HOST/jokes/2?x=1", "//HOST/jokes/2?x=1",
            "/jokes/2?x=1", "2?x=1",
        ])
    func nextURL(_ next: String) async throws {
        let next = next.hasPrefix("HOST") ? "http://\(next)" : next
        let (targets, result) = try await targets(next: next)
        #expect(targets == ["/jokes/1", "/jokes/2?x=1"] && result.failure == nil)
    }

    @Test("a query alone takes the place of the query")
    func nextQuery() async throws {
        #expect(try await targets(next: "?page=2").targets == ["/jokes/1", "/jokes/1?page=2"])
    }

    @Test(
        "a next URL on another server, or one that is none, is refused and not asked",
        arguments: [
            "https://example.org/jokes", "http://127.0.0.1/jokes", "//example.org/", "file:///etc/passwd",
            "http://me@HOST/", "gopher:x", "/a b", "/\\u0000", "/\\u00e4", "\(String(repeating: "x", count: 3000))",
        ])
    func foreignNext(_ next: String) async throws {
        let (targets, result) = try await targets(next: next)
        #expect(targets == ["/jokes/1"] && result.failure?.code == .unreadable)
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
        let result: Result<[SourceBatch], SourceError>
        do {
            result = .success(try await source.sync())
        } catch let error as SourceError {
            result = .failure(error)
        }
        return (server.requests.map(\.target), result)
    }

    @Test("a sweep that has no end is given up after 2,000 requests; what it did not see is not missing")
    func endless() async throws {
        let mapping = mapping { ($0.strategy, $0.next, $0.items) = (.cursor, "/next", "/items") }
        var sweep = JSONSweep()
        var progress = SourceBatch.Progress.more
        var requests = 0
        while progress == .more && requests < 5_000 {
            requests += 1
            let text = #"{"items":["Joke \#(requests)"],"next":"\#(requests)"}"#
            let page = try await JSONPage(JSONDocument(Array(text.utf8), .structure).root, from: "endless", mapping)
            progress = sweep.handle(page, limit: nil, mapping, languages: 1).progress
        }
        #expect(requests == 2_000 && progress == .partial)
    }

    @Test("a position that nobody wrote is the beginning", arguments: ["", "[]", "{}", #"{"unchanged":1}"#])
    func foreignPosition(_ cursor: String) async throws {
        server.change { ($0.catalogues, $0.etag) = (["": texts(3)], "\"one\"") }
        var position = try #require(try await source("/jokes").sync().last).position
        position.cursor = cursor
        #expect(try await source("/jokes").sync(from: position).jokes.count == 3)
    }

    @Test("a position of numbers that cannot be is the beginning")
    func impossiblePosition() async throws {
        server.change { $0.catalogues = ["": texts(5)] }
        let source = try source("/jokes?page={page}&size=2") { $0.strategy = .page }
        let good = try await source.nextBatch(from: SourcePosition(), atMost: nil).position
        for (field, value) in [("language", "7"), ("number", "-1"), ("taken", "-3"), ("language", "-1")] {
            var bad = good
            let old = try #require(good.cursor?.firstMatch(of: try Regex("\"\(field)\":[0-9]+"))).output[0].substring
            bad.cursor = good.cursor?.replacing(try #require(old), with: "\"\(field)\":\(value)")
            #expect(try await source.sync(from: bad).jokes.count == 5)
        }
    }

    @Test("reading the items of an answer ends when the task is cancelled")
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
