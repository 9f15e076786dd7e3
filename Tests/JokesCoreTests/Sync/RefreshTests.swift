import JokesCore
import TestSupport
import Testing

@Suite("Refresh")
struct RefreshTests {
    private var random = SplitMix64(seed: 2)

    /// A source `a` with a success at the start, whose next sync is hours away.
    private mutating func answered(_ outcome: SyncOutcome, _ sources: SourceConfiguration...) -> SyncPlanner {
        var planner = SyncPlanner()
        planner.configure(sources, states: [:], now: Sync.moment(.zero))
        _ = planner.startDue(at: Sync.moment(.zero))
        _ = planner.ended("a", outcome, at: Sync.moment(.seconds(2)), random: &random)
        return planner
    }

    @Test("has an answer for each state of a source")
    mutating func answers() {
        var planner = answered(Sync.success, Sync.source("a"), Sync.source("off", isEnabled: false))
        #expect(planner.refresh("none", at: Sync.moment(Sync.hour)) == .noSuchSource)
        #expect(planner.refresh("off", at: Sync.moment(Sync.hour)) == .disabled)
        #expect(planner.refresh("a", at: Sync.moment(Sync.hour)) == .started)
        #expect(planner.running == ["a"])
        #expect(planner.refresh("a", at: Sync.moment(Sync.hour)) == .alreadyRunning)
        #expect(planner.state(of: "a")?.lastAttempt == Sync.moment(Sync.hour).wall)
    }

    @Test("keeps the minimum pause of the type after the start of the last sync")
    mutating func rate() {
        for kind in SourceKind.allCases where kind.traits.origin != .file {
            var planner = answered(Sync.success, Sync.source("a", kind: kind))
            let pause = SourceConfiguration(name: "x", kind: kind).minPause
            let early = pause - .milliseconds(250)
            #expect(
                planner.refresh("a", at: Sync.moment(early)) == .tooSoon(retryAfter: .milliseconds(250)), "\(kind)")
            #expect(planner.refresh("a", at: Sync.moment(pause)) == .started, "\(kind)")
        }
    }

    @Test("keeps the rate of the type if the configuration has the URL of the public server")
    mutating func publicServerByName() {
        let named = Sync.source("a", url: "https://official-joke-api.appspot.com")
        var planner = answered(Sync.success, named)
        #expect(planner.refresh("a", at: Sync.moment(.seconds(1))) == .tooSoon(retryAfter: .seconds(19)))
    }

    @Test("needs no pause for a server of the local network")
    mutating func ownServer() {
        var own = Sync.source("a", url: "http://localhost:3005")
        own.allowLocalNetwork = true
        var planner = answered(Sync.success, own)
        #expect(planner.refresh("a", at: Sync.moment(.milliseconds(1))) == .started)
    }

    @Test("ignores the backoff, but not the pause that the service has asked for")
    mutating func afterFailure() {
        var failed = answered(Sync.failure(), Sync.source("a"))
        #expect(failed.refresh("a", at: Sync.moment(.seconds(20))) == .started)
        var limited = answered(Sync.failure(retryAfter: .seconds(900)), Sync.source("a"))
        limited.refuse("a", retryAfter: .seconds(900), at: Sync.moment(.seconds(2)))
        #expect(
            limited.refresh("a", at: Sync.moment(.seconds(802)))
                == .tooSoon(retryAfter: .seconds(100), reason: "a.example asked to wait 2 minutes"))
        #expect(limited.refresh("a", at: Sync.moment(.seconds(902))) == .started)
    }

    @Test("moves the next sync by an interval")
    mutating func reschedules() throws {
        var planner = answered(Sync.success, Sync.source("a"))
        _ = planner.refresh("a", at: Sync.moment(Sync.hour))
        #expect(planner.nextDue == nil)
        _ = planner.ended("a", Sync.success, at: Sync.moment(Sync.hour), random: &random)
        let due = try #require(planner.nextDue)
        #expect(due >= Sync.moment(Sync.hour + Sync.hour * 6 * 9 / 10).sinceBoot)
    }

    @Test("keeps the rate after a restart, by the wall clock")
    func restart() {
        let rows: [(sinceLast: Duration, answer: RefreshAnswer)] = [
            (.seconds(5), .tooSoon(retryAfter: .seconds(15) + Sync.wallStep)),
            (.zero, .tooSoon(retryAfter: .seconds(20))),
            (.seconds(20), .tooSoon(retryAfter: Sync.wallStep)),
            (.seconds(20) + Sync.wallStep, .started),
            (Sync.day * 366, .started),
            // The clock was set back, so the sync may have been just now.
            (Sync.day * -366, .tooSoon(retryAfter: .seconds(20))),
        ]
        for (sinceLast, answer) in rows {
            let last = Sync.moment(.zero).wall.advanced(by: .zero - sinceLast)
            let state = with(SourceState()) {
                $0.lastAttempt = last
                $0.nextAttempt = last.advanced(by: Sync.hour * 6)
            }
            var planner = Sync.planner(Sync.source("a"), states: ["a": state])
            #expect(planner.refresh("a", at: Sync.moment(.zero)) == answer, "\(sinceLast) after the last")
        }
    }
}
