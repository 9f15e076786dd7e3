/// Decides when to sync each source, and when to send each request. Pure: the time and random numbers come in as values.
///
/// A source is synced at its interval, varied by a tenth so that machines do not act at the same time. After a failure,
/// the next try is after a random time below a minute, which doubles with each failure up to a day (full jitter). There is
/// a minimum time between two syncs of a source. Its server admits each request (`ServerLimits`). While no source can be
/// reached, each is tried at least every 15 minutes. Schedules use the boot-time clock.
package struct SyncPlanner: Sendable {
    private var schedules: [String: SourceSchedule] = [:]
    /// The servers of the sources and of recent probes.
    private var servers: [Server: ServerLimits] = [:]
    /// The configurations of the running syncs, also of sources that were removed since.
    private var syncing: [String: SourceConfiguration] = [:]
    /// The names in the order of the configuration, with disabled sources.
    package private(set) var order: [String] = []

    package init() {}

    // MARK: Sources

    /// Sets the sources of a configuration, with their stored states. A duplicate name counts once.
    ///
    /// A source that stays keeps its schedule and its running sync. A source with other requests is due as soon as its server
    /// allows. An implausible stored time is ignored, so that a clock that was set back does not delay a source. An overdue
    /// source is synced within a minute.
    package mutating func configure(
        _ configurations: [SourceConfiguration], states: [String: SourceState], now: Moment
    ) {
        var old = schedules
        var added: [(server: Server, state: SourceState)] = []
        schedules = [:]
        order = []
        for configuration in configurations where schedules[configuration.name] == nil {
            let name = configuration.name
            order.append(name)
            if var kept = old.removeValue(forKey: name) {
                kept.reconfigure(configuration, at: now)
                schedules[name] = kept
            } else {
                let state = states[name] ?? SourceState()
                schedules[name] = SourceSchedule(configuration, resuming: state, at: now)
                if let server = configuration.server { added.append((server, state)) }
            }
        }
        let shared = Dictionary(grouping: order.compactMap { schedules[$0]?.configuration }, by: \.server)
        for case (let server?, let sources) in shared {
            servers[server, default: ServerLimits(of: sources)].adopt(sources, at: now)
        }
        for (server, state) in added { servers[server]?.resume(state, at: now) }
        servers = servers.filter { shared[$0.key] != nil || !$0.value.isUnused(at: now.sinceBoot) }
        for name in order { updateNextAttempt(of: name, at: now) }
    }

    /// Returns a planner in which all sources are due. What their servers allow stays. No sync may be running.
    package func restarted(at now: Moment) -> SyncPlanner {
        var restarted = SyncPlanner()
        restarted.servers = servers
        let states = schedules.mapValues { schedule in
            var state = schedule.state
            (state.requestSignature, state.lastAttempt, state.nextAttempt) = (nil, nil, nil)
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
        for name in due { start(name, at: now) }
        return due
    }

    /// Starts a sync of a source if its server allows it.
    package mutating func refresh(_ name: String, at now: Moment) -> RefreshAnswer {
        guard let schedule = schedules[name] else { return .noSuchSource }
        guard schedule.configuration.isEnabled else { return .disabled }
        if syncing[name] != nil { return .alreadyRunning }
        let wait = allowedAt(schedule) - now.sinceBoot
        if wait > .zero {
            let reason = schedule.configuration.server.flatMap { server in
                servers[server]?.pauseReason(until: now.sinceBoot + wait, server, at: now)
            }
            return .tooSoon(retryAfter: wait, reason: reason)
        }
        start(name, at: now)
        return .started
    }

    private mutating func start(_ name: String, at now: Moment) {
        syncing[name] = schedules[name]?.configuration
        schedules[name]?.start(at: now)
    }

    /// Notes the end of a sync. Returns the state to store; nil if the source was removed.
    package mutating func ended(
        _ name: String, _ outcome: SyncOutcome, at now: Moment, random: inout some RandomNumberGenerator
    ) -> SourceState? {
        guard let ended = syncing.removeValue(forKey: name), var schedule = schedules[name] else { return nil }
        let wasOffline = isOffline
        schedule.end(outcome, at: now, continuingAt: limits(of: schedule)?.fullAt ?? .zero, random: &random)
        if !ended.sendsSameRequests(as: schedule.configuration) { schedule.plannedAt = now.sinceBoot }
        schedules[name] = schedule
        updateNextAttempt(of: name, at: now)
        if wasOffline && !isOffline {
            for name in order {
                schedules[name]?.networkReturned(at: now, random: &random)
                updateNextAttempt(of: name, at: now)
            }
        }
        return schedules[name]?.state
    }

    // MARK: Requests

    /// The maximum number of servers of probes: a person does not probe this many in so short a time.
    private static let maxProbed = 100

    /// Returns whether a request of a source, a probe or a test may be sent now. `requestEnded` must follow an admitted one.
    ///
    /// The caller must store the states of `sources(sharingServerOf:)` before the request, so that the rate is also kept
    /// after a restart.
    package mutating func admitRequest(of source: SourceConfiguration, at now: Moment) -> RequestAnswer {
        guard let server = source.server else { return .admitted }
        let isNew = isNew(source)
        return change(server, for: source, at: now) { $0.admitRequest(of: source, isNew: isNew, to: server, at: now) }
    }

    /// Notes the end of a request, and the pause that its answer asks for.
    package mutating func requestEnded(of source: SourceConfiguration, retryAfter: Duration?, at now: Moment) {
        guard let server = source.server else { return }
        change(server, for: source, at: now) { $0.requestEnded(of: source, retryAfter: retryAfter, at: now) }
    }

    /// Begins a probe or a test, whose requests are outside of a sync. The next ones and the next syncs of their server keep
    /// the minimum pause. A pause that another URL has asked for does not concern a probe. The answer is not `busy`.
    package mutating func startProbe(of source: SourceConfiguration, at now: Moment) -> RequestAnswer {
        guard let server = source.server else { return .admitted }
        servers = servers.filter { isConfigured($0.key) || !$0.value.isUnused(at: now.sinceBoot) }
        if servers[server] == nil && servers.count(where: { !isConfigured($0.key) }) >= Self.maxProbed {
            return .after(SourceTraits.pauseOfServices, reason: "too many servers were probed")
        }
        let isNew = isNew(source)
        return change(server, for: source, at: now) {
            $0.startProbe(of: source, isNew: isNew, to: server, at: now)
        }
    }

    /// The configured sources that share the server of a source.
    package func sources(sharingServerOf source: SourceConfiguration) -> [String] {
        order.filter { schedules[$0]?.configuration.server == source.server }
    }

    /// True if no source has the URL: a person probes it.
    private func isNew(_ source: SourceConfiguration) -> Bool {
        !schedules.values.contains { $0.configuration.server == source.server && $0.configuration.url == source.url }
    }

    private func isConfigured(_ server: Server) -> Bool {
        schedules.values.contains { $0.configuration.server == server }
    }

    /// Changes what a server allows, and notes it in the states of its sources.
    private mutating func change<Result>(
        _ server: Server, for source: SourceConfiguration, at now: Moment, _ body: (inout ServerLimits) -> Result
    ) -> Result {
        var limits = servers[server] ?? ServerLimits(of: [source])
        let result = body(&limits)
        servers[server] = limits
        for name in sources(sharingServerOf: source) { limits.store(in: &schedules[name]!.state, at: now) }
        return result
    }

    private func limits(of schedule: SourceSchedule) -> ServerLimits? {
        schedule.configuration.server.flatMap { servers[$0] }
    }

    // MARK: State

    /// The time since boot when the next source is due; nil if none is.
    package var nextDue: Duration? { dueTimes.values.min() }

    /// The earliest time of the next sync, by the minimum pauses and by the server.
    private func allowedAt(_ schedule: SourceSchedule) -> Duration {
        max(schedule.allowedAt, limits(of: schedule)?.allowedAt ?? .zero)
    }

    /// The time of the next scheduled sync; nil if one is running or the source is disabled.
    private func dueAt(_ schedule: SourceSchedule, isOffline: Bool) -> Duration? {
        let mayStart = schedule.configuration.isEnabled && syncing[schedule.configuration.name] == nil
        let plannedAt = isOffline ? schedule.plannedWhileOffline : schedule.plannedAt
        return mayStart ? max(plannedAt, allowedAt(schedule)) : nil
    }

    /// The times since boot when sources are due.
    private var dueTimes: [String: Duration] {
        let isOffline = isOffline
        return schedules.compactMapValues { dueAt($0, isOffline: isOffline) }
    }

    /// Notes when a source is due, for the next daemon. Keeps the earlier time if it is not.
    private mutating func updateNextAttempt(of name: String, at now: Moment) {
        guard let dueAt = schedules[name].flatMap({ dueAt($0, isOffline: isOffline) }) else { return }
        schedules[name]?.planAfterRestart(dueAt, at: now)
    }

    /// Returns the time of the next sync of a source; nil if it is running or disabled.
    package func nextAttempt(of name: String, at now: Moment) -> Timestamp? {
        schedules[name].flatMap { dueAt($0, isOffline: isOffline) }.map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    /// Returns the time of the next sync of any source; nil if there is none.
    package func nextSync(at now: Moment) -> Timestamp? {
        nextDue.map { now.wall.advanced(by: $0 - now.sinceBoot) }
    }

    /// The time of the last successful sync of any source.
    package var lastSuccess: Timestamp? { schedules.values.compactMap(\.state.lastSuccess).max() }

    /// Returns the number of requests that the server of a source allows now; nil for no rate.
    package func requestsLeft(of name: String, at now: Moment) -> Int? {
        schedules[name].flatMap(limits)?.requestsLeft(at: now)
    }

    /// The sources that are being synced, in the order of the configuration.
    package var running: [String] { order.filter { syncing[$0] != nil } }

    /// True if there are network sources, and none could connect at its last sync.
    package var isOffline: Bool {
        schedules.values.contains { $0.isUnreachable && $0.usesNetwork }
            && !schedules.values.contains { !$0.isUnreachable && $0.usesNetwork }
    }

    /// The enabled sources with a failed last sync, in the order of the configuration.
    package var failing: [String] {
        order.filter { schedules[$0].map { $0.configuration.isEnabled && $0.state.failureCount > 0 } ?? false }
    }

    package func state(of name: String) -> SourceState? { schedules[name]?.state }

    /// Returns a remark on the last successful sync of a source; nil if there is none.
    package func remark(of name: String) -> String? { schedules[name]?.remark }

    /// Returns whether the running sync of a source has the requests of its current configuration.
    package func hasCurrentRequests(_ name: String) -> Bool {
        guard let configuration = schedules[name]?.configuration, configuration.isEnabled else { return false }
        return syncing[name]?.sendsSameRequests(as: configuration) == true
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
