import Diffable
import JokesCore
import JokesProtocol
import Varlink

/// A client that watches a view.
final class Subscriber {
    let number: Int
    let connection: any SubscriberConnection
    unowned let publishedView: PublishedView
    /// The generation that the client has after the messages so far; nil if the client has no snapshot yet.
    private var generation: Int64?
    /// The unsent pieces of the current snapshot; nil if no snapshot is being sent.
    private var pieces: SnapshotPieces?
    /// True before the first message, which is sent in any case.
    private var sendsUnchanged = true

    init(_ number: Int, _ connection: any SubscriberConnection, of publishedView: PublishedView, generation: Int64?) {
        self.number = number
        self.connection = connection
        self.publishedView = publishedView
        self.generation = generation
    }

    /// Returns the next message, and marks the message as sent; nil if there is none.
    func nextMessage() throws(VarlinkError) -> EncodedReply? {
        let history = publishedView.history
        defer {
            sendsUnchanged = false
            if pieces?.isAtEnd == true { pieces = nil }
        }
        if pieces != nil { return try history.nextPiece(of: &pieces!) }
        if generation == history.generation { return sendsUnchanged ? try history.unchanged : nil }
        if let change = history.change(after: generation) {
            generation = change.generation
            return change.message
        }
        let message: EncodedReply
        (message, pieces) = try history.firstPiece()
        generation = history.generation
        return message
    }

    /// Begins again with the newest snapshot if pieces of an older snapshot are unsent.
    ///
    /// So only one snapshot of a view is in memory, even if many clients stop reading.
    func dropOldSnapshot() {
        guard pieces != nil else { return }
        (pieces, generation) = (nil, nil)
    }
}

/// A view that clients watch or watched: its snapshots and its subscribers.
final class PublishedView {
    let view: View
    let dataSource: JokeDataSource
    var history: ViewHistory
    var subscribers: [Int: Subscriber] = [:]
    /// The search results of a selective view, otherwise empty; nil if jokes have changed since the last search.
    var searchResults: SearchResults?
    private var observation: DiffableObservation?

    /// Creates a published view with its first snapshot. Calls `newGeneration` for every later snapshot.
    init(
        _ view: View, _ snapshot: JokeSnapshot, searchResults: SearchResults, epoch: String, generation: Int64,
        newGeneration: @escaping () -> Int64
    ) throws {
        self.view = view
        self.searchResults = searchResults
        dataSource = try JokeDataSource(snapshot)
        history = ViewHistory(epoch: epoch, snapshot: dataSource.snapshot(), generation: generation)
        observation = dataSource.observe { [unowned self] step in
            history.advance(by: step.difference, to: step.finalSnapshot, generation: newGeneration())
        }
    }
}

/// The inputs of a snapshot: the catalog, and a function that reads the jokes of a selective view.
struct SnapshotInputs {
    let catalog: Catalog
    /// Returns the jokes of a selective view, at most `limit`.
    let find: (_ view: View, _ limit: Int) throws -> SearchResults

    /// Returns the search results of a view; empty if the view is not selective.
    func searchResults(for view: View) throws -> SearchResults {
        guard view.isSelective else { return SearchResults() }
        return try find(view, view.size ?? catalog.feedSize)
    }
}

/// The connection of a subscriber, which receives its messages. `VarlinkCall` conforms to this protocol.
protocol SubscriberConnection: AnyObject {
    /// True if the kernel has taken all messages.
    var isDrained: Bool { get }
    func send(_ message: EncodedReply)
}

extension VarlinkCall: SubscriberConnection where Parameters == WatchMethod.Parameters, Reply == WatchMethod.Reply {}
