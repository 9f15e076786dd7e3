import JokesCore
import TestSupport

/// A daemon on its own machine, in simulated time, with the properties that must hold at every step.
///
/// Times count from the start of the simulation. The clocks of the machine are computed from them.
struct SimulatedDaemon {
    static let sources = [
        Sync.source("official", interval: Sync.hour * 6), Sync.source("files", kind: .fortune, interval: Sync.day),
        // One sync needs more requests than its rate allows at once, and one takes days because of its rate.
        Sync.source("paged", interval: Sync.day * 5, rate: RequestRate(requests: 20, per: .seconds(60))),
        Sync.source("slow", interval: Sync.day, rate: RequestRate(requests: 5, per: Sync.day)),
    ]
    /// The number of requests of a sync of each source.
    private static let requestsOfSync = ["official": 2, "paged": 25, "slow": 7]
    /// The maximum wait of a sync for its rate, as in the daemon.
    private static let longestWait: Duration = .seconds(30)

    /// A running sync.
    private struct Running {
        let name: String
        /// The time of its next request, or of its end.
        var nextAt: Duration
        var requestsLeft: Int
    }

    private var planner = SyncPlanner()
    private var random: SplitMix64
    /// The stored states.
    private var states: [String: SourceState] = [:]
    private var bootedAt: Duration = .seconds(-1000)
    private var wallSet: Duration = .zero
    private var running: [Running] = []
    /// The start of the running daemon.
    private var clockWasSet = false
    private var disturbedAt: Duration = .zero
    /// The time of the last sync of each source; nil if the daemon cannot know it.
    private var lastStart: [String: Duration] = [:]
    /// The start of each source's wait, without the time when the machine was off.
    private var waitingSince: [String: Duration] = [:]
    /// The times of the requests to each source that the daemon can know.
    private var knownRequests: [String: [Duration]] = [:]
    /// The times of the syncs of the source `official`.
    private(set) var requests: [Duration] = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        disturbedAt = pauseBeforeDisturbance()
        startDaemon(at: .zero)
    }

    /// Runs the daemon up to a time, with the given answers of the services.
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

    /// Simulates a power failure of this duration.
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

    // MARK: Daemon

    private mutating func startDaemon(at time: Duration) {
        if clockWasSet {
            // The stored times are of another clock, so their distance is unknown.
            (lastStart, knownRequests, clockWasSet) = ([:], [:], false)
        }
        planner = SyncPlanner()
        planner.configure(Self.sources, states: states, now: moment(time))
        for source in Self.sources where waitingSince[source.name] == nil { waitingSince[source.name] = time }
    }

    private mutating func startDue(at time: Duration) throws {
        var early = planner
        let before = Moment(sinceBoot: time - bootedAt - .nanoseconds(1), wall: moment(time).wall)
        try verify(early.startDue(at: before).isEmpty, "a source starts before it is due")
        let names = planner.startDue(at: moment(time))
        try verify(!names.isEmpty, "at \(time), a due source does not start")
        for name in names { try begin(name, at: time) }
    }

    private mutating func begin(_ name: String, at time: Duration) throws {
        try verify(!running.contains { $0.name == name }, "\(name) syncs twice at once")
        let source = Self.sources.first { $0.name == name }!
        if let last = lastStart[name] {
            let pause = source.minPause
            try verify(time - last >= pause, "\(name) syncs \(time - last) after the last sync")
        }
        if let since = waitingSince[name] {
            // If the clock was set back, the whole rate may have been used.
            let longest = max(Sync.day, source.interval * 11 / 10) + (source.rate?.per ?? .zero) + .seconds(60)
            try verify(time - since <= longest, "\(name) had no sync for \(time - since)")
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

    /// Performs the next step of a sync: a request, or its end.
    private mutating func goOn(
        at time: Duration, _ upstream: (Duration, inout SplitMix64) -> SyncOutcome
    ) throws {
        let index = running.firstIndex { $0.nextAt == time }!
        let name = running[index].name
        if running[index].requestsLeft == 0 {
            running.remove(at: index)
            return end(name, name == "files" ? Sync.success : upstream(time, &random), at: time)
        }
        switch planner.request(name, at: moment(time)) {
        case .admitted, .busy:
            states[name] = planner.state(of: name)
            try note(requestTo: name, at: time)
            running[index].requestsLeft -= 1
            running[index].nextAt = time + .milliseconds(random.int(in: 5..<1000))
        case .after(let wait, _) where wait <= Self.longestWait:
            try verify(wait > .zero, "\(name) waits without a reason")
            running[index].nextAt = time + wait
        case .after:
            running.remove(at: index)
            end(name, .succeeded(with(SyncReport()) { $0.isPaused = true }), at: time)
        }
    }

    /// Checks that the rate of the source allows the request.
    private mutating func note(requestTo name: String, at time: Duration) throws {
        let rate = Self.sources.first { $0.name == name }!.allowedRate!
        let recent = (knownRequests[name] ?? []).filter { time - $0 < rate.per } + [time]
        try verify(recent.count <= rate.requests, "\(name) has \(recent.count) requests in \(rate.per)")
        knownRequests[name] = recent
    }

    private mutating func end(_ name: String, _ outcome: SyncOutcome, at time: Duration) {
        states[name] = planner.ended(name, outcome, at: moment(time), random: &random)
        waitingSince[name] = time
    }

    // MARK: Events

    private mutating func pauseBeforeDisturbance() -> Duration {
        .seconds(random.int(in: 3600..<5 * 86_400))
    }

    private mutating func disturb(at time: Duration) throws {
        disturbedAt = time + pauseBeforeDisturbance()
        switch random.int(in: 0..<7) {
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
        case 4:
            reload(at: time)
        default:
            try refresh(at: time)
            if random.chance(1, in: 2) { disturbedAt = time + .milliseconds(random.int(in: 1..<25_000)) }
        }
    }

    /// Removes a source, which may be syncing, and adds it again.
    private mutating func reload(at time: Duration) {
        let name = Self.sources[random.int(in: 0..<Self.sources.count)].name
        planner.configure(Self.sources.filter { $0.name != name }, states: states, now: moment(time))
        planner.configure(Self.sources, states: states, now: moment(time))
        // The stored times may be of another clock, so their distance is unknown.
        if clockWasSet { (lastStart[name], knownRequests[name], waitingSince[name]) = (nil, nil, time) }
    }

    private mutating func refresh(at time: Duration) throws {
        for source in Self.sources {
            switch planner.refresh(source.name, at: moment(time)) {
            case .started: try begin(source.name, at: time)
            case .tooSoon(let wait, _): try checkRefresh(of: source.name, at: time, isAllowedAfter: wait)
            default: break
            }
        }
    }

    /// Checks that the wait of a refused refresh is exact.
    private func checkRefresh(of name: String, at time: Duration, isAllowedAfter wait: Duration) throws {
        var later = planner
        try verify(
            later.refresh(name, at: moment(time + wait - .nanoseconds(1))) != .started, "\(name) need not wait \(wait)")
        try verify(later.refresh(name, at: moment(time + wait)) == .started, "\(name) must wait for more than \(wait)")
    }
}
