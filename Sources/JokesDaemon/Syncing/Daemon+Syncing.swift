import JokesCore
import JokesProtocol
import JokesSources
import JokesStore
import Unix
import Varlink

/// A sync that runs.
struct RunningSync {
    let task: Task<Void, Never>
    let startedAt: BootInstant
    /// When those who follow it were told last.
    var toldAt: BootInstant?
}

/// What those who follow a sync are told, with the time that it has taken.
enum SyncStep: Sendable {
    case progress(SyncReport, elapsed: Duration)
    case ended(SyncOutcome, elapsed: Duration)
}

/// When sources are asked, and what becomes of it.
extension Daemon {
    /// A sync waits so long for its source's rate; where it would be longer, it ends and goes on another time.
    private static let longestWait: Duration = .seconds(30)
    /// Those who follow a sync are told no more often: a file of a hundred thousand jokes comes in many batches.
    private static let shortestTelling: Duration = .milliseconds(20)

    /// Starts what is due, and sets the timer for what is due next; from here on it goes on by itself until `stop`.
    /// During a recovery nothing starts: the end of the recovery calls this again.
    func startDueSyncs() {
        keepsSchedule = true
        guard recovering == nil else { return }
        for name in planner.startDue(at: .now) { run(name) }
        setTimer()
    }

