import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The daemon: it receives events, asks its `Lifecycle` what follows, and does that with its components.
///
/// Everything here runs on the service loop, so a call is answered without changing threads. Blocking work is elsewhere:
/// writing on the store's loop, fetching and decoding on the network loop.
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
    let deliveries: DeliveryRecorder
    let imports: PendingImports
    let checker: DatabaseChecker
    /// Nil for `--once`.
    private(set) var server: VarlinkService?
    private(set) var reading: ConfigurationReading
    private(set) var configuration: Configuration
    private(set) var recoveries: [Recovery] = []
    /// The reason why the daemon stops by itself.
    private(set) var failure: (any Error)?
    /// Called when nothing runs or waits, apart from clients.
    var onIdle: (() -> Void)?
    let options: DaemonOptions
    private let notifier: Notifier
    private var startTimeout: StartTimeoutExtension?
    private var lifecycle = Lifecycle()
    private var hasAdopted = false

    /// Does nothing until `begin`. Without `serves`, no client can connect, and no sync starts by itself.
    init(_ options: DaemonOptions, _ assembly: Assembly, serves: Bool) throws {
        self.options = options
        loop = assembly.serviceLoop
        log = assembly.log
        configuration = assembly.configuration
        reading = ConfigurationReading(origin: assembly.origin)
        startTimeout = assembly.startTimeout
        notifier = assembly.notifier
        worker = assembly.worker
        reader = try JokeReader(of: assembly.store)
        writer = StoreWriter(assembly.store, log: log)
        views = WatchedViews(reader, settings: configuration.feed, log: log, on: loop)
        syncs = SyncRunner(worker, reader, writer, views, log: log, on: loop)
        tidier = CacheTidier(assembly.store, views, log: log)
        deliveries = DeliveryRecorder(reader, writer, on: loop)
        imports = PendingImports(on: loop)
        checker = DatabaseChecker(assembly.store)
        views.onPublish = { [unowned self] in notifier.status(statusLine) }
        syncs.onEvent = { [unowned self] event in handle(event) }
        if serves { server = VarlinkService(try JokesService.interface(of: self), log: log, on: loop) }
    }

    // MARK: Lifecycle

    func begin() {
        for effect in lifecycle.begin() { perform(effect) }
    }

    /// Handles an event: a signal, a timer, damage, or the end of a job.
    func handle(_ event: Lifecycle.Event) {
        for effect in lifecycle.handle(event) { perform(effect) }
        if lifecycle.isIdle && syncs.isIdle { onIdle?() }
    }

    private func perform(_ effect: Lifecycle.Effect) {
        switch effect {
        case .announceReady: notifier.ready(status: statusLine)
        case .startDueSyncs: if server != nil { syncs.startDue() }
        case .endSyncs:
            // Without the executor preference, waiting threads of the runtime's pool would wake the process every second.
            Task(executorPreference: loop) {
                await self.syncs.end()
                await self.handle(.syncsEnded)
            }
        case .announceStopping:
            notifier.stopping()
            server?.stop()
            _ = loop.schedule(at: .now.advanced(by: Lifecycle.stopDeadline)) { [weak self] in
                self?.handle(.deadlineReached)
            }
        case .run(let job): Task(executorPreference: loop) { await self.run(job) }
        case .exit:
            // The methods of the server retain the daemon. The database is closed after both are released.
            server = nil
            loop.stop()
        }
    }

    private func run(_ job: Lifecycle.Job) async {
        let end: Lifecycle.Event =
            switch job {
            case .start: await start()
            case .reload: await reload()
            case .recover: await recover()
            case .tidy: .tidied(isComplete: await tidier.step(announces: server != nil))
            case .finish: await finish()
            }
        handle(end)
    }

    /// Reads the state, and only then listens: the first client finds everything there.
    private func start() async -> Lifecycle.Event {
        do {
            try await adopt(configuration)
            await watchForDamage()
            if lifecycle.phase == .starting { try server?.listen(options, log: log) }
            startTimeout?.end()
            watchdog()
            return .started
        } catch {
            failure = error
            guard let error = error as? StoreError, error.code == .corrupt else { return .startFailed(isDamage: false) }
            await writer.store.report(reader.damage(error))
            return .startFailed(isDamage: true)
        }
    }

    /// Reads the configuration again. If it cannot be used, the log has the reason, and the old one stays.
    private func reload() async -> Lifecycle.Event {
        notifier.reloading()
        do {
            let loaded = try JokesDaemon.loadConfiguration(options)
            try await adopt(loaded.configuration)
            reading = ConfigurationReading(origin: loaded.origin)
            log.info("configuration reloaded: \(loaded.origin)")
        } catch let error as DaemonFailure {
            reading.refusal = firstLine(of: error.sentence)
            log.error(error.sentence)
            log.error("keeping the previous configuration")
        } catch {
            reading.refusal = firstLine(of: "\(error)")
            log.error("cannot apply the new configuration: \(error)")
        }
        return .reloaded
    }

    /// Recovers the database, after which all sources sync from the beginning. See "Recovery" in docs/architecture.md.
    private func recover() async -> Lifecycle.Event {
        do throws(StoreError) {
            // A report of damage may come late, after its recovery.
            if await writer.store.isDamaged {
                if let recovery = try await writer.store.recover() { log.error(recovery.inWords) }
                syncs.startOver()
            }
            writer.accept()
            failure = nil
        } catch {
            writer.refuse(error)
            if !hasAdopted { failure = error }
            return .recovered(at: nil)
        }
        if hasAdopted {
            do {
                try await adopt(configuration)
            } catch {
                log.error("cannot continue after a recovery: \(error)")
            }
        }
        return .recovered(at: .now)
    }

    /// Writes what is pending, so that nothing is lost by a clean stop.
    private func finish() async -> Lifecycle.Event {
        await deliveries.finish()
        // If the files of the database were removed, only this process still has the data.
        await writer.tryToWrite { try $0.restoreFiles() }
        return .finished
    }

    /// Adopts the sources and settings of a configuration, and publishes what follows from them.
    private func adopt(_ configuration: Configuration) async throws {
        if try reader.sourceStates()[StarterJokes.source]?.cursor != jokesdVersion {
            // If this fails, the daemon starts without the bundled jokes, and the next start tries again.
            await writer.tryToWrite { try $0.installStarterJokes(at: .now) }
        }
        try await writer.store.adopt(configuration.displayRules)
        await writer.store.adopt(configuration.cache)
        await worker.adopt(configuration.network)
        // Reads the state after the last await: a sync may have ended meanwhile.
        try syncs.adopt(configuration.sources)
        recoveries = try reader.recoveries()
        try views.adopt(configuration.feed, configuration.cache, syncs.planner, hasRecovered: !recoveries.isEmpty)
        self.configuration = configuration
        hasAdopted = true
        handle(.tidyRequested)
    }

    /// Notifies the service manager at half its watchdog interval, if it has one.
    private func watchdog() {
        guard let interval = ServiceManager.watchdogInterval else { return }
        notifier.alive()
        _ = loop.schedule(at: .now.advanced(by: interval / 2)) { [weak self] in self?.watchdog() }
    }

    // MARK: Damage

    private func watchForDamage() async {
        reader.onDamage = { [store = writer.store, loop] found in
            Task(executorPreference: loop) { await store.report(found) }
        }
        await writer.store.whenDamaged { [weak self, loop] error in
            loop.perform { ServiceActor.assumeIsolated { self?.damageFound(error) } }
        }
        await writer.store.whenFilesRestored { [weak self, loop] recovery in
            loop.perform { ServiceActor.assumeIsolated { self?.filesRestored(recovery) } }
        }
    }

    private func damageFound(_ error: StoreError) {
        writer.refuse(error)
        handle(.damageFound(at: .now))
    }

    private func filesRestored(_ recovery: Recovery) {
        log.error(recovery.inWords)
        recoveriesChanged()
    }

    /// Publishes the recoveries that nobody has acknowledged.
    func recoveriesChanged() {
        log.attempt("publish a recovery") { recoveries = try reader.recoveries() }
        views.recovered(!recoveries.isEmpty)
    }

    // MARK: Calls

    /// Starts syncs for a client, unless the daemon recovers its database.
    func refresh(_ call: RefreshCalls.Call) throws {
        guard lifecycle.maySync else {
            throw ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "the database is being recovered"))
        }
        try syncs.refresh(call)
    }

    private var statusLine: String {
        let (header, failing) = (views.catalog.header, views.catalog.header.failing)
        var parts = [counted(header.cached, "joke")]
        if header.isSyncing {
            parts.append("syncing")
        } else if let next = syncs.planner.nextSync(at: .now) {
            parts.append("next sync \(LocalClock.now.words(for: next))")
        }
        if !failing.isEmpty {
            parts.append("\(counted(failing.count, "source")) failing: \(failing.joined(separator: ", "))")
        }
        if let failure = writer.failure { parts.append("cannot store changes: \(failure.reason)") }
        if let refusal = reading.refusal { parts.append("last reload failed: \(refusal)") }
        return parts.joined(separator: ", ")
    }
}

/// The origin of the configuration in use, when it was read, and the error of the last reload.
struct ConfigurationReading {
    let origin: String
    let at = Timestamp.now
    /// The first line of the reason why the last reload was refused; nil if it succeeded.
    var refusal: String?
}

func firstLine(of text: String) -> String { text.split(separator: "\n").first.map(String.init) ?? text }

extension JokeStore {
    /// Stores the bundled jokes, so that a first start without a network has some. The position of their source is the version.
    fileprivate func installStarterJokes(at now: Timestamp) throws {
        let normalizer = Normalizer(source: StarterJokes.source)
        let jokes = StarterJokes.all.compactMap { try? normalizer.normalize($0) }
        _ = try ingest(
            jokes, from: StarterJokes.source, at: now, part: .whole, position: SourcePosition(cursor: jokesdVersion))
    }
}

extension Recovery {
    var inWords: String { "recovered: " + wire.lines.joined(separator: "; ") }

    var wire: Wire.Recovery {
        Wire.Recovery(
            at: at.microseconds, reason: reason, damagedFile: damagedFile, favorites: favorites,
            favoritesLost: favoritesLost)
    }
}
