import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import TextLayout
import Unix
import Varlink

/// Runs the syncs that `SyncPlanner` starts, and lets their requests through. Reports progress and results.
///
/// The planner decides when a sync starts and when a request is sent. `SyncWorker` performs the sync on the network loop.
@ServiceActor
final class SyncRunner {
    /// The maximum time that a sync waits for its server. A sync that must wait longer ends, and continues later.
    private static let maxWait: Duration = .seconds(30)
    /// The minimum time between two progress reports of a sync: a file of 100,000 jokes comes in many batches.
    private static let reportInterval: Duration = .milliseconds(20)

    private struct RunningSync {
        let task: Task<Void, Never>
        let startedAt: BootInstant
        var reportedAt: BootInstant?
    }

    private(set) var planner = SyncPlanner()
    /// Receives every step of every sync. If nil, results are logged.
    var onStep: ((RefreshedSource) -> Void)?
    /// Called when the cache may be over its limits.
    var onStored: () -> Void = {}
    let worker: SyncWorker
    private let writer: StoreWriter
    private let views: WatchedViews
    private let reader: JokeReader
    private let log: Log
    private let loop: EventLoop
    private var running: [String: RunningSync] = [:]
    /// The tasks of syncs until their last states are written.
    private var tasks: Set<Task<Void, Never>> = []
    /// The requests that wait until the previous one to their server has ended.
    private var turns: [Server?: [CheckedContinuation<Void, Never>]] = [:]
    /// The number of turns that have begun at all servers.
    private var turnCount = 0
    /// True from `startDue` until `cancel`: due syncs start by themselves, and clients may request others.
    private(set) var isActive = false
    private var timer: TimerQueue.Token?
    private var refreshCalls = RefreshCalls()
    private var randomness = SystemRandomNumberGenerator()

    init(
        _ worker: SyncWorker, _ reader: JokeReader, _ writer: StoreWriter, _ views: WatchedViews, log: Log,
        on loop: EventLoop
    ) {
        self.worker = worker
        self.reader = reader
        self.writer = writer
        self.views = views
        self.log = log
        self.loop = loop
    }

    /// True if no sync runs, and if all states are written.
    var isIdle: Bool { tasks.isEmpty }

    // MARK: Schedule

    /// Adopts the sources of a configuration, and cancels syncs of removed, disabled or changed sources.
    func adopt(_ sources: [SourceConfiguration]) throws {
        planner.configure(sources, states: try reader.sourceStates(), now: .now)
        for (name, sync) in running where !planner.hasCurrentRequests(name) { sync.task.cancel() }
    }

    /// Waits until canceled syncs have ended, each within a slice. They store nothing after that.
    func finishCanceled() async {
        for task in tasks where task.isCancelled { await task.value }
    }

    /// Resets all sources after a loss of the database: all are due, from their first position. No sync may run.
    func resetSources() {
        precondition(running.isEmpty, "a sync would store its position in a database without its jokes")
        planner = planner.restarted(at: .now)
    }

    /// Starts the syncs that are due, and sets the timer for the next sync.
    func startDue() {
        isActive = true
        for name in planner.startDue(at: .now) { run(name) }
        setTimer()
    }

    private func setTimer() {
        loop.cancel(&timer)
        guard isActive else { return }
        timer = planner.nextDue.map { due in
            loop.schedule(at: BootInstant(sinceBoot: due)) { [weak self] in self?.startDue() }
        }
    }

    /// Cancels all syncs, each of which ends within a slice. Jokes that are not stored yet are fetched again.
    func cancel() {
        isActive = false
        setTimer()
        for task in tasks { task.cancel() }
    }

    /// Cancels all syncs, and returns after they have ended.
    func end() async {
        cancel()
        for task in tasks { await task.value }
    }

    /// Starts syncs of sources, due or not. Skips a source whose rate does not allow a sync yet, and disabled sources.
    func start(_ names: [String], fromStart: Bool = false) -> [RefreshedSource] {
        let answers = names.map { RefreshedSource($0, planner.refresh($0, at: .now)) }
        for answer in answers where answer.state == .started { run(answer.name, fromStart: fromStart) }
        setTimer()
        return answers
    }

    /// The names of the enabled sources, in order.
    var enabledNames: [String] { planner.order.filter { planner.configuration(of: $0)?.isEnabled == true } }

    /// The names of the sources that are configured or have jokes, in order.
    var sourceNames: [String] { Set(planner.order).union(views.counts.sources.keys).sorted() }

    /// Returns the error for a name that no source has.
    func unknownSource(_ name: String) -> JokesError {
        .unknownName(what: .source, name: name, nearest: nearest(to: name, among: sourceNames))
    }

    /// Returns the error for a source that is not configured.
    func errorOfUnconfigured(_ name: String) -> JokesError {
        guard views.counts.sources[name] != nil else { return unknownSource(name) }
        let reason =
            name == StarterJokes.source
            ? "the jokes of '\(name)' come with jokesd"
            : views.counts.removed.contains(name)
                ? "source '\(name)' is no longer configured" : "the jokes of '\(name)' were imported"
        return .sourceFailed(reason: "\(reason), so there is nothing to fetch")
    }

    /// Starts syncs of the sources that a client names, or of all enabled sources.
    func refresh(_ call: Call<RefreshMethod>) throws {
        let names = call.parameters.sources ?? enabledNames
        if let name = names.first(where: { planner.configuration(of: $0) == nil }) { throw errorOfUnconfigured(name) }
        var unique: Set<String> = []
        let answers = start(
            names.filter { unique.insert($0).inserted }, fromStart: call.parameters.force == true)
        refreshCalls.reply(to: call, answers)
    }

    // MARK: One sync

