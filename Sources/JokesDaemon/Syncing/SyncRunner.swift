import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Unix
import Varlink

/// A step of a sync, with the time since the start of the sync.
enum SyncStep: Sendable {
    case progress(SyncReport, elapsed: Duration)
    case ended(SyncOutcome, elapsed: Duration)
}

/// Runs the syncs that `SyncPlanner` starts, and reports their progress and results.
///
/// The planner decides when a sync starts, and `SyncWorker` performs the sync on the network loop.
@ServiceActor
final class SyncRunner {
    /// The maximum time that a sync waits for the rate of its source. A sync that must wait longer ends, and continues
    /// later.
    private static let maxWait: Duration = .seconds(30)
    /// The minimum time between two progress reports of a sync: a file of 100,000 jokes comes in many batches.
    private static let reportInterval: Duration = .milliseconds(20)

    private struct RunningSync {
        let task: Task<Void, Never>
        let startedAt: BootInstant
        /// True if the sync fetches evicted jokes again.
        let refills: Bool
        var reportedAt: BootInstant?
    }

    private(set) var planner = SyncPlanner()
    /// Receives every step of every sync. If nil, results are logged.
    var onStep: ((String, SyncStep) -> Void)?
    /// Receives `syncDue` and `tidyRequested`.
    var onEvent: (Lifecycle.Event) -> Void = { _ in }
    private let worker: SyncWorker
    private let writer: StoreWriter
    private let views: WatchedViews
    private let reader: JokeReader
    private let log: Log
    private let loop: EventLoop
    private var running: [String: RunningSync] = [:]
    /// The tasks of syncs that have ended, before their last state is written.
    private var saving: [String: Task<Void, Never>] = [:]
    /// True from `startDue` until `end`: due syncs start automatically.
    private var isScheduled = false
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
    var isIdle: Bool { running.isEmpty && saving.isEmpty }

    // MARK: Schedule

    /// Adopts the sources of a configuration, and cancels syncs of removed, disabled or changed sources.
    func adopt(_ sources: [SourceConfiguration]) throws {
        planner.configure(sources, states: try reader.sourceStates(), now: .now)
        for (name, sync) in running where !planner.hasCurrentRequests(name) { sync.task.cancel() }
    }

    /// Resets all sources after a loss of the database: all are due, from their first position. No sync may run.
    func resetSources() {
        precondition(running.isEmpty, "a sync would store its position in a database without its jokes")
        planner = planner.restarted(at: .now)
    }

    /// Starts the syncs that are due, and sets the timer for the next sync.
    func startDue() {
        isScheduled = true
        for name in planner.startDue(at: .now) { run(name) }
        setTimer()
    }

