import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The daemon: passes each event to `Lifecycle`, and performs the returned effects with its components.
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
    let tidier: CacheTidier
    let imports: PendingImports
    let checker: DatabaseChecker
    let probes: SourceProbes
    /// The service for clients; nil for `--once`.
    private(set) var server: VarlinkService?
    private(set) var configurationStatus: ConfigurationStatus
    private(set) var configuration: Configuration
    /// The recoveries that no client has acknowledged.
    private(set) var recoveries: [Recovery] = []
    /// The error of a failed start, which ends the program unless a recovery clears the error.
    private(set) var failure: (any Error)?
    /// Starts syncs after the start, a reload or a recovery, and when a sync is due.
    var startSyncs: () -> Void
    /// Called after an event if no job and no sync is running or requested. Clients may be connected.
    var onIdle: (() -> Void)?
    let options: DaemonOptions
    private let notifier: Notifier
    private var startTimeoutExtension: StartTimeoutExtension?
    /// The calls that wait for the next reload.
    private var reloadCalls: [VarlinkCall<ReloadMethod.Parameters, ReloadMethod.Reply>] = []
    private var lifecycle = Lifecycle()
    private var hasAdoptedConfiguration = false

    /// Creates a daemon that is idle until `begin`. If `serves` is false, no client can connect.
    init(_ options: DaemonOptions, _ assembly: Assembly, serves: Bool) throws {
        self.options = options
        loop = assembly.serviceLoop
        log = assembly.log
        configuration = assembly.configuration
        configurationStatus = ConfigurationStatus(origin: assembly.origin)
        startTimeoutExtension = assembly.startTimeoutExtension
        notifier = assembly.notifier
        worker = assembly.worker
        reader = try JokeReader(of: assembly.store)
        writer = StoreWriter(assembly.store, log: log)
        views = WatchedViews(reader, settings: configuration.feed, log: log, on: loop)
        syncs = SyncRunner(worker, reader, writer, views, log: log, on: loop)
        tidier = CacheTidier(assembly.store, views, log: log)
        imports = PendingImports(on: loop)
        checker = DatabaseChecker(assembly.store)
        probes = SourceProbes(worker, syncs)
        startSyncs = { [syncs] in syncs.startDue() }
        views.onPublish = { [unowned self] in notifier.status(statusLine) }
        syncs.onEvent = { [unowned self] event in handle(event) }
        if serves { server = VarlinkService(try JokesService.interface(of: self), log: log, on: loop) }
    }

    // MARK: Lifecycle

    /// Begins the first job, `start`.
    func begin() {
        for effect in lifecycle.begin() { perform(effect) }
    }

    /// Handles an event of `Lifecycle`, and performs its effects.
    func handle(_ event: Lifecycle.Event) {
        for effect in lifecycle.handle(event) { perform(effect) }
        if lifecycle.isIdle && syncs.isIdle { onIdle?() }
    }

    private func perform(_ effect: Lifecycle.Effect) {
        switch effect {
        case .announceReady: notifier.ready(status: statusLine)
        case .startDueSyncs: startSyncs()
        case .endSyncs:
            // Without the executor preference, this nonisolated closure would run on the runtime's global pool. Idle
            // threads of the pool would wake the process every second.
            Task(executorPreference: loop) {
                await self.syncs.end()
                await self.handle(.syncsEnded)
            }
        case .announceStopping:
            notifier.stopping()
            server?.stop()
            loop.schedule(at: .now.advanced(by: Lifecycle.stopDeadline)) { [weak self] in
                self?.handle(.deadlineReached)
            }
        case .run(let job): Task(executorPreference: loop) { await self.run(job) }
        case .exit:
            // The methods of the server retain the daemon. The database is closed after server and daemon are released.
            server = nil
            loop.stop()
        }
    }

    /// Runs a job, and handles the event of its end.
    private func run(_ job: Lifecycle.Job) async {
        let end: Lifecycle.Event =
            switch job {
            case .start: await start()
            case .reload: await reloadForCalls()
            case .recover: await recover()
            case .tidy: .tidied(isComplete: await tidier.performStep(logsEvictions: server != nil))
            case .finish: await finish()
            }
        handle(end)
    }

    /// Loads the state before the daemon listens on the socket, so the first client gets complete replies.
    private func start() async -> Lifecycle.Event {
        do {
            try await adopt(configuration)
            await watchForDamage()
            if lifecycle.phase == .starting { try server?.listen(options, log: log) }
            startTimeoutExtension?.end()
            notifyWatchdog()
            return .started
        } catch {
            failure = error
            guard let error = error as? StoreError, error.code == .corrupt else { return .startFailed(isDamage: false) }
            await writer.store.report(reader.damage(error))
            return .startFailed(isDamage: true)
        }
    }

    /// Reloads the configuration, and answers the calls that wait for the reload.
    private func reloadForCalls() async -> Lifecycle.Event {
        // A call that comes during the reload waits for the next reload.
        let calls = reloadCalls
        reloadCalls = []
        let refusal = await reload()
        for call in calls {
            if let refusal { call.fail(ErrorReply(refusal)) } else { call.reply(ReloadMethod.Reply()) }
        }
        return .reloaded
    }

    /// Reads the configuration again. If the file is invalid, keeps the previous configuration, logs the error, and
    /// returns the error for clients.
    ///
    /// `configurationStatus` keeps the error for `systemctl status` and for `Diagnose`.
    private func reload() async -> JokesError? {
        notifier.reloading()
        do {
            let loaded = try JokesDaemon.loadConfiguration(options)
            try await adopt(loaded.configuration)
            configurationStatus = ConfigurationStatus(origin: loaded.origin)
            log.info("configuration reloaded: \(loaded.origin)")
            return nil
        } catch let error as DaemonFailure {
            configurationStatus.reloadError = firstLine(of: error.message)
            log.error(error.message)
            log.error("keeping the previous configuration")
            return .configurationRefused(reason: firstLine(of: error.message), hint: error.hint)
        } catch {
            configurationStatus.reloadError = firstLine(of: "\(error)")
            log.error("cannot apply the new configuration: \(error)")
            return .configurationRefused(reason: firstLine(of: "\(error)"))
        }
    }

    /// Recovers the database, after which all sources sync from the beginning. See "Recovery" in docs/architecture.md.
    private func recover() async -> Lifecycle.Event {
        do throws(StoreError) {
            // A report of damage may arrive after the recovery from this damage.
            if await writer.store.isDamaged {
                if let recovery = try await writer.store.recover() { log.error(recovery.logMessage) }
                syncs.resetSources()
            }
            writer.clearFailure()
            failure = nil
        } catch {
            writer.recordFailure(error)
            if !hasAdoptedConfiguration { failure = error }
            return .recovered(at: nil)
        }
        if hasAdoptedConfiguration {
            do {
                try await adopt(configuration)
            } catch {
                log.error("cannot continue after a recovery: \(error)")
            }
        }
        return .recovered(at: .now)
    }

    /// Writes removed files again, so that a clean stop loses no data.
    private func finish() async -> Lifecycle.Event {
        // If the files of the database were removed, only this process still has the data.
        await writer.tryToWrite { try $0.restoreFiles() }
        return .finished
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
        hasAdoptedConfiguration = true
        // A removed source stores nothing more once the reload is answered.
        await syncs.finishCanceled()
        handle(.tidyRequested)
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
        await writer.store.whenFilesRestored { [weak self, loop] recovery in
            loop.perform { ServiceActor.assumeIsolated { self?.reportRestoredFiles(recovery) } }
        }
    }

    private func handleDamage(_ error: StoreError) {
        writer.recordFailure(error)
        handle(.damageFound(at: .now))
    }

    private func reportRestoredFiles(_ recovery: Recovery) {
        log.error(recovery.logMessage)
        publishRecoveries()
    }

    /// Reads the recoveries that no client has acknowledged, and publishes the warning about them.
    func publishRecoveries() {
        log.attempt("publish a recovery") { recoveries = try reader.recoveries() }
        views.setHasRecovered(!recoveries.isEmpty)
    }

    // MARK: Calls

    // Calls of clients are not events of `Lifecycle`. Methods answer them directly, and may cause events.

    /// Starts syncs for a client. Throws `Busy` if the lifecycle allows no sync, such as during a recovery.
    func refresh(_ call: RefreshCalls.Call) throws {
        guard lifecycle.maySync else {
            throw ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "the database is being recovered"))
        }
        try syncs.refresh(call)
    }

    /// Reloads the configuration for a client, as after SIGHUP.
    func reload(_ call: VarlinkCall<ReloadMethod.Parameters, ReloadMethod.Reply>) {
        reloadCalls.append(call)
        handle(.reloadRequested)
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
    var reloadError: String?
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
            jokes, from: StarterJokes.source, at: now, part: .whole, position: SourcePosition(cursor: jokesdVersion))
    }
}

extension Recovery {
    var logMessage: String { "recovered: " + wire.lines.joined(separator: "; ") }

    /// The recovery for clients.
    var wire: Wire.Recovery {
        Wire.Recovery(
            at: at.microseconds, reason: reason, damagedFile: damagedFile, favorites: favorites,
            favoritesLost: favoritesLost)
    }
}
