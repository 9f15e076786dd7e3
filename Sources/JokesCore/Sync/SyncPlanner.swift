/// How an attempt to sync a source ended.
package enum SyncOutcome: Hashable, Sendable {
    /// The note is for people, where it went well and yet not as usual.
    case succeeded(
        validators: SourceState.Validators, cursor: String?, new: Int, refused: Int, note: String? = nil)
    /// It was given up for reasons of our own, as at a stop: nothing is known of the source.
    case cancelled
    /// The reason is in words for people. `retryAfter` is what the upstream asked for. `isUnreachable` where no
    /// connection came about, as on a train.
    case failed(reason: String, retryAfter: Duration? = nil, isUnreachable: Bool = false)
}

/// What came of the wish to refresh a source now.
package enum RefreshAnswer: Hashable, Sendable {
    case started
    case alreadyRunning
    /// The source's rate, or the upstream's own wish, does not allow it before that much time has passed.
    case tooSoon(retryAfter: Duration)
    case disabled
    case noSuchSource
}

/// Decides which source is asked when. Pure: clocks and chance come in, names of sources to ask come out.
///
/// A source is asked at its interval, spread by a tenth so that machines do not ask in step. A failure is tried again
/// after a minute, doubled with each further one up to a day, anywhere below that (full jitter), never giving up, and
/// never before the upstream's own wish, as far as that is no longer than a day. Between two attempts always lies the
/// source's shortest pause, whoever wants them. Schedules run on the boot-time clock: setting the wall clock moves
/// nothing.
package struct SyncPlanner: Sendable {
    private var schedules: [String: SourceSchedule] = [:]
    /// Sources that are configured no more, as long as an attempt runs or the next would come too soon.
    private var departed: [String: SourceSchedule] = [:]
    /// The names in the configuration's order, disabled sources included.
    package private(set) var order: [String] = []

    package init() {}

    // MARK: Sources

    /// Takes the sources of a configuration, new or changed, with what an earlier daemon left of them. A name that
    /// comes twice counts once.
    ///
    /// A source that stays keeps its schedule and its running attempt; a shorter interval counts from its last attempt.
    /// One that now asks another upstream, or another thing of it, is asked as soon as the rate allows, and without the
    /// validators of the old answer. What an earlier daemon planned by the wall clock is believed as far as that clock
    /// does not deny it, so that setting it back does not stall a source; one that is overdue is asked within a minute.
    package mutating func configure(
        _ configurations: [SourceConfiguration], states: [String: SourceState], now: Moment
    ) {
        var old = schedules
        schedules = [:]
        order = []
        for configuration in configurations where schedules[configuration.name] == nil {
            let name = configuration.name
            order.append(name)
            if var schedule = old.removeValue(forKey: name) {
                schedule.reconfigure(configuration, at: now)
                schedules[name] = schedule
            } else {
                var schedule = SourceSchedule(configuration, resuming: states[name] ?? SourceState(), at: now)
                if let earlier = departed.removeValue(forKey: name) { schedule.inherit(from: earlier, at: now) }
                schedules[name] = schedule
            }
        }
        departed = departed.merging(old) { $1 }.filter { $0.value.isRunning || $0.value.allowedAt > now.sinceBoot }
    }

    // MARK: Asking

    /// The sources to ask now, in the configuration's order; from here on they run until `ended`.
    package mutating func startDue(at now: Moment) -> [String] {
        let due = order.filter { name in
            schedules[name]?.dueAt.map { $0 <= now.sinceBoot } ?? false
        }
        for name in due { schedules[name]?.start(at: now) }
        return due
    }

    /// Somebody wants a source asked now: at once, but no faster than the source's rate.
    package mutating func refresh(_ name: String, at now: Moment) -> RefreshAnswer {
        guard let schedule = schedules[name] else { return .noSuchSource }
        guard schedule.configuration.isEnabled else { return .disabled }
        if schedule.isRunning { return .alreadyRunning }
        let wait = schedule.allowedAt - now.sinceBoot
        if wait > .zero { return .tooSoon(retryAfter: wait) }
        schedules[name]?.start(at: now)
        return .started
    }

    /// An attempt has ended; the answer is what the store keeps of the source now, nil where it is configured no more.
    package mutating func ended(
        _ name: String, _ outcome: SyncOutcome, at now: Moment, random: inout some RandomNumberGenerator
    ) -> SourceState? {
        departed[name]?.end(outcome, at: now, random: &random)
        guard schedules[name]?.isRunning == true else { return nil }
        schedules[name]?.end(outcome, at: now, random: &random)
        return schedules[name]?.state
    }

    // MARK: Looking

    /// When the next source is due, since boot; nil where nothing waits.
    package var nextDue: Duration? {
        schedules.values.compactMap(\.dueAt).min()
    }

    /// When a source is asked next, by the wall clock as it is set now; nil while it runs, is disabled, or is not
    /// configured.
    package func nextAttempt(of name: String, at now: Moment) -> Timestamp? {
        schedules[name]?.nextAttempt(at: now)
    }

    /// The sources that are being asked, in the configuration's order.
    package var running: [String] {
        order.filter { schedules[$0]?.isRunning == true }
    }

    /// True where every source that needs the network, and there is one, failed to connect at its last attempt.
    package var isOffline: Bool {
        let remote = schedules.values.filter { $0.configuration.isEnabled && $0.configuration.kind.traits.usesNetwork }
        return !remote.isEmpty && remote.allSatisfy(\.isUnreachable)
    }

    /// The enabled sources whose last attempt failed, in the configuration's order.
    package var failing: [String] {
        order.filter { schedules[$0].map { $0.configuration.isEnabled && $0.state.failureCount > 0 } ?? false }
    }

    /// What is known of a source; nil where it is not configured.
    package func state(of name: String) -> SourceState? {
        schedules[name]?.state
    }

    /// What there is to say of a source's last attempt, which did not fail; nil where there is nothing.
    package func note(of name: String) -> String? {
        schedules[name]?.note
    }

    /// How a source is configured; nil where it is not.
    package func configuration(of name: String) -> SourceConfiguration? {
        schedules[name]?.configuration
    }
}
