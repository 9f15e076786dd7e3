import JokesCore
import TestSupport

/// A daemon on a machine of its own, in simulated time, with the laws that must hold of it at every step.
///
/// Times are since the simulation began; the machine's own clocks follow from them.
struct SimulatedDaemon {
    static let sources = [
        Sync.source("official", interval: Sync.hour * 6), Sync.source("files", kind: .fortune, interval: Sync.day),
    ]

    private var planner = SyncPlanner()
    private var random: SplitMix64
    /// What the store keeps.
    private var states: [String: SourceState] = [:]
    private var bootedAt: Duration = .seconds(-1000)
    private var wallSet: Duration = .zero
    private var running: [(name: String, endsAt: Duration)] = []
    private var disturbedAt: Duration = .zero
    /// When each source was asked last, as far as this daemon can know it; nil where it cannot.
    private var lastStart: [String: Duration] = [:]
    /// Since when each source waits, the time that the machine was off left out.
    private var waitingSince: [String: Duration] = [:]
    /// When each source that goes over a network was asked.
    private(set) var requests: [Duration] = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        disturbedAt = pauseBeforeDisturbance()
        startDaemon(at: .zero)
    }

    /// Runs the daemon up to a moment, the upstream answering as it is told.
    mutating func run(until end: Duration, _ upstream: (Duration, inout SplitMix64) -> SyncOutcome) throws {
        while true {
            let due = planner.nextDue.map { $0 + bootedAt }
            let ending = running.map(\.endsAt).min()
            let next = [due, ending, disturbedAt].compactMap { $0 }.min() ?? end
            if next > end { return }
            if next == ending {
                finish(at: next, upstream)
            } else if next == due {
                try startDue(at: next)
            } else {
                try disturb(at: next)
            }
        }
    }

    /// The power fails, and comes back that much later.
    mutating func losePower(at time: Duration, for pause: Duration) {
        stopDaemon()
        for name in waitingSince.keys { waitingSince[name]! += pause }
        // Asked long ago, but for the clock's sake nobody knows.
        lastStart = [:]
        bootedAt = time + pause - .seconds(20)
        disturbedAt = time + pause + pauseBeforeDisturbance()
        startDaemon(at: time + pause)
    }

    private func moment(_ time: Duration) -> Moment {
        Moment(
            sinceBoot: time - bootedAt,
            wall: Timestamp(microseconds: 1_760_000_000_000_000).advanced(by: time + wallSet))
    }

    // MARK: What the daemon does

    private mutating func startDaemon(at time: Duration) {
        planner = SyncPlanner()
        planner.configure(Self.sources, states: states, now: moment(time))
        for source in Self.sources where waitingSince[source.name] == nil { waitingSince[source.name] = time }
    }

    private mutating func stopDaemon() {
        // What was being asked when the daemon died was not written down.
        for (name, _) in running { lastStart[name] = nil }
        running = []
    }

    private mutating func startDue(at time: Duration) throws {
        var early = planner
        let before = Moment(sinceBoot: time - bootedAt - .nanoseconds(1), wall: moment(time).wall)
        try hold(early.startDue(at: before).isEmpty, "a source starts before it is due")
        let names = planner.startDue(at: moment(time))
        try hold(!names.isEmpty, "at \(time) something is due and nothing starts")
        for name in names { try begin(name, at: time) }
    }

    private mutating func begin(_ name: String, at time: Duration) throws {
        let source = Self.sources.first { $0.name == name }!
        if let last = lastStart[name] {
            let pause = source.shortestPause
            try hold(time - last >= pause, "\(name) is asked \(time - last) after it was asked last")
        }
        if let since = waitingSince[name] {
            let longest = max(Sync.day, source.interval * 11 / 10) + .seconds(60)
            try hold(time - since <= longest, "\(name) was left alone for \(time - since)")
        }
        lastStart[name] = time
        waitingSince[name] = time
        running.append((name, time + .milliseconds(random.int(in: 5..<1000))))
        if source.kind == .officialJokeAPI { requests.append(time) }
    }

    private mutating func finish(at time: Duration, _ upstream: (Duration, inout SplitMix64) -> SyncOutcome) {
        let index = running.firstIndex { $0.endsAt == time }!
        let name = running.remove(at: index).name
        let outcome = name == "files" ? Sync.success : upstream(time, &random)
        states[name] = planner.ended(name, outcome, at: moment(time), random: &random)
        waitingSince[name] = time
    }

    // MARK: What happens to it

    private mutating func pauseBeforeDisturbance() -> Duration {
        .seconds(random.int(in: 3600..<5 * 86_400))
    }

    private mutating func disturb(at time: Duration) throws {
        disturbedAt = time + pauseBeforeDisturbance()
        switch random.int(in: 0..<6) {
        case 0...1:
            stopDaemon()
            startDaemon(at: time)
            try refresh(at: time)
        case 2:
            losePower(at: time, for: .seconds(random.int(in: 30..<200_000)))
        case 3:
            wallSet += Sync.day * (random.chance(1, in: 2) ? 366 : -366)
            // Whether a next daemon is to know of it depends on a clock that has just lied.
            if random.chance(1, in: 2) {
                lastStart = [:]
                stopDaemon()
                startDaemon(at: time)
            }
        default:
            try refresh(at: time)
            if random.chance(1, in: 2) { disturbedAt = time + .milliseconds(random.int(in: 1..<25_000)) }
        }
    }

    private mutating func refresh(at time: Duration) throws {
        for source in Self.sources where planner.refresh(source.name, at: moment(time)) == .started {
            try begin(source.name, at: time)
        }
    }
}
