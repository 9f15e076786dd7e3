import FoundationEssentials
package import Unix

/// A server on the loopback interface that answers as the official joke API does.
///
/// IDs are positions. A request for more jokes than exist gets a text with status 200. Answers have ETags, errors have
/// `type: error`, and status 429 has no Retry-After.
package final class OfficialJokeServer: Sendable {
    /// A joke in the format of the API's data file: without an ID.
    package struct Entry: Codable, Sendable {
        package var type: String
        package var setup: String
        package var punchline: String

        package init(type: String = "general", setup: String, punchline: String) {
            self.type = type
            self.setup = setup
            self.punchline = punchline
        }
    }

    private struct Numbered: Encodable {
        let type: String
        let setup: String
        let punchline: String
        let id: Int
    }

    private struct State {
        var entries: [Entry]
        var isRateLimiting = false
        /// The number of requests. Each answer begins one entry later in the catalog, because the API has a random order.
        var requestNumber = 0
    }

    /// The server, for its requests, other routes and `stop`.
    package let server: LoopbackServer
    private let state: Locked<State>

    package init(_ entries: [Entry], port: UInt16 = 0) throws(SystemError) {
        server = try LoopbackServer(port: port)
        state = Locked(State(entries: entries))
        server.routeEverythingElse { [weak self] request in
            self?.answer(to: request) ?? LoopbackAnswer(status: 500)
        }
    }

    /// The base URL for a source's configuration.
    package var url: String {
        server.url
    }

    /// The catalog; may be changed at any time.
    package var entries: [Entry] {
        get { state.withLock { $0.entries } }
        set { state.withLock { $0.entries = newValue } }
    }

    /// True if the server answers as if the client had exceeded the rate limit.
    package var isRateLimiting: Bool {
        get { state.withLock { $0.isRateLimiting } }
        set { state.withLock { $0.isRateLimiting = newValue } }
    }

    private func answer(to request: LoopbackRequest) -> LoopbackAnswer {
        let (entries, isRateLimiting, requestNumber) = state.withLock { state in
            state.requestNumber += 1
            return (state.entries, state.isRateLimiting, state.requestNumber)
        }
        let answer =
            isRateLimiting
            ? Self.error(429, "Your ip has exceeded the 100 request limit per 15 minute(s). Try again in 15 minute(s).")
            : Self.answer(to: request.path, entries, requestNumber)
        // Like Express: the ETag depends on the body, and a request with the same ETag gets no body.
        let tag = "W/\"\(String(answer.body.count, radix: 16))-\(Self.digest(answer.body))\""
        if answer.status == 200 && request.header("If-None-Match") == tag {
            return LoopbackAnswer(status: 304, headers: [("ETag", tag)])
        }
        return LoopbackAnswer(status: answer.status, type: answer.type, headers: [("ETag", tag)], body: answer.body)
    }

    /// An answer without an ETag.
    private typealias PlainAnswer = (status: Int, type: String, body: [UInt8])

    private static func answer(to path: String, _ entries: [Entry], _ requestNumber: Int) -> PlainAnswer {
        let numbered = entries.enumerated().map { position, entry in
            Numbered(type: entry.type, setup: entry.setup, punchline: entry.punchline, id: position + 1)
        }
        let rotated = numbered.isEmpty ? [] : numbered.indices.map { numbered[($0 + requestNumber) % numbered.count] }
        let parts = path.split(separator: "/")
        switch (parts.first, parts.dropFirst().first, parts.count) {
        case ("jokes", "random", 2), ("random_joke", nil, 1): return json(rotated.first)
        case ("jokes", "ten", 2), ("random_ten", nil, 1): return json(Array(rotated.prefix(10)))
        case ("jokes", "random", 3): return random(String(parts[2]), rotated)
        case ("jokes", let id?, 2):
            guard let id = Int(id), numbered.indices.contains(id - 1) else { return error(404, "joke not found") }
            return json(numbered[id - 1])
        default: return (404, "text/html; charset=utf-8", Array("<pre>Cannot GET \(path)</pre>\n".utf8))
        }
    }

    private static func random(_ count: String, _ jokes: [Numbered]) -> PlainAnswer {
        let html = "text/html; charset=utf-8"
        guard let count = Int(count) else { return (200, html, Array("The passed path is not a number.".utf8)) }
        guard count <= jokes.count else {
            return (200, html, Array("The passed path exceeds the number of jokes (\(jokes.count)).".utf8))
        }
        return json(Array(jokes.prefix(max(0, count))))
    }

    private static func json(_ value: some Encodable) -> PlainAnswer {
        let body = (try? JSONEncoder().encode(value)) ?? Data()
        return (200, "application/json; charset=utf-8", Array(body))
    }

    private static func error(_ status: Int, _ message: String) -> PlainAnswer {
        (status, "application/json; charset=utf-8", Array("{\"type\":\"error\",\"message\":\"\(message)\"}".utf8))
    }

    /// FNV-1a; any digest works for an ETag.
    private static func digest(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 36)
    }
}
