/// Decides which source is asked when. Pure: clocks and chance come in, names of sources to ask come out.
///
/// A source is asked at its interval, spread by a tenth so that machines do not ask in step. A failure is tried again
/// after a minute, doubled with each further one up to a day, anywhere below that (full jitter), never giving up, and
/// never before the upstream's own wish, as far as that is no longer than a day. Between two attempts always lies the
/// source's shortest pause, whoever wants them; each request of an attempt is admitted one by one, as the source's rate
/// allows. While no source can be reached, one is tried for all. Schedules run on the boot-time clock: setting the wall
/// clock moves nothing.
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

    /// As if none of the jokes had come: sources are due, and asked without validators and from the beginning. What their
    /// rates allow stays as it is. No attempt may run.
    package func beginningAnew(at now: Moment) -> SyncPlanner {
        var anew = SyncPlanner()
        let states = schedules.mapValues { schedule in
            var state = schedule.state
            (state.validators, state.cursor, state.question, state.nextAttempt) = (.init(), nil, nil, nil)
            return state
        }
        anew.configure(order.compactMap { schedules[$0]?.configuration }, states: states, now: now)
        return anew
    }

    // MARK: Asking

    /// The sources to ask now, in the configuration's order; from here on they run until `ended`.
    package mutating func startDue(at now: Moment) -> [String] {
        let times = dueTimes
        let due = order.filter { name in times[name].map { $0 <= now.sinceBoot } ?? false }
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

    /// Whether a request to a source that is being asked may go out now; counts it where it may. What `state(of:)` says
    /// then is to be stored before it goes out, so that a daemon that starts again keeps to the rate.
    package mutating func admitRequest(of name: String, at now: Moment) -> RequestAnswer {
        if departed[name]?.isRunning == true { return departed[name]?.admitRequest(at: now) ?? .admitted }
        return schedules[name]?.admitRequest(at: now) ?? .admitted
    }

    /// The attempt that runs has come that far, and what it brought is stored: where it fails, the next goes on there.
    package mutating func advance(_ name: String, to position: SourcePosition) {
        schedules[name]?.advance(to: position)
    }

    /// An attempt has ended; the answer is what the store keeps of the source now, nil where it is configured no more.
    package mutating func ended(
        _ name: String, _ outcome: SyncOutcome, at now: Moment, random: inout some RandomNumberGenerator
    ) -> SourceState? {
        departed[name]?.end(outcome, at: now, random: &random)
        guard schedules[name]?.isRunning == true else { return nil }
        let wasOffline = isOffline
        schedules[name]?.end(outcome, at: now, random: &random)
        if wasOffline && !isOffline {
            for name in order { schedules[name]?.networkReturned(at: now, random: &random) }
        }
        return schedules[name]?.state
    }

    // MARK: Looking

    /// When the next source is due, since boot; nil where nothing waits.
    package var nextDue: Duration? {
        dueTimes.values.min()
    }

    /// When each source is due, since boot. While offline, one source at a time stands for all that need the network, each
    /// in its turn: who cannot be reached need not be asked by everyone, and one that never can be must not be the probe.
    private var dueTimes: [String: Duration] {
        guard isOffline else { return schedules.compactMapValues(\.dueAt) }
        var times = schedules.filter { !$0.value.usesNetwork }.compactMapValues(\.dueAt)
        let isProbing = schedules.values.contains { $0.usesNetwork && $0.isRunning }
        let tried = order.compactMap { schedules[$0] }.filter(\.usesNetwork).max { $0.lastAttempt < $1.lastAttempt }
        guard !isProbing, let next = tried?.nextProbeAt else { return times }
        // Whoever may be asked first, of those the one that was asked least lately.
        let probes = order.compactMap { name in schedules[name].map { (name: name, schedule: $0) } }
            .filter(\.schedule.isProbe)
            .map { (name: $0.name, at: max(next, $0.schedule.allowedAt), last: $0.schedule.lastAttempt) }
        if let probe = probes.min(by: { ($0.at, $0.last) < ($1.at, $1.last) }) { times[probe.name] = probe.at }
        return times
    }

    /// When a source is asked next, by the wall clock as it is set now; nil while it runs, is disabled, waits for the
    /// network to be back, or is not configured.
    package func nextAttempt(of name: String, at now: Moment) -> Timestamp? {
        dueTimes[name].map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    /// When the next source is asked, by the wall clock; nil if none is.
    package func nextSync(at now: Moment) -> Timestamp? {
        nextDue.map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    /// When a source last answered.
    package var lastSuccess: Timestamp? {
        schedules.values.compactMap(\.state.lastSuccess).max()
    }

    /// How many requests a source's rate allows now; nil where it has none.
    package func requestsLeft(of name: String, at now: Moment) -> Int? {
        schedules[name]?.requestsLeft(at: now)
    }

    /// The sources that are being asked, in the configuration's order.
    package var running: [String] {
        order.filter { schedules[$0]?.isRunning == true }
    }

    /// True where every source that needs the network, and there is one, failed to connect at its last attempt.
    package var isOffline: Bool {
        let remote = schedules.values.filter(\.usesNetwork)
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

    /// Whether a source that is being asked is asked what the configuration wants to know of it.
    package func asksWhatIsWanted(_ name: String) -> Bool {
        departed[name]?.isRunning != true && schedules[name]?.asksWhatIsWanted == true
    }

    /// How a source is configured; nil where it is not.
    package func configuration(of name: String) -> SourceConfiguration? {
        schedules[name]?.configuration
    }
}