    /// Runs a sync that the planner has started. `fromStart` ignores the position and the validators of the source.
    private func run(_ name: String, fromStart: Bool = false) {
        guard let source = planner.configuration(of: name), let state = planner.state(of: name) else { return }
        log.debug("\(name): sync started")
        let task = Task(executorPreference: worker.loop) {
            let gate = await self.gate(of: source, maxWait: Self.maxWait)
            let outcome = await self.worker.sync(source, state, fromStart: fromStart, through: gate) {
                await self.publish($0, changesFavorites: $1, of: name)
            }
            await self.finish(name, outcome)
        }
        tasks.insert(task)
        running[name] = RunningSync(task: task, startedAt: .now)
        views.publishSyncs(planner)
    }

    /// Publishes the jokes that a sync has stored, and sends its progress.
    private func publish(_ report: SyncReport, changesFavorites: Bool, of name: String) {
        log.attempt("publish new jokes") {
            if changesFavorites { try views.reloadFavorites() }
            try views.updateJokes()
        }
        // Favorites and hidden jokes do not count toward the limit.
        if views.counts.stored > views.cacheLimits.maxJokes + views.counts.userDataCount { onStored() }
        guard let sync = running[name] else { return }
        if let last = sync.reportedAt, last.duration(to: .now) < Self.reportInterval { return }
        running[name]?.reportedAt = .now
        send(
            RefreshedSource(name: name, state: .syncing, report: report.withElapsed(sync.startedAt.duration(to: .now))))
    }

    /// Publishes the end of a sync, and saves the state of its source.
    private func finish(_ name: String, _ outcome: SyncOutcome) async {
        let state = planner.ended(name, outcome, at: .now, random: &randomness)
        let sync = running.removeValue(forKey: name)
        // Sends the last step before the first await. A `Refresh` call during the await may start another sync, and
        // must not receive the end of this sync.
        send(RefreshedSource(name, outcome, elapsed: sync?.startedAt.duration(to: .now) ?? .zero))
        if onStep == nil { report(name, outcome) }
        if let state { await writer.tryToWrite { try $0.endSync(of: name, state) } }
        if let task = sync?.task { tasks.remove(task) }
        log.attempt("publish the jokes of \(name)") { try views.updateJokes(publishing: false) }
        views.publishSyncs(planner)
        setTimer()
        if running.isEmpty { returnFreeMemory() }
        onStored()
    }

    // MARK: Requests

    /// Returns the gate for the requests of a source: at the rate of its server, and one at a time. A request that must wait
    /// longer than `maxWait` is not sent.
    func gate(of source: SourceConfiguration, maxWait: Duration) -> RequestGate {
        RequestGate(
            enter: { () async throws(CancellationError) in try await self.admit(source, maxWait) },
            leave: { await self.endRequest(of: source, retryAfter: $0) })
    }

    private func admit(_ source: SourceConfiguration, _ maxWait: Duration) async throws(CancellationError)
        -> RequestAnswer
    {
        while true {
            if Task.isCancelled { throw CancellationError() }
            let answer = planner.admitRequest(of: source, at: .now)
            switch answer {
            case .admitted:
                await saveLimits(of: source)
                return answer
            case .busy: await nextTurn(at: source.server, after: turnCount)
            case .after(let wait, _):
                if wait > maxWait { return answer }
                // Ends early if the task is canceled.
                try? await loop.sleep(for: wait)
            }
        }
    }

    private func endRequest(of source: SourceConfiguration, retryAfter: Duration?) async {
        planner.requestEnded(of: source, retryAfter: retryAfter, at: .now)
        beginTurn(at: source.server)
        if retryAfter != nil { await saveLimits(of: source) }
    }

    /// Waits until the request to a server has ended, or the task is canceled. Returns at once if a turn has begun since
    /// the caller read `count`, because the caller may be suspended before this function starts.
    private func nextTurn(at server: Server?, after count: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { request in
                if turnCount == count { turns[server, default: []].append(request) } else { request.resume() }
            }
        } onCancel: {
            loop.perform { ServiceActor.assumeIsolated { self.beginTurn(at: server) } }
        }
    }

    /// Lets all waiting requests to a server try again, in their order.
    private func beginTurn(at server: Server?) {
        turnCount += 1
        for request in turns.removeValue(forKey: server) ?? [] { request.resume() }
    }

    /// Saves what a server allows, so that a daemon that crashes and restarts keeps the rate.
    private func saveLimits(of source: SourceConfiguration) async {
        let names = planner.sources(sharingServerOf: source)
        guard let state = names.first.flatMap(planner.state(of:)), state.rateLimitResetAt ?? state.retryAfter != nil
        else { return }
        await writer.tryToWrite { try $0.saveLimits(in: state, of: names) }
    }

    /// Begins a probe or a test of a source. Throws `Busy` if its server does not allow requests yet.
    func startProbe(of source: SourceConfiguration) throws {
        guard case .after(let wait, let reason) = planner.startProbe(of: source, at: .now) else { return }
        throw JokesError.busy(retryAfterMs: wait.retryAfterMs, reason: reason)
    }

    // MARK: Results

    private func send(_ step: RefreshedSource) {
        refreshCalls.send(step)
        onStep?(step)
    }

    /// Logs the result of a sync.
    private func report(_ name: String, _ outcome: SyncOutcome) {
        switch outcome {
        case .succeeded(let report): log.info("\(name): \(report.inWords)")
        case .cancelled: log.debug("\(name): canceled")
        case .failed(let reason, _, _):
            let next =
                planner.nextAttempt(of: name, at: .now).map { "; next try \(TimeInWords.until($0, now: .now))" } ?? ""
            log.warning("\(name): \(reason)\(next)")
        }
    }
}
