import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The daemon's state and what keeps it true: events come in from timers, commands and syncs, and go out as snapshots.
///
/// Lives on the service loop, with the hub and the reader, so that a call is answered without changing threads. What
/// blocks is elsewhere: writing on the store's loop, fetching and decoding on the network loop.
actor Daemon {
    nonisolated let loop: EventLoop
    let store: JokeStore
    let reader: JokeReader
    let log: Log
    let worker: SyncWorker
    private let notifier: Notifier
    let startedAt: Timestamp

    var planner = SyncPlanner()
    var catalog: Catalog
    let hub: Hub
    /// Whether the catalogue has the favorites.
    private var knowsFavorites = false
    private(set) var counts: JokeCounts
    /// Why the last write failed; nil once one has succeeded.
    var storageFailure: StoreError?
    // What it does about damage is in Daemon+Recovery.swift.
    var recoveries: [Recovery] = []
    /// Not nil during a recovery. No sync starts meanwhile.
    var recovering: Task<Void, Never>?
    /// When damage was last recovered from while it ran.
    var recoveredAt: BootInstant?
    /// The check of the whole database that runs now.
    var checking: Task<CheckOutcome, Never>?
    private(set) var configuration: Configuration?
    var reading: ConfigurationReading
    /// Whom it serves; nil where it serves nobody.
    weak var service: VarlinkService?
    var randomness = SystemRandomNumberGenerator()
    // How it syncs is in Daemon+Syncing.swift.
    var timer: TimerQueue.Token?
    var syncs: [String: RunningSync] = [:]
    /// Syncs that have ended but for what is written of them.
    var saving: [String: Task<Void, Never>] = [:]
    /// True from the first `startDueSyncs` until `stopSyncs`.
    var keepsSchedule = false
    var refreshes = RefreshCalls()
    let imports: PendingImports
    /// Told of every step of every sync, where somebody wants to know.
    var follow: ((String, SyncStep) -> Void)?
    private(set) var limits = CacheLimits()
    /// Keeps the cache within its limits; nil where nothing is to be done.
    var tidying: Task<Void, Never>?
    /// Something came while it was.
    var mustTidyAgain = false
    private var isRecordingDeliveries = false
    private var hasNewDeliveries = false
    private var recording: Task<Void, Never>?
    // What watchers wait for is in Daemon+Watching.swift.
    var isSearching = false
    var keepAliveTimer: (token: TimerQueue.Token, due: BootInstant)?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// - Throws: `StoreError` where the store cannot be read.
    init(of parts: Parts, notifier: Notifier) throws(StoreError) {
        loop = parts.serviceLoop
        imports = PendingImports(on: parts.serviceLoop)
        store = parts.store
        worker = parts.worker
        log = parts.log
        reading = parts.reading
        self.notifier = notifier
        reader = try JokeReader(of: store)
        // Counted when the configuration is adopted; what cannot be read then is recovered from.
        counts = JokeCounts(sources: [:], favorites: 0)
        storageFailure = store.refusalAtOpening
        startedAt = .now
        catalog = Catalog(settings: parts.configuration.feedSettings)
        var random = SystemRandomNumberGenerator()
        hub = Hub(epoch: String(random.next() as UInt64, radix: 16))
    }

    // MARK: Configuration

    /// Takes the sources and settings of a configuration, at start and on a reload, and shows what follows from them.
    func adopt(_ configuration: Configuration) async throws {
        do {
            try await takeOver(configuration)
        } catch let error as StoreError where error.code == .corrupt && self.configuration == nil {
            try await recoverAtStart(from: error)
            try await takeOver(configuration)
        }
        if self.configuration == nil { await watchForDamage() }
        self.configuration = configuration
    }

    func takeOver(_ configuration: Configuration) async throws {
        let starter = try reader.sourceStates()[StarterJokes.source]
        if starter?.cursor != jokesdVersion {
            // A start without them is better than none; the next one tries again.
            await attemptWriting { try StarterPack.install(in: $0, at: .now) }
        }
        try await store.adopt(configuration.showingRules)
        await store.adopt(configuration.cacheLimits)
        limits = configuration.cacheLimits
        await worker.adopt(configuration.network)
        // Read after everything awaited: a sync may have ended meanwhile.
        planner.configure(configuration.sources, states: try reader.sourceStates(), now: .now)
        cancelUnwantedSyncs()
        catalog.handle(.settingsChanged(configuration.feedSettings))
        try recoveriesChanged()
        try favoritesChanged()
        try jokesChanged(publishing: false)
        healthChanged(publishing: false)
        publish()
        tidyUp()
    }

    // MARK: Telling everybody

    func publish() {
        attempt("publish changes") { try hub.publish(pictures) }
        followSearches()
        notifier.status(statusLine)
    }

    /// The feed follows the store; called after every write that may have changed it.
    func jokesChanged(publishing: Bool = true) throws {
        try readJokes()
        hub.jokesChanged()
        if publishing { publish() }
    }

    /// Reads what the views show that are watched, and as many as another one wants to.
    func readJokes(for view: View = View()) throws {
        let page = try reader.list(limit: max(catalog.feedSize, hub.largestSize, view.size ?? 0))
        counts = try reader.counts()
        catalog.handle(.jokesChanged(newest: page.rows, cached: page.total))
    }

    /// Reads all favorites anew, where somebody has watched: there may be ten thousand, and a start need not wait for
    /// them.
    func favoritesChanged() throws {
        guard knowsFavorites else { return }
        catalog.handle(.favoritesChanged(try reader.favorites()))
    }

    /// A mark that is on disk, and shown with the jokes' next change.
    func marked(_ event: Catalog.Event) {
        if knowsFavorites { catalog.handle(event) }
    }

    /// Before the first snapshot that has them.
    func learnFavorites() throws {
        if knowsFavorites { return }
        catalog.handle(.favoritesChanged(try reader.favorites()))
        knowsFavorites = true
    }

    func syncingChanged() {
        catalog.handle(.syncing(planner.running))
        publish()
    }

    func healthChanged(publishing: Bool = true) {
        catalog.handle(
            .healthChanged(failing: planner.failing, isOffline: planner.isOffline, lastSync: lastSync))
        if publishing { publish() }
    }

    /// When a source was last asked with success.
    var lastSync: Timestamp? {
        planner.order.compactMap { planner.state(of: $0)?.lastSuccess }.max()
    }

    /// How the daemon does, in a line.
    var statusLine: String {
        let header = catalog.header
        var parts = [counted(header.cached, "joke")]
        if header.isSyncing {
            parts.append("syncing")
        } else if let next = nextSync {
            parts.append("next sync \(LocalClock.now.words(for: next))")
        }
        let failing = header.failing
        if !failing.isEmpty {
            parts.append("\(counted(failing.count, "source")) failing: \(failing.joined(separator: ", "))")
        }
        if let storageFailure { parts.append("cannot store changes: \(storageFailure.reason)") }
        if let refusal = reading.refusal { parts.append("last reload failed: \(firstLine(refusal))") }
        return parts.joined(separator: ", ")
    }

    // MARK: Writing

    /// Writes to the store, and remembers whether that can be done.
    ///
    /// A change that came to nothing (a star that was there) does not say that the next one can be stored.
    func writing<Result: Sendable>(
        _ body: @Sendable (isolated JokeStore) throws -> Result
    ) async throws -> Result {
        do {
            let (result, hasWritten) = try await store.change(asked: .now, body)
            if hasWritten && storageFailure != nil {
                log.info("storing changes again")
                storageFailure = nil
            }
            return result
        } catch let error as StoreError {
            if error.code != .noSuchJoke {
                // Every joke that is told is to be remembered: what is wrong is said once.
                if storageFailure?.reason != error.reason { log.error(error.description) }
                storageFailure = error
            }
            throw error
        }
    }

    /// A burst of tellings is one write so often, and not one for each.
    private static let recordingInterval: Duration = .milliseconds(100)

    /// Records served jokes after the reply, one write at a time; the first of a burst at once.
    func recordDeliveries() {
        hasNewDeliveries = true
        guard !isRecordingDeliveries else { return }
        isRecordingDeliveries = true
        // Nonisolated async calls would hop to the global pool; the executor preference keeps them on this loop.
        recording = Task(executorPreference: loop) { await self.recordAllDeliveries() }
    }

    private func recordAllDeliveries() async {
        while hasNewDeliveries {
            hasNewDeliveries = false
            let deliveries = reader.unrecorded
            // Without a write, it is unknown if changes can be stored.
            if deliveries.isEmpty { continue }
            let isRecorded: Void? = try? await writing { try $0.record(deliveries, at: .now) }
            if isRecorded != nil { reader.forget(deliveries) }
            if hasNewDeliveries { try? await loop.sleep(for: Self.recordingInterval) }
        }
        isRecordingDeliveries = false
    }

    /// Waits until what was told is on record, so that no joke comes again after a clean stop.
    func finishRecording() async {
        recordDeliveries()
        // It sleeps no longer; it still writes.
        recording?.cancel()
        await recording?.value
    }

    /// Writes what nobody waits for; a failure is in the log and in the status.
    func attemptWriting(_ body: @Sendable (isolated JokeStore) throws -> Void) async {
        try? await writing(body)
    }

    /// Does what can only fail where the store cannot be read, and says so then.
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            log.error("cannot \(what): \(error)")
        }
    }
}
