/// The state and schedule of one source. Times without a date are on the boot-time clock.
struct SourceSchedule {
    private(set) var configuration: SourceConfiguration
    private(set) var state: SourceState
    /// True if the last sync could not connect.
    private(set) var isUnreachable = false
    /// A remark on the last sync, if it succeeded.
    private(set) var note: String?
    /// The end of the interval, or of the pause after a failure.
    private var plannedAt: Duration
    private var lastAttemptAt: Duration?
    /// The end of the pause that the service has asked for.
    private var retryAfter: Duration?
    /// The remaining requests of the rate; nil for no rate.
    private var allowance: RequestAllowance?
    /// The configuration of the running sync; nil if none is running.
    private var running: SourceConfiguration?

    private static let firstBackoff: Duration = .seconds(60)
    private static let longestPause: Duration = .seconds(86_400)
    private static let longestSpread: Duration = .seconds(60)
    private static let longestOffline: Duration = .seconds(900)
    private static let spreadAfterOffline: Duration = .seconds(20)

    /// Creates the schedule of a source that this daemon has not had, from its stored state.
    init(_ configuration: SourceConfiguration, resuming state: SourceState, at now: Moment) {
        (self.configuration, self.state) = (configuration, state)
        // A future attempt was made before the clock was set back, an unknown time ago. Both times are truncated to
        // microseconds, so the attempt may be one microsecond closer than they say.
        lastAttemptAt = state.lastAttempt.map {
            now.sinceBoot - max(now.wall.timeSince($0) - .microseconds(1), .zero)
        }
        retryAfter = state.retryAfter.map { until in
            let wait = until.timeSince(now.wall)
            return now.sinceBoot + (wait <= Self.longestPause ? max(wait, .zero) : .zero)
        }
        plannedAt = now.sinceBoot + Self.remainingPause(state, configuration, now)
        allowance = Self.allowance(of: configuration, state, now)
        // An edit while no daemon runs has the same effect as an edit while one runs.
        if let signature = state.requestSignature, signature != configuration.requestSignature { forgetAnswer(at: now) }
        self.state.nextAttempt = nextAttempt(at: now)
    }

    /// Returns the rest of the pause that an earlier daemon planned by the wall clock.
    ///
    /// If the clock contradicts this plan (it is further ahead than the longest pause, or was made in the future), the pause
    /// is over: one early request is better than none for a year. A pause that is over ends within a minute instead of now,
    /// so that machines do not send requests together after a power failure. The microseconds of the plan, which are random,
    /// choose the time.
    private static func remainingPause(
        _ state: SourceState, _ configuration: SourceConfiguration, _ now: Moment
    ) -> Duration {
        guard let planned = state.nextAttempt else { return .zero }
        let left = planned.timeSince(now.wall)
        let longest = state.failureCount > 0 ? longestPause : longestInterval(configuration)
        let isCredible = left <= longest && state.lastAttempt.map { $0 <= now.wall } ?? true
        if isCredible && left > .zero { return left }
        let spread = max(min(configuration.interval / 10, longestSpread).wholeMicroseconds, 1)
        return .microseconds((left.wholeMicroseconds % spread).magnitude)
    }

    /// Returns the stored allowance. If the clock was set back, nothing is left of it, so that the rate is never exceeded.
    private static func allowance(
        of configuration: SourceConfiguration, _ state: SourceState, _ now: Moment
    ) -> RequestAllowance? {
        guard let rate = configuration.allowedRate else { return nil }
        let fresh = RequestAllowance(rate)
        guard let resetAt = state.rateLimitResetAt else { return fresh }
        let left = min(max(resetAt.timeSince(now.wall) + .microseconds(1), .zero), fresh.refill)
        return RequestAllowance(rate, resetAt: now.sinceBoot + left)
    }

    private static func longestInterval(_ configuration: SourceConfiguration) -> Duration {
        configuration.interval * 11 / 10
    }

    // MARK: Times

    var isRunning: Bool { running != nil }

