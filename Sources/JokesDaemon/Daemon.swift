import Glibc
import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The daemon: starts, serves clients, and stops, with its components.
///
/// Runs on the service loop, so a call that only reads is answered without a change of threads. Slow work has its own
/// loops: the store's loop writes, and the network loop fetches and decodes. The folder `Service` has the methods for
/// clients.
@ServiceActor
final class Daemon {
    let startedAt = Timestamp.now
    let loop: EventLoop
    let log: Log
    let reader: JokeReader
    let writer: StoreWriter
    let views: WatchedViews
    let syncs: SyncRunner
    let worker: SyncWorker
    let imports: PendingImports
    let checker: DatabaseChecker
    /// The service for clients; nil for `--once`.
    private(set) var server: VarlinkService?
    private(set) var configurationStatus: ConfigurationStatus
    private(set) var configuration: Configuration
    /// The kinds and names of the categories and languages that selections have named and that were found.
    var knownNames: Set<String> = []
    /// The recoveries that no client has acknowledged.
    private(set) var recoveries: [Recovery] = []
    /// The error of a failed start.
    private var failure: (any Error)?
    /// Starts syncs after the start, a reload or a recovery, and when a sync is due.
    var startSyncs: () -> Void
    /// Called when no job and no sync is running or requested. Clients may be connected.
    var onIdle: (() -> Void)?
    let options: DaemonOptions
    private let notifier: Notifier
    private let signals: SignalWatch
    /// The calls that wait for the next reload.
    private var reloadCalls: [Call<ReloadMethod>] = []
    /// The requested jobs. Requests for the same job are merged.
    private var requested: Set<Job> = []
    private var isStopping = false
    /// Resumes `nextJob`, which waits for a request.
    private var wake: CheckedContinuation<Void, Never>?
    /// The time of the last recovery, also of one that failed.
    private var recoveredAt: BootInstant?