    private func setTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard isScheduled else { return }
        timer = planner.nextDue.map { due in
            loop.schedule(at: BootInstant(sinceBoot: due)) { [weak self] in self?.onEvent(.syncDue) }
        }
    }

    /// Cancels all syncs, and returns after they have ended. Jokes that are not stored yet are fetched again.
    func end() async {
        isScheduled = false
        setTimer()
        let tasks = running.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks + Array(saving.values) { await task.value }
    }

    /// Starts a sync of every enabled source, due or not. Returns true if all could start.
    ///
    /// If the rate of a source does not allow a sync yet, reports the sync to `onStep` as failed.
    func startAll() -> Bool {
        var allStarted = true
        for name in planner.order {
            switch planner.refresh(name, at: .now) {
            case .started: run(name)
            case .tooSoon(let wait):
                allStarted = false
                let length = TimeInWords.length(max(wait, .seconds(1)))
                let reason = "too soon after the last try; next sync possible in \(length)"
                onStep?(name, .ended(.failed(reason: reason), elapsed: .zero))
            case .alreadyRunning, .disabled, .noSuchSource: break
            }
        }
        return allStarted
    }

    /// Returns the error for a source that is not configured.
    func errorOfUnconfigured(_ name: String) -> ErrorReply {
        guard let counts = views.counts.sources[name] else { return ErrorReply(JokesError.noSuchSource(name: name)) }
        let reason =
            name == StarterJokes.source
            ? "the jokes of '\(name)' come with jokesd"
            : counts.isRemoved ? "source '\(name)' is no longer configured" : "the jokes of '\(name)' were imported"
        return ErrorReply(JokesError.sourceFailed(reason: "\(reason), so there is nothing to fetch"))
    }

    /// Starts syncs of the sources that a client names, or of all enabled sources. Skips a source whose rate does not
    /// allow a sync yet, and disabled sources.
    func refresh(_ call: RefreshCalls.Call) throws {
        let names = call.parameters.sources ?? planner.order.filter { planner.configuration(of: $0)?.isEnabled == true }
        if let name = names.first(where: { planner.configuration(of: $0) == nil }) { throw errorOfUnconfigured(name) }
        var unique: Set<String> = []
        let answers = names.filter { unique.insert($0).inserted }.map { name in
            Wire.RefreshedSource(name, planner.refresh(name, at: .now))
        }
        for answer in answers where answer.state == .started { run(answer.name) }
        setTimer()
        refreshCalls.reply(to: call, answers)
    }

    // MARK: One sync

    /// Runs a sync that the planner has started.
    private func run(_ name: String) {
        // Requests evicted jokes again, from the first position and without ETag: with ETag, the server would answer
        // 304.
        let refills = hasRoomAgain(for: name)
        if refills { planner.advance(name, to: SourcePosition()) }
        guard let configuration = planner.configuration(of: name), let state = planner.state(of: name) else { return }
        log.debug("\(name): sync started")
        let task = Task(executorPreference: worker.loop) {
            // Saves the state before the first request: a daemon that crashes and restarts must not exceed the rate.
            await self.writer.tryToWrite { try $0.save(state, of: name) }
            await self.finishSync(name, await self.worker.sync(configuration, state, for: self))
        }
        running[name] = RunningSync(task: task, startedAt: .now, refills: refills)
        views.publishSyncs(planner)
    }

    /// Returns true if the cache has room again for evicted jokes of a source.
    private func hasRoomAgain(for name: String) -> Bool {
        (try? reader.hasRoomAgain(for: name, in: views.limits)) == true
    }

    /// Waits until a sync may send a request. If the wait exceeds `maxWait`, returns `.after` without waiting.
    func admitRequest(of name: String) async -> RequestAnswer {
        while true {
            switch planner.admitRequest(of: name, at: .now) {
            case .admitted:
                if planner.requestsLeft(of: name, at: .now) != nil { await saveRateLimit(of: name) }
                return .admitted
            case .after(let wait):
                if wait > Self.maxWait { return .after(wait) }
                // The sleep throws if the task is canceled. Admits the request: the HTTP client throws the
                // cancellation.
                guard (try? await loop.sleep(for: wait)) != nil else { return .admitted }
            }
        }
    }

    // MARK: Probes

    /// Begins a probe: requests to the server of a source, outside of a sync. Throws `Busy` if the rate or the minimum
    /// pause of the server does not allow requests yet.
    func startProbe(of source: SourceConfiguration) throws {
        guard let wait = planner.startProbe(of: source, at: .now) else { return }
        throw ErrorReply(
            JokesError.busy(
                retryAfterMs: wait.retryAfterMs,
                reason: "it must wait before the next request to this server"))
    }

    /// Returns the planner's answer for a request that a probe is about to send. Unlike `admitRequest`, does not wait.
    func admitProbeRequest(of source: SourceConfiguration) async -> RequestAnswer {
        let answer = planner.admitProbeRequest(of: source, at: .now)
        if let name = planner.nameForProbe(of: source) { await saveRateLimit(of: name) }
        return answer
    }

    private func saveRateLimit(of name: String) async {
        let resetAt = planner.state(of: name)?.rateLimitResetAt
        await writer.tryToWrite { try $0.saveRateLimit(resetAt: resetAt, of: name) }
    }

    /// Records the pause that the server of a probe has asked for.
    func pauseAfterProbe(of source: SourceConfiguration, retryAfter: Duration) {
        planner.pauseAfterProbe(of: source, retryAfter: retryAfter, at: .now)
    }

    // MARK: Results

    /// Publishes the jokes that a sync has stored, and sends its progress.
    ///
    /// The report has the counts of the sync so far, and the position of the next batch.
    func publishProgress(_ report: SyncReport, of name: String) {
        planner.advance(name, to: report.position)
        log.attempt("publish new jokes") {
            if report.hasChangedFavorites { try views.reloadFavorites() }
            try views.updateJokes()
        }
        // Favorites and hidden jokes do not count toward the limit.
        if views.counts.stored > views.limits.maxJokes + views.counts.userDataCount { onEvent(.tidyRequested) }
        guard let sync = running[name] else { return }
        if let last = sync.reportedAt, last.duration(to: .now) < Self.reportInterval { return }
        running[name]?.reportedAt = .now
        send(name, .progress(report, elapsed: sync.startedAt.duration(to: .now)))
    }

    /// Publishes the end of a sync, and saves the state of its source.
    private func finishSync(_ name: String, _ outcome: SyncOutcome) async {
        let state = planner.ended(name, outcome, at: .now, random: &randomness)
        let sync = running.removeValue(forKey: name)
        // Sends the last step before the first await. A `Refresh` call during the await may start another sync, and
        // must not receive the end of this sync.
        send(name, .ended(outcome, elapsed: sync?.startedAt.duration(to: .now) ?? .zero))
        if onStep == nil { report(name, outcome) }
        if let state {
            saving[name] = sync?.task
            // If there is still room, the source no longer has the jokes that are counted as evicted.
            var resetsEvictedCount = false
            if case .succeeded = outcome, sync?.refills == true { resetsEvictedCount = hasRoomAgain(for: name) }
            await writer.tryToWrite { [resetsEvictedCount] store in
                try store.save(state, of: name, resetsEvictedCount: resetsEvictedCount)
            }
            saving[name] = nil
        }
        log.attempt("publish the jokes of \(name)") { try views.updateJokes(publishing: false) }
        views.publishSyncs(planner)
        setTimer()
        if running.isEmpty { returnFreeMemory() }
        onEvent(.tidyRequested)
    }

    private func send(_ name: String, _ step: SyncStep) {
        refreshCalls.send(name, step)
        onStep?(name, step)
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
