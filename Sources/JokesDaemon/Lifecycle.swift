import Unix

/// Decides what the daemon does: its phases, and the jobs that must not overlap. Pure, like `SyncPlanner`.
///
/// Events come from signals, timers, the store, and from jobs that have ended. `handle` returns the effects of an event,
/// which `Daemon` performs in this order. At most one job runs at a time. "Lifecycle" in docs/architecture.md has the
/// table of all phases and events; a test compares it with this type.
struct Lifecycle: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// Reads the cache and opens the socket. No client is served.
        case starting
        /// Serves clients and syncs sources.
        case serving
        /// Ends all syncs, then recovers the database. Clients can read, but changes are refused. `hasStarted` is false if the
        /// start found the damage: no client is served then, and the start is repeated after the recovery.
        case recovering(hasStarted: Bool)
        /// Ends all syncs, then writes what is pending, until the deadline.
        case stopping
        case stopped
    }

    /// Work that takes time. Each job ends with an event.
    enum Job: Hashable, Sendable {
        /// Adopts the configuration and opens the socket; ends with `started` or `startFailed`.
        case start
        /// Reads the configuration again; ends with `reloaded`, even if the new configuration is refused.
        case reload
        /// Replaces the damaged database; ends with `recovered`.
        case recover
        /// Removes some old jokes; ends with `tidied`.
        case tidy
        /// Writes what is pending; ends with `finished`.
        case finish
    }

    enum Event: Hashable, Sendable {
        case started
        case startFailed(isDamage: Bool)
        case reloadRequested
        case reloaded
        case damageFound(at: BootInstant)
        /// Every sync that ran at the last `endSyncs` has ended.
        case syncsEnded
        /// With the time of a recovery that succeeded; nil for one that failed.
        case recovered(at: BootInstant?)
        case tidyRequested
        case tidied(isComplete: Bool)
        /// The timer of the next sync has fired.
        case syncDue
        case stopRequested
        case finished
        case deadlineReached
    }

    enum Effect: Hashable, Sendable {
        case announceReady
        case startDueSyncs
        /// Cancels all syncs; `syncsEnded` follows.
        case endSyncs
        /// Announces the stop, closes the socket, and sets the timer for `deadlineReached`.
        case announceStopping
        case run(Job)
        case exit
    }

    /// The maximum time from `stopRequested` to `exit`. Jokes that are not stored by then are fetched again.
    static let stopDeadline: Duration = .milliseconds(700)
    /// The minimum time between two recoveries. If the new database is damaged too, another one would not help: changes
    /// are refused instead.
    static let pauseBetweenRecoveries: Duration = .seconds(60)

    private(set) var phase = Phase.starting
    private(set) var job: Job?
    /// Jobs that run as soon as the phase allows it. Several requests for a job are one.
    private(set) var requested: Set<Job> = []
    /// From `endSyncs` to `syncsEnded`.
    private(set) var areSyncsEnding = false
    private(set) var recoveredAt: BootInstant?

    var maySync: Bool { phase == .serving }

    /// Whether nothing runs or waits, except for syncs.
    var isIdle: Bool { phase == .serving && job == nil && requested.isEmpty }

    mutating func begin() -> [Effect] { nextJob() }

    /// Returns the effects of an event, in their order.
    mutating func handle(_ event: Event) -> [Effect] { effects(of: event) + nextJob() }

    private mutating func effects(of event: Event) -> [Effect] {
        switch event {
        case .started: return started()
        case .startFailed(let isDamage): return startFailed(isDamage: isDamage)
        case .reloadRequested: requested.insert(.reload)
        case .reloaded: return reloaded()
        case .damageFound(let time): return damageFound(at: time)
        case .syncsEnded: areSyncsEnding = false
        case .recovered(let time): return recovered(at: time)
        case .tidyRequested: requested.insert(.tidy)
        case .tidied(let isComplete):
            job = nil
            if !isComplete { requested.insert(.tidy) }
        case .syncDue: return maySync ? [.startDueSyncs] : []
        case .stopRequested: return stop()
        case .finished, .deadlineReached:
            job = nil
            return exit(from: .stopping)
        }
        return []
    }

    private mutating func started() -> [Effect] {
        job = nil
        guard phase == .starting else { return [] }
        phase = .serving
        if requested.remove(.recover) != nil { return [.announceReady] + beginRecovery() }
        return [.announceReady, .startDueSyncs]
    }

    private mutating func startFailed(isDamage: Bool) -> [Effect] {
        job = nil
        guard isDamage && recoveredAt == nil && phase == .starting else { return exit(from: .starting) }
        phase = .recovering(hasStarted: false)
        return []
    }

    private mutating func reloaded() -> [Effect] {
        job = nil
        // The damage may have interrupted the reload.
        if case .recovering = phase { requested.insert(.reload) }
        return phase == .serving ? [.announceReady, .startDueSyncs] : []
    }

    private mutating func damageFound(at time: BootInstant) -> [Effect] {
        switch phase {
        case .starting: requested.insert(.recover)
        case .serving:
            if let recoveredAt, recoveredAt.duration(to: time) < Self.pauseBetweenRecoveries { return [] }
            return beginRecovery()
        case .recovering, .stopping, .stopped: break
        }
        return []
    }

    /// A sync must not save its position in a database that lacks its jokes, so all of them end first.
    private mutating func beginRecovery() -> [Effect] {
        phase = .recovering(hasStarted: true)
        areSyncsEnding = true
        return [.endSyncs]
    }

    private mutating func recovered(at time: BootInstant?) -> [Effect] {
        job = nil
        requested.remove(.recover)
        recoveredAt = time ?? recoveredAt
        switch phase {
        case .recovering(hasStarted: true):
            phase = .serving
            return [.startDueSyncs]
        case .recovering(hasStarted: false):
            if time == nil { return exit(from: phase) }
            phase = .starting
        case .starting, .serving, .stopping, .stopped: break
        }
        return []
    }

    private mutating func stop() -> [Effect] {
        guard phase != .stopping && phase != .stopped else { return [] }
        phase = .stopping
        areSyncsEnding = true
        return [.announceStopping, .endSyncs]
    }

    private mutating func exit(from expected: Phase) -> [Effect] {
        guard phase == expected else { return [] }
        phase = .stopped
        return [.exit]
    }

    /// Begins the next job, unless one runs.
    private mutating func nextJob() -> [Effect] {
        guard job == nil, let next else { return [] }
        job = next
        requested.remove(next)
        return [.run(next)]
    }

    private var next: Job? {
        switch phase {
        case .starting: .start
        case .serving: [.reload, .tidy].first(where: requested.contains)
        case .recovering: areSyncsEnding ? nil : .recover
        case .stopping: areSyncsEnding ? nil : .finish
        case .stopped: nil
        }
    }
}