    /// Creates a daemon that is idle until `run`. If `serves` is false, no client can connect, and each signal stops the
    /// daemon.
    init(_ options: DaemonOptions, serves: Bool) throws {
        self.options = options
        log = Log(level: options.logLevel)
        let loaded = try JokesDaemon.loadConfiguration(options)
        configuration = loaded.configuration
        configurationStatus = ConfigurationStatus(origin: loaded.origin)
        log.debug("configuration: \(loaded.origin)")
        let folder = try StateFolder.prepare(options)
        let lock = try StateFolder.lock(folder, for: options.mode)
        loop = try ServiceActor.loop()
        // Blocks the signals in this thread, and in all threads that this thread starts later.
        signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop)
        let (storeLoop, networkLoop) = (try EventLoop(), try EventLoop())
        try networkLoop.start(name: "jokesd-network")
        let store = try JokeStore(
            folder: folder, executor: storeLoop, rules: loaded.configuration.displayRules, lock: lock)
        if let recovery = store.recovery { log.error(recovery.logMessage) }
        if let writeError = store.writeErrorAtOpening {
            log.error("\(writeError.reason): serving cached jokes, storing no changes")
            if let hint = writeError.hint { log.error(hint) }
        }
        try storeLoop.start(name: "jokesd-store")
        worker = SyncWorker(loop: networkLoop, store: store, network: loaded.configuration.network)
        notifier = serves ? Notifier() : Notifier(address: nil)
        reader = try JokeReader(of: store)
        writer = StoreWriter(store, log: log)
        views = WatchedViews(reader, settings: configuration.feed, log: log, on: loop)
        syncs = SyncRunner(worker, reader, writer, views, log: log, on: loop)
        imports = PendingImports(on: loop)
        checker = DatabaseChecker(store)
        startSyncs = { [syncs] in syncs.startDue() }
        views.onPublish = { [unowned self] in notifier.status(statusLine) }
        syncs.onStored = { [unowned self] in request(.tidy) }
        signals.handler = { [unowned self] signal in
            if serves && signal == SIGHUP { request(.reload) } else { stop() }
        }
        if serves { server = VarlinkService(try JokesService.interface(of: self), log: log, on: loop) }
    }

    // MARK: Life

    /// Work that takes time, the most urgent first. Only one job runs at a time.
    enum Job: CaseIterable {
        case recover, reload
        /// One step of the cleanup of the cache.
        case tidy
    }

    /// The maximum time from `stop` to the end of the loop. Jokes that are not yet stored are fetched again after the next
    /// start.
    private static let stopDeadline: Duration = .milliseconds(700)
    /// The minimum time between two recoveries. If the new database is soon damaged too, another recovery would not help:
    /// changes are refused instead.
    private static let pauseBetweenRecoveries: Duration = .seconds(60)

    /// Starts the daemon, and runs until a signal or a failed start stops it.
    ///
    /// - Throws: The error of a failed start.
    func run() throws {
        // Without the executor preference, functions that no actor isolates would run on the runtime's global pool, whose
        // idle threads would wake the process every second.
        Task(executorPreference: loop) { await self.live() }
        loop.run()
        if let failure { throw failure }
    }

    /// Starts, serves until `stop`, and ends the loop. Clients can connect after the start.
    private func live() async {
        do { try await start() } catch {
            failure = error
            return endLoop()
        }
        announceReady()
        if !requested.contains(.recover) { resumeSyncs() }
        while let job = await nextJob() { await perform(job) }
        await syncs.end()
        // If the files of the store were removed, only this process still has the favorites.
        await writer.tryToWrite { try $0.checkFiles() }
        endLoop()
    }

    private func perform(_ job: Job) async {
        switch job {
        case .recover:
            // A sync must not store its position in a database that lacks its jokes.
            await syncs.end()
            await recoverWhileServing()
            resumeSyncs()
        case .reload:
            await reloadForCalls()
            // A reload that damage has interrupted is done again after the recovery.
            if requested.contains(.recover) { return request(.reload) }
            announceReady()
            resumeSyncs()
        case .tidy: if !(await writer.tidyStep(publishing: views)) { request(.tidy) }
        }
    }

    /// Requests a job, which begins after the current one.
    func request(_ job: Job) {
        requested.insert(job)
        wakeUp()
    }

    private func wakeUp() {
        wake?.resume()
        wake = nil
    }

    /// Waits for the next job; nil after `stop`.
    private func nextJob() async -> Job? {
        while !isStopping {
            if let job = Job.allCases.first(where: requested.contains) { return requested.remove(job) }
            if syncs.isIdle { onIdle?() }
            await withCheckedContinuation { wait in
                if requested.isEmpty && !isStopping { wake = wait } else { wait.resume() }
            }
        }
        return nil
    }

    private func announceReady() {
        if !isStopping { notifier.ready(status: statusLine) }
    }

    private func resumeSyncs() {
        if !isStopping { startSyncs() }
    }

    /// Stops the daemon: ends all syncs, and writes pending data, at most until the deadline.
    func stop() {
        if isStopping { return }
        isStopping = true
        notifier.stopping()
        server?.stop()
        syncs.cancel()
        loop.schedule(at: .now.advanced(by: Self.stopDeadline)) { [weak self] in self?.endLoop() }
        wakeUp()
    }

    private func endLoop() {
        // The methods of the server retain the daemon. The database is closed after server and daemon are released.
        server = nil
        loop.stop()
    }

    // MARK: Jobs

    /// Loads the state before the daemon listens on the socket, so the first client gets complete replies. If the database is
    /// damaged, recovers it, and starts again.
    private func start() async throws {
        do {
            try await adopt(configuration)
        } catch let error as StoreError where error.code == .corrupt {
            await writer.store.report(reader.damage(error))
            try await recover()
            try await adopt(configuration)
        }
        await watchForDamage()
        if !isStopping { try server?.listen(options, log: log) }
        notifyWatchdog()
    }

    /// Reloads the configuration, and answers the calls that wait for the reload.
    private func reloadForCalls() async {
        // A call that comes during the reload waits for the next reload.
        let calls = reloadCalls
        reloadCalls = []
        let refusal = await readConfigurationAgain()
        for call in calls {
            if let refusal { call.fail(ErrorReply(refusal)) } else { call.reply(ReloadMethod.Reply()) }
        }
    }

    /// Reads the configuration again. If the file is invalid, keeps the previous configuration, logs the error, and
    /// returns the error for clients.
    ///
    /// `configurationStatus` keeps the error for `systemctl status` and for `Diagnose`.
    private func readConfigurationAgain() async -> JokesError? {
        notifier.reloading()
        do {
            let loaded = try JokesDaemon.loadConfiguration(options)
            try await adopt(loaded.configuration)
            configurationStatus = ConfigurationStatus(origin: loaded.origin)
            log.info("configuration reloaded: \(loaded.origin)")
            return nil
        } catch {
            let failure = error as? DaemonFailure
            let message = failure?.message ?? "cannot apply the new configuration: \(error)"
            configurationStatus.reloadError = firstLine(of: message)
            log.error(message)
            if failure != nil { log.error("keeping the previous configuration") }
            // Not a mistake in the file: the same file can be adopted later.
            if let error = error as? StoreError {
                return .storageUnavailable(reason: firstLine(of: error.reason), hint: error.hint)
            }
            return .configurationRefused(reason: firstLine(of: message), hint: failure?.hint)
        }
    }

    private func recoverWhileServing() async {
        do {
            try await recover()
            try await adopt(configuration)
        } catch let error as StoreError {
            writer.recordFailure(error)
        } catch {
            log.error("cannot continue after a recovery: \(error)")
        }
        // Damage that was found meanwhile was in the old database.
        requested.remove(.recover)
    }

    /// Recovers the database, after which all sources sync from the beginning. See "Recovery" in docs/architecture.md.
    private func recover() async throws {
        recoveredAt = .now
        // A report of damage may arrive after the recovery from this damage.
        if await writer.store.isDamaged {
            if let recovery = try await writer.store.recover() { log.error(recovery.logMessage) }
            syncs.resetSources()
        }
        writer.clearFailure()
    }

    /// Adopts the sources and settings of a configuration, and publishes the changed views.
    private func adopt(_ configuration: Configuration) async throws {
        if try reader.cursor(of: StarterJokes.source) != jokesdVersion {
            // If the write fails, the daemon starts without the bundled jokes. The next start or reload tries again.
            await writer.tryToWrite { try $0.installBundledJokes(at: .now) }
        }
        try await writer.store.adopt(configuration.displayRules)
        await writer.store.adopt(configuration.cache)
        await worker.adopt(configuration.network)
        // Reads the states of sources after the last await, because a sync may have ended during an await.
        try syncs.adopt(configuration.sources)
        recoveries = try reader.recoveries()
        try views.adopt(configuration.feed, configuration.cache, syncs.planner, hasRecovered: !recoveries.isEmpty)
        self.configuration = configuration
        // A removed source stores nothing more once the reload is answered.
        await syncs.finishCanceled()
        request(.tidy)
    }

    /// Notifies the watchdog of the service manager now and after each half of its interval (sd_watchdog_enabled(3)).
    private func notifyWatchdog() {
        guard let interval = ServiceManager.watchdogInterval else { return }
        notifier.alive()
        loop.schedule(at: .now.advanced(by: interval / 2)) { [weak self] in self?.notifyWatchdog() }
    }

    // MARK: Damage

    private func watchForDamage() async {
        reader.onDamage = { [store = writer.store, loop] damage in
            Task(executorPreference: loop) { await store.report(damage) }
        }
        await writer.store.whenDamaged { [weak self, loop] error in
            loop.perform { ServiceActor.assumeIsolated { self?.handleDamage(error) } }
        }
    }

    private func handleDamage(_ error: StoreError) {
        writer.recordFailure(error)
        if let recoveredAt, recoveredAt.duration(to: .now) < Self.pauseBetweenRecoveries { return }
        syncs.cancel()
        request(.recover)
    }

    /// Reads the recoveries that no client has acknowledged, and publishes the warning about them.
    func publishRecoveries() {
        log.attempt("publish a recovery") { recoveries = try reader.recoveries() }
        views.setHasRecovered(!recoveries.isEmpty)
    }

    // MARK: Calls

    /// Starts syncs for a client. Throws `Busy` during a recovery.
    func refresh(_ call: Call<RefreshMethod>) throws {
        guard syncs.isActive else {
            throw JokesError.busy(retryAfterMs: 1000, reason: "the database is being recovered")
        }
        try syncs.refresh(call)
    }

    /// Reloads the configuration for a client, as after SIGHUP.
    func reload(_ call: Call<ReloadMethod>) {
        reloadCalls.append(call)
        request(.reload)
    }

    /// The text for the service manager, which `systemctl status` shows.
    private var statusLine: String {
        let (header, failing) = (views.catalog.header, views.catalog.header.failing)
        var parts = [counted(header.shown, "joke")]
        if header.isSyncing {
            parts.append("syncing")
        } else if let next = syncs.planner.nextSync(at: .now) {
            parts.append("next sync \(LocalClock.now.words(for: next))")
        }
        if !failing.isEmpty {
            parts.append("\(counted(failing.count, "source")) failing: \(failing.joined(separator: ", "))")
        }
        if let failure = writer.failure { parts.append("cannot store changes: \(failure.reason)") }
        if let reloadError = configurationStatus.reloadError { parts.append("last reload failed: \(reloadError)") }
        return parts.joined(separator: ", ")
    }
}

