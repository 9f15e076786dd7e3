/// One source: what is known of it, and when it may and should be asked. Schedules run on the boot-time clock.
struct SourceSchedule {
    private(set) var configuration: SourceConfiguration
    private(set) var state: SourceState
    /// Whether no connection came about at the last attempt.
    private(set) var isUnreachable = false
    /// A remark on the last sync, if it was successful.
    private(set) var note: String?
    /// When its interval, or the pause after a failure, is over.
    private var plannedAt: Duration
    private var lastAttemptAt: Duration?
    /// Until then the upstream itself does not want to be asked.
    private var unwelcomeUntil: Duration?
    /// The remaining requests of its rate; nil for no rate.
    private var allowance: RequestAllowance?
    /// How the attempt that runs was configured; nil while none does.
    private var asking: SourceConfiguration?

    private static let firstBackoff: Duration = .seconds(60)
    private static let longestPause: Duration = .seconds(86_400)
    private static let longestSpread: Duration = .seconds(60)
    private static let longestOffline: Duration = .seconds(900)
    private static let spreadAfterOffline: Duration = .seconds(20)

    /// A source that this daemon has not met, with what an earlier one left of it.
    init(_ configuration: SourceConfiguration, resuming state: SourceState, at now: Moment) {
        self.configuration = configuration
        self.state = state
        let isSameQuestion = state.question == nil || state.question == configuration.question
        // An attempt in the future was made before the clock was set back: nobody knows how long ago. Both times are cut
        // to whole microseconds, so the attempt may be one microsecond closer than they say.
        lastAttemptAt = state.lastAttempt.map {
            now.sinceBoot - max(now.wall.timeSince($0) - .microseconds(1), .zero)
        }
        unwelcomeUntil = state.unwelcomeUntil.map {
            now.sinceBoot + Self.credible($0.timeSince(now.wall), upTo: Self.longestPause)
        }
        plannedAt = now.sinceBoot + Self.remainingPause(state, configuration, now)
        allowance = Self.allowance(of: configuration, state, now)
        // What was edited while no daemon ran counts as what is edited while one runs.
        if !isSameQuestion { forgetAnswer(at: now) }
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

    /// Returns the rest of a wait by a clock that may have been set: zero if it is longer than any possible wait.
    private static func credible(_ wait: Duration, upTo longest: Duration) -> Duration {
        wait <= longest ? max(wait, .zero) : .zero
    }

    /// The allowance that an earlier daemon left. A clock that was set back leaves none: better a late request than one
    /// too many.
    private static func allowance(
        of configuration: SourceConfiguration, _ state: SourceState, _ now: Moment
    ) -> RequestAllowance? {
        guard let rate = configuration.allowedRate else { return nil }
        let fresh = RequestAllowance(rate)
        guard let wholeAt = state.allowanceWholeAt else { return fresh }
        let left = min(max(wholeAt.timeSince(now.wall) + .microseconds(1), .zero), fresh.refill)
        return RequestAllowance(rate, wholeAt: now.sinceBoot + left)
    }

    private static func longestInterval(_ configuration: SourceConfiguration) -> Duration {
        configuration.interval * 11 / 10
    }

    // MARK: When

    var isRunning: Bool {
        asking != nil
    }

    /// Whether the attempt that runs asks what is to be asked now.
    var asksWhatIsWanted: Bool {
        configuration.isEnabled && asking?.asksTheSame(as: configuration) == true
    }

    /// From when on anybody may have it asked, since boot: its rate and the upstream's own wish are kept.
    var allowedAt: Duration {
        let byPause = lastAttemptAt.map { $0 + configuration.shortestPause }
        return max(byPause ?? .zero, unwelcomeUntil ?? .zero, allowance?.nextAt ?? .zero)
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
        let isSameServer = old.hasServer(of: new)
        if !isSameServer { (unwelcomeUntil, state.unwelcomeUntil, isUnreachable) = (nil, nil, false) }
        allowance = new.allowedRate.map { rate in
            isSameServer
                ? allowance?.adapted(to: rate, at: now.sinceBoot) ?? RequestAllowance(rate) : RequestAllowance(rate)
        }
        if !old.asksTheSame(as: new) {
            forgetAnswer(at: now)
        } else if state.failureCount == 0 {
            plannedAt = min(plannedAt, (lastAttemptAt ?? now.sinceBoot) + Self.longestInterval(new))
        }
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
    }

    private mutating func forgetAnswer(at now: Moment) {
        state.position = SourcePosition()
        plannedAt = now.sinceBoot
    }

    /// A source that was taken out of the configuration is back in it: what it owes its upstream is not forgotten.
    mutating func inherit(from departed: SourceSchedule, at now: Moment) {
        lastAttemptAt = departed.lastAttemptAt
        unwelcomeUntil = departed.unwelcomeUntil
        allowance = configuration.allowedRate.map { rate in
            departed.allowance?.adapted(to: rate, at: now.sinceBoot) ?? RequestAllowance(rate)
        }
        asking = departed.asking
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
    }

    /// An attempt begins.
    mutating func start(at now: Moment) {
        asking = configuration
        lastAttemptAt = now.sinceBoot
        state.lastAttempt = now.wall
        state.question = configuration.question
    }

    /// Returns whether a request may be sent now, and counts it.
    mutating func admitRequest(at now: Moment) -> RequestAnswer {
        guard var allowance else { return .admitted }
        let wait = allowance.nextAt - now.sinceBoot
        if wait > .zero { return .after(wait) }
        allowance.take(at: now.sinceBoot)
        self.allowance = allowance
        // Cut to microseconds, it must not come earlier than it is.
        state.allowanceWholeAt = now.wall.advanced(by: allowance.wholeAt - now.sinceBoot + .microseconds(1))
        return .admitted
    }

    /// Returns the number of requests that the rate allows now; nil for no rate.
    func requestsLeft(at now: Moment) -> Int? {
        allowance?.left(at: now.sinceBoot)
    }

    /// The attempt that runs has come that far, and what it brought is stored.
    mutating func advance(to position: SourcePosition) {
        guard isRunning, asking?.asksTheSame(as: configuration) == true else { return }
        state.position = position
    }

    /// The attempt that runs has ended.
    mutating func end(_ outcome: SyncOutcome, at now: Moment, random: inout some RandomNumberGenerator) {
        let asked = asking
        asking = nil
        switch outcome {
        case .succeeded(let report):
            note = report.note
            state.position = report.position
            if report.isPaused && report.seen == 0 {
                // Nothing is known of the source but when it may be asked on.
                plannedAt = max(now.sinceBoot, allowance?.wholeAt ?? now.sinceBoot)
                break
            }
            isUnreachable = false
            state.newInLastSync = report.new
            state.refusedInLastSync = report.refused
            state.lastSuccess = now.wall
            state.unwelcomeUntil = nil
            state.failingSince = nil
            state.failure = nil
            state.failureCount = 0
            plannedAt =
                report.isPaused
                ? max(now.sinceBoot, allowance?.wholeAt ?? now.sinceBoot)
                : now.sinceBoot + configuration.interval * Double.random(in: 0.9...1.1, using: &random)
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
            state.unwelcomeUntil = wish > .zero ? now.wall.advanced(by: wish + .microseconds(1)) : nil
            plannedAt = now.sinceBoot + pause(after: wish, random: &random)
        }
        if asked?.asksTheSame(as: configuration) != true { forgetAnswer(at: now) }
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
        // A daemon that starts elsewhere, or tomorrow, may well reach what this one could not.
        let soon = now.wall.advanced(by: Self.longestOffline)
        if isUnreachable { state.nextAttempt = state.nextAttempt.map { min($0, soon) } }
    }

    /// What the upstream wishes and, because it may have named the same moment to everybody, anywhere up to the doubled
    /// minute more: full jitter parts those who failed together.
    private func pause(after wish: Duration, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(state.failureCount - 1, 11)
        let backoff = min(Self.firstBackoff * (1 << doublings), Self.longestPause)
        return min(wish + backoff * Double.random(in: 0...1, using: &random), Self.longestPause)
    }

    // MARK: Offline

    /// The time since boot when to try the network again; nil if the last sync says nothing about the network.
    var nextProbeAt: Duration? {
        guard usesNetwork else { return nil }
        return lastAttemptAt.map { min(plannedAt, $0 + Self.longestOffline) }
    }

    /// Whether it is one of those that may be asked to see whether the network is back.
    var isProbe: Bool {
        usesNetwork && !isRunning
    }

    /// The time since boot; in the distant past if it was never synced.
    var lastAttempt: Duration {
        lastAttemptAt ?? .zero
    }

    /// Whether it is enabled and needs the network.
    var usesNetwork: Bool {
        configuration.isEnabled && configuration.kind.traits.usesNetwork
    }

    /// The network is back: what failed for want of it is asked soon, not all in the same second.
    mutating func networkReturned(at now: Moment, random: inout some RandomNumberGenerator) {
        guard isUnreachable else { return }
        plannedAt = now.sinceBoot + Self.spreadAfterOffline * Double.random(in: 0...1, using: &random)
        state.nextAttempt = nextAttempt(at: now) ?? state.nextAttempt
    }
}
