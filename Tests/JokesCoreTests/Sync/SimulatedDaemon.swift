import JokesCore
import TestSupport

/// A daemon on a machine of its own, in simulated time, with the laws that must hold of it at every step.
///
/// Times are since the simulation began; the machine's own clocks follow from them.
struct SimulatedDaemon {
    static let sources = [
        Sync.source("official", interval: Sync.hour * 6), Sync.source("files", kind: .fortune, interval: Sync.day),
        // More requests a sweep than its rate allows at once, and one whose rate makes a sweep of days.
        Sync.source("sweep", interval: Sync.day * 5, rate: RequestRate(requests: 20, per: .seconds(60))),
        Sync.source("slow", interval: Sync.day, rate: RequestRate(requests: 5, per: Sync.day)),
    ]
    /// How many requests a sync of each makes.
    private static let requestsOfSync = ["official": 2, "sweep": 25, "slow": 7]
    /// A sync waits so long for its rate, as the daemon's do.
    private static let longestWait: Duration = .seconds(30)

    /// A sync that runs.
    private struct Running {
        let name: String
        /// When it makes its next request, or ends where it has none left.
        var nextAt: Duration
        var requestsLeft: Int
    }

    private var planner = SyncPlanner()
    private var random: SplitMix64
    /// What the store keeps.
    private var states: [String: SourceState] = [:]
    private var bootedAt: Duration = .seconds(-1000)
    private var wallSet: Duration = .zero
    private var running: [Running] = []
    /// Since the daemon that runs was started.
    private var clockWasSet = false
    private var disturbedAt: Duration = .zero
    /// When each source was asked last, as far as this daemon can know it; nil where it cannot.
    private var lastStart: [String: Duration] = [:]
    /// Since when each source waits, the time that the machine was off left out.
    private var waitingSince: [String: Duration] = [:]
    /// When requests went out to each source, as far as this daemon can know it.
    private var knownRequests: [String: [Duration]] = [:]
    /// When the source `official` was asked.
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
            let step = running.map(\.nextAt).min()
            let next = [due, step, disturbedAt].compactMap { $0 }.min() ?? end
            if next > end { return }
            if next == step {
                try goOn(at: next, upstream)
            } else if next == due {
                try startDue(at: next)
            } else {
                try disturb(at: next)
            }
        }
    }

    /// The power fails, and comes back that much later.
    mutating func losePower(at time: Duration, for pause: Duration) {
        running = []
        for name in waitingSince.keys { waitingSince[name]! += pause }
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
        if clockWasSet {
            // What the one before has stored speaks of another clock: how long ago it was is not known.
            (lastStart, knownRequests, clockWasSet) = ([:], [:], false)
        }
        planner = SyncPlanner()
        planner.configure(Self.sources, states: states, now: moment(time))
        for source in Self.sources where waitingSince[source.name] == nil { waitingSince[source.name] = time }
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
            // Where the clock was set back nothing is known of what is left of the rate: all of it may have been used.
            let longest = max(Sync.day, source.interval * 11 / 10) + (source.rate?.per ?? .zero) + .seconds(60)
            try hold(time - since <= longest, "\(name) was left alone for \(time - since)")
        }
        lastStart[name] = time
        waitingSince[name] = time
        states[name] = planner.state(of: name)
        running.append(
            Running(
                name: name, nextAt: time + .milliseconds(random.int(in: 5..<1000)),
                requestsLeft: Self.requestsOfSync[name] ?? 0))
        if name == "official" { requests.append(time) }
    }

    /// The next step of the sync that is due for one: a request, or its end.
    private mutating func goOn(
        at time: Duration, _ upstream: (Duration, inout SplitMix64) -> SyncOutcome
    ) throws {
        let index = running.firstIndex { $0.nextAt == time }!
        let name = running[index].name
        if running[index].requestsLeft == 0 {
            running.remove(at: index)
            return end(name, name == "files" ? Sync.success : upstream(time, &random), at: time)
        }
        switch planner.admitRequest(of: name, at: moment(time)) {
        case .admitted:
            states[name] = planner.state(of: name)
            try note(requestTo: name, at: time)
            running[index].requestsLeft -= 1
            running[index].nextAt = time + .milliseconds(random.int(in: 5..<1000))
        case .after(let wait) where wait <= Self.longestWait:
            try hold(wait > .zero, "\(name) waits for nothing")
            running[index].nextAt = time + wait
        case .after:
            running.remove(at: index)
            end(name, .succeeded(SyncReport(isPaused: true)), at: time)
        }
    }

    /// Holds that the source's rate allows the request.
    private mutating func note(requestTo name: String, at time: Duration) throws {
        let rate = Self.sources.first { $0.name == name }!.allowedRate!
        let recent = (knownRequests[name] ?? []).filter { time - $0 < rate.per } + [time]
        try hold(recent.count <= rate.requests, "\(name) has \(recent.count) requests in \(rate.per)")
        knownRequests[name] = recent
    }

    private mutating func end(_ name: String, _ outcome: SyncOutcome, at time: Duration) {
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
            running = []
            startDaemon(at: time)
            try refresh(at: time)
        case 2:
            losePower(at: time, for: .seconds(random.int(in: 30..<200_000)))
        case 3:
            wallSet += Sync.day * (random.chance(1, in: 2) ? 366 : -366)
            clockWasSet = true
            if random.chance(1, in: 2) {
                running = []
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
