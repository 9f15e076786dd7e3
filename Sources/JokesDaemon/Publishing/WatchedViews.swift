import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The watched views of clients: the catalog of jokes and favorites, and the hub that sends views of the catalog.
///
/// A change that clients can see is applied to the catalog here, and then published.
@ServiceActor
final class WatchedViews {
    /// The time in which served jokes are published together.
    private static let servedInterval: Duration = .milliseconds(100)

    let hub: Hub
    private(set) var catalog: Catalog
    private(set) var counts = CacheCounts()
    /// The value of `jokeCounts` since the last change of the jokes; nil until it is needed.
    private var knownJokeCounts: [String: JokeCounts]?
    private(set) var cacheLimits = CacheLimits()
    /// Called after each published change of the catalog.
    var onPublish: () -> Void = {}
    private let loop: EventLoop
    private let reader: JokeReader
    private let log: Log
    /// True after the first view with favorites: the catalog has loaded the favorites.
    private var hasLoadedFavorites = false
    /// True if served jokes will be published.
    private var isServedScheduled = false
    /// True if `publishNext` runs at the end of this turn of the loop.
    private var isPublishScheduled = false

    init(_ reader: JokeReader, settings: FeedSettings, log: Log, on loop: EventLoop) {
        self.reader = reader
        self.log = log
        self.loop = loop
        catalog = Catalog(settings: settings)
        hub = Hub(epoch: String(UInt64.random(in: .min ... .max), radix: 16))
    }

    // MARK: Changes

    /// Adopts the settings of a configuration, and publishes the changed views.
    func adopt(_ settings: FeedSettings, _ cacheLimits: CacheLimits, _ planner: SyncPlanner, hasRecovered: Bool) throws
    {
        self.cacheLimits = cacheLimits
        (catalog.settings, catalog.isRecovered) = (settings, hasRecovered)
        try reloadFavorites()
        try updateJokes(publishing: false)
        publishSyncs(planner)
    }

    /// Reads the jokes again after a write that may have changed them, and publishes them.
    func updateJokes(publishing: Bool = true) throws {
        try readJokes()
        hub.invalidateSearchResults()
        if publishing { publish() }
    }

    /// Publishes which jokes were served, those of a burst together.
    func publishServed() {
        if isServedScheduled { return }
        isServedScheduled = true
        loop.schedule(at: .now.advanced(by: Self.servedInterval)) { [weak self] in
            guard let self else { return }
            isServedScheduled = false
            log.attempt("publish the served jokes") { try updateJokes() }
        }
    }

    /// Reads the counts, and the newest jokes for the watched views and for `view`.
    ///
    /// If a view is larger than the configured size, reads `View.maxSize` jokes in one query. The views then share
    /// the strings of their jokes in memory.
    private func readJokes(for view: View = View()) throws {
        let size = max(hub.largestWatchedSize, view.size ?? 0)
        let page = try reader.list(limit: size > catalog.feedSize ? View.maxSize : catalog.feedSize)
        counts = try reader.counts()
        knownJokeCounts = nil
        (catalog.newest, catalog.shown) = (page.rows, page.total)
    }

    /// The joke counts of each source that is configured or has jokes, also of its jokes that are not shown. The store is
    /// read once after each change of the jokes. If this fails, the counts of the last published jokes.
    var jokeCounts: [String: JokeCounts] {
        if let knownJokeCounts { return knownJokeCounts }
        guard let read = try? reader.sourceCounts() else { return counts.sources }
        knownJokeCounts = read
        return read
    }

    /// Reads all favorites again, if they were read before. A start does not read them, because there may be ten
    /// thousand.
    func reloadFavorites() throws {
        if hasLoadedFavorites { try catalog.setFavorites(try reader.favorites()) }
    }

    /// Applies a stored change of favorites to the catalog. The change is published with the next change of the jokes.
    func changeFavorites(_ change: (inout Catalog) throws -> Void) throws {
        if hasLoadedFavorites { try change(&catalog) }
    }

