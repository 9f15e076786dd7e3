import JokesCore
import TestSupport
import Unix

@testable import JokesDaemon

/// A simulation of the daemon in virtual time, with the real `Lifecycle` and `SyncPlanner`.
///
/// Jobs, syncs and imports take random times, and clients call at random times. Every step checks the properties of
/// "Lifecycle" in docs/architecture.md.
struct SimulatedService {
    private enum Action {
        case syncsEnded, deadlineReached
        case endJob(Lifecycle.Event)
        case endSync(String, number: Int)
        case endImport(client: Int)
        case reload, refresh, damage, importPiece, stop
    }

    /// The reason why a client waits: the syncs of some sources, or the store.
    private enum Waiter {
        case syncs(Set<String>)
        case store
    }

    private static let sources = ["official", "chuck", "dad"].map { name in
        SourceConfiguration(name: name, kind: .officialJokeAPI, interval: .seconds(3600))
    }

    private var lifecycle = Lifecycle()
    private var planner = SyncPlanner()
    private var random: SplitMix64
    private var now: Duration = .seconds(1000)
    private var actions: [(at: Duration, action: Action)] = []
    /// The number of a canceled sync, in place of its own number.
    private static let canceled = 0
    /// The number of each sync that runs.
    private var running: [String: Int] = [:]
    private var syncCount = 0
    private var job: Lifecycle.Job?
    private var isDamaged = false
    private var isListening = false
    private var waiters: [Int: Waiter] = [:]
    private var clientCount = 0
    private var isReloadRequested = false
    private var recoveredAt: BootInstant?
    /// True between damage that must be recovered and the start of the recovery.
    private var mustRecover = false
    private var stopRequestedAt: Duration?
    private var hasExited = false

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Runs the daemon from its start to its exit, with this number of random calls and faults.
    mutating func run(disturbances: Int) throws {
        planner.configure(Self.sources, states: [:], now: moment)
        if random.chance(1, in: 8) { isDamaged = true }
        try perform(lifecycle.begin())
        for _ in 0..<disturbances {
            let kinds: [Action] = [.reload, .refresh, .refresh, .damage, .importPiece]
            // Most actions are close together. Some are late enough for a second recovery.
            let latest = random.chance(1, in: 4) ? 200_000 : 2000
            add(kinds[random.int(in: 0..<kinds.count)], within: 0..<latest)
        }
        try runActions()
        if !hasExited {
            try checkIdle()
            // Stops the daemon during other actions.
            for action in [Action.refresh, .damage, .reload, .stop] { add(action, within: 0..<300) }
            try runActions()
        }
        try verify(hasExited, "the daemon does not exit")
        try verify(waiters.isEmpty, "\(waiters.count) clients wait for a daemon that has exited")
    }

    private mutating func runActions() throws {
        while let next = actions.indices.min(by: { actions[$0].at < actions[$1].at }), !hasExited {
            let (time, action) = actions.remove(at: next)
            now = max(now, time)
            try act(action)
        }
    }

    private var moment: Moment {
        Moment(sinceBoot: now, wall: Timestamp(microseconds: 1_760_000_000_000_000).advanced(by: now))
    }

    private mutating func add(_ action: Action, within milliseconds: Range<Int>) {
        actions.append((now + .milliseconds(random.int(in: milliseconds)), action))
    }

    /// Checks the daemon after the last action.
    private func checkIdle() throws {
        try verify(lifecycle.phase == .serving && lifecycle.isIdle, "the daemon is not idle: \(lifecycle)")
        try verify(waiters.isEmpty, "\(waiters.count) clients have no reply")
        try verify(!isReloadRequested, "a reload was forgotten")
        try verify(!mustRecover, "damage was found and not recovered")
    }

    // MARK: Actions

