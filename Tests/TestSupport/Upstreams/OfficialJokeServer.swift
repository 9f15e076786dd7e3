import FoundationEssentials
package import Unix

/// Answers as the official joke API does, on the loopback interface: IDs that are positions, a text with status 200 if
/// a request asks for more jokes than exist, ETags, errors as `type: error`, and 429 without Retry-After.
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
        var isLimiting = false
        /// The offset of the catalog in the last answer: each answer begins one entry later, as the order of the API is random.
        var turn = 0
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

    /// Whether it answers as if the client had exceeded the rate limit.
    package var isLimiting: Bool {
        get { state.withLock { $0.isLimiting } }
        set { state.withLock { $0.isLimiting = newValue } }
    }

    private func answer(to request: LoopbackRequest) -> LoopbackAnswer {
        let (entries, isLimiting, turn) = state.withLock { state in
            state.turn += 1
            return (state.entries, state.isLimiting, state.turn)
        }
        let answer =
            isLimiting
            ? Self.error(429, "Your ip has exceeded the 100 request limit per 15 minute(s). Try again in 15 minute(s).")
            : Self.answer(to: request.path, entries, turn)
        // Like Express: the ETag depends on the body, and a request with the same ETag gets no body.
        let tag = "W/\"\(String(answer.body.count, radix: 16))-\(Self.digest(answer.body))\""
        if answer.status == 200 && request.header("If-None-Match") == tag {
            return LoopbackAnswer(status: 304, headers: [("ETag", tag)])
        }
        return LoopbackAnswer(status: answer.status, type: answer.type, headers: [("ETag", tag)], body: answer.body)
    }

    private typealias Plain = (status: Int, type: String, body: [UInt8])

    private static func answer(to path: String, _ entries: [Entry], _ turn: Int) -> Plain {
        let numbered = entries.enumerated().map { position, entry in
            Numbered(type: entry.type, setup: entry.setup, punchline: entry.punchline, id: position + 1)
        }
        let turned = numbered.isEmpty ? [] : numbered.indices.map { numbered[($0 + turn) % numbered.count] }
        let parts = path.split(separator: "/")
        switch (parts.first, parts.dropFirst().first, parts.count) {
        case ("jokes", "random", 2), ("random_joke", nil, 1): return json(turned.first)
        case ("jokes", "ten", 2), ("random_ten", nil, 1): return json(Array(turned.prefix(10)))
        case ("jokes", "random", 3): return random(String(parts[2]), turned)
        case ("jokes", let id?, 2):
            guard let id = Int(id), numbered.indices.contains(id - 1) else { return error(404, "joke not found") }
            return json(numbered[id - 1])
        default: return (404, "text/html; charset=utf-8", Array("<pre>Cannot GET \(path)</pre>\n".utf8))
        }
    }

    private static func random(_ count: String, _ jokes: [Numbered]) -> Plain {
        let html = "text/html; charset=utf-8"
        guard let count = Int(count) else { return (200, html, Array("The passed path is not a number.".utf8)) }
        guard count <= jokes.count else {
            return (200, html, Array("The passed path exceeds the number of jokes (\(jokes.count)).".utf8))
        }
        return json(Array(jokes.prefix(max(0, count))))
    }

    private static func json(_ value: some Encodable) -> Plain {
        let body = (try? JSONEncoder().encode(value)) ?? Data()
        return (200, "application/json; charset=utf-8", Array(body))
    }

    private static func error(_ status: Int, _ message: String) -> Plain {
        (status, "application/json; charset=utf-8", Array("{\"type\":\"error\",\"message\":\"\(message)\"}".utf8))
    }

    /// FNV-1a; any digest works for an ETag.
    private static func digest(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 36)
    }
}