    func setTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard keepsSchedule, recovering == nil else { return }
        timer = planner.nextDue.map { due in
            loop.schedule(at: BootInstant(sinceBoot: due)) { [weak self] in
                self?.assumeIsolated { $0.startDueSyncs() }
            }
        }
    }

    /// Asks a source that the planner has started.
    private func run(_ name: String) {
        if (try? reader.hasRoomAgain(for: name, in: limits)) == true { planner.advance(name, to: SourcePosition()) }
        guard let configuration = planner.configuration(of: name), let state = planner.state(of: name) else { return }
        log.debug("\(name): sync started")
        let task = Task(executorPreference: worker.loop) {
            // Before it is asked: a daemon that crashes and is started again must not ask faster than the rate allows.
            await self.attemptWriting { try $0.save(state, of: name) }
            await self.ended(name, await self.worker.sync(configuration, state, for: self.host(of: name)))
        }
        syncs[name] = RunningSync(task: task, startedAt: .now)
        syncingChanged()
    }

    /// What the worker needs of the daemon while it syncs a source.
    private nonisolated func host(of name: String) -> SyncHost {
        SyncHost(
            admitRequest: { [weak self] in await self?.admitRequest(of: name) ?? .after(.zero) },
            keepsPosition: { [weak self] in await self?.planner.asksWhatIsWanted(name) ?? false },
            stored: { [weak self] report in await self?.stored(report, of: name) })
    }

    private func admitRequest(of name: String) async -> RequestAnswer {
        while true {
            switch planner.admitRequest(of: name, at: .now) {
            case .admitted:
                if planner.requestsLeft(of: name, at: .now) != nil {
                    let wholeAt = planner.state(of: name)?.allowanceWholeAt
                    await attemptWriting { try $0.saveAllowance(wholeAt: wholeAt, of: name) }
                }
                return .admitted
            case .after(let wait):
                if wait > Self.longestWait { return .after(wait) }
                // Where it was cancelled, the request that follows notices.
                guard (try? await loop.sleep(for: wait)) != nil else { return .admitted }
            }
        }
    }

    private func stored(_ report: SyncReport, of name: String) {
        planner.advance(name, to: report.position)
        attempt("publish new jokes") {
            if report.hasChangedFavorites { try favoritesChanged() }
            try jokesChanged()
        }
        if counts.stored > limits.jokes + counts.marks { tidyUp() }
        guard let sync = syncs[name], sync.toldAt.map({ $0.duration(to: .now) >= Self.shortestTelling }) ?? true else {
            return
        }
        syncs[name]?.toldAt = .now
        tell(name, .progress(report, elapsed: sync.startedAt.duration(to: .now)))
    }

    private func tell(_ name: String, _ step: SyncStep) {
        refreshes.tell(name, step)
        follow?(name, step)
    }

    private func ended(_ name: String, _ outcome: SyncOutcome) async {
        let state = planner.ended(name, outcome, at: .now, random: &randomness)
        let sync = syncs.removeValue(forKey: name)
        let step = SyncStep.ended(outcome, elapsed: sync?.startedAt.duration(to: .now) ?? .zero)
        // Before anything is awaited: who asks meanwhile follows the next attempt, not this one.
        tell(name, step)
        report(name, outcome)
        if let state {
            saving[name] = sync?.task
            await attemptWriting { try $0.save(state, of: name) }
            saving[name] = nil
        }
        attempt("publish the jokes of \(name)") { try jokesChanged(publishing: false) }
        healthChanged(publishing: false)
        syncingChanged()
        setTimer()
        tidyUp()
        if syncs.isEmpty { returnFreeMemory() }
    }

    private func report(_ name: String, _ outcome: SyncOutcome) {
        // Who follows every sync says it to people already, perhaps on the same terminal.
        guard follow == nil else { return }
        switch outcome {
        case .succeeded(let report): log.info("\(name): \(report.inWords)")
        case .cancelled: log.debug("\(name): canceled")
        case .failed(let reason, _, _):
            let next =
                planner.nextAttempt(of: name, at: .now).map { "; next try \(TimeInWords.until($0, now: .now))" } ?? ""
            log.warning("\(name): \(reason)\(next)")
        }
    }

    /// Asks every enabled source once, due or not, and tells how each one comes along; one whose rate does not allow it
    /// yet ends at once.
    ///
    /// - Returns: whether all went well.
    func syncOnce(_ follow: @escaping (String, SyncStep) -> Void) async -> Bool {
        self.follow = follow
        await recovering?.value
        var allWereAsked = true
        for name in planner.order {
            switch planner.refresh(name, at: .now) {
            case .started: run(name)
            case .tooSoon(let wait):
                allWereAsked = false
                let reason =
                    "too soon after the last try; next sync possible in \(TimeInWords.length(max(wait, .seconds(1))))"
                follow(name, .ended(.failed(reason: reason), elapsed: .zero))
            case .alreadyRunning, .disabled, .noSuchSource: break
            }
        }
        for sync in syncs.values { await sync.task.value }
        await tidying?.value
        return allWereAsked && planner.failing.isEmpty
    }

    /// Ends syncs whose source is gone, disabled, or asked something else now: what they bring is not wanted.
    func cancelUnwantedSyncs() {
        for (name, sync) in syncs where !planner.asksWhatIsWanted(name) { sync.task.cancel() }
    }

    /// Ends what runs, for good.
    func stopSyncs() async {
        keepsSchedule = false
        await endSyncs()
    }

    /// Ends what runs; what has been fetched and not stored is lost, and fetched again.
    func endSyncs() async {
        setTimer()
        let tasks = syncs.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks + Array(saving.values) { await task.value }
    }

    // MARK: Refreshing on demand

    func refresh(_ call: RefreshCalls.Call) throws {
        let names = call.parameters.sources ?? planner.order.filter { planner.configuration(of: $0)?.isEnabled == true }
        if let unknown = names.first(where: { planner.configuration(of: $0) == nil }) {
            throw ErrorReply(JokesError.noSuchSource(name: unknown))
        }
        if recovering != nil {
            throw ErrorReply(JokesError.busy(retryAfterMs: 1000, reason: "the database is being recovered"))
        }
        var asked: Set<String> = []
        let answers = names.filter { asked.insert($0).inserted }.map { name in
            Wire.RefreshedSource(name, planner.refresh(name, at: .now))
        }
        for answer in answers where answer.state == .started { run(answer.name) }
        setTimer()
        refreshes.answer(call, answers)
    }
}