    private mutating func act(_ action: Action) throws {
        switch action {
        case .syncsEnded: try handle(.syncsEnded)
        case .deadlineReached: try handle(.deadlineReached)
        case .endJob(let event):
            job = nil
            // The reload found a damaged database.
            if event == .reloaded && lifecycle.phase == .recovering(hasStarted: true) { isReloadRequested = true }
            if case .recovered(let time?) = event {
                planner = planner.restarted(at: moment)
                recoveredAt = time
            }
            try handle(event)
        case .endSync(let name, let number):
            guard running[name] == number else { return }
            let hasFailed = random.chance(1, in: 3)
            let outcome: SyncOutcome = hasFailed ? .failed(reason: "no route") : .succeeded(SyncReport())
            try end(name, number == Self.canceled ? .cancelled : outcome)
        case .endImport(let client): waiters[client] = nil
        case .reload:
            isReloadRequested = true
            try handle(.reloadRequested)
        case .refresh: try refresh()
        case .damage:
            isDamaged = true
            let time = BootInstant(sinceBoot: now)
            let isTooSoon = recoveredAt.map { $0.duration(to: time) < Lifecycle.pauseBetweenRecoveries } ?? false
            mustRecover = mustRecover || lifecycle.phase == .serving && !isTooSoon
            try handle(.damageFound(at: time))
        case .importPiece:
            guard isListening else { return }
            clientCount += 1
            waiters[clientCount] = .store
            add(.endImport(client: clientCount), within: 1..<400)
        case .stop:
            stopRequestedAt = stopRequestedAt ?? now
            try handle(.stopRequested)
        }
    }

    private mutating func refresh() throws {
        guard isListening, lifecycle.maySync else { return }
        var awaited: Set<String> = []
        for source in Self.sources {
            switch planner.refresh(source.name, at: moment) {
            case .started:
                try start(source.name)
                awaited.insert(source.name)
            case .alreadyRunning: awaited.insert(source.name)
            case .tooSoon, .disabled, .noSuchSource: break
            }
        }
        clientCount += 1
        if !awaited.isEmpty { waiters[clientCount] = .syncs(awaited) }
    }

    private mutating func start(_ name: String) throws {
        try verify(lifecycle.phase == .serving, "a sync starts in \(lifecycle.phase)")
        syncCount += 1
        running[name] = syncCount
        add(.endSync(name, number: syncCount), within: 1..<3000)
    }

    private mutating func end(_ name: String, _ outcome: SyncOutcome) throws {
        running[name] = nil
        _ = planner.ended(name, outcome, at: moment, random: &random)
        for (client, waiter) in waiters {
            guard case .syncs(let names) = waiter else { continue }
            waiters[client] = names == [name] ? nil : .syncs(names.subtracting([name]))
        }
        try handle(.tidyRequested)
    }

    // MARK: Effects

    private mutating func handle(_ event: Lifecycle.Event) throws {
        try perform(lifecycle.handle(event))
        let mustBeQuiet = [.recover, .finish].contains(job)
        try verify(!mustBeQuiet || running.isEmpty, "\(running.keys) run during \(String(describing: job))")
    }

    private mutating func perform(_ effects: [Lifecycle.Effect]) throws {
        for effect in effects {
            try verify(!hasExited, "\(effect) after the exit")
            switch effect {
            case .announceReady: isListening = true
            case .startDueSyncs: for name in planner.startDue(at: moment) { try start(name) }
            case .endSyncs:
                // A sync notices its cancellation later. `syncsEnded` follows after all syncs have ended.
                let names = running.keys.sorted()
                for name in names { running[name] = Self.canceled }
                for name in names { add(.endSync(name, number: Self.canceled), within: 0..<100) }
                add(.syncsEnded, within: 100..<200)
            case .announceStopping:
                isListening = false
                waiters = [:]
                add(.deadlineReached, within: 700..<701)
            case .run(let next): try begin(next)
            case .exit:
                hasExited = true
                guard let stopRequestedAt else { continue }
                let duration = now - stopRequestedAt
                try verify(duration <= Lifecycle.stopDeadline, "the daemon exits \(duration) after the stop")
            }
        }
    }

    private mutating func begin(_ next: Lifecycle.Job) throws {
        try verify(job == nil, "\(next) begins during \(String(describing: job))")
        job = next
        var longest = 400
        let end: Lifecycle.Event
        switch next {
        case .start: end = isDamaged ? .startFailed(isDamage: true) : .started
        case .reload:
            isReloadRequested = false
            end = .reloaded
        case .recover:
            mustRecover = false
            let succeeds = random.chance(3, in: 4)
            if succeeds { isDamaged = false }
            end = .recovered(at: succeeds ? BootInstant(sinceBoot: now) : nil)
        case .tidy: end = .tidied(isComplete: random.chance(2, in: 3))
        case .finish:
            longest = 2000
            end = .finished
        }
        add(.endJob(end), within: 0..<longest)
    }
}
