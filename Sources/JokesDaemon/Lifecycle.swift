import Unix

/// The phases of the daemon, and the jobs that must not overlap: a state machine without side effects.
///
/// Signals, timers, the store, syncs, imports and the ends of jobs cause events. `handle` returns the effects of an
/// event, which `Daemon` performs in this order. At most one job runs at a time. "Lifecycle" in docs/architecture.md
/// has the table of all phases and events; a test compares the table with this type, so a new event needs a row there.
struct Lifecycle: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        /// Reads the cache and opens the socket. No client is served.
        case starting
        /// Serves clients and syncs sources.
        case serving
        /// Ends all syncs, then recovers the database. Clients can read, but changes are refused.
        ///
        /// `hasStarted` is false if the start failed because of the damage. No client is served then, and the start is
        /// repeated after the recovery.
        case recovering(hasStarted: Bool)
        /// Ends all syncs, then writes pending data, at most until the deadline.
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
        /// Runs one step of the cleanup of the cache; ends with `tidied`.
        case tidy
        /// Writes pending data; ends with `finished`.
        case finish
    }

    /// An input of the state machine. `Daemon.handle` receives events.
    enum Event: Hashable, Sendable {
        case started
        case startFailed(isDamage: Bool)
        case reloadRequested
        case reloaded
        case damageFound(at: BootInstant)
        /// Every sync that ran at the last `endSyncs` has ended.
        case syncsEnded
        /// The job `recover` has ended: the time of the recovery, or nil if the recovery failed.
        case recovered(at: BootInstant?)
        case tidyRequested
        case tidied(isComplete: Bool)
        /// The timer of the next sync has fired.
        case syncDue
        case stopRequested
        case finished
        case deadlineReached
    }

    /// An output of the state machine. `Daemon.perform` performs effects.
    enum Effect: Hashable, Sendable {
        /// Notifies the service manager that the daemon is ready.
        case announceReady
        case startDueSyncs
        /// Cancels all syncs; `syncsEnded` follows.
        case endSyncs
        /// Announces the stop, closes the socket, and sets the timer for `deadlineReached`.
        case announceStopping
        /// Runs a job. Its end is an event.
        case run(Job)
        /// Ends the loop, and so the program.
        case exit
    }

    /// The maximum time from `stopRequested` to `exit`. Jokes that are not yet stored are fetched again after the next
    /// start.
    static let stopDeadline: Duration = .milliseconds(700)
    /// The minimum time between two recoveries. If the new database is soon damaged too, another recovery would not
    /// help: changes are refused instead.
    static let pauseBetweenRecoveries: Duration = .seconds(60)

    private(set) var phase = Phase.starting
    private(set) var job: Job?
    /// The jobs that run as soon as the phase allows it. Requests for the same job are merged.
    private(set) var requested: Set<Job> = []
    /// True between the effect `endSyncs` and the event `syncsEnded`.
    private(set) var areSyncsEnding = false
    /// The time of the last recovery that succeeded.
    private(set) var recoveredAt: BootInstant?

    /// True if syncs may start.
    var maySync: Bool { phase == .serving }

    /// True if the daemon serves clients, and no job is running or requested. Syncs may be running.
    var isIdle: Bool { phase == .serving && job == nil && requested.isEmpty }

    mutating func begin() -> [Effect] { startNextJob() }

    /// Returns the effects of an event, in their order.
    mutating func handle(_ event: Event) -> [Effect] { effects(of: event) + startNextJob() }

    /// Changes the phase and the requested jobs, and returns the effects without the next job.
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

    /// Ends all syncs before the recovery: a sync must not save its position in a database that lacks the jokes of the
    /// sync.
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

    /// Exits if the phase is `expected`; otherwise does nothing.
    private mutating func exit(from expected: Phase) -> [Effect] {
        guard phase == expected else { return [] }
        phase = .stopped
        return [.exit]
    }

    /// Starts the next job, unless a job is running.
    private mutating func startNextJob() -> [Effect] {
        guard job == nil, let next = nextJob else { return [] }
        job = next
        requested.remove(next)
        return [.run(next)]
    }

    /// The job that the phase allows next; nil if there is none.
    private var nextJob: Job? {
        switch phase {
        case .starting: .start
        case .serving: [.reload, .tidy].first(where: requested.contains)
        case .recovering: areSyncsEnding ? nil : .recover
        case .stopping: areSyncsEnding ? nil : .finish
        case .stopped: nil
        }
    }
}
