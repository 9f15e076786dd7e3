import JokesCore
import TestSupport
import Testing

/// The order of the list, from the bytes of a server or a file to the rows of clients.
@Suite struct DocumentOrderTests {
    /// A document in one answer or several. Each has more than two slices of jokes.
    enum Format: String, CaseIterable {
        case list, pages, rss, feedInPages

        var pageSize: Int { self == .pages || self == .feedInPages ? 450 : 2_000 }

        /// The source, without its braces.
        func source(_ url: String) -> String {
            let type =
                switch self {
                case .list: #""type": "json", "map": {"id": "/id", "text": "/text"}, "url": "\#(url)/""#
                case .pages:
                    #""type": "json", "strategy": "page", "map": {"id": "/id", "text": "/text"}, "url": "\#(url)/?page={page}""#
                case .rss: #""type": "rss", "url": "\#(url)/""#
                case .feedInPages: #""type": "jsonfeed", "url": "\#(url)/""#
                }
            return #""name": "mine", "safety": "safe", "allowLocalNetwork": true, \#(type)"#
        }

        /// Returns the answer with a page, from 1 on, of these jokes.
        func answer(_ jokes: [Int], page: Int, of pages: Int) -> LoopbackAnswer {
            switch self {
            case .list, .pages:
                return .json("[\(jokes.map { #"{"id": \#($0), "text": "\#(text(of: $0))"}"# }.joined(separator: ","))]")
            case .rss:
                let items = jokes.map { "<item><guid>\($0)</guid><description>\(text(of: $0))</description></item>" }
                return .text(
                    "<rss version=\"2.0\"><channel><title>Ducks</title>\(items.joined())</channel></rss>",
                    type: "application/rss+xml")
            case .feedInPages:
                let items = jokes.map { #"{"id": "\#($0)", "content_text": "\#(text(of: $0))"}"# }
                let next = page < pages ? #""next_url": "/?page=\#(page + 1)", "# : ""
                return .json(
                    #"{"version": "https://jsonfeed.org/version/1.1", \#(next)"items": [\#(items.joined(separator: ","))]}"#
                )
            }
        }
    }

    /// Serves the jokes of a document that a test can change.
    private func serve(_ document: Locked<[Int]>, as format: Format, from server: LoopbackServer) {
        server.route("/") { request in
            let jokes = document.withLock { $0 }
            let page = request.query["page"].flatMap { Int($0) } ?? 1
            let found = Array(jokes.dropFirst((page - 1) * format.pageSize).prefix(format.pageSize))
            return format.answer(found, page: page, of: jokes.count / format.pageSize)
        }
    }

    private func listed(by daemon: DaemonUnderTest, _ arguments: String...) throws -> [String] {
        try daemon.json(["list", "-n", "2000"] + arguments, as: [PrintedJoke].self).map(\.setup)
    }

    @Test(
        "the list and a watched view have the order of the document, and a new first item comes on top",
        arguments: Format.allCases)
    func order(_ format: Format) async throws {
        let document = Locked(Array((1...900).reversed()))
        let server = try LoopbackServer()
        serve(document, as: format, from: server)
        let daemon = try DaemonUnderTest(configuration: configuration("{\(format.source(server.url))}"))
        try await daemon.waitForSyncs()
        #expect(try listed(by: daemon, "--source", "mine") == document.withLock { $0.map(text) })

        document.withLock { $0.insert(901, at: 0) }
        #expect(try daemon.control("refresh", "mine").ending == .exited(0))
        let all = try listed(by: daemon)
        #expect(Array(all.prefix(901)) == document.withLock { $0.map(text) })
        let watcher = try Watcher(daemon)
        try watcher.begin()
        #expect(try watcher.jokes.map(\.rawValue) == (852...901).reversed().map { "mine:\($0)" })
    }
}

private func text(of number: Int) -> String { "Duck number \(number) crosses the road." }
