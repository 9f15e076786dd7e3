import JokesCore
import TestSupport
import Testing

@Suite("Planning after a reload")
struct ReloadTests {
    private var random = SplitMix64(seed: 2)

    private func start(_ sources: SourceConfiguration...) -> SyncPlanner {
        var planner = SyncPlanner()
        planner.configure(sources, states: [:], now: Sync.moment(.zero))
        _ = planner.startDue(at: Sync.moment(.zero))
        return planner
    }

    private mutating func answered(_ source: SourceConfiguration) -> SyncPlanner {
        var planner = start(source)
        _ = planner.ended(source.name, Sync.success, at: Sync.moment(.zero), random: &random)
        return planner
    }

    private func wait(_ planner: SyncPlanner) throws -> Duration {
        try #require(planner.nextDue) - Sync.moment(.zero).sinceBoot
    }

    @Test("a reload without changes does not move any sync")
    mutating func nothing() throws {
        var planner = answered(Sync.source("a"))
        let due = planner.nextDue
        for hours in 1...5 {
            planner.configure([Sync.source("a")], states: [:], now: Sync.moment(Sync.hour * hours))
            #expect(planner.nextDue == due)
        }
    }

    @Test("a shorter interval counts from the last sync, and a longer one from the next")
    mutating func intervals() throws {
        var planner = answered(Sync.source("a"))
        planner.configure([Sync.source("a", interval: Sync.hour * 2)], states: [:], now: Sync.moment(Sync.hour))
        #expect(try wait(planner) == Sync.hour * 2 * 11 / 10)
        #expect(planner.state(of: "a")?.nextAttempt == Sync.moment(Sync.hour * 2 * 11 / 10).wall)
        planner.configure([Sync.source("a", interval: Sync.hour * 20)], states: [:], now: Sync.moment(Sync.hour))
        #expect(try wait(planner) == Sync.hour * 2 * 11 / 10)
        planner.configure([Sync.source("a", interval: .seconds(1))], states: [:], now: Sync.moment(.seconds(3)))
        #expect(try wait(planner) == SourceConfiguration(name: "x", kind: .officialJokeAPI).minPause)
    }

    @Test("another interval does not shorten a backoff or a requested pause")
    mutating func intervalsWhileFailing() throws {
        var planner = start(Sync.source("a"))
        _ = planner.ended("a", Sync.failure(retryAfter: Sync.hour), at: Sync.moment(.zero), random: &random)
        let due = planner.nextDue
        planner.configure([Sync.source("a", interval: .seconds(60))], states: [:], now: Sync.moment(.seconds(5)))
        #expect(planner.nextDue == due)
    }

    @Test("a source with another server or other requests is synced soon")
    mutating func anotherQuestion() throws {
        let changed = [
            Sync.source("a", url: "https://jokes.example"), Sync.source("a", limit: 10),
            Sync.source("a", kind: .fortune),
        ]
        for source in changed {
            var planner = answered(Sync.source("a"))
            planner.configure([source], states: [:], now: Sync.moment(.seconds(5)))
            #expect(try wait(planner) == max(source.minPause, .seconds(5)))
        }
    }

    @Test("a pause that the old server has asked for does not apply to the new one")
    mutating func anotherUpstream() throws {
        var planner = start(Sync.source("a"))
        planner.refuse("a", retryAfter: Sync.hour, at: Sync.moment(.zero))
        _ = planner.ended("a", Sync.failure(), at: Sync.moment(.zero), random: &random)
        var sameHost = planner
        sameHost.configure([Sync.source("a", limit: 5)], states: [:], now: Sync.moment(.seconds(30)))
        #expect(try wait(sameHost) == Sync.hour)
        planner.configure([Sync.source("a", url: "http://b")], states: [:], now: Sync.moment(.seconds(30)))
        #expect(try wait(planner) == .seconds(30))
    }

