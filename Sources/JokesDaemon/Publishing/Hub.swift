import Diffable
import JokesCore
import JokesProtocol

/// The subscribers and the views that they watch.
///
/// A subscriber gets its next message after it has received the last one: the difference that follows, or the snapshot if
/// it is too far behind. So nothing queues for a slow subscriber, and a slow subscriber delays no other subscriber.
/// Subscribers with equal views share one snapshot, one history and the encodings of its differences.
///
/// After a change, the views are published in turns (`publishNext`). Several changes of a waiting view are published
/// together. Confined to the service loop.
final class Hub {
    /// The maximum number of unwatched views that are kept for returning clients.
    static let maxIdleViews = 16
    /// The maximum number of different views that are watched.
    static let maxViews = 128
    /// The maximum number of different views with a query, a selection or a start. Each needs a search after a change of
    /// the jokes.
    static let maxSelectiveViews = 32

    /// The random ID of this run of the daemon.
    let epoch: String
    /// The number of the newest snapshot of any view. Unique for each snapshot in an epoch.
    private(set) var generation: Int64 = 0

    /// The watched views and the idle views.
    private var published: [View: PublishedView] = [:]
    private var subscribers: [Int: Subscriber] = [:]
    private var nextNumber = 0
    /// The changed views that are not published yet, in the order of their turns.
    private var waiting: [PublishedView] = []

    /// Creates a hub without views.
    init(epoch: String) { self.epoch = epoch }

    var subscriberCount: Int { subscribers.count }

    /// The largest size of a watched view of the newest jokes; 0 if all of them have the configured size.
    var largestWatchedSize: Int {
        watched.filter { $0.view.shows(.jokes) && !$0.view.isSelective }.compactMap(\.view.size).max() ?? 0
    }

    private var watched: some Sequence<PublishedView> {
        published.values.lazy.filter { !$0.subscribers.isEmpty }
    }

    // MARK: Subscribers

    /// Adds a subscriber, and sends its first message. Returns the number of the subscriber, for `sendNext` and
    /// `remove`.
    ///
    /// `generation` is the generation of the client's snapshot in this epoch; nil if the client has no snapshot.
    /// Throws `Busy` if too many different views are watched, and errors of the search.
    func add(
        _ connection: any SubscriberConnection, view: View, generation: Int64?, _ inputs: SnapshotInputs
    ) throws -> Int {
        try checkLimits(for: view)
        defer { removeIdleViews() }
        let published = try update(view, inputs)
        nextNumber += 1
        let subscriber = Subscriber(nextNumber, connection, of: published, generation: generation)
        try send(to: subscriber)
        subscribers[subscriber.number] = subscriber
        published.subscribers[subscriber.number] = subscriber
        return subscriber.number
    }

    /// Throws `Busy` if this view would exceed the limits of watched views.
    private func checkLimits(for view: View) throws(JokesError) {
        if let existing = published[view], !existing.subscribers.isEmpty { return }
        let others = watched.map(\.view)
        let searches = others.count(where: \.isSelective)
        if others.count >= Self.maxViews || (view.isSelective && searches >= Self.maxSelectiveViews) {
            throw JokesError.busy(retryAfterMs: 1000, reason: "too many different views are watched")
        }
    }

    /// Sends the next message to a subscriber that has received the last one.
    func sendNext(to number: Int) throws {
        if let subscriber = subscribers[number] { try send(to: subscriber) }
    }

    /// Removes a subscriber that has closed its connection.
    func remove(_ number: Int) {
        guard let subscriber = subscribers.removeValue(forKey: number) else { return }
        subscriber.publishedView.subscribers[number] = nil
        removeIdleViews()
    }

    /// Returns the snapshot of a view for a client that does not watch it; nil if it does not fit in one message.
    func snapshot(of view: View, _ inputs: SnapshotInputs) throws -> WatchMethod.Reply? {
        defer { removeIdleViews() }
        return try update(view, inputs).history.snapshotReply()
    }

    // MARK: Publishing

    /// Discards the search results of all views, after a change of the jokes.
    func invalidateSearchResults() {
        for published in published.values { published.searchResults = nil }
    }

    /// Lets the watched views wait for their turns, after a change of the catalog.
    func publish() { waiting += watched.filter { view in !waiting.contains { $0 === view } } }

    /// True if a changed view waits for `publishNext`.
    var hasWaiting: Bool { !waiting.isEmpty }

    /// Publishes the view that has waited longest, first of those without a search. If the jokes have changed, runs the
    /// search of a selective view again.
    func publishNext(_ inputs: SnapshotInputs) throws {
        guard let next = waiting.firstIndex(where: { !$0.view.isSelective }) ?? waiting.indices.first else { return }
        let view = waiting.remove(at: next)
        // All subscribers may have left.
        if !view.subscribers.isEmpty { try update(view.view, inputs) }
    }

    /// Updates a view to the catalog, and sends the difference to its subscribers. Creates the view if it does not
    /// exist.
    @discardableResult
    private func update(_ view: View, _ inputs: SnapshotInputs) throws -> PublishedView {
        guard let existing = published[view] else {
            let searchResults = try inputs.searchResults(for: view)
            let snapshot = try inputs.catalog.snapshot(for: view, found: searchResults)
            let new = try PublishedView(
                view, snapshot, searchResults: searchResults, epoch: epoch, generation: newGeneration(),
                newGeneration: { [unowned self] in newGeneration() })
            published[view] = new
            return new
        }
        let searchResults = try existing.searchResults ?? inputs.searchResults(for: view)
        existing.searchResults = searchResults
        let before = existing.history.generation
        try existing.dataSource.apply(try inputs.catalog.snapshot(for: view, found: searchResults))
        if existing.history.generation != before {
            for subscriber in existing.subscribers.values {
                subscriber.dropOldSnapshot()
                try send(to: subscriber)
            }
        }
        return existing
    }

    private func newGeneration() -> Int64 {
        generation += 1
        return generation
    }

    // MARK: Sending

    /// Sends the next message, if there is one and if the subscriber has received the last one.
    private func send(to subscriber: Subscriber) throws {
        guard subscriber.connection.isDrained, let message = try subscriber.nextMessage() else { return }
        subscriber.connection.send(message)
    }

    /// Removes the oldest views without subscribers, except for `maxIdleViews`.
    private func removeIdleViews() {
        let idle = published.values.filter(\.subscribers.isEmpty)
        guard idle.count > Self.maxIdleViews else { return }
        let oldest = idle.sorted { $0.history.generation < $1.history.generation }
        for view in oldest.prefix(idle.count - Self.maxIdleViews) { published[view.view] = nil }
    }
}
