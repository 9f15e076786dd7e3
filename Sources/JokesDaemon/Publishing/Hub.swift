import Diffable
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// Who watches, and what is published to them.
///
/// A subscriber is sent something only when it has taken all that came before, and then what leads to the newest
/// generation: nothing queues for a slow one, and it delays nobody. Subscribers with equal views share one picture, one
/// history and one encoding. Views with a query, and all but a few of the others, are published one at a time, when the
/// caller has time for it; however often the jokes change meanwhile, once. Confined to the service loop.
final class Hub {
    /// Views remembered beyond those that are watched, for those who come back.
    static let idleViews = 16
    /// Different views that are watched at a time.
    static let mostViews = 128
    /// Of those, the ones with a query: each costs a search where jokes change.
    static let mostSearches = 32

    /// Told apart from every other life of the daemon.
    let epoch: String
    /// Grows with every change that somebody can see; no two pictures have the same.
    private(set) var generation: Int64 = 0

    private let now: () -> BootInstant
    private var published: [View: PublishedView] = [:]
    private var subscribers: [Int: Subscriber] = [:]
    private var nextNumber = 0
    private var keepAlives = KeepAlives()
    /// Views without a query that are published at once; with more of them, the others wait for their turns.
    static let viewsAtOnce = 4
    /// Views that wait, in the order of their turns.
    private var waiting: [PublishedView] = []

    /// `now` is the clock of those who want to hear something.
    init(epoch: String, now: @escaping () -> BootInstant = { .now }) {
        self.epoch = epoch
        self.now = now
    }

    var subscriberCount: Int {
        subscribers.count
    }

    /// The most jokes that any view shows beside the configured number.
    var largestSize: Int {
        watched.filter { $0.view.showsItems(of: .jokes) }.compactMap(\.view.size).max() ?? 0
    }

    private var watched: some Sequence<PublishedView> {
        published.values.lazy.filter { !$0.subscribers.isEmpty }
    }

    // MARK: Subscribers

    /// Takes a subscriber in and sends it what it lacks. The caller tells when it has taken it, and when it goes.
    ///
    /// The generation is what it has from before, in this epoch; nil for nothing. With `keepAlive` it is
    /// told something that often. The answer is its number.
    ///
    /// - Throws: `ErrorReply` with `Busy` where too many different views are watched, and what making pictures throws.
    func add(
        _ watcher: any Watcher, view: View, generation: Int64?, keepAlive: Duration? = nil, _ pictures: Pictures
    ) throws -> Int {
        try checkRoom(for: view)
        let published = try refresh(view, pictures)
        nextNumber += 1
        let subscriber = Subscriber(nextNumber, watcher, of: published, generation: generation)
        subscribers[nextNumber] = subscriber
        published.subscribers[nextNumber] = subscriber
        if let keepAlive { keepAlives.add(nextNumber, every: keepAlive, from: now()) }
        do {
            try send(to: subscriber)
        } catch {
            remove(subscriber.number)
            throw error
        }
        forgetIdleViews()
        return subscriber.number
    }

    private func checkRoom(for view: View) throws(ErrorReply) {
        if let known = published[view], !known.subscribers.isEmpty { return }
        let others = watched.map(\.view)
        let searches = others.count { $0.query != nil }
        if others.count >= Self.mostViews || (view.query != nil && searches >= Self.mostSearches) {
            throw ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "too many different views are watched"))
        }
    }

    /// A subscriber has taken all that it was sent.
    func drained(_ number: Int) throws {
        if let subscriber = subscribers[number] { try send(to: subscriber) }
    }

    /// A subscriber has gone.
    func remove(_ number: Int) {
        guard let subscriber = subscribers.removeValue(forKey: number) else { return }
        subscriber.published.subscribers[number] = nil
        keepAlives.remove(number)
        forgetIdleViews()
    }

    /// The whole snapshot of a view in one message, for a client that does not stay; nil where it needs several.
    func snapshot(of view: View, _ pictures: Pictures) throws -> WatchMethod.Reply? {
        defer { forgetIdleViews() }
        return try refresh(view, pictures).history.snapshotInOne()
    }

    // MARK: Publishing

    /// The jokes have changed: what was found is to be searched for anew.
    func jokesChanged() {
        for view in published.values where view.view.query != nil { view.isStale = true }
    }

    /// The catalogue has changed: everybody who can take it is sent the difference. Views with a query, and views beyond the
    /// first few, wait for their turns.
    func publish(_ pictures: Pictures) throws {
        let plain = watched.filter { $0.view.query == nil }
        for view in plain.prefix(Self.viewsAtOnce) { try refresh(view.view, pictures) }
        let searches = watched.filter { $0.view.query != nil }
        for view in plain.dropFirst(Self.viewsAtOnce) + searches where !view.isWaiting {
            view.isWaiting = true
            waiting.append(view)
        }
    }

    /// Whether a view waits for its turn.
    var hasWaiting: Bool {
        !waiting.isEmpty
    }

    /// Gives a turn to the view that has waited longest: searches for it, if it has a query and the jokes have changed since
    /// it was last searched for, and sends what is different.
    func publishNext(_ pictures: Pictures) throws {
        guard !waiting.isEmpty else { return }
        let view = waiting.removeFirst()
        view.isWaiting = false
        // Those who watched it may have gone.
        if !view.subscribers.isEmpty { try refresh(view.view, pictures) }
    }

    /// Gives a view its newest picture, and those who watch it what is different.
    @discardableResult
    private func refresh(_ view: View, _ pictures: Pictures) throws -> PublishedView {
        guard let known = published[view] else {
            let found = try pictures.results(for: view)
            let snapshot = try pictures.catalog.snapshot(for: view, found: found)
            let new = PublishedView(
                view, snapshot, found: found, epoch: epoch, generation: newGeneration(),
                newGeneration: { [unowned self] in newGeneration() })
            published[view] = new
            return new
        }
        if known.isStale {
            known.found = try pictures.results(for: view)
            known.isStale = false
        }
        let before = known.history.generation
        known.source.apply(try pictures.catalog.snapshot(for: view, found: known.found))
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
        if keepAlives.has(subscriber.number) { keepAlives.reset(subscriber.number, at: now()) }
        try subscriber.watcher.take(message)
    }

    private func forgetIdleViews() {
        let idle = published.values.filter(\.subscribers.isEmpty)
        guard idle.count > Self.idleViews else { return }
        let oldest = idle.sorted { $0.history.generation < $1.history.generation }
        for view in oldest.prefix(idle.count - Self.idleViews) { published[view.view] = nil }
    }

    // MARK: Keeping alive

    /// When the first subscriber is to be told that nothing has changed; nil where nobody wants it.
    var nextKeepAlive: BootInstant? {
        keepAlives.next
    }

    /// Sends a difference of nothing to those who want to hear something, and have not heard anything for so long.
    func keepAlive() throws {
        let now = now()
        for subscriber in keepAlives.due(at: now).compactMap({ subscribers[$0] }) {
            keepAlives.reset(subscriber.number, at: now)
            // As who comes, it is told also that there is nothing new.
            if subscriber.watcher.isDrained { subscriber.awaitsFirst = true }
            try send(to: subscriber)
        }
    }
}
