import Diffable
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// The subscribers and the views that they watch.
///
/// A subscriber gets its next message after it has received the last one: the difference to the newest generation. So
/// nothing queues for a slow subscriber, and it delays no other. Subscribers with equal views share one snapshot, one
/// history and one encoding. A few views are published at once. The others, and all views with a query, wait for their
/// turns (`publishNext`), and a view is published once however often it changed before. Confined to the service loop.
final class Hub {
    /// The maximum number of unwatched views that are kept for returning clients.
    static let maxIdleViews = 16
    /// The maximum number of different views that are watched.
    static let maxViews = 128
    /// The maximum number of different views with a query: each costs a search if jokes change.
    static let maxSearches = 32
    /// The maximum number of views without a query that are published at once.
    static let maxViewsAtOnce = 4

    /// Differs for every run of the daemon.
    let epoch: String
    /// The number of the newest snapshot of any view. No two snapshots have the same.
    private(set) var generation: Int64 = 0

    private let now: () -> BootInstant
    private var published: [View: PublishedView] = [:]
    private var subscribers: [Int: Subscriber] = [:]
    private var nextNumber = 0
    /// Views that wait, in the order of their turns.
    private var waiting: [PublishedView] = []

    /// The clock `now` is for keep-alive messages.
    init(epoch: String, now: @escaping () -> BootInstant = { .now }) {
        self.epoch = epoch
        self.now = now
    }

    var subscriberCount: Int { subscribers.count }

    /// The largest size of a watched view; 0 if all of them have the configured size.
    var maxSize: Int {
        watched.filter { $0.view.showsItems(of: .jokes) }.compactMap(\.view.size).max() ?? 0
    }

    private var watched: some Sequence<PublishedView> {
        published.values.lazy.filter { !$0.subscribers.isEmpty }
    }

    // MARK: Subscribers

    /// Adds a subscriber, sends the first message to it, and returns its number, for `drained` and `remove`.
    ///
    /// `generation` is what the subscriber has, in this epoch; nil if it has nothing. `keepAlive` is the maximum time between
    /// two messages. Throws `ErrorReply` with `Busy` if too many different views are watched, and errors of the search.
    func add(
        _ watcher: any Watcher, view: View, generation: Int64?, keepAlive: Duration? = nil, _ inputs: SnapshotInputs
    ) throws -> Int {
        try checkRoom(for: view)
        defer { forgetIdleViews() }
        let published = try refresh(view, inputs)
        nextNumber += 1
        let subscriber = Subscriber(nextNumber, watcher, of: published, generation: generation, keepAlive: keepAlive)
        subscriber.resetKeepAlive(at: now())
        try send(to: subscriber)
        subscribers[subscriber.number] = subscriber
        published.subscribers[subscriber.number] = subscriber
        return subscriber.number
    }

    private func checkRoom(for view: View) throws(ErrorReply) {
        if let known = published[view], !known.subscribers.isEmpty { return }
        let others = watched.map(\.view)
        let searches = others.count { $0.query != nil }
        if others.count >= Self.maxViews || (view.query != nil && searches >= Self.maxSearches) {
            throw ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "too many different views are watched"))
        }
    }

    /// Sends the next message to a subscriber that has received the last one.
    func drained(_ number: Int) throws {
        if let subscriber = subscribers[number] { try send(to: subscriber) }
    }

    /// Removes a subscriber that has closed its connection.
    func remove(_ number: Int) {
        guard let subscriber = subscribers.removeValue(forKey: number) else { return }
        subscriber.published.subscribers[number] = nil
        forgetIdleViews()
    }

    /// Returns the snapshot of a view for a client that does not watch it; nil if it does not fit in one message.
    func snapshot(of view: View, _ inputs: SnapshotInputs) throws -> WatchMethod.Reply? {
        defer { forgetIdleViews() }
        return try refresh(view, inputs).history.snapshotInOne()
    }

    // MARK: Publishing

    /// Notes that all searches must be done again.
    func jokesChanged() {
        for view in published.values where view.view.query != nil { view.found = nil }
    }

    /// Publishes a change of the catalog: a few views at once, the others in their turns.
    func publish(_ inputs: SnapshotInputs) throws {
        let plain = watched.filter { $0.view.query == nil }
        for view in plain.prefix(Self.maxViewsAtOnce) { try refresh(view.view, inputs) }
        let others = plain.dropFirst(Self.maxViewsAtOnce) + watched.filter { $0.view.query != nil }
        waiting += others.filter { view in !waiting.contains { $0 === view } }
    }

    var hasWaiting: Bool { !waiting.isEmpty }

    /// Publishes the view that has waited longest. If it has a query and jokes have changed, it is searched for again.
    func publishNext(_ inputs: SnapshotInputs) throws {
        guard !waiting.isEmpty else { return }
        let view = waiting.removeFirst()
        // All subscribers may have left.
        if !view.subscribers.isEmpty { try refresh(view.view, inputs) }
    }

    /// Updates a view, and sends the difference to its subscribers.
    @discardableResult
    private func refresh(_ view: View, _ inputs: SnapshotInputs) throws -> PublishedView {
        guard let known = published[view] else {
            let found = try inputs.results(for: view)
            let snapshot = try inputs.catalog.snapshot(for: view, found: found)
            let new = PublishedView(
                view, snapshot, found: found, epoch: epoch, generation: newGeneration(),
                newGeneration: { [unowned self] in newGeneration() })
            published[view] = new
            return new
        }
        let found = try known.found ?? inputs.results(for: view)
        known.found = found
        let before = known.history.generation
        known.source.apply(try inputs.catalog.snapshot(for: view, found: found))
        if known.history.generation != before {
            for subscriber in known.subscribers.values {
                subscriber.dropOldSnapshot()
                try send(to: subscriber)
            }
        }
        return known
    }

    private func newGeneration() -> Int64 {
        generation += 1
        return generation
    }

    // MARK: Sending

    private func send(to subscriber: Subscriber) throws {
        guard subscriber.watcher.isDrained, let message = subscriber.nextMessage() else { return }
        subscriber.resetKeepAlive(at: now())
        try subscriber.watcher.receive(message)
    }

    private func forgetIdleViews() {
        let idle = published.values.filter(\.subscribers.isEmpty)
        guard idle.count > Self.maxIdleViews else { return }
        let oldest = idle.sorted { $0.history.generation < $1.history.generation }
        for view in oldest.prefix(idle.count - Self.maxIdleViews) { published[view.view] = nil }
    }

    // MARK: Keep-alive messages

    /// The time of the next keep-alive message; nil if no subscriber wants one. O(subscribers)
    var nextKeepAlive: BootInstant? { subscribers.values.lazy.compactMap { $0.keepAliveDue }.min() }

    /// Sends an empty difference to the subscribers whose keep-alive messages are due.
    func sendKeepAlives() throws {
        let now = now()
        let due = subscribers.values.filter { subscriber in subscriber.keepAliveDue.map { $0 <= now } ?? false }
        for subscriber in due.sorted(by: { $0.number < $1.number }) {
            subscriber.resetKeepAlive(at: now)
            // Sends a message even if nothing has changed, as to a new subscriber.
            if subscriber.watcher.isDrained { subscriber.awaitsFirst = true }
            try send(to: subscriber)
        }
    }
}
