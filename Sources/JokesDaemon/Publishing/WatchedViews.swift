import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The watched views of clients: the catalog of jokes and favorites, and the hub that sends views of it.
@ServiceActor
final class WatchedViews {
    /// The interval of keep-alive messages, in milliseconds: at most one wake-up a second, at least one message a day.
    private static let keepAliveRange: ClosedRange<Int64> = 1000...86_400_000

    let hub: Hub
    private(set) var catalog: Catalog
    private(set) var counts = JokeCounts(sources: [:], favorites: 0)
    private(set) var limits = CacheLimits()
    var onPublish: () -> Void = {}
    private let loop: EventLoop
    private let reader: JokeReader
    private let log: Log
    /// Whether the catalog has the favorites.
    private var hasFavorites = false
    private var isSearching = false
    private var keepAliveTimer: (token: TimerQueue.Token, due: BootInstant)?

    init(_ reader: JokeReader, settings: FeedSettings, log: Log, on loop: EventLoop) {
        self.reader = reader
        self.log = log
        self.loop = loop
        catalog = Catalog(settings: settings)
        hub = Hub(epoch: String(UInt64.random(in: .min ... .max), radix: 16))
    }

    // MARK: Changes

    /// Adopts the settings of a configuration, and publishes what follows from them.
    func adopt(_ settings: FeedSettings, _ limits: CacheLimits, _ planner: SyncPlanner, hasRecovered: Bool) throws {
        self.limits = limits
        catalog.handle(.settingsChanged(settings))
        catalog.handle(.recovered(hasRecovered))
        try favoritesChanged()
        try jokesChanged(publishing: false)
        syncsChanged(planner)
    }

    /// Publishes the jokes after a write that may have changed them.
    func jokesChanged(publishing: Bool = true) throws {
        try readJokes()
        hub.jokesChanged()
        if publishing { publish() }
    }

    /// Reads the jokes that the watched views show, and those that one more view shows.
    ///
    /// If a view is larger than the configured size, it reads as many as any view may show: views that are read one by
    /// one would not share their texts.
    private func readJokes(for view: View = View()) throws {
        let size = max(hub.maxSize, view.size ?? 0)
        let page = try reader.list(limit: size > catalog.feedSize ? View.maxSize : catalog.feedSize)
        counts = try reader.counts()
        catalog.handle(.jokesChanged(newest: page.rows, cached: page.total))
    }

    /// Reads all favorites again, if they were read before: there may be ten thousand, and a start need not wait for them.
    func favoritesChanged() throws {
        if hasFavorites { catalog.handle(.favoritesChanged(try reader.favorites())) }
    }

    /// Takes over a mark that is on disk. It is published with the next change of the jokes.
    func marked(_ event: Catalog.Event) {
        if hasFavorites { catalog.handle(event) }
    }

    func recovered(_ hasRecovered: Bool) {
        catalog.handle(.recovered(hasRecovered))
        publish()
    }

    /// Publishes which syncs run, and how sources do.
    func syncsChanged(_ planner: SyncPlanner) {
        catalog.handle(.syncing(planner.running))
        catalog.handle(
            .healthChanged(failing: planner.failing, isOffline: planner.isOffline, lastSync: planner.lastSuccess))
        publish()
    }

    private func publish() {
        log.attempt("publish changes") { try hub.publish(inputs) }
        followSearches()
        onPublish()
    }

    // MARK: Clients

    /// Answers a watching client, and sends it what changes from then on.
    func watch(_ call: WatchCall) throws {
        let view = try Wire.view(call.parameters.view)
        let keepAlive = try call.parameters.keepAliveMs.map { milliseconds in
            guard Self.keepAliveRange.contains(milliseconds) else { throw ErrorReply.invalidParameter("keepAliveMs") }
            return Duration.milliseconds(milliseconds)
        }
        if view.shows(.favoriteJokes), !hasFavorites {
            catalog.handle(.favoritesChanged(try reader.favorites()))
            hasFavorites = true
        }
        // This view may show more jokes than were read for the other views.
        if view.showsItems(of: .jokes), view.size ?? 0 > catalog.newestCount { try readJokes(for: view) }
        guard call.wantsMore else {
            guard let snapshot = try hub.snapshot(of: view, inputs) else { throw ErrorReply.expectedMore }
            return call.reply(snapshot)
        }
        let known = call.parameters.epoch == hub.epoch ? call.parameters.generation : nil
        let number = try hub.add(call, view: view, generation: known, keepAlive: keepAlive, inputs)
        keepAliveChanged()
        call.onDrained { [weak self] in ServiceActor.assumeIsolated { self?.drained(number) } }
        call.onClosed { [weak self] in ServiceActor.assumeIsolated { self?.closed(number) } }
    }

    private func drained(_ number: Int) { log.attempt("send an update") { try hub.drained(number) } }

    private func closed(_ number: Int) {
        hub.remove(number)
        keepAliveChanged()
    }

    private var inputs: SnapshotInputs {
        SnapshotInputs(catalog: catalog) { [reader] query, limit in
            let found = try reader.search(query, limit: limit)
            return SearchResults(rows: found.rows, count: found.total.count, isExact: found.total.isExact)
        }
    }

    /// Updates the views that wait: one for each turn of the loop, so they do not delay other calls.
    private func followSearches() {
        guard hub.hasWaiting, !isSearching else { return }
        isSearching = true
        loop.atEndOfTurn { [weak self] in self?.publishNext() }
    }

    private func publishNext() {
        isSearching = false
        log.attempt("update a watched search") { try hub.publishNext(inputs) }
        followSearches()
    }

    /// Sets one timer for the next keep-alive message of all clients. If a client has received something else meanwhile, the
    /// timer fires early and is set again.
    private func keepAliveChanged() {
        let next = hub.nextKeepAlive
        if let timer = keepAliveTimer {
            if let next, timer.due <= next { return }
            loop.cancel(timer.token)
            keepAliveTimer = nil
        }
        guard let next else { return }
        keepAliveTimer = (loop.schedule(at: next) { [weak self] in self?.sendKeepAlives() }, next)
    }

    private func sendKeepAlives() {
        keepAliveTimer = nil
        log.attempt("send a keep-alive") { try hub.sendKeepAlives() }
        keepAliveChanged()
    }
}

extension Wire {
    static func view(_ view: View?) throws(ErrorReply) -> JokesCore.View {
        if let query = view?.query, !(1...JokesCore.View.maxQueryBytes).contains(query.utf8.count) {
            throw .invalidParameter("view.query")
        }
        if let size = view?.size, !(1...JokesCore.View.maxSize).contains(size) {
            throw .invalidParameter("view.size")
        }
        return JokesCore.View(
            query: view?.query, sections: try sections(view?.sections, of: "view.sections"), size: view?.size,
            collapsed: try sections(view?.collapsed, of: "view.collapsed") ?? []
        ).canonical
    }

    private static func sections(
        _ names: [String]?, of parameter: String
    ) throws(ErrorReply) -> Set<JokesCore.Section.ID>? {
        guard let names else { return nil }
        let sections = Set(names.map(JokesCore.Section.ID.init(rawValue:)))
        guard sections.isSubset(of: JokesCore.Section.ID.allCases) else { throw .invalidParameter(parameter) }
        return sections
    }
}
