import FoundationEssentials
package import Unix

/// Answers as the official joke API does.
///
/// IDs are positions. A request for more jokes than exist gets a text with status 200. Answers have ETags, errors have
/// `type: error`, and status 429 has no Retry-After.
package struct OfficialJokeService: UpstreamService {
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

    var entries: [Entry]

    package var rateLimitAnswer: LoopbackAnswer {
        .json(
            #"{"type":"error","message":"Your ip has exceeded the 100 request limit per 15 minute(s)."}"#, status: 429)
    }

    /// Each answer begins one entry later in the catalog, because the API has a random order.
    package func answer(to request: LoopbackRequest, requestNumber: Int) -> LoopbackAnswer {
        let jokes = entries.indices.map { index in
            let position = (index + requestNumber) % entries.count
            let entry = entries[position]
            return Numbered(type: entry.type, setup: entry.setup, punchline: entry.punchline, id: position + 1)
        }
        let parts = request.path.split(separator: "/")
        guard parts.count == 3, parts[0] == "jokes", parts[1] == "random", let count = Int(parts[2]) else {
            return .html("Cannot GET \(request.path)", status: 404)
        }
        let isTooMany = count > jokes.count
        let body =
            isTooMany
            ? Array("The passed path exceeds the number of jokes (\(jokes.count)).".utf8)
            : (try? JSONEncoder().encode(Array(jokes.prefix(count)))).map(Array.init) ?? []
        // Like Express: the ETag depends on the body, and a request with the same ETag gets no body.
        let tag = "W/\"\(String(body.count, radix: 16))-\(Self.digest(body))\""
        if request.header("If-None-Match") == tag { return LoopbackAnswer(status: 304, headers: [("ETag", tag)]) }
        let type = isTooMany ? "text/html; charset=utf-8" : "application/json; charset=utf-8"
        return LoopbackAnswer(type: type, headers: [("ETag", tag)], body: body)
    }

    /// FNV-1a; any digest works for an ETag.
    private static func digest(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 36)
    }
}

/// A server that answers as the official joke API does.
package typealias OfficialJokeServer = UpstreamServer<OfficialJokeService>

extension UpstreamServer<OfficialJokeService> {
    package typealias Entry = OfficialJokeService.Entry

    package convenience init(_ entries: [Entry], port: UInt16 = 0) throws(SystemError) {
        try self.init(OfficialJokeService(entries: entries), port: port)
    }

    /// The catalog; may be changed at any time.
    package var entries: [Entry] {
        get { service.entries }
        set { service.entries = newValue }
    }
}
