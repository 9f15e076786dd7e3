/// The state and the plan of one source. Times without a date are on the boot-time clock.
struct SourceSchedule {
    private(set) var configuration: SourceConfiguration
    var state: SourceState
    /// True if the last sync could not connect.
    private(set) var isUnreachable = false
    /// A remark on the last sync, if it succeeded.
    private(set) var remark: String?
    /// The end of the interval, or of the pause after a failure.
    var plannedAt: Duration
    private var lastAttemptAt: Duration?

    private static let firstBackoff: Duration = .seconds(60)
    private static let longestBackoff: Duration = .seconds(86_400)
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
        plannedAt = now.sinceBoot + Self.remainingPause(state, configuration, now)
        // An edit while no daemon runs has the same effect as an edit while one runs.
        if let signature = state.requestSignature, signature != configuration.requestSignature {
            plannedAt = now.sinceBoot
        }
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
        let longest = state.failureCount > 0 ? longestBackoff : longestInterval(configuration)
        let isCredible = left <= longest && state.lastAttempt.map { $0 <= now.wall } ?? true
        if isCredible && left > .zero { return left }
        let spread = max(min(configuration.interval / 10, longestSpread).wholeMicroseconds, 1)
        return .microseconds((left.wholeMicroseconds % spread).magnitude)
    }

    private static func longestInterval(_ configuration: SourceConfiguration) -> Duration {
        configuration.interval * 11 / 10
    }

    /// The end of the minimum pause after the last sync.
    var allowedAt: Duration { lastAttemptAt.map { $0 + configuration.minPause } ?? .zero }

    // MARK: Events

    /// Sets another configuration. A shorter interval counts from the last sync. If the requests are others, the plan is void.
    mutating func reconfigure(_ new: SourceConfiguration, at now: Moment) {
        let old = configuration
        configuration = new
        if old.server != new.server { isUnreachable = false }
        if !old.sendsSameRequests(as: new) {
            plannedAt = now.sinceBoot
        } else if state.failureCount == 0 {
            plannedAt = min(plannedAt, (lastAttemptAt ?? now.sinceBoot) + Self.longestInterval(new))
        }
    }

    mutating func start(at now: Moment) {
        lastAttemptAt = now.sinceBoot
        state.lastAttempt = now.wall
        state.requestSignature = configuration.requestSignature
    }

    /// Notes the end of a sync. If it must wait for its server, it continues later.
    mutating func end(
        _ outcome: SyncOutcome, at now: Moment, continuingAt later: Duration, random: inout some RandomNumberGenerator
    ) {
        switch outcome {
        case .cancelled: return
        case .succeeded(let report):
            remark = report.note
            plannedAt =
                report.isPaused
                ? max(now.sinceBoot, later)
                : now.sinceBoot + configuration.interval * Double.random(in: 0.9...1.1, using: &random)
            // A pause before the first answer says nothing about the source.
            if report.isPaused && report.seen == 0 { return }
            isUnreachable = false
            (state.newInLastSync, state.refusedInLastSync) = (report.new, report.refused)
            state.lastSuccess = now.wall
            (state.failingSince, state.failure, state.failureCount) = (nil, nil, 0)
        case .failed(let reason, let retryAfter, let isUnreachable):
            self.isUnreachable = isUnreachable
            remark = nil
            state.failureCount += 1
            state.failingSince = state.failingSince ?? now.wall
            state.failure = reason
            plannedAt = now.sinceBoot + pause(after: max(retryAfter ?? .zero, .zero), random: &random)
        }
    }

    /// Returns the requested wait and a random time up to the backoff (full jitter), because the service may have requested
    /// the same wait of all clients.
    private func pause(after wait: Duration, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(state.failureCount - 1, 11)
        let backoff = min(Self.firstBackoff * (1 << doublings), Self.longestBackoff)
        return min(wait + backoff * Double.random(in: 0...1, using: &random), Self.longestBackoff)
    }

    /// Sets the time of the next sync for the next daemon: `dueAt`, or soon if the source was unreachable, because after a
    /// restart, perhaps at another location, the network may be reachable.
    mutating func planAfterRestart(_ dueAt: Duration, at now: Moment) {
        let wait = dueAt - now.sinceBoot
        state.nextAttempt = now.wall.advanced(by: isUnreachable ? min(wait, Self.longestOffline) : wait)
    }

    // MARK: Offline

    /// The time of the next sync while no source can be reached: the network may be back at any time.
    var plannedWhileOffline: Duration {
        isUnreachable ? min(plannedAt, (lastAttemptAt ?? plannedAt) + Self.longestOffline) : plannedAt
    }

    var usesNetwork: Bool { configuration.isEnabled && configuration.usesNetwork }

    /// Plans a sync soon if the source was unreachable, at a random time, so that not all sources are synced at once.
    mutating func networkReturned(at now: Moment, random: inout some RandomNumberGenerator) {
        guard isUnreachable else { return }
        plannedAt = now.sinceBoot + Self.spreadAfterOffline * Double.random(in: 0...1, using: &random)
    }
}