    /// Publishes or removes the warning about recoveries.
    func setHasRecovered(_ hasRecovered: Bool) {
        catalog.isRecovered = hasRecovered
        publish()
    }

    /// Publishes the running syncs and the state of the sources.
    func publishSyncs(_ planner: SyncPlanner) {
        (catalog.syncing, catalog.failing) = (planner.running, planner.failing)
        (catalog.isOffline, catalog.lastSync) = (planner.isOffline, planner.lastSuccess)
        publish()
    }

    private func publish() {
        hub.publish()
        schedulePublishNext()
        onPublish()
    }

    // MARK: Clients

    /// Replies to a client with a view. If the call wants more replies, subscribes the client to later changes.
    func watch(_ call: Call<WatchMethod>) throws {
        let view = try (call.parameters.view ?? View()).validated()
        if view.shows(.favoriteJokes), !hasLoadedFavorites {
            try catalog.setFavorites(try reader.favorites())
            hasLoadedFavorites = true
        }
        // The view may show more jokes than the other views.
        if view.shows(.jokes), !view.isSelective, view.size ?? 0 > catalog.newest.count {
            try readJokes(for: view)
        }
        guard call.wantsMore else {
            guard let snapshot = try hub.snapshot(of: view, inputs) else { throw ErrorReply.expectedMore }
            return call.reply(snapshot)
        }
        let knownGeneration = call.parameters.epoch == hub.epoch ? call.parameters.generation : nil
        let number = try hub.add(call, view: view, generation: knownGeneration, inputs)
        call.onDrained { [weak self] in ServiceActor.assumeIsolated { self?.sendNext(to: number) } }
        call.onClosed { [weak self] in ServiceActor.assumeIsolated { self?.hub.remove(number) } }
    }

    private func sendNext(to number: Int) { log.attempt("send an update") { try hub.sendNext(to: number) } }

    private var inputs: SnapshotInputs {
        SnapshotInputs(catalog: catalog) { [reader] view, limit in
            guard let query = view.query else {
                return try reader.list(view.selection, start: view.start, limit: limit)
            }
            if view.start > 0 {
                return try reader.search(query, view.selection, start: view.start, limit: limit)
            }
            let page = try reader.search(query, view.selection, limit: limit)
            return SearchResults(
                rows: page.rows, count: page.total, isExact: page.total <= JokeReader.maxCountedMatches)
        }
    }

    /// Schedules the next waiting view. One view is published for each turn of the loop, so that views do not delay
    /// calls.
    private func schedulePublishNext() {
        guard hub.hasWaiting, !isPublishScheduled else { return }
        isPublishScheduled = true
        loop.atEndOfTurn { [weak self] in self?.publishNext() }
    }

    private func publishNext() {
        isPublishScheduled = false
        log.attempt("update a watched view") { try hub.publishNext(inputs) }
        schedulePublishNext()
    }
}

extension View {
    /// Checks a view from a client, and returns its canonical form.
    func validated() throws(ErrorReply) -> View {
        var view = self
        view.selection = try selection.validated(in: "view.")
        if let query, !(1...Self.maxQueryBytes).contains(query.utf8.count) { throw .invalidParameter("view.query") }
        if let size, !(1...Self.maxSize).contains(size) { throw .invalidParameter("view.size") }
        if start < 0 { throw .invalidParameter("view.start") }
        guard sections?.isSubset(of: Section.ID.allCases) != false else { throw .invalidParameter("view.sections") }
        return view.canonical
    }
}

extension JokeSelection {
    private static let maxBytes = 1000
    private static let maxNames = 100

    /// Checks a selection from a client. `prefix` is the path of its members, such as `view.`.
    func validated(in prefix: String = "") throws(ErrorReply) -> JokeSelection {
        if let maxLength, maxLength < 1 { throw .invalidParameter("\(prefix)maxLength") }
        for (member, names) in [("source", source?.all), ("category", category?.all), ("language", language?.all)]
        where names?.count ?? 0 > Self.maxNames || names?.contains(where: { $0.utf8.count > Self.maxBytes }) == true {
            throw .invalidParameter("\(prefix)\(member)")
        }
        return self
    }
}
