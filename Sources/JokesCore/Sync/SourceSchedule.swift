/// One source: what is known of it, and when it may and should be asked. Schedules run on the boot-time clock.
struct SourceSchedule {
    private(set) var configuration: SourceConfiguration
    private(set) var state: SourceState
    /// Whether no connection came about at the last attempt.
    private(set) var isUnreachable = false
    /// What there is to say of the last attempt, where it did not fail.
    private(set) var note: String?
    /// When its interval, or the pause after a failure, is over.
    private var plannedAt: Duration
    private var lastAttemptAt: Duration?
    /// Until then the upstream itself does not want to be asked.
    private var unwelcomeUntil: Duration?
    /// How the attempt that runs was configured; nil while none does.
    private var asking: SourceConfiguration?

    private static let firstBackoff: Duration = .seconds(60)
    private static let longestPause: Duration = .seconds(86_400)
    private static let longestSpread: Duration = .seconds(60)

    /// A source that this daemon has not met, with what an earlier one left of it.
    init(_ configuration: SourceConfiguration, resuming state: SourceState, at now: Moment) {
        self.configuration = configuration
        self.state = state
        // An attempt in the future was made before the clock was set back: nobody knows how long ago. Both times are cut
        // to whole microseconds, so the attempt may be one microsecond closer than they say.
        lastAttemptAt = state.lastAttempt.map {
            now.sinceBoot - max(now.wall.timeSince($0) - .microseconds(1), .zero)
        }
        plannedAt = now.sinceBoot + Self.remainingPause(state, configuration, now)
        self.state.nextAttempt = nextAttempt(at: now)
    }

    /// What is left of the pause that an earlier daemon planned by the wall clock.
    ///
    /// Where the clock denies that plan (it lies further ahead than any pause is long, or was made in the future) it
    /// counts as over: better one request too early than none for a year. A pause that is over ends within a minute
    /// instead of now, so that machines that come back together after a power cut do not ask together; the
    /// microseconds of the plan, drawn by lot when it was made, say when.
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

    private static func longestInterval(_ configuration: SourceConfiguration) -> Duration {
        configuration.interval * 11 / 10
    }

    // MARK: When

    var isRunning: Bool {
        asking != nil
    }

    /// From when on anybody may have it asked, since boot: its rate and the upstream's own wish are kept.
    var allowedAt: Duration {
        let byRate = lastAttemptAt.map { $0 + configuration.shortestPause }
        return max(byRate ?? .zero, unwelcomeUntil ?? .zero)
    }

    /// When it is asked without anybody wishing it, since boot; nil while it runs or is disabled.
    var dueAt: Duration? {
        isRunning || !configuration.isEnabled ? nil : max(plannedAt, allowedAt)
    }

    /// `dueAt` by the wall clock as it is set now.
    func nextAttempt(at now: Moment) -> Timestamp? {
        dueAt.map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    // MARK: What happens

    /// Takes another configuration; what runs goes on.
    ///
    /// A shorter interval counts from the last attempt. Where another upstream is asked, or another thing of it,
    /// nothing that is planned or known of the last answer holds.
    mutating func reconfigure(_ new: SourceConfiguration, at now: Moment) {
        let old = configuration
        configuration = new
        if !old.asksTheSame(as: new) {
            if (old.kind, old.url) != (new.kind, new.url) { unwelcomeUntil = nil }
            forgetAnswer(at: now)
        } else if state.failureCount == 0 {
            plannedAt = min(plannedAt, (lastAttemptAt ?? now.sinceBoot) + Self.longestInterval(new))
        }
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
    }

    private mutating func forgetAnswer(at now: Moment) {
        state.validators = SourceState.Validators()
        state.cursor = nil
        plannedAt = now.sinceBoot
    }

    /// A source that was taken out of the configuration is back in it: what it owes its upstream is not forgotten.
    mutating func inherit(from departed: SourceSchedule, at now: Moment) {
        lastAttemptAt = departed.lastAttemptAt
        unwelcomeUntil = departed.unwelcomeUntil
        asking = departed.asking
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
    }

    /// An attempt begins.
    mutating func start(at now: Moment) {
        asking = configuration
        lastAttemptAt = now.sinceBoot
        state.lastAttempt = now.wall
    }

    /// The attempt that runs has ended.
    mutating func end(_ outcome: SyncOutcome, at now: Moment, random: inout some RandomNumberGenerator) {
        let asked = asking
        asking = nil
        switch outcome {
        case .succeeded(let validators, let cursor, let new, let refused, let note):
            isUnreachable = false
            self.note = note
            state.validators = validators
            state.cursor = cursor
            state.newInLastSync = new
            state.refusedInLastSync = refused
            state.lastSuccess = now.wall
            state.failingSince = nil
            state.failure = nil
            state.failureCount = 0
            plannedAt = now.sinceBoot + configuration.interval * Double.random(in: 0.9...1.1, using: &random)
        case .cancelled:
            return
        case .failed(let reason, let retryAfter, let isUnreachable):
            self.isUnreachable = isUnreachable
            note = nil
            state.failureCount += 1
            state.failingSince = state.failingSince ?? now.wall
            state.failure = reason
            let wish = min(max(retryAfter ?? .zero, .zero), Self.longestPause)
            unwelcomeUntil = now.sinceBoot + wish
            plannedAt = now.sinceBoot + pause(after: wish, random: &random)
        }
        if asked?.asksTheSame(as: configuration) != true { forgetAnswer(at: now) }
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
    }

    /// What the upstream wishes and, because it may have named the same moment to everybody, anywhere up to the doubled
    /// minute more: full jitter parts those who failed together.
    private func pause(after wish: Duration, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(state.failureCount - 1, 11)
        let backoff = min(Self.firstBackoff * (1 << doublings), Self.longestPause)
        return min(wish + backoff * Double.random(in: 0...1, using: &random), Self.longestPause)
    }
}
