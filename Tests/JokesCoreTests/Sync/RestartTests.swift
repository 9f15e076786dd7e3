import JokesCore
import TestSupport
import Testing

@Suite("Planning after a restart")
struct RestartTests {
    /// Returns the time from the start of the daemon to the sync of a source with this last and next sync.
    private func wait(
        lastAttempt: Duration?, nextAttempt: Duration?, failures: Int = 0, interval: Duration = Sync.hour * 6
    ) throws -> Duration {
        let wall = Sync.moment(.zero).wall
        let state = with(SourceState()) {
            $0.lastAttempt = lastAttempt.map { wall.advanced(by: $0) }
            $0.failureCount = failures
            $0.nextAttempt = nextAttempt.map { wall.advanced(by: $0) }
        }
        let planner = Sync.planner(Sync.source("a", interval: interval), states: ["a": state])
        return try #require(planner.nextDue) - Sync.moment(.zero).sinceBoot
    }

    @Test("a planned time in the future stays")
    func ahead() throws {
        #expect(try wait(lastAttempt: Sync.hour * -2, nextAttempt: Sync.hour * 4) == Sync.hour * 4)
        #expect(try wait(lastAttempt: Sync.hour * -2, nextAttempt: Sync.hour * 20, failures: 9) == Sync.hour * 20)
    }

    @Test("an overdue sync starts within a minute, or a tenth of the interval")
    func overdue() throws {
        let waits = try (1...100).map { hours in
            try wait(
                lastAttempt: Sync.hour * -hours - Sync.hour * 6,
                nextAttempt: Sync.hour * -hours - .microseconds(hours * 777_777))
        }
        #expect(waits.allSatisfy { (.zero)..<(.seconds(60)) ~= $0 })
        #expect(Set(waits).count > 90, "machines that start together sync together")
        let short = try wait(lastAttempt: Sync.hour * -1, nextAttempt: .seconds(-1777), interval: .seconds(100))
        #expect((.zero)..<(.seconds(10)) ~= short)
    }

    @Test("a clock that is set by a year neither delays nor hurries a sync")
    func clockSet() throws {
        for year in [Sync.day * 366, Sync.day * -366] {
            let waited = try wait(lastAttempt: year - Sync.hour, nextAttempt: year + Sync.hour * 5)
            #expect(waited < .seconds(60))
            let failing = try wait(lastAttempt: year - Sync.hour, nextAttempt: year + Sync.hour * 5, failures: 3)
            #expect(failing < .seconds(60))
        }
    }

    @Test("a clock that starts at the same time after each boot does not postpone the sync each time")
    func clockWithoutBattery() throws {
        #expect(try wait(lastAttempt: .seconds(30), nextAttempt: Sync.hour * 6) < .seconds(60))
    }

    @Test("a sync is not sooner after the last one than the rate allows, whatever is planned")
    func rate() throws {
        #expect(try wait(lastAttempt: .seconds(-5), nextAttempt: nil) == .seconds(15) + Sync.wallStep)
        #expect(try wait(lastAttempt: .seconds(-5), nextAttempt: .seconds(-4)) >= .seconds(15))
    }

    @Test("a source with other requests than before the restart syncs as soon as its rate allows")
    func otherQuestion() throws {
        let asked = Sync.source("a")
        let kept = with(SourceState()) {
            $0.requestSignature = asked.requestSignature
            $0.lastAttempt = Sync.moment(.seconds(-60)).wall
            $0.nextAttempt = Sync.moment(Sync.hour).wall
        }
        let planned = Sync.moment(Sync.hour).sinceBoot
        #expect(Sync.planner(asked, states: ["a": kept]).nextDue == planned)
        var other = asked
        other.interval = Sync.day
        other.isEnabled = true
        other.filter = JokeFilter()
        other.rate = RequestRate(requests: 1, per: .seconds(1))
        other.language = "de"
        other.safety = .safe
        #expect(Sync.planner(other, states: ["a": kept]).nextDue == planned)
        other.limit = 7
        let planner = Sync.planner(other, states: ["a": kept])
        #expect(planner.nextDue == Sync.moment(.zero).sinceBoot)
        // The reader of fortune files rates rotated ones, unless the configuration does.
        let file = SourceConfiguration(name: "f", kind: .fortune)
        #expect(SourceConfiguration(name: "f", kind: .fortune, safety: .safe).requestSignature != file.requestSignature)
        // The reader of JokeAPI requests only safe jokes if the filter wants no others.
        let services = [nil, JokeFilter(safe: false), JokeFilter(safe: true, maxLength: 9), JokeFilter(safe: true)].map
        {
            SourceConfiguration(name: "j", kind: .jokeAPI, filter: $0).requestSignature
        }
        #expect(services[0] == services[1] && services[1] != services[2] && services[2] == services[3])
    }

    @Test("a source that was unreachable before the restart is tried within 15 minutes")
    func unreachable() throws {
        var planner = Sync.planner(Sync.source("a"))
        var random = SplitMix64(seed: testSeed)
        var now = Duration.zero
        for _ in 0..<12 {
            _ = planner.refresh("a", at: Sync.moment(now))
            _ = planner.ended("a", Sync.failure(isUnreachable: true), at: Sync.moment(now), random: &random)
            now += Sync.hour
        }
        let kept = try #require(planner.state(of: "a"))
        let start = now - Sync.hour + .seconds(1)
        var next = SyncPlanner()
        next.configure([Sync.source("a")], states: ["a": kept], now: Sync.moment(start))
        #expect(try #require(next.nextDue) <= Sync.moment(start + Sync.minute * 15).sinceBoot)
    }

    @Test("the state of the planner is the stored state")
    func state() throws {
        let wall = Sync.moment(.zero).wall
        let kept = with(SourceState()) {
            $0.lastAttempt = wall.advanced(by: .seconds(-60))
            $0.lastSuccess = wall.advanced(by: Sync.day * -1)
            $0.failingSince = wall.advanced(by: Sync.hour * -1)
            $0.failure = "no route to host"
            $0.failureCount = 4
            $0.nextAttempt = wall.advanced(by: .seconds(60))
            $0.newInLastSync = 3
            $0.refusedInLastSync = 1
        }
        #expect(Sync.planner(Sync.source("a"), states: ["a": kept]).state(of: "a") == kept)
    }
}
