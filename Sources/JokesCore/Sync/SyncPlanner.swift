/// Now, by both clocks: schedules run on the first, people and the store read the second.
package struct Moment: Hashable, Sendable {
    /// Time since boot, counted through suspend; nobody can set it.
    package var sinceBoot: Duration
    package var wall: Timestamp

    package init(sinceBoot: Duration, wall: Timestamp) {
        self.sinceBoot = sinceBoot
        self.wall = wall
    }
}

/// How an attempt to sync a source ended.
package enum SyncOutcome: Hashable, Sendable {
    /// The note is for people, where it went well and yet not as usual.
    case succeeded(
        validators: SourceState.Validators, cursor: String?, new: Int, refused: Int, note: String? = nil)
    /// The reason is in words for people. `retryAfter` is what the upstream asked for. `isUnreachable` where no
    /// connection came about, as on a train.
    case failed(reason: String, retryAfter: Duration? = nil, isUnreachable: Bool = false)
}

/// What came of the wish to refresh a source now.
package enum RefreshAnswer: Hashable, Sendable {
    case started
    case alreadyRunning
    /// The source's rate does not allow it before that much time has passed.
    case tooSoon(retryAfter: Duration)
    case disabled
    case noSuchSource
}

/// Decides which source is asked when. Pure: clocks and chance come in, names of sources to ask come out.
///
/// A source is asked at its interval, spread by a tenth so that machines do not ask in step. A failure is tried again
/// after a minute, doubled with each further one up to a day, anywhere below that (full jitter), never giving up, and
/// never before the upstream's own wish. Schedules run on the boot-time clock: setting the wall clock moves nothing.
package struct SyncPlanner: Sendable {
    private struct Entry {
        var configuration: SourceConfiguration
        var state: SourceState
        var dueAt: Duration
        var isRunning = false
        var isUnreachable = false
        var note: String?
        /// Nil where this daemon has not asked it yet.
        var lastAttemptAt: Duration?
    }

    private var entries: [String: Entry] = [:]
    /// The names in the configuration's order, disabled sources included.
    package private(set) var order: [String] = []

    static let firstBackoff: Duration = .seconds(60)
    static let longestPause: Duration = .seconds(86_400)

    package init() {}

    // MARK: Sources

    /// Takes the sources of a configuration, new or changed, with what is known of them from earlier.
    ///
    /// A source that stays keeps its schedule and its running attempt; a shorter interval counts from its last
    /// attempt. What an earlier daemon planned by the wall clock is believed up to the source's longest pause, so
    /// that a clock set back a year does not stall it.
    package mutating func configure(
        _ configurations: [SourceConfiguration], states: [String: SourceState], now: Moment
    ) {
        var kept: [String: Entry] = [:]
        for configuration in configurations {
            let name = configuration.name
            if var entry = entries[name] {
                let latest = (entry.lastAttemptAt ?? now.sinceBoot) + Self.longestRegularPause(configuration)
                if entry.state.failureCount == 0 { entry.dueAt = min(entry.dueAt, latest) }
                entry.configuration = configuration
                kept[name] = entry
            } else {
                let state = states[name] ?? SourceState()
                let pause = Self.remainingPause(state, configuration, now)
                kept[name] = Entry(configuration: configuration, state: state, dueAt: now.sinceBoot + pause)
            }
        }
        entries = kept
        order = configurations.map(\.name)
    }

    private static func remainingPause(
        _ state: SourceState, _ configuration: SourceConfiguration, _ now: Moment
    ) -> Duration {
        guard let planned = state.nextAttempt else { return .zero }
        let longest = state.failureCount > 0 ? longestPause : longestRegularPause(configuration)
        return min(max(planned.timeSince(now.wall), .zero), longest)
    }

    private static func longestRegularPause(_ configuration: SourceConfiguration) -> Duration {
        configuration.interval * 11 / 10
    }

    // MARK: Asking

    /// The sources to ask now, in the configuration's order; from here on they run until `ended`.
    package mutating func startDue(at now: Moment) -> [String] {
        let due = order.filter { name in
            entries[name].map { $0.configuration.isEnabled && !$0.isRunning && $0.dueAt <= now.sinceBoot } ?? false
        }
        for name in due { start(name, at: now) }
        return due
    }

    /// Somebody wants a source asked now: at once, but no faster than the source's rate.
    package mutating func refresh(_ name: String, at now: Moment) -> RefreshAnswer {
        guard let entry = entries[name] else { return .noSuchSource }
        guard entry.configuration.isEnabled else { return .disabled }
        if entry.isRunning { return .alreadyRunning }
        if let last = entry.lastAttemptAt {
            let allowed = last + entry.configuration.kind.shortestPause
            if allowed > now.sinceBoot { return .tooSoon(retryAfter: allowed - now.sinceBoot) }
        }
        start(name, at: now)
        return .started
    }

    private mutating func start(_ name: String, at now: Moment) {
        entries[name]?.isRunning = true
        entries[name]?.lastAttemptAt = now.sinceBoot
        entries[name]?.state.lastAttempt = now.wall
    }

    /// An attempt has ended; the answer is what the store keeps of the source now, nil where it is configured no more.
    package mutating func ended(
        _ name: String, _ outcome: SyncOutcome, at now: Moment, random: inout some RandomNumberGenerator
    ) -> SourceState? {
        guard var entry = entries[name] else { return nil }
        entry.isRunning = false
        let pause: Duration
        switch outcome {
        case .succeeded(let validators, let cursor, let new, let refused, let note):
            entry.note = note
            entry.state.validators = validators
            entry.state.cursor = cursor
            entry.state.newInLastSync = new
            entry.state.refusedInLastSync = refused
            entry.state.lastSuccess = now.wall
            entry.state.failingSince = nil
            entry.state.failure = nil
            entry.state.failureCount = 0
            entry.isUnreachable = false
            pause = entry.configuration.interval * Double.random(in: 0.9...1.1, using: &random)
        case .failed(let reason, let retryAfter, let isUnreachable):
            entry.isUnreachable = isUnreachable
            entry.state.failureCount += 1
            entry.state.failingSince = entry.state.failingSince ?? now.wall
            entry.state.failure = reason
            let backoff = Self.backoff(afterFailures: entry.state.failureCount, random: &random)
            let wish = min(retryAfter ?? .zero, Self.longestPause)
            pause = max(backoff, wish, entry.configuration.kind.shortestPause)
        }
        entry.dueAt = now.sinceBoot + pause
        entry.state.nextAttempt = now.wall.advanced(by: pause)
        entries[name] = entry
        return entry.state
    }

    /// Anywhere between nothing and the doubled minute: full jitter spreads those who failed together.
    private static func backoff(afterFailures count: Int, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(count - 1, 11)
        let longest = min(firstBackoff * (1 << doublings), longestPause)
        return longest * Double.random(in: 0...1, using: &random)
    }

    // MARK: Looking

    /// When the next source is due, since boot; nil where nothing waits.
    package var nextDue: Duration? {
        entries.values.filter { $0.configuration.isEnabled && !$0.isRunning }.map(\.dueAt).min()
    }

    /// The enabled sources that are being asked, in the configuration's order.
    package var running: [String] {
        order.filter { entries[$0]?.isRunning == true }
    }

    /// True where every source that needs the network, and there is one, failed to connect at its last attempt.
    package var isOffline: Bool {
        let remote = entries.values.filter { $0.configuration.isEnabled && $0.configuration.kind.usesNetwork }
        return !remote.isEmpty && remote.allSatisfy(\.isUnreachable)
    }

    /// The enabled sources whose last attempt failed, in the configuration's order.
    package var failing: [String] {
        order.filter { entries[$0].map { $0.configuration.isEnabled && $0.state.failureCount > 0 } ?? false }
    }

    /// What is known of a source; nil where it is not configured.
    package func state(of name: String) -> SourceState? {
        entries[name]?.state
    }

    /// What there is to say of a source's last attempt, which did not fail; nil where there is nothing.
    package func note(of name: String) -> String? {
        entries[name]?.note
    }

    /// How a source is configured; nil where it is not.
    package func configuration(of name: String) -> SourceConfiguration? {
        entries[name]?.configuration
    }
}

extension SourceKind {
    /// Between two attempts lies at least this, whoever asks: the upstream's own rate, with room to spare.
    package var shortestPause: Duration {
        switch self {
        // 100 requests in 15 minutes for each address; a sync is one or two.
        case .officialJokeAPI: .seconds(20)
        case .fortune: .seconds(1)
        }
    }
}
