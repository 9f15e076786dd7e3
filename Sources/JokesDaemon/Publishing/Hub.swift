import Diffable
import JokesCore
import JokesProtocol
import Varlink

typealias WatchCall = VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>

/// Who watches, what each of them has, and what each of them lacks.
///
/// A subscriber is sent something only when it has taken all that came before, and then what leads to the newest
/// generation: nothing queues for a slow one, and it delays nobody. Subscribers with equal views share one history and
/// one encoding. Each view has a data source, which finds what is different; the hub observes it. Confined to the service
/// loop.
final class Hub {
    private struct Subscriber {
        let call: WatchCall
        let view: View
        /// What it was sent last; nil before the first snapshot.
        var generation: Int64?
        /// What leads to that: the pieces of a snapshot go out one at a time, as it takes them.
        var messages: Messages?
        /// How many of them it was sent.
        var sent = 0
        /// It gets a first answer even where there is nothing new to it.
        var awaitsFirst = true
    }

    /// A view that somebody watches or watched.
    private struct Published {
        let source: JokeDataSource
        let observation: DiffableObservation
        var history: ViewHistory
    }

    /// Views remembered beyond those that are watched, for those who come back.
    private static let idleViews = 16

    /// Told apart from every other life of the daemon.
    let epoch: String
    /// Grows with every change that somebody can see.
    private(set) var generation: Int64 = 0

    private var published: [View: Published] = [:]
    private var subscribers: [Int: Subscriber] = [:]
    private var nextNumber = 0

    init(epoch: String) {
        self.epoch = epoch
    }

    var subscriberCount: Int {
        subscribers.count
    }

    /// The most jokes that any view shows beside the configured number.
    var largestSize: Int {
        subscribers.values.compactMap(\.view.size).max() ?? 0
    }

    // MARK: Subscribers

    /// Takes a subscriber in and sends it what it lacks. The caller tells when it has taken it, and when it goes.
    ///
    /// The generation is what it has from before, in this epoch; nil for nothing. The answer is its number.
    func add(_ call: WatchCall, view: View, generation: Int64?, catalog: Catalog) throws -> Int {
        try update(view, catalog)
        nextNumber += 1
        subscribers[nextNumber] = Subscriber(call: call, view: view, generation: generation)
        do {
            try send(to: nextNumber)
        } catch {
            remove(nextNumber)
            throw error
        }
        return nextNumber
    }

    /// A subscriber has taken all that it was sent.
    func drained(_ number: Int) throws {
        try send(to: number)
    }

    /// A subscriber has gone.
    func remove(_ number: Int) {
        subscribers[number] = nil
        forgetIdleViews()
    }

    /// The whole snapshot of a view in one message, for a client that does not stay; nil where it needs several.
    func snapshot(of view: View, catalog: Catalog) throws -> WatchMethod.Reply? {
        try update(view, catalog)
        defer { forgetIdleViews() }
        return published[view]?.history.wholeInOne
    }

    // MARK: Publishing

    /// The catalogue has changed: everybody who can take it is sent the difference.
    func publish(_ catalog: Catalog) throws {
        for view in Set(subscribers.values.map(\.view)) { try update(view, catalog) }
        for number in subscribers.keys { try send(to: number) }
    }

    private func update(_ view: View, _ catalog: Catalog) throws {
        let snapshot = try catalog.snapshot(for: view)
        if let source = published[view]?.source { return source.apply(snapshot) }
        let source = JokeDataSource(snapshot)
        generation += 1
        published[view] = Published(
            source: source, observation: source.observe { [unowned self] in advance(view, by: $0) },
            history: ViewHistory(epoch: epoch, snapshot: snapshot, generation: generation))
    }

    /// What the view's data source tells: it shows something else than before.
    private func advance(_ view: View, by step: DiffableTransaction<Section, Item>) {
        generation += 1
        published[view]?.history.advance(by: step, generation: generation) { held(of: view) }
    }

    private func held(of view: View) -> Set<Int64> {
        Set(subscribers.values.compactMap { $0.view == view ? $0.generation : nil })
    }

    private func send(to number: Int) throws {
        guard var subscriber = subscribers[number], subscriber.call.isDrained else { return }
        if subscriber.messages == nil {
            subscriber.messages = published[subscriber.view]?.history
                .messages(from: subscriber.generation, isFirst: subscriber.awaitsFirst)
            subscriber.sent = 0
            subscriber.generation = published[subscriber.view]?.history.generation
        }
        guard let messages = subscriber.messages else { return }
        let message = try messages[subscriber.sent]
        subscriber.sent += 1
        if subscriber.sent == messages.count { subscriber.messages = nil }
        subscriber.awaitsFirst = false
        subscribers[number] = subscriber
        subscriber.call.send(message)
    }

    private func forgetIdleViews() {
        let watched = Set(subscribers.values.map(\.view))
        let idle = published.filter { !watched.contains($0.key) }
            .sorted { $0.value.history.generation < $1.value.history.generation }
        for (view, _) in idle.prefix(max(0, idle.count - Self.idleViews)) { published[view] = nil }
    }
}