    @Test("after the end of a sync whose requests changed, the next sync is soon")
    mutating func staleAnswer() throws {
        var planner = start(Sync.source("a"))
        planner.configure([Sync.source("a", limit: 10)], states: [:], now: Sync.moment(.seconds(5)))
        #expect(planner.running == ["a"])
        #expect(planner.startDue(at: Sync.moment(Sync.day)) == [])
        let state = planner.ended("a", Sync.success, at: Sync.moment(.seconds(10)), random: &random)
        #expect(state?.lastSuccess == Sync.moment(.seconds(10)).wall)
        #expect(try wait(planner) == .seconds(20))
    }

    @Test("a source that is removed during its sync does not sync twice when it is added again")
    mutating func takenOutWhileRunning() throws {
        var planner = start(Sync.source("a"), Sync.source("b"))
        planner.configure([Sync.source("b")], states: [:], now: Sync.moment(.seconds(1)))
        #expect(planner.running == ["b"])
        #expect(planner.state(of: "a") == nil && planner.configuration(of: "a") == nil)
        #expect(planner.refresh("a", at: Sync.moment(.seconds(1))) == .noSuchSource)

        var back = planner
        back.configure([Sync.source("a"), Sync.source("b")], states: [:], now: Sync.moment(.seconds(2)))
        #expect(back.startDue(at: Sync.moment(Sync.hour)) == [])
        #expect(back.running == ["a", "b"])
        #expect(back.ended("a", Sync.success, at: Sync.moment(.seconds(3)), random: &random) != nil)

        #expect(planner.ended("a", Sync.success, at: Sync.moment(.seconds(3)), random: &random) == nil)
        let stored = with(SourceState()) { $0.lastAttempt = Sync.moment(.zero).wall }
        planner.configure(
            [Sync.source("a"), Sync.source("b")], states: ["a": stored], now: Sync.moment(.seconds(4)))
        #expect(planner.startDue(at: Sync.moment(.seconds(4))) == [], "the pause applies to the removed source")
        #expect(planner.startDue(at: Sync.moment(.seconds(20) + Sync.wallStep)) == ["a"])
    }

    @Test("a source that is added again continues from its stored state")
    mutating func comesBack() {
        var planner = answered(Sync.source("a"))
        planner.configure([], states: [:], now: Sync.moment(.seconds(1)))
        #expect(planner.nextDue == nil && planner.order == [])
        let kept = with(SourceState()) {
            $0.lastAttempt = Sync.moment(.zero).wall
            $0.nextAttempt = Sync.moment(Sync.hour).wall
        }
        planner.configure([Sync.source("a")], states: ["a": kept], now: Sync.moment(.seconds(2)))
        #expect(planner.nextDue == Sync.moment(Sync.hour).sinceBoot)
    }

    @Test("a source that is disabled during its sync is synced when it is enabled and due")
    mutating func disabledWhileRunning() throws {
        var planner = start(Sync.source("a"))
        planner.configure([Sync.source("a", isEnabled: false)], states: [:], now: Sync.moment(.seconds(1)))
        #expect(planner.running == ["a"])
        #expect(planner.ended("a", Sync.success, at: Sync.moment(.seconds(2)), random: &random) != nil)
        #expect(planner.nextDue == nil)
        #expect(planner.startDue(at: Sync.moment(Sync.day)) == [])
        planner.configure([Sync.source("a")], states: [:], now: Sync.moment(Sync.day))
        #expect(planner.startDue(at: Sync.moment(Sync.day)) == ["a"])
    }

    @Test("the order is that of the configuration, and a duplicate name counts once")
    mutating func order() {
        var planner = start(Sync.source("a"), Sync.source("b"))
        let twice = [Sync.source("b"), Sync.source("c"), Sync.source("b", limit: 1), Sync.source("a")]
        planner.configure(twice, states: [:], now: Sync.moment(.zero))
        #expect(planner.order == ["b", "c", "a"])
        #expect(planner.configuration(of: "b")?.limit == nil)
        #expect(planner.startDue(at: Sync.moment(.zero)) == ["c"])
        #expect(planner.running == ["b", "c", "a"])
    }
}