    /// True if the running sync has the requests of the current configuration.
    var hasCurrentRequests: Bool {
        configuration.isEnabled && running?.sendsSameRequests(as: configuration) == true
    }

    /// The earliest time of the next sync, by the rate, the minimum pause and the pause that the service has asked for.
    var allowedAt: Duration {
        let byPause = lastAttemptAt.map { $0 + configuration.minPause }
        return max(byPause ?? .zero, retryAfter ?? .zero, allowance?.nextAt ?? .zero)
    }

    /// The time of the next scheduled sync; nil if one is running or the source is disabled.
    var dueAt: Duration? {
        isRunning || !configuration.isEnabled ? nil : max(plannedAt, allowedAt)
    }

    /// Returns `dueAt` by the current wall clock.
    private func nextAttempt(at now: Moment) -> Timestamp? {
        dueAt.map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    /// Stores `dueAt`. Keeps the stored time if there is none now.
    private mutating func updateNextAttempt(at now: Moment) {
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
    }

    /// Returns the number of requests that the rate allows now; nil for no rate.
    func requestsLeft(at now: Moment) -> Int? {
        allowance?.left(at: now.sinceBoot)
    }

    // MARK: Events

    /// Sets another configuration. A running sync continues.
    ///
    /// A shorter interval counts from the last sync. If the server or its requests are others, the plan and the position
    /// are void.
    mutating func reconfigure(_ new: SourceConfiguration, at now: Moment) {
        let old = configuration
        configuration = new
        let isSameServer = old.hasServer(of: new)
        if !isSameServer { (retryAfter, state.retryAfter, isUnreachable) = (nil, nil, false) }
        inheritAllowance(isSameServer ? allowance : nil, at: now)
        if !old.sendsSameRequests(as: new) {
            forgetAnswer(at: now)
        } else if state.failureCount == 0 {
            plannedAt = min(plannedAt, (lastAttemptAt ?? now.sinceBoot) + Self.longestInterval(new))
        }
        updateNextAttempt(at: now)
    }

    private mutating func forgetAnswer(at now: Moment) {
        state.position = SourcePosition()
        plannedAt = now.sinceBoot
    }

    private mutating func inheritAllowance(_ earlier: RequestAllowance?, at now: Moment) {
        allowance = configuration.allowedRate.map { rate in
            earlier?.adapted(to: rate, at: now.sinceBoot) ?? RequestAllowance(rate)
        }
    }

    /// Takes over the limits of a source that was removed from the configuration and is in it again.
    mutating func inherit(from departed: SourceSchedule, at now: Moment) {
        lastAttemptAt = departed.lastAttemptAt
        retryAfter = departed.retryAfter
        inheritAllowance(departed.allowance, at: now)
        running = departed.running
        updateNextAttempt(at: now)
    }

    mutating func start(at now: Moment) {
        running = configuration
        lastAttemptAt = now.sinceBoot
        state.lastAttempt = now.wall
        state.requestSignature = configuration.requestSignature
    }

    /// Returns whether a request may be sent now, and counts it.
    mutating func admitRequest(at now: Moment) -> RequestAnswer {
        guard var allowance else { return .admitted }
        let wait = allowance.nextAt - now.sinceBoot
        if wait > .zero { return .after(wait) }
        allowance.take(at: now.sinceBoot)
        self.allowance = allowance
        // The stored time is truncated to microseconds, and must not be too early.
        state.rateLimitResetAt = now.wall.advanced(by: allowance.resetAt - now.sinceBoot + .microseconds(1))
        return .admitted
    }

    /// Notes the position of the running sync, whose jokes are stored.
    mutating func advance(to position: SourcePosition) {
        if running?.sendsSameRequests(as: configuration) == true { state.position = position }
    }

    /// Notes the end of the running sync.
    mutating func end(_ outcome: SyncOutcome, at now: Moment, random: inout some RandomNumberGenerator) {
        let ended = running
        running = nil
        switch outcome {
        case .cancelled: return
        case .succeeded(let report):
            note = report.note
            state.position = report.position
            plannedAt =
                report.isPaused
                ? max(now.sinceBoot, allowance?.resetAt ?? now.sinceBoot)
                : now.sinceBoot + configuration.interval * Double.random(in: 0.9...1.1, using: &random)
            // A pause before the first answer says nothing about the source.
            if report.isPaused && report.seen == 0 { break }
            isUnreachable = false
            (state.newInLastSync, state.refusedInLastSync) = (report.new, report.refused)
            (state.lastSuccess, state.retryAfter) = (now.wall, nil)
            (state.failingSince, state.failure, state.failureCount) = (nil, nil, 0)
        case .failed(let reason, let retryAfter, let isUnreachable):
            self.isUnreachable = isUnreachable
            note = nil
            state.failureCount += 1
            state.failingSince = state.failingSince ?? now.wall
            state.failure = reason
            let wait = min(max(retryAfter ?? .zero, .zero), Self.longestPause)
            self.retryAfter = now.sinceBoot + wait
            state.retryAfter = wait > .zero ? now.wall.advanced(by: wait + .microseconds(1)) : nil
            plannedAt = now.sinceBoot + pause(after: wait, random: &random)
        }
        if ended?.sendsSameRequests(as: configuration) != true { forgetAnswer(at: now) }
        updateNextAttempt(at: now)
        // After a restart, perhaps at another location, the network may be reachable.
        let soon = now.wall.advanced(by: Self.longestOffline)
        if isUnreachable { state.nextAttempt = state.nextAttempt.map { min($0, soon) } }
    }

    /// Returns the requested wait and a random time up to the backoff (full jitter), because the service may have requested
    /// the same wait of all clients.
    private func pause(after wait: Duration, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(state.failureCount - 1, 11)
        let backoff = min(Self.firstBackoff * (1 << doublings), Self.longestPause)
        return min(wait + backoff * Double.random(in: 0...1, using: &random), Self.longestPause)
    }

    // MARK: Probes

    /// True if no earlier request counts toward the rate, and no pause is due.
    func isUnused(at time: Duration) -> Bool { allowedAt <= time && allowance?.resetAt ?? .zero <= time }

    /// Notes requests outside of a sync. The next sync keeps the minimum pause.
    mutating func startProbe(at now: Moment) { lastAttemptAt = now.sinceBoot }

    /// Notes the pause that the service has asked for.
    mutating func pauseAfterProbe(retryAfter: Duration, at now: Moment) {
        let wait = min(retryAfter, Self.longestPause)
        self.retryAfter = now.sinceBoot + wait
        state.retryAfter = now.wall.advanced(by: wait + .microseconds(1))
    }

    /// Adds the requests and pauses of a probe of the same server.
    mutating func count(_ probe: SourceSchedule, at now: Moment) {
        lastAttemptAt = max(lastAttemptAt ?? .zero, probe.lastAttemptAt ?? .zero)
        retryAfter = max(retryAfter ?? .zero, probe.retryAfter ?? .zero)
        if let own = allowance, let used = probe.allowance?.adapted(to: own.rate, at: now.sinceBoot) {
            allowance = used.resetAt > own.resetAt ? used : own
        }
        updateNextAttempt(at: now)
    }

    // MARK: Offline

    /// The time to try the network again; nil if the last sync says nothing about the network.
    var nextProbeAt: Duration? {
        usesNetwork ? lastAttemptAt.map { min(plannedAt, $0 + Self.longestOffline) } : nil
    }

    /// The time of the last sync; zero if there was none.
    var lastAttempt: Duration { lastAttemptAt ?? .zero }

    var usesNetwork: Bool { configuration.isEnabled && configuration.kind.traits.usesNetwork }

    /// Plans a sync soon if the source was unreachable, at a random time, so that not all sources are synced at once.
    mutating func networkReturned(at now: Moment, random: inout some RandomNumberGenerator) {
        guard isUnreachable else { return }
        plannedAt = now.sinceBoot + Self.spreadAfterOffline * Double.random(in: 0...1, using: &random)
        updateNextAttempt(at: now)
    }
}
