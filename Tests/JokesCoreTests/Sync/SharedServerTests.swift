import JokesCore
import TestSupport
import Testing

@Suite("Sources that share a server")
struct SharedServerTests {
    private static let ten = RequestRate(requests: 10, per: .seconds(10))

    private func feed(_ name: String, _ url: String, rate: RequestRate? = ten) -> SourceConfiguration {
        SourceConfiguration(name: name, kind: .rss, url: url, rate: rate)
    }

    @Test("all sources of a server share its rate: the smallest of theirs")
    func rate() {
        let slow = RequestRate(requests: 6, per: .seconds(60))
        let sources = [
            feed("a", "https://x.org/a"), feed("b", "https://X.org:443/b", rate: slow), feed("c", "https://y.org/"),
        ]
        var planner = SyncPlanner()
        planner.configure(sources, states: [:], now: Sync.moment(.zero))
        for left in [2, 1, 0] {
            #expect(planner.request("a", at: Sync.moment(.zero)) == .admitted)
            #expect(planner.requestsLeft(of: "b", at: Sync.moment(.zero)) == left)
        }
        #expect(planner.request("b", at: Sync.moment(.zero)).wait != nil)
        #expect(planner.requestsLeft(of: "c", at: Sync.moment(.zero)) == 5)
        // A rate that is removed does not count.
        planner.configure([sources[0]], states: [:], now: Sync.moment(Sync.hour))
        #expect(planner.requestsLeft(of: "a", at: Sync.moment(Sync.hour)) == 5)
    }

    @Test("a server gets one request at a time, unless it is local")
    func oneAtATime() {
        var local = feed("local", "http://box/")
        local.allowLocalNetwork = true
        let sources = [feed("a", "https://x.org/a"), feed("b", "https://x.org/b"), local]
        var planner = SyncPlanner()
        planner.configure(sources, states: [:], now: Sync.moment(.zero))
        #expect(planner.admitRequest(of: sources[0], at: Sync.moment(.zero)) == .admitted)
        #expect(planner.admitRequest(of: sources[1], at: Sync.moment(.zero)) == .busy)
        planner.requestEnded(of: sources[0], retryAfter: nil, at: Sync.moment(.zero))
        #expect(planner.admitRequest(of: sources[1], at: Sync.moment(.zero)) == .admitted)
        for _ in 0..<3 { #expect(planner.admitRequest(of: local, at: Sync.moment(.zero)) == .admitted) }
    }

    @Test("a pause that a server asks for is kept by all its sources, also after a restart")
    func pause() throws {
        let sources = [feed("a", "https://x.org/a"), feed("b", "https://x.org/b"), feed("c", "https://y.org/")]
        var planner = SyncPlanner()
        planner.configure(sources, states: [:], now: Sync.moment(.zero))
        #expect(planner.startDue(at: Sync.moment(.zero)) == ["a", "b", "c"])
        #expect(planner.admitRequest(of: sources[0], at: Sync.moment(.zero)) == .admitted)
        planner.requestEnded(of: sources[0], retryAfter: Sync.hour, at: Sync.moment(.zero))
        #expect(
            planner.request("b", at: Sync.moment(.seconds(60)))
                == .after(Sync.minute * 59, reason: "x.org asked to wait 59 minutes"))
        #expect(planner.request("c", at: Sync.moment(.seconds(60))) == .admitted)
        var random = SplitMix64(seed: 1)
        let paused = SyncOutcome.succeeded(with(SyncReport()) { $0.isPaused = true })
        let state = try #require(planner.ended("b", paused, at: Sync.moment(.seconds(60)), random: &random))
        var restarted = SyncPlanner()
        restarted.configure([sources[0], sources[1]], states: ["b": state], now: Sync.moment(.seconds(90)))
        #expect(restarted.startDue(at: Sync.moment(Sync.hour - .seconds(1))) == [])
        #expect(restarted.startDue(at: Sync.moment(Sync.hour + Sync.minute)) == ["a", "b"])
    }

    @Test(
        "for days, with 30 sources on 12 servers, refusals and outages, every rate is kept and no sync waits needlessly"
    )
    func simulation() throws {
        for seed in 0..<UInt64(scaled(1)) {
            var simulation = SimulatedServers(seed: testSeed &+ seed)
            try simulation.run(until: Sync.day * (isSlowTier ? 3 : 1))
            // A day may be without an outage.
            if !isSlowTier { continue }
            // Each source had syncs all the time, and each server had all kinds of answers.
            try verify(simulation.syncs.values.min()! > 4, "\(simulation.syncs)")
            try verify(
                simulation.refusals > 50 && simulation.outages > 20,
                "\(simulation.refusals) refusals and \(simulation.outages) outages")
        }
    }
}

/// Sources and servers in simulated time, with requests that take time, as `SyncRunner` sends them.
private struct SimulatedServers {
    private struct RunningSync {
        var requestsLeft: Int
        /// The time of the next try of a request; nil while one is under way, or waits for its turn.
        var triesAt: Duration?
    }

