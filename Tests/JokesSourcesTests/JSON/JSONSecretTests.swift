import JokesCore
import JokesSources
import TestSupport
import Testing

/// A secret is only sent to the service, even if the service repeats it.
@Suite struct JSONSecretTests {
    private static let secret = "s3cr3t/K&y"

    private let folder: TemporaryFolder
    private let mapping: JSONMapping
    private let headers: [SentField]

    init() throws {
        folder = try TemporaryFolder()
        let key = SecretReference.file(try folder.write(Self.secret + "\n", to: "key"))
        headers = [SentField("Authorization", SentValue("Bearer ", secret: key))]
        mapping = JokesSourcesTests.mapping {
            $0.strategy = .cursor
            $0.next = "/next"
            $0.items = "/items"
            $0.query = [SentField("key", SentValue("", secret: key))]
        }
    }

    private func isLeaked(_ text: String) -> Bool {
        text.contains(Self.secret) || text.contains("s3cr3t")
    }

    @Test("errors do not contain a secret that the service repeats")
    func errors() async throws {
        let echo: @Sendable (LoopbackRequest) -> String = { request in
            "\(request.target) \(request.header("Authorization") ?? "")"
        }
        let answers: [@Sendable (LoopbackRequest) -> LoopbackAnswer] = [
            { .json(#"{"message":"\#(echo($0))","type":"error"}"#, status: 401) },
            { .json(#"{"message":"\#(echo($0))"}"#, status: 429) },
            { .json(#"{"message":"\#(echo($0))"}"#, status: 503) },
            { .json(#"{"items":7,"x":"\#(echo($0))"}"#) },
            { .json(#"{"items":[7],"x":"\#(echo($0))"}"#) },
            { .json("\"\(echo($0))\"x") },
            { .json(#"{"items":["a"],"next":"https://example.org\#($0.target)"}"#) },
            { .text(echo($0), type: "text/html") },
            { .text("", type: String((echo($0).split(separator: " ").last ?? "").prefix { $0 != "&" })) },
            { .redirect(to: "https://127.0.0.1:1\($0.target)") },
            { .redirect(to: "ftp://127.0.0.1\($0.target)") },
            { _ in LoopbackAnswer(steps: []) },
        ]
        for answer in answers {
            let server = try LoopbackServer()
            server.routeEverythingElse(answer)
            let error = try await Stage().json(server.url + "/jokes", headers: headers, mapping).failure()
            #expect(server.requests.first?.target == "/jokes?key=s3cr3t%2FK%26y")
            #expect(server.requests.first?.header("Authorization") == "Bearer s3cr3t/K&y")
            #expect(!isLeaked(error.description) && !isLeaked("\(error)"))
        }
    }

    @Test("the next URL is stored without the secret, and requested with it once")
    func position() async throws {
        let server = try LoopbackServer()
        server.routeEverythingElse { request in
            request.query["page"] == nil
                ? .json(#"{"items":["one"],"next":"\#(request.target)&page=2"}"#) : .json(#"{"items":["two"]}"#)
        }
        let source = try Stage().json(server.url + "/jokes", headers: headers, mapping)
        let batches = try await source.sync()
        #expect(batches.jokes.map(\.setup) == ["one", "two"])
        #expect(batches.allSatisfy { !isLeaked($0.position.cursor ?? "") })
        #expect(server.requests.last?.target == "/jokes?page=2&key=s3cr3t%2FK%26y")
    }

    @Test("a redirect to another server does not send the secret header")
    func redirect() async throws {
        let proxy = try LoopbackServer()
        proxy.routeEverythingElse { request in
            request.target.hasPrefix("http://jokes.test/")
                ? .redirect(to: "http://other.test/jokes") : .json(#"{"items":["a"]}"#)
        }
        let batches = try await Stage(proxy: proxy).json("http://jokes.test/jokes", headers: headers, mapping).sync()
        #expect(batches.jokes.count == 1)
        #expect(proxy.requests.map { $0.header("Authorization") != nil } == [true, false])
        #expect(proxy.requests.last?.target == "http://other.test/jokes")
    }

    @Test("the description of a source has the place of the secret, not the secret")
    func description() {
        for text in ["\(mapping)", "\(headers)"] { #expect(!isLeaked(text) && text.contains(folder.path("key"))) }
    }

    @Test("a missing or invalid secret is a configuration error, and no request is sent")
    func missing() async throws {
        let server = try LoopbackServer()
        let two = try folder.write("s3cr3t\nmore", to: "two")
        for reference in [SecretReference.file(folder.path("none")), .file(two), .credential("s3cr3t-none")] {
            let field = SentField("X-Api-Key", SentValue("", secret: reference))
            for (headers, query) in [([field], []), ([], [field])] {
                let mapping = JokesSourcesTests.mapping { $0.query = query }
                let error = try await Stage().json(server.url + "/jokes", headers: headers, mapping).failure()
                #expect(error.code == .misconfigured && !error.description.contains("more"))
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a secret is read again for each request")
    func changed() async throws {
        let server = try LoopbackServer()
        server.route("/jokes", .json(#"{"items":["a"]}"#))
        let source = try Stage().json(server.url + "/jokes", headers: headers, mapping)
        _ = try await source.sync()
        try folder.write("other", to: "key")
        _ = try await source.sync()
        #expect(server.requests.map { $0.query["key"] } == ["s3cr3t%2FK%26y", "other"])
    }
}
