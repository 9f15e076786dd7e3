import JokesCore
import TestSupport
import Testing

@Suite("Requests within a source's rate")
struct RequestAdmissionTests {
    private func planner(_ rate: RequestRate, states: [String: SourceState] = [:], at now: Duration = .zero)
        -> SyncPlanner
    {
        var planner = SyncPlanner()
        planner.configure([Sync.source("a", rate: rate)], states: states, now: Sync.moment(now))
        _ = planner.startDue(at: Sync.moment(now))
        return planner
    }

    @Test("half of the requests are admitted at once, and the others as the allowance refills")
    func burst() {
        var planner = planner(RequestRate(requests: 10, per: .seconds(60)))
        #expect(planner.requestsLeft(of: "a", at: Sync.moment(.zero)) == 5)
        for left in (0..<5).reversed() {
            #expect(planner.request("a", at: Sync.moment(.zero)) == .admitted)
            #expect(planner.requestsLeft(of: "a", at: Sync.moment(.zero)) == left)
        }
        guard case .after(let wait, _) = planner.request("a", at: Sync.moment(.zero)) else {
            Issue.record("a sixth request is admitted at once")
            return
        }
        #expect((.seconds(10)...(.seconds(10) + .milliseconds(1))).contains(wait))
        #expect(planner.request("a", at: Sync.moment(wait - .nanoseconds(1))) != .admitted)
        #expect(planner.request("a", at: Sync.moment(wait)) == .admitted)
        #expect(planner.requestsLeft(of: "a", at: Sync.moment(.seconds(200))) == 5)
    }

    @Test("a source without a rate never waits")
    func unlimited() {
        var planner = SyncPlanner()
        planner.configure([Sync.source("f", kind: .fortune)], states: [:], now: Sync.moment(.zero))
        #expect((0..<1000).allSatisfy { _ in planner.request("f", at: Sync.moment(.zero)) == .admitted })
        #expect(planner.requestsLeft(of: "f", at: Sync.moment(.zero)) == nil)
    }

    @Test(
        "no period has more requests than the rate, for any sequence of requests of syncs and probes, and restarts")
    func property() throws {
        var random = SplitMix64(seed: testSeed)
        for round in 0..<scaled(300) {
            let rate = RequestRate(
                requests: random.int(in: 1..<41), per: .milliseconds(random.int(in: 1..<200_000)))
            var planner = planner(rate)
            var now: Duration = .zero
            var sent: [Duration] = []
            for _ in 0..<400 {
                let isProbe = random.chance(1, in: 4)
                let source = Sync.source(isProbe ? "new" : "a", url: "https://a.example", rate: rate)
                if let wait = planner.request(of: source, at: Sync.moment(now)).wait {
                    now += wait
                } else {
                    sent.append(now)
                }
                if random.chance(1, in: 3) { now += rate.per * random.int(in: 0..<1001) / 3000 }
                if random.chance(1, in: 20), let state = planner.state(of: "a") {
                    planner = self.planner(rate, states: ["a": state], at: now)
                }
            }
            for (index, time) in sent.enumerated() {
                let next = sent[index...].prefix { $0 - time < rate.per }
                try #require(next.count <= rate.requests, "round \(round), JOKESD_TEST_SEED=\(testSeed): \(rate)")
            }
            // A sender without pauses comes close to the rate.
            #expect(sent.count > 30, "round \(round), JOKESD_TEST_SEED=\(testSeed): \(rate)")
        }
    }

    @Test("a source without remaining requests is not synced, not even by a refresh")
    func refresh() {
        var planner = planner(RequestRate(requests: 1, per: Sync.hour))
        _ = planner.request("a", at: Sync.moment(.zero))
        var random = SplitMix64(seed: 3)
        _ = planner.ended("a", Sync.success, at: Sync.moment(.zero), random: &random)
        guard case .tooSoon(let wait, _) = planner.refresh("a", at: Sync.moment(.seconds(60))) else {
            Issue.record("it is asked")
            return
        }
        #expect(wait >= Sync.hour - .seconds(60) && wait < Sync.hour)
        #expect(planner.refresh("a", at: Sync.moment(.seconds(60) + wait)) == .started)
    }

    @Test("a sync that waits for its rate continues when the allowance is full")
    func pause() throws {
        var planner = planner(RequestRate(requests: 10, per: Sync.day))
        while planner.request("a", at: Sync.moment(.zero)) == .admitted {}
        var random = SplitMix64(seed: 3)
        let report = with(SyncReport()) { $0.isPaused = true }
        _ = planner.ended("a", .succeeded(report), at: Sync.moment(.zero), random: &random)
        let due = try #require(planner.nextDue)
        #expect(planner.startDue(at: Moment(sinceBoot: due, wall: Sync.moment(.zero).wall)) == ["a"])
        #expect(planner.requestsLeft(of: "a", at: Moment(sinceBoot: due, wall: Sync.moment(.zero).wall)) == 5)
    }

    @Test("a new path on the same server keeps the used requests; another server has its own rate")
    func sameServer() {
        for (url, left) in [
            ("https://official-joke-api.appspot.com/", 0), ("HTTPS://official-joke-api.appspot.com?x", 0),
            ("https://jokes.example", 50), ("https://official-joke-api.appspot.com:444", 50),
        ] {
            var planner = Sync.planner(Sync.source("a", url: "https://official-joke-api.appspot.com/jokes"))
            while planner.request("a", at: Sync.moment(.zero)) == .admitted {}
            planner.configure([Sync.source("a", url: url)], states: [:], now: Sync.moment(.zero))
            #expect(planner.requestsLeft(of: "a", at: Sync.moment(.zero)) == left, "\(url)")
        }
    }

    @Test("a clock that is set back does not exceed the rate; one that is set forward gives a full allowance")
    func clock() {
        let wall = Sync.moment(.zero).wall
        for (change, left) in [(Sync.day * 366, 0), (Sync.day * -366, 5)] {
            var state = SourceState()
            state.rateLimitResetAt = wall.advanced(by: change)
            let planner = planner(RequestRate(requests: 10, per: .seconds(60)), states: ["a": state])
            #expect(planner.requestsLeft(of: "a", at: Sync.moment(.zero)) == left)
        }
    }
}
