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
    private let worker: SyncWorker
    private let notifier: Notifier
    let startedAt: Timestamp

    private(set) var planner = SyncPlanner()
    private(set) var catalog: Catalog
    let hub: Hub
    private(set) var counts: JokeCounts
    /// Why the last write failed; nil once one has succeeded.
    private(set) var storageFailure: String?
    private var randomness = SystemRandomNumberGenerator()
    private var timer: TimerQueue.Token?
    private var syncs: [String: Task<Void, Never>] = [:]
    /// Syncs that have ended but for what is written of them.
    private var saving: [String: Task<Void, Never>] = [:]
    /// True from the first `startDueSyncs` until `stopSyncs`.
    private var keepsSchedule = false
    private var refreshes: [RefreshCall] = []
    private var whenEnded: ((String, SyncOutcome) -> Void)?
    private var isRecordingTellings = false
    private var hasNewTellings = false
    private var recording: Task<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// - Throws: `StoreError` where the store cannot be read.
    init(of parts: Parts, notifier: Notifier) throws(StoreError) {
        loop = parts.serviceLoop
        store = parts.store
        worker = parts.worker
        log = parts.log
        self.notifier = notifier
        reader = try JokeReader(of: store)
        counts = try reader.counts()
        startedAt = .now
        catalog = Catalog(settings: parts.configuration.feedSettings)
        var random = SystemRandomNumberGenerator()
        hub = Hub(epoch: String(random.next() as UInt64, radix: 16))
    }

    // MARK: Configuration

    /// Takes the sources and settings of a configuration, at start and on a reload, and shows what follows from them.
    func adopt(_ configuration: Configuration) async throws {
        let starter = try reader.sourceStates()[StarterJokes.source]
        try await StarterPack.install(in: store, known: starter, at: .now)
        try await store.adopt(configuration.showingRules)
        await worker.adopt(configuration.network)
        // Read after everything awaited: a sync may have ended meanwhile.
        planner.configure(configuration.sources, states: try reader.sourceStates(), now: .now)
        catalog.handle(.settingsChanged(configuration.feedSettings))
        try favoritesChanged()
        try jokesChanged(publishing: false)
        healthChanged(publishing: false)
        publish()
    }

    // MARK: Syncing

    /// Starts what is due, and sets the timer for what is due next; from here on it goes on by itself until `stop`.
    func startDueSyncs() {
        keepsSchedule = true
        for name in planner.startDue(at: .now) { run(name) }
        setTimer()
    }

    private func setTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard keepsSchedule else { return }
        timer = planner.nextDue.map { due in
            loop.schedule(at: BootInstant(sinceBoot: due)) { [weak self] in
                self?.assumeIsolated { $0.startDueSyncs() }
            }
        }
    }

    /// Asks a source that the planner has started.
    private func run(_ name: String) {
        guard let configuration = planner.configuration(of: name), let state = planner.state(of: name) else { return }
        log.debug("\(name): asking")
        syncs[name] = Task(executorPreference: worker.loop) {
            // Before it is asked: a daemon that crashes and is started again must not ask faster than the rate allows.
            await self.attemptWriting { try await $0.save(state, of: name) }
            let outcome = await self.worker.sync(configuration, state) { [weak self] in
                await self?.batchStored()
            }
            await self.ended(name, outcome)
        }
        syncingChanged()
    }

    private func ended(_ name: String, _ outcome: SyncOutcome) async {
        let state = planner.ended(name, outcome, at: .now, random: &randomness)
        // Before anything is awaited: who asks meanwhile waits for the next attempt, not for this one.
        let answers = refreshAnswers(name, outcome)
        let attempt = syncs.removeValue(forKey: name)
        report(name, outcome, state)
        if let state {
            saving[name] = attempt
            await attemptWriting { try await $0.save(state, of: name) }
            saving[name] = nil
        }
        self.attempt("show what \(name) brought") { try jokesChanged(publishing: false) }
        healthChanged(publishing: false)
        syncingChanged()
        setTimer()
        for answer in answers { answer() }
        whenEnded?(name, outcome)
        if syncs.isEmpty { returnFreeMemory() }
    }

    private func batchStored() {
        attempt("show what came") { try jokesChanged() }
    }

    private func report(_ name: String, _ outcome: SyncOutcome, _ state: SourceState?) {
        switch outcome {
        case .succeeded(_, _, let new, let refused, let note):
            let refusals = refused == 0 ? "" : ", \(refused) refused"
            log.info("\(name): " + (note ?? "\(new) new\(refusals)"))
        case .cancelled:
            log.debug("\(name): cancelled")
        case .failed(let reason, _, _):
            let next = state?.nextAttempt.map { " Next try \(TimeInWords.until($0, now: .now))." } ?? ""
            log.warning("\(name): \(reason)\(next)")
        }
    }

    /// Asks every enabled source once, due or not, and tells how each one ends as it does; one whose rate does not allow
    /// it yet ends at once.
    ///
    /// - Returns: whether all went well.
    func syncOnce(_ tell: @escaping (String, SyncOutcome) -> Void) async -> Bool {
        whenEnded = tell
        var allWereAsked = true
        for name in planner.order {
            switch planner.refresh(name, at: .now) {
            case .started: run(name)
            case .tooSoon(let wait):
                allWereAsked = false
                let reason = "asked a moment ago; its rate allows the next time in \(TimeInWords.length(wait))"
                tell(name, .failed(reason: reason))
            case .alreadyRunning, .disabled, .noSuchSource: break
            }
        }
        for sync in syncs.values { await sync.value }
        return allWereAsked && planner.failing.isEmpty
    }

    /// Ends what runs; what has been fetched and not stored is lost, and fetched again.
    func stopSyncs() async {
        keepsSchedule = false
        setTimer()
        for sync in syncs.values { sync.cancel() }
        for sync in Array(syncs.values) + Array(saving.values) { await sync.value }
    }

    // MARK: Refreshing on demand

    /// A call that wants to know how the refresh of each source ends.
    private struct RefreshCall {
        let call: VarlinkCall<RefreshMethod.Parameters, RefreshMethod.Reply>
        var waitingFor: Set<String>
    }

    func refresh(_ call: VarlinkCall<RefreshMethod.Parameters, RefreshMethod.Reply>) throws {
        let names = call.parameters.sources ?? planner.order.filter { planner.configuration(of: $0)?.isEnabled == true }
        if let unknown = names.first(where: { planner.configuration(of: $0) == nil }) {
            throw ErrorReply(JokesError.noSuchSource(name: unknown))
        }
        var asked: Set<String> = []
        let answers = names.filter { asked.insert($0).inserted }.map { name in
            Wire.RefreshedSource(name, planner.refresh(name, at: .now))
        }
        for answer in answers where answer.state == .started { run(answer.name) }
        setTimer()
        let running = Set(answers.filter { $0.state == .started || $0.state == .alreadyRunning }.map(\.name))
        guard call.wantsMore && !running.isEmpty else {
            call.reply(RefreshMethod.Reply(sources: answers))
            return
        }
        call.send(RefreshMethod.Reply(sources: answers))
        refreshes.removeAll { !$0.call.isOpen }
        refreshes.append(RefreshCall(call: call, waitingFor: running))
    }

    /// What is to be answered to those who wait for this refresh; they wait no more.
    private func refreshAnswers(_ name: String, _ outcome: SyncOutcome) -> [() -> Void] {
        let reply = RefreshMethod.Reply(sources: [Wire.RefreshedSource(name, outcome)])
        var answers: [() -> Void] = []
        for index in refreshes.indices where refreshes[index].waitingFor.remove(name) != nil {
            let refresh = refreshes[index]
            answers.append { refresh.waitingFor.isEmpty ? refresh.call.reply(reply) : refresh.call.send(reply) }
        }
        refreshes.removeAll { $0.waitingFor.isEmpty || !$0.call.isOpen }
        return answers
    }

    // MARK: Telling everybody

    func publish() {
        attempt("publish what changed") { try hub.publish(catalog) }
        notifier.status(statusLine)
    }

    /// The feed follows the store; called after every write that may have changed it.
    func jokesChanged(publishing: Bool = true, for view: View = View()) throws {
        let size = max(catalog.feedSize, hub.largestSize, view.size ?? 0)
        let page = try reader.list(limit: size)
        counts = try reader.counts()
        catalog.handle(.jokesChanged(newest: page.rows, cached: page.total))
        if publishing { publish() }
    }

    func favoritesChanged() throws {
        catalog.handle(.favoritesChanged(try reader.favorites()))
    }

    private func syncingChanged() {
        catalog.handle(.syncing(planner.running))
        publish()
    }

    private func healthChanged(publishing: Bool = true) {
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
        var parts = ["\(header.cached) jokes"]
        if header.isSyncing { parts.append("syncing") }
        if !header.failing.isEmpty { parts.append("failing: \(header.failing.joined(separator: ", "))") }
        return parts.joined(separator: ", ")
    }

    // MARK: Writing

    /// Writes to the store, and remembers whether that can be done.
    func writing<Result: Sendable>(
        _ body: @Sendable (JokeStore) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(store)
            storageFailure = nil
            return result
        } catch let error as StoreError {
            if error.code != .noSuchJoke {
                storageFailure = error.reason
                log.error(error.description)
            }
            throw error
        }
    }

    /// What was told is remembered behind the answer, one write at a time.
    func recordTellings() {
        hasNewTellings = true
        guard !isRecordingTellings else { return }
        isRecordingTellings = true
        recording = Task {
            while hasNewTellings {
                hasNewTellings = false
                let told = reader.unrecorded
                let isRecorded: Void? = try? await writing { try await $0.record(told, at: .now) }
                if isRecorded != nil { reader.forget(told) }
            }
            isRecordingTellings = false
        }
    }

    /// Waits until what was told is on record, so that no joke comes again after a clean stop.
    func finishRecording() async {
        recordTellings()
        await recording?.value
    }

    /// Writes what nobody waits for; a failure is in the log and in the status.
    private func attemptWriting(_ body: @Sendable (JokeStore) async throws -> Void) async {
        try? await writing(body)
    }

    /// Does what can only fail where the store cannot be read, and says so then.
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            log.error("Cannot \(what): \(error)")
        }
    }
}
