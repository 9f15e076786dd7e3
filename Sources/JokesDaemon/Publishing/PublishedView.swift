import Diffable
import JokesCore
import JokesProtocol
import Unix

/// The time of the next keep-alive message to a subscriber.
struct KeepAlive {
    let interval: Duration
    private(set) var due: BootInstant

    /// Begins the interval again: a message was sent, or could not be sent.
    mutating func reset(at now: BootInstant) {
        due = now.advanced(by: interval)
    }
}

/// A client that watches a view.
final class Subscriber {
    let number: Int
    let watcher: any Watcher
    unowned let published: PublishedView
    /// The generation of the last message; nil before the first snapshot.
    private var generation: Int64?
    /// The pieces that are left of a snapshot that is being sent; nil if none is.
    private var pieces: SnapshotPieces?
    /// Whether it gets a message even if there is nothing new.
    var awaitsFirst = true
    /// Nil if it wants no keep-alive messages.
    var keepAlive: KeepAlive?

    init(_ number: Int, _ watcher: any Watcher, of published: PublishedView, generation: Int64?) {
        self.number = number
        self.watcher = watcher
        self.published = published
        self.generation = generation
    }

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
    /// The results of its query; empty for a view without one.
    var found: SearchResults
    /// Whether jokes have changed since the last search.
    var isStale = false
    /// Whether it waits for its turn to be published.
    var isWaiting = false
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

/// What snapshots are built from: the catalog, and a search for jokes.
struct SnapshotInputs {
    let catalog: Catalog
    /// Returns the jokes that match a query, at most `limit`.
    let find: (_ query: String, _ limit: Int) throws -> SearchResults

    /// Returns the current results of a view's query.
    func results(for view: View) throws -> SearchResults {
        guard view.shows(.searchResults), let query = view.query else { return SearchResults() }
        return try find(query, view.size ?? catalog.feedSize)
    }
}
