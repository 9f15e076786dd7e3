import HTTP
import JokesCore
import JokesSources
import TestSupport

/// A feed at `/feed` on the loopback interface.
struct FeedServer: Sendable {
    let server: LoopbackServer
    let kind: SourceKind

    init(_ kind: SourceKind, _ answer: LoopbackAnswer) throws {
        server = try LoopbackServer()
        self.kind = kind
        set(answer)
    }

    func set(_ answer: LoopbackAnswer) {
        server.route("/feed", answer)
    }

    /// A reader of the feed, or of another place on the server.
    func source(_ path: String = "/feed", skipsTitles: Bool = false) throws -> any JokeSource {
        try Stage().readers.reader(
            for: SourceConfiguration(
                name: "feed", kind: kind, url: server.url + path, allowLocalNetwork: true, skipsTitles: skipsTitles))
    }
}

/// Returns the batches of one sync of a feed.
func sync(_ kind: SourceKind, _ answer: LoopbackAnswer) async throws -> [SourceBatch] {
    let server = try FeedServer(kind, answer)
    defer { withExtendedLifetime(server) {} }
    return try await server.source().sync()
}

/// Returns the error of a feed.
func failure(_ kind: SourceKind, _ answer: LoopbackAnswer) async throws -> SourceError {
    let server = try FeedServer(kind, answer)
    defer { withExtendedLifetime(server) {} }
    return try await server.source().failure()
}

extension LoopbackAnswer {
    /// An RSS document around the items.
    static func rss(_ items: String, channel: String = "", attributes: String = "") -> LoopbackAnswer {
        .xml("<rss version=\"2.0\"\(attributes)><channel><title>Jokes</title>\(channel)\(items)</channel></rss>")
    }

    /// An Atom document around the entries.
    static func atom(_ entries: String, attributes: String = "") -> LoopbackAnswer {
        .text(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"\(attributes)><title>Jokes</title>\(entries)</feed>",
            type: "application/atom+xml")
    }

    static func xml(_ text: String) -> LoopbackAnswer {
        .text(text, type: "application/rss+xml; charset=utf-8")
    }

    /// A JSON Feed around the items.
    static func jsonFeed(_ items: String, more: String = "") -> LoopbackAnswer {
        .text(
            "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"Jokes\"\(more),\"items\":[\(items)]}",
            type: "application/feed+json")
    }
}
