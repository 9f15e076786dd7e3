import Diffable
import JSON
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Varlink

@testable import JokesDaemon

/// A connection of a simulated client. Holds messages until `read`, and applies them as JokesClient does.
final class StubConnection: SubscriberConnection {
    private(set) var unread: [EncodedReply] = []
    /// The number of messages that were sent before the last one was read; always 0.
    private(set) var queued = 0
    var followed = FollowedSnapshot()
    private(set) var differences = 0
    private(set) var snapshots = 0

    var isDrained: Bool {
        unread.isEmpty
    }

    func send(_ message: EncodedReply) {
        if !unread.isEmpty { queued += 1 }
        unread.append(message)
    }

    /// The first unread message; nil if there is none.
    var nextReply: WatchMethod.Reply? {
        get throws {
            guard let frame = unread.first?.frame else { return nil }
            return try JSONDocument(Array(frame.dropLast())).root.member("parameters")?.decode(WatchMethod.Reply.self)
        }
    }

    /// Reads a message. Returns false if there is none.
    func read() throws -> Bool {
        guard let reply = try nextReply else { return false }
        unread.removeFirst()
        if reply.difference != nil { differences += 1 } else { snapshots += 1 }
        _ = try followed.take(reply)
        return true
    }

    /// Disconnects, and loses unread messages.
    func hangUp() {
        unread = []
        followed.begin()
    }
}

/// A hub with the parts that a daemon has: a catalog and a search.
final class HubWorld {
    private(set) var catalog = Catalog(settings: FeedSettings(size: 5, placeholders: 2))
    let hub = Hub(epoch: "life")
    /// The jokes, newest first.
    private(set) var jokes: [Joke] = []
    /// The queries of all searches, in order.
    private(set) var searches: [String] = []

    var inputs: SnapshotInputs {
        SnapshotInputs(catalog: catalog) { [self] view, limit in
            searches.append(view.query ?? "")
            return find(view, limit)
        }
    }

    /// Returns the jokes whose number has a digit of the query, in an order that depends on the query; without a query, all.
    /// At the end of the list, they begin before the start of the view.
    private func find(_ view: View, _ limit: Int) -> SearchResults {
        guard let query = view.query else {
            return part(jokes.map { FoundJoke(joke: $0, marks: []) }, from: view.start, limit, isExact: true)
        }
        let turn = query.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
        let found = jokes.filter { joke in joke.id.rawValue.contains { query.contains($0) && $0.isNumber } }
            .sorted { ($0.id.rawValue.hashOf(turn), $0.id.rawValue) < ($1.id.rawValue.hashOf(turn), $1.id.rawValue) }
        let rows = found.map { FoundJoke(joke: $0, marks: [TextRange(.setup, 0..<(1 + turn % 3))]) }
        return part(rows, from: view.start, limit, isExact: found.count <= limit)
    }

    private func part(_ rows: [FoundJoke], from start: Int, _ limit: Int, isExact: Bool) -> SearchResults {
        let start = max(0, min(start, rows.count - limit))
        return SearchResults(
            rows: Array(rows.dropFirst(start).prefix(limit)), count: rows.count, isExact: isExact, start: start)
    }

    /// Returns the current snapshot of a view.
    func snapshot(_ view: View) throws -> JokeSnapshot {
        let found = view.isSelective ? find(view, view.size ?? catalog.feedSize) : SearchResults()
        return try catalog.snapshot(for: view, found: found)
    }

    func change(_ edit: (inout Catalog) throws -> Void) rethrows {
        try edit(&catalog)
        hub.publish()
    }

    func show(_ jokes: [Joke]) {
        self.jokes = jokes
        hub.invalidateSearchResults()
        change { ($0.newest, $0.shown) = (jokes, jokes.count) }
    }

    /// Publishes all waiting views.
    func publishWaiting() throws {
        while hub.hasWaiting { try hub.publishNext(inputs) }
    }

    static func joke(_ number: Int, version: Int = 0, size: Int = 0) -> Joke {
        let text = "Joke \(number) in version \(version)." + String(repeating: " \"And so on.\"", count: size / 13)
        return Joke(
            id: JokeID(source: "t", upstream: "\(number)"), content: JokeContent(text: .single(text)),
            isFavorite: false,
            firstSeen: Timestamp(microseconds: Int64(number)))
    }

    static func favorite(_ number: Int, note: String? = nil) -> Favorite {
        Favorite(
            id: joke(number).id, content: joke(number).content, favoritedAt: Timestamp(microseconds: 1), note: note)
    }
}

extension String {
    fileprivate func hashOf(_ turn: Int) -> Int {
        utf8.reduce(turn) { ($0 &* 16_777_619) ^ Int($1) } & 0xFF
    }
}
