import JokesCore
import TestSupport
import Testing

/// An event of a planner.
private enum Step: Sendable {
    case wait(Duration)
    /// Wait until a source is due.
    case waitForDue
    case refresh(String)
    /// The oldest running sync ends.
    case end(SyncOutcome)
    case configure([SourceConfiguration])
    case setClock(Duration)
}

@Suite("Properties of the sync planner")
struct SyncPlannerPropertyTests {
    @Test("syncs each source within its rate, one sync at a time, and in time")
    func properties() throws {
        try checkProperty(
            "the planner's properties", cases: 2_000, maxSize: 60,
            generate: { random, size in (0..<size).map { _ in step(&random) } }, shrink: shorterLists,
            property: { steps in
                var observed = ObservedPlanner()
                for step in steps { try observed.take(step) }
            })
    }
}

/// A planner whose due sources are synced, and the properties that must hold.
private struct ObservedPlanner {
    private var planner = SyncPlanner()
    private var now = Moment(sinceBoot: .seconds(500), wall: Timestamp(microseconds: 1_760_000_000_000_000))
    private var random = SplitMix64(seed: 3)
    /// The stored states.
    private var states: [String: SourceState] = [:]
    /// The running syncs, the oldest first, also of removed sources.
    private var attempts: [String] = []
    private var lastStart: [String: Duration] = [:]
    private var clockWasSet = false
    private var shortestPauses: [String: Duration] = [:]

    mutating func take(_ step: Step) throws {
        switch step {
        case .wait(let duration):
            // A wait ends at the latest when a source is due.
            let end = now.sinceBoot + duration
            while let due = planner.nextDue, due <= end { try pass(to: due) }
            try pass(to: end)
        case .waitForDue:
            if let due = planner.nextDue { try pass(to: due) }
        case .refresh(let name):
            try refresh(name)
        case .end(let outcome):
            try end(outcome)
        case .configure(let sources):
            planner.configure(sources, states: states, now: now)
            if clockWasSet { forgetStartsOfRemovedSources() }
            for source in sources { shortestPauses[source.name] = source.minPause }
        case .setClock(let change):
            let due = planner.nextDue
            now.wall = now.wall.advanced(by: change)
            try verify(planner.nextDue == due, "the wall clock moved a schedule")
            clockWasSet = true
            forgetStartsOfRemovedSources()
        }
        try startDue()
        try requireSoundness()
    }

    /// The stored times of a removed source may be of another clock.
    private mutating func forgetStartsOfRemovedSources() {
        for name in names where planner.configuration(of: name) == nil { lastStart[name] = nil }
    }

    private mutating func pass(to moment: Duration) throws {
        let time = max(moment - now.sinceBoot, .zero)
        now = Moment(sinceBoot: now.sinceBoot + time, wall: now.wall.advanced(by: time))
        try startDue()
    }

    private mutating func startDue() throws {
        let due = planner.nextDue
        let isDue = due.map { $0 <= now.sinceBoot } ?? false
        let started = planner.startDue(at: now)
        try verify(isDue == !started.isEmpty, "due at \(due.debugDescription), started \(started) at \(now.sinceBoot)")
        for name in started { try begin(name) }
    }

    private mutating func refresh(_ name: String) throws {
        let answer = planner.refresh(name, at: now)
        if answer == .started { try begin(name) }
        guard case .tooSoon(let wait, _) = answer else { return }
        var later = planner
        let before = Moment(sinceBoot: now.sinceBoot + wait - .nanoseconds(1), wall: now.wall)
        try verify(later.refresh(name, at: before) != .started, "\(name) can be refreshed before \(wait)")
        let after = Moment(sinceBoot: now.sinceBoot + wait, wall: now.wall)
        try verify(
            later.refresh(name, at: after) == .started, "\(name) waits \(wait), and its refresh is still refused")
    }

    private mutating func begin(_ name: String) throws {
        try verify(!attempts.contains(name), "\(name) syncs twice at once")
        if let last = lastStart[name], let shortest = shortestPauses[name] {
            let pause = now.sinceBoot - last
            try verify(pause >= shortest, "\(name) syncs \(pause) after the last attempt")
        }
        lastStart[name] = now.sinceBoot
        states[name] = planner.state(of: name)
        attempts.append(name)
    }

    private mutating func end(_ outcome: SyncOutcome) throws {
        guard !attempts.isEmpty else { return }
        let name = attempts.removeFirst()
        let isConfigured = planner.configuration(of: name) != nil
        let state = planner.ended(name, outcome, at: now, random: &random)
        try verify(
            (state != nil) == isConfigured, "\(name) is configured: \(isConfigured), but ends with \(state as Any)")
        if let state { states[name] = state }
    }

    private func requireSoundness() throws {
        try verify(
            planner.running == planner.order.filter(attempts.contains), "\(planner.running) run, not \(attempts)")
        for name in planner.order {
            guard let configuration = planner.configuration(of: name), configuration.isEnabled else { continue }
            let isRunning = attempts.contains(name)
            let next = planner.nextAttempt(of: name, at: now)
            try verify((next == nil) == isRunning, "\(name) runs: \(isRunning), next sync: \(next as Any)")
            guard let next else { continue }
            let longest = max(.seconds(86_400), configuration.interval * 11 / 10) + .seconds(60)
            try verify(next.timeSince(now.wall) <= longest, "\(name) has no sync for \(next.timeSince(now.wall))")
        }
    }
}

// MARK: Random steps

private let names = ["a", "b", "c"]

private func step(_ random: inout SplitMix64) -> Step {
    switch random.int(in: 0..<16) {
    case 0...1: .wait(.seconds(random.int(in: 0..<40)))
    case 2: .wait(.seconds(random.int(in: 0..<100_000)))
    case 3...5: .waitForDue
    case 6...7: .refresh(names[random.int(in: 0..<names.count)])
    case 8...12: .end(outcome(&random))
    case 13...14: .configure(configurations(&random))
    default: .setClock(.seconds(86_400 * 366) * (random.chance(1, in: 2) ? 1 : -1))
    }
}

private func outcome(_ random: inout SplitMix64) -> SyncOutcome {
    let requestedPauses: [Duration?] = [nil, nil, .seconds(-5), .seconds(60), .seconds(86_400), .seconds(315_360_000)]
    return random.chance(1, in: 2)
        ? Sync.success : Sync.failure(retryAfter: requestedPauses[random.int(in: 0..<requestedPauses.count)])
}

private func configurations(_ random: inout SplitMix64) -> [SourceConfiguration] {
    let intervals: [Duration] = [.seconds(1), .seconds(600), Sync.hour * 6, Sync.day * 7]
    return names.shuffled(using: &random).filter { _ in random.chance(3, in: 4) }.map { name in
        Sync.source(
            name, kind: name == "c" ? .fortune : .officialJokeAPI,
            interval: intervals[random.int(in: 0..<intervals.count)], isEnabled: random.chance(5, in: 6),
            url: name == "b" && random.chance(1, in: 2) ? "http://localhost" : nil,
            limit: random.chance(1, in: 8) ? random.int(in: 1..<9) : nil)
    }
}
