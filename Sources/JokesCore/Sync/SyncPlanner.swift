/// Decides when to sync each source. Pure: the time and random numbers come in as values.
///
/// A source is synced at its interval, varied by a tenth so that machines do not act at the same time. After a failure,
/// the next try is after a random time below a minute, which doubles with each failure up to a day (full jitter). A
/// pause that the service asks for is kept up to a day. There is a minimum time between two syncs, and the rate of the
/// source admits each request. While no source can be reached, only one is tried. Schedules use the boot-time clock.
package struct SyncPlanner: Sendable {
    private var schedules: [String: SourceSchedule] = [:]
    /// Removed sources, while a sync runs or another one would be too soon.
    private var departed: [String: SourceSchedule] = [:]
    /// The servers of probes that are not those of a source, until their rates are not used any more.
    private var probed: [SourceSchedule] = []
    /// The names in the order of the configuration, with disabled sources.
    package private(set) var order: [String] = []

    package init() {}

    // MARK: Sources

    /// Sets the sources of a configuration, with their stored states. A duplicate name counts once.
    ///
    /// A source that stays keeps its schedule and its running sync. A source with other requests is due as soon as its rate
    /// allows, without validators. An implausible stored time is ignored, so that a clock that was set back does not delay
    /// a source. An overdue source is synced within a minute.
    package mutating func configure(
        _ configurations: [SourceConfiguration], states: [String: SourceState], now: Moment
    ) {
        var old = schedules
        schedules = [:]
        order = []
        for configuration in configurations where schedules[configuration.name] == nil {
            let name = configuration.name
            order.append(name)
            if let kept = old.removeValue(forKey: name) {
                schedules[name] = kept
                schedules[name]?.reconfigure(configuration, at: now)
            } else {
                schedules[name] = SourceSchedule(configuration, resuming: states[name] ?? SourceState(), at: now)
                if let earlier = departed.removeValue(forKey: name) {
                    schedules[name]?.inherit(from: earlier, at: now)
                } else if let probe = probed.first(where: { $0.configuration.hasServer(of: configuration) }) {
                    schedules[name]?.count(probe, at: now)
                }
            }
        }
        departed = departed.merging(old) { $1 }.filter { $0.value.isRunning || $0.value.allowedAt > now.sinceBoot }
    }

    /// Returns a planner in which all sources are due, from the beginning. Their rates stay. No sync may be running.
    package func restarted(at now: Moment) -> SyncPlanner {
        var restarted = SyncPlanner()
        let states = schedules.mapValues { schedule in
            var state = schedule.state
            (state.validators, state.cursor, state.requestSignature, state.nextAttempt) = (.init(), nil, nil, nil)
            return state
        }
        restarted.configure(order.compactMap { schedules[$0]?.configuration }, states: states, now: now)
        return restarted
    }

    // MARK: Syncs

    /// Returns the sources to sync now, in the order of the configuration. They are running until `ended`.
    package mutating func startDue(at now: Moment) -> [String] {
        let times = dueTimes
        let due = order.filter { name in times[name].map { $0 <= now.sinceBoot } ?? false }
        for name in due { schedules[name]?.start(at: now) }
        return due
    }

    /// Starts a sync of a source if its rate allows it.
    package mutating func refresh(_ name: String, at now: Moment) -> RefreshAnswer {
        guard let schedule = schedules[name] else { return .noSuchSource }
        guard schedule.configuration.isEnabled else { return .disabled }
        if schedule.isRunning { return .alreadyRunning }
        let wait = schedule.allowedAt - now.sinceBoot
        if wait > .zero { return .tooSoon(retryAfter: wait) }
        schedules[name]?.start(at: now)
        return .started
    }

    /// Returns whether a request may be sent now, and counts it. The caller must store `state(of:)` before the request,
    /// so that the rate is also kept after a restart.
    package mutating func admitRequest(of name: String, at now: Moment) -> RequestAnswer {
        if departed[name]?.isRunning == true { return departed[name]?.admitRequest(at: now) ?? .admitted }
        return schedules[name]?.admitRequest(at: now) ?? .admitted
    }

    /// Notes the position of a running sync. After a failure, the next sync continues there.
    package mutating func advance(_ name: String, to position: SourcePosition) {
        schedules[name]?.advance(to: position)
    }

    /// Notes the end of a sync. Returns the state to store; nil if the source was removed.
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

    // MARK: Probes

    /// The maximum number of servers in `probed`.
    private static let maxProbed = 100

    /// Starts requests outside of a sync, for a source that may be disabled or not configured. Returns the time to wait if the
    /// rate or the minimum pause of its server does not allow them yet; nil if they may be sent.
    package mutating func startProbe(of source: SourceConfiguration, at now: Moment) -> Duration? {
        var schedule = scheduleForProbe(of: source) ?? SourceSchedule(source, resuming: SourceState(), at: now)
        let wait = schedule.allowedAt - now.sinceBoot
        if wait > .zero { return wait }
        probed.removeAll { $0.isUnused(at: now.sinceBoot) }
        // A person does not probe this many servers in so short a time.
        if probed.count >= Self.maxProbed { return SourceTraits.pauseOfServices }
        schedule.startProbe(at: now)
        store(schedule, forProbeOf: source)
        return nil
    }

    /// Returns whether a probe may send a request now, and counts it. If `nameForProbe` has a name, the caller must store the
    /// state of this source before the request, as for a sync.
    package mutating func admitProbeRequest(of source: SourceConfiguration, at now: Moment) -> RequestAnswer {
        guard var schedule = scheduleForProbe(of: source) else { return .admitted }
        let answer = schedule.admitRequest(at: now)
        store(schedule, forProbeOf: source)
        return answer
    }

    /// Notes the pause that the server of a probe has asked for.
    package mutating func pauseAfterProbe(of source: SourceConfiguration, retryAfter: Duration, at now: Moment) {
        guard var schedule = scheduleForProbe(of: source) else { return }
        schedule.pauseAfterProbe(retryAfter: retryAfter, at: now)
        store(schedule, forProbeOf: source)
    }

    private func scheduleForProbe(of source: SourceConfiguration) -> SourceSchedule? {
        nameForProbe(of: source).flatMap { schedules[$0] }
            ?? probed.first { $0.configuration.hasServer(of: source) }
    }

    private mutating func store(_ schedule: SourceSchedule, forProbeOf source: SourceConfiguration) {
        if let name = nameForProbe(of: source) {
            schedules[name] = schedule
        } else {
            probed.removeAll { $0.configuration.hasServer(of: source) }
            probed.append(schedule)
        }
    }

    /// The name of the configured source whose rate a probe uses; nil if no source has its server.
    package func nameForProbe(of source: SourceConfiguration) -> String? {
        if schedules[source.name]?.configuration.hasServer(of: source) == true { return source.name }
        return order.first { schedules[$0]?.configuration.hasServer(of: source) == true }
    }

    // MARK: State

    /// The time since boot when the next source is due; nil if none is.
    package var nextDue: Duration? { dueTimes.values.min() }

    /// The times since boot when sources are due. While offline, only one network source is tried, another one each
    /// time, because one of them may never be reachable.
    private var dueTimes: [String: Duration] {
        guard isOffline else { return schedules.compactMapValues(\.dueAt) }
        var times = schedules.filter { !$0.value.usesNetwork }.compactMapValues(\.dueAt)
        let remote = order.compactMap { name in schedules[name].map { (name: name, schedule: $0) } }
            .filter(\.schedule.usesNetwork)
        let tried = remote.max { $0.schedule.lastAttempt < $1.schedule.lastAttempt }
        let isProbing = remote.contains(where: \.schedule.isRunning)
        guard !isProbing, let next = tried?.schedule.nextProbeAt else { return times }
        // The source that may be synced first; of several, the one with the oldest sync.
        let probes = remote.map { (name: $0.name, at: max(next, $0.schedule.allowedAt), last: $0.schedule.lastAttempt) }
        if let probe = probes.min(by: { ($0.at, $0.last) < ($1.at, $1.last) }) { times[probe.name] = probe.at }
        return times
    }

    /// Returns the time of the next sync of a source; nil if it is running, disabled or waiting for the network.
    package func nextAttempt(of name: String, at now: Moment) -> Timestamp? {
        dueTimes[name].map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    /// Returns the time of the next sync of any source; nil if there is none.
    package func nextSync(at now: Moment) -> Timestamp? {
        nextDue.map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    /// The time of the last successful sync of any source.
    package var lastSuccess: Timestamp? { schedules.values.compactMap(\.state.lastSuccess).max() }

    /// Returns the number of requests that the rate of a source allows now; nil for no rate.
    package func requestsLeft(of name: String, at now: Moment) -> Int? {
        schedules[name]?.requestsLeft(at: now)
    }

    /// The sources that are being synced, in the order of the configuration.
    package var running: [String] { order.filter { schedules[$0]?.isRunning == true } }

    /// True if there are network sources, and none could connect at its last sync.
    package var isOffline: Bool {
        let remote = schedules.values.filter(\.usesNetwork)
        return !remote.isEmpty && remote.allSatisfy(\.isUnreachable)
    }

    /// The enabled sources with a failed last sync, in the order of the configuration.
    package var failing: [String] {
        order.filter { schedules[$0].map { $0.configuration.isEnabled && $0.state.failureCount > 0 } ?? false }
    }

    package func state(of name: String) -> SourceState? { schedules[name]?.state }

    /// Returns a remark on the last successful sync of a source; nil if there is none.
    package func note(of name: String) -> String? { schedules[name]?.note }

    /// Returns whether a running sync has the requests of the current configuration.
    package func hasCurrentRequests(_ name: String) -> Bool {
        departed[name]?.isRunning != true && schedules[name]?.hasCurrentRequests == true
    }

    package func configuration(of name: String) -> SourceConfiguration? { schedules[name]?.configuration }
}

/// The current time of both clocks: schedules use the first one, people and the store the second one.
package struct Moment: Hashable, Sendable {
    /// The time since the machine was booted, with suspension. It cannot be set.
    package var sinceBoot: Duration
    package var wall: Timestamp

    package init(sinceBoot: Duration, wall: Timestamp) {
        (self.sinceBoot, self.wall) = (sinceBoot, wall)
    }
}