    private let sources: [SourceConfiguration]
    private var planner = SyncPlanner()
    private var random: SplitMix64
    private var now: Duration = .zero
    private var running: [String: RunningSync] = [:]
    /// The requests under way by their server, with the times of their ends.
    private var underWay: [Server: (name: String, endsAt: Duration)] = [:]
    private var log: [Server: [Duration]] = [:]
    private var pausedUntil: [Server: Duration] = [:]
    private var downUntil: [Server: Duration] = [:]
    private(set) var syncs: [String: Int] = [:]
    private(set) var refusals = 0
    private(set) var outages = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        var random = SplitMix64(seed: seed)
        sources = (0..<30).map { number in
            let rate = RequestRate(requests: random.int(in: 2..<30), per: .seconds(random.int(in: 5..<600)))
            return SourceConfiguration(
                name: "s\(number)", kind: .json, url: "https://server\(number % 12).example/\(number)",
                interval: .seconds(random.int(in: 6_000..<40_000)), rate: rate)
        }
        planner.configure(sources, states: [:], now: Sync.moment(.zero))
    }

    private func source(_ name: String) -> SourceConfiguration { sources.first { $0.name == name }! }

    mutating func run(until end: Duration) throws {
        while true {
            let due = planner.nextDue.map { $0 - Sync.moment(.zero).sinceBoot }
            let steps = running.values.compactMap(\.triesAt) + underWay.values.map(\.endsAt)
            guard let next = ([due].compactMap(\.self) + steps).min(), next <= end else { return }
            now = max(now, next)
            for (server, request) in underWay where request.endsAt <= now { try endRequest(request.name, server) }
            for name in planner.startDue(at: Sync.moment(now)) {
                running[name] = RunningSync(requestsLeft: random.int(in: 1..<12), triesAt: now)
                syncs[name, default: 0] += 1
            }
            for source in sources where running[source.name]?.triesAt.map({ $0 <= now }) == true { try send(source) }
            try requireNoNeedlessWaits()
        }
    }

    private mutating func send(_ source: SourceConfiguration) throws {
        let (name, server) = (source.name, source.server!)
        switch planner.admitRequest(of: source, at: Sync.moment(now)) {
        case .busy:
            try verify(underWay[server] != nil, "\(name) waits for a request that nobody sends")
            running[name]?.triesAt = nil
        case .after(let wait, _) where wait <= .seconds(30):
            running[name]?.triesAt = now + wait
        case .after:
            end(name, .succeeded(with(SyncReport()) { $0.isPaused = true }))
        case .admitted:
            try verify(underWay[server] == nil, "two requests at a time to \(server.name)")
            try verify(pausedUntil[server] ?? .zero <= now, "\(server.name) gets a request in its pause")
            log[server, default: []].append(now)
            for other in sources where other.server == server {
                let recent = log[server]!.reversed().prefix { now - $0 < other.rate!.per }
                try verify(recent.count <= other.rate!.requests, "\(server.name): \(recent.count) requests")
            }
            underWay[server] = (name, now + .milliseconds(random.int(in: 5..<3000)))
            running[name]?.triesAt = nil
        }
    }

    private mutating func endRequest(_ name: String, _ server: Server) throws {
        underWay[server] = nil
        let isDown = downUntil[server] ?? .zero > now
        let isRefused = !isDown && random.chance(1, in: 30)
        let pause: Duration? = isRefused ? .seconds(random.int(in: 1..<3000)) : nil
        if let pause { pausedUntil[server] = now + pause }
        planner.requestEnded(of: source(name), retryAfter: pause, at: Sync.moment(now))
        if random.chance(1, in: 500) { downUntil[server] = now + .seconds(random.int(in: 60..<20_000)) }
        // All waiting requests try again.
        for other in sources where other.server == server && other.name != name {
            if let sync = running[other.name], sync.triesAt == nil { running[other.name]?.triesAt = now }
        }
        if isDown {
            outages += 1
            end(name, Sync.failure(isUnreachable: true))
        } else if isRefused {
            refusals += 1
            end(name, Sync.failure(retryAfter: pause))
        } else {
            running[name]?.requestsLeft -= 1
            running[name]?.triesAt = now
            if running[name]?.requestsLeft == 0 { end(name, Sync.success) }
        }
    }

    private mutating func end(_ name: String, _ outcome: SyncOutcome) {
        running[name] = nil
        _ = planner.ended(name, outcome, at: Sync.moment(now), random: &random)
    }

    /// Every due sync runs, and each of their requests waits for a time or for another request.
    private func requireNoNeedlessWaits() throws {
        try verify(planner.nextDue.map { $0 > Sync.moment(now).sinceBoot } ?? true, "a due sync does not run")
        for (name, sync) in running where sync.triesAt == nil {
            try verify(underWay[source(name).server!] != nil, "\(name) waits for nothing")
        }
    }
}