/// The origin of the configuration in use, the time when it was read, and the error of the last reload.
///
/// The status line of the service manager and `Diagnose` report the reload error.
struct ConfigurationStatus {
    let origin: String
    let loadedAt = Timestamp.now
    /// The first line of the error of the last reload; nil if the reload succeeded, or if there was none.
    var reloadError: String? {
        didSet { reloadFailedAt = .now }
    }
    /// The time of the reload that failed.
    var reloadFailedAt: Timestamp?
}

/// Returns the first line that is not empty.
func firstLine(of text: String) -> String { text.split(separator: "\n").first.map(String.init) ?? text }

extension JokeStore {
    /// Stores the bundled jokes, so that a first start without a network can serve jokes.
    ///
    /// The version of jokesd is stored as the cursor of their source, so an upgrade installs the bundled jokes again.
    fileprivate func installBundledJokes(at now: Timestamp) throws {
        let normalizer = Normalizer(source: StarterJokes.source)
        let jokes = StarterJokes.all.compactMap { try? normalizer.normalize($0) }
        _ = try ingest(
            jokes, from: StarterJokes.source, at: now, part: BatchPart(beginsFullSync: true, completesFullSync: true),
            position: SourcePosition(cursor: jokesdVersion))
    }
}

extension Recovery {
    var logMessage: String { "recovered: " + lines.joined(separator: "; ") }
}
