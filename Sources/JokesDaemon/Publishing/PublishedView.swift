import Diffable
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// A client that watches a view.
final class Subscriber {
    let number: Int
    let watcher: any Watcher
    unowned let published: PublishedView
    /// The generation of the last message; nil before the first snapshot.
    private var generation: Int64?
    /// The pieces that are left of a snapshot that is being sent; nil if none is.
    private var pieces: SnapshotPieces?
    /// Whether the next message is sent even if nothing has changed.
    var awaitsFirst = true
    /// The interval of keep-alive messages; nil if it wants none.
    private let keepAlive: Duration?
    /// The time of the next keep-alive message.
    private(set) var keepAliveDue: BootInstant?

    init(_ number: Int, _ watcher: any Watcher, of published: PublishedView, generation: Int64?, keepAlive: Duration?) {
        self.number = number
        self.watcher = watcher
        self.published = published
        self.generation = generation
        self.keepAlive = keepAlive
    }

    /// Begins the interval of keep-alive messages again: a message was sent, or could not be sent.
    func resetKeepAlive(at now: BootInstant) { keepAliveDue = keepAlive.map { now.advanced(by: $0) } }

    /// Returns the next message, which counts as sent from then on; nil if there is none.
    func nextMessage() -> Message? {
        defer { if pieces?.isAtEnd == true { pieces = nil } }
        if pieces != nil { return published.history.nextPiece(of: &pieces!) }
        guard let message = published.history.message(from: generation, isFirst: awaitsFirst, rest: &pieces) else {
            return nil
        }
        generation = published.history.generation
        awaitsFirst = false
        return message
    }

    /// Begins again with the newest snapshot if some pieces of an older one are still to be sent: only one snapshot of a
    /// view is in memory, however many clients stop reading.
    func dropOldSnapshot() {
        guard pieces != nil else { return }
        (pieces, generation) = (nil, nil)
    }
}

/// A view that clients watch or watched: its snapshots and its subscribers.
final class PublishedView {
    let view: View
    let source: JokeDataSource
    var history: ViewHistory
    var subscribers: [Int: Subscriber] = [:]
    /// The results of its query, empty for a view without one; nil if jokes have changed since the last search.
    var found: SearchResults?
    private var observation: DiffableObservation?

    /// Calls `newGeneration` for every snapshot after the first one.
    init(
        _ view: View, _ snapshot: JokeSnapshot, found: SearchResults, epoch: String, generation: Int64,
        newGeneration: @escaping () -> Int64
    ) {
        self.view = view
        self.found = found
        source = JokeDataSource(snapshot)
        history = ViewHistory(epoch: epoch, snapshot: source.snapshot(), generation: generation)
        observation = source.observe { [unowned self] step in
            history.advance(by: step.difference, to: step.finalSnapshot, generation: newGeneration())
        }
    }
}

/// The inputs of snapshots: the catalog, and a search for jokes.
struct SnapshotInputs {
    let catalog: Catalog
    /// Returns the jokes that match a query, at most `limit`.
    let find: (_ query: String, _ limit: Int) throws -> SearchResults

    func results(for view: View) throws -> SearchResults {
        guard view.shows(.searchResults), let query = view.query else { return SearchResults() }
        return try find(query, view.size ?? catalog.feedSize)
    }
}

/// A message to subscribers, encoded once for all of them.
final class Message {
    /// Nil after the message was encoded: a thousand jokes need not be in memory twice.
    private(set) var reply: WatchMethod.Reply?
    private var encoding: EncodedReply?

    init(_ reply: WatchMethod.Reply) { self.reply = reply }

    func encoded() throws(VarlinkError) -> EncodedReply {
        if let encoding { return encoding }
        guard let reply else { preconditionFailure("a message has a reply until it is encoded") }
        let encoded = try EncodedReply(reply, continues: true)
        (encoding, self.reply) = (encoded, nil)
        return encoded
    }
}

/// Receives the messages of a subscriber.
protocol Watcher: AnyObject {
    /// Whether it has received everything that was sent.
    var isDrained: Bool { get }
    func receive(_ message: Message) throws(VarlinkError)
}

typealias WatchCall = VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>

extension VarlinkCall: Watcher where Parameters == WatchMethod.Parameters, Reply == WatchMethod.Reply {
    func receive(_ message: Message) throws(VarlinkError) { send(try message.encoded()) }
}
