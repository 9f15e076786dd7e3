import JokesCore
import TestSupport
import Testing

/// Short forms of sources, times and outcomes for the tests of the planner.
enum Sync {
    static let minute: Duration = .seconds(60)
    static let hour: Duration = minute * 60
    static let day: Duration = hour * 24
    /// The precision of stored times: a planner that resumes waits this much longer.
    static let wallStep: Duration = .microseconds(1)
    static let success = SyncOutcome.succeeded(with(SyncReport()) { ($0.new, $0.refused) = (3, 1) })

    static func failure(retryAfter: Duration? = nil, isUnreachable: Bool = false) -> SyncOutcome {
        .failed(reason: "no route to host", retryAfter: retryAfter, isUnreachable: isUnreachable)
    }

    /// Returns a source with a server of its own.
    static func source(
        _ name: String, kind: SourceKind = .officialJokeAPI, interval: Duration = hour * 6, isEnabled: Bool = true,
        url: String? = nil, limit: Int? = nil, rate: RequestRate? = nil
    ) -> SourceConfiguration {
        SourceConfiguration(
            name: name, kind: kind, url: url ?? (kind == .fortune ? nil : "https://\(name).example"),
            isEnabled: isEnabled, interval: interval, limit: limit, rate: rate)
    }

    /// Returns the time after a start in 2025, 1,000 s after the boot of the machine.
    static func moment(_ elapsed: Duration, wallSet: Duration = .zero) -> Moment {
        Moment(
            sinceBoot: .seconds(1000) + elapsed,
            wall: Timestamp(microseconds: 1_760_000_000_123_456).advanced(by: elapsed + wallSet))
    }

    static func planner(_ sources: SourceConfiguration..., states: [String: SourceState] = [:]) -> SyncPlanner {
        var planner = SyncPlanner()
        planner.configure(sources, states: states, now: moment(.zero))
        return planner
    }
}

extension SyncPlanner {
    /// Asks for a request of a configured source. An admitted request ends at once.
    mutating func request(_ name: String, at now: Moment) -> RequestAnswer {
        configuration(of: name).map { request(of: $0, at: now) } ?? .admitted
    }

    mutating func request(of source: SourceConfiguration, at now: Moment) -> RequestAnswer {
        let answer = admitRequest(of: source, at: now)
        if answer == .admitted { requestEnded(of: source, retryAfter: nil, at: now) }
        return answer
    }
}

extension SyncPlanner {
    /// A request of a source is refused, with a pause.
    mutating func refuse(_ name: String, retryAfter: Duration, at now: Moment) {
        guard let source = configuration(of: name), admitRequest(of: source, at: now) == .admitted else { return }
        requestEnded(of: source, retryAfter: retryAfter, at: now)
    }
}

extension RequestAnswer {
    /// The time to wait; nil if the request is admitted.
    var wait: Duration? {
        if case .after(let wait, _) = self { wait } else { nil }
    }
}

@Suite("Sync planner")
struct SyncPlannerTests {
    private var random = SplitMix64(seed: 2)

    @Test("syncs new sources at once, in the order of the configuration, and never disabled ones")
    func start() {
        var planner = Sync.planner(
            Sync.source("b"), Sync.source("off", isEnabled: false), Sync.source("a", kind: .fortune))
        #expect(planner.order == ["b", "off", "a"])
        #expect(planner.nextDue == Sync.moment(.zero).sinceBoot)
        #expect(planner.startDue(at: Sync.moment(.zero)) == ["b", "a"])
        #expect(planner.running == ["b", "a"])
        #expect(planner.nextDue == nil)
        #expect(planner.startDue(at: Sync.moment(Sync.day * 365)) == [])
    }

    @Test(
        "resets its sources: they sync at once, within their rate")
    mutating func restarted() throws {
        let limited = Sync.source("limited", rate: RequestRate(requests: 1, per: Sync.hour))
        var planner = Sync.planner(limited, Sync.source("off", isEnabled: false))
        #expect(planner.startDue(at: Sync.moment(.zero)) == ["limited"])
        #expect(planner.request("limited", at: Sync.moment(.zero)) == .admitted)
        _ = planner.ended("limited", Sync.success, at: Sync.moment(Sync.minute), random: &random)
        var reset = planner.restarted(at: Sync.moment(Sync.minute))
        #expect(reset.order == planner.order)
        let soon = try #require(reset.nextDue)
        #expect(soon <= Sync.moment(Sync.hour + Sync.minute).sinceBoot)
        let later = Sync.moment(Sync.hour + Sync.minute)
        #expect(reset.startDue(at: later) == ["limited"])
        #expect(reset.requestsLeft(of: "limited", at: Sync.moment(Sync.minute)) == 0)
    }

    @Test("syncs again after the interval, varied by a tenth, and not before")
    mutating func interval() throws {
        let pauses = try (0..<200).map { _ in try pauseAfterSuccess() }
        #expect(pauses.allSatisfy { (Sync.hour * 6 * 9 / 10...Sync.hour * 6 * 11 / 10).contains($0) })
        #expect(try #require(pauses.min()) < Sync.hour * 6 * 92 / 100)
        #expect(try #require(pauses.max()) > Sync.hour * 6 * 108 / 100)
    }

    private mutating func pauseAfterSuccess() throws -> Duration {
        var planner = Sync.planner(Sync.source("a"))
        _ = planner.startDue(at: Sync.moment(.zero))
        let ended = Sync.moment(.seconds(3))
        _ = planner.ended("a", Sync.success, at: ended, random: &random)
        let due = try #require(planner.nextDue)
        let elapsed = due - Sync.moment(.zero).sinceBoot
        #expect(planner.startDue(at: Sync.moment(elapsed - .nanoseconds(1))) == [])
        #expect(planner.startDue(at: Sync.moment(elapsed)) == ["a"])
        return due - ended.sinceBoot
    }

    @Test("keeps the result of a success, and forgets the failures before it")
    mutating func success() throws {
        var planner = Sync.planner(Sync.source("a"))
        _ = planner.startDue(at: Sync.moment(.zero))
        let failed = try #require(planner.ended("a", Sync.failure(), at: Sync.moment(.seconds(1)), random: &random))
        #expect(failed.failureCount == 1 && failed.failure == "no route to host")
        #expect(failed.failingSince == Sync.moment(.seconds(1)).wall)

        _ = planner.startDue(at: Sync.moment(Sync.hour))
        let again = try #require(planner.ended("a", Sync.failure(), at: Sync.moment(Sync.hour), random: &random))
        #expect(again.failureCount == 2)
        #expect(again.failingSince == failed.failingSince)

        _ = planner.startDue(at: Sync.moment(Sync.hour * 2))
        let later = Sync.moment(Sync.hour * 2 + .seconds(5))
        let state = try #require(planner.ended("a", Sync.success, at: later, random: &random))
        #expect(state.newInLastSync == 3 && state.refusedInLastSync == 1)
        #expect(state.failureCount == 0 && state.failure == nil && state.failingSince == nil)
        #expect(state.lastAttempt == Sync.moment(Sync.hour * 2).wall && state.lastSuccess == later.wall)
        #expect(planner.state(of: "a") == state)
    }

    @Test("is offline if there are network sources and none can be reached")
    mutating func offline() {
        var planner = Sync.planner(
            Sync.source("a"), Sync.source("b"), Sync.source("files", kind: .fortune),
            Sync.source("off", isEnabled: false))
        #expect(!planner.isOffline)
        let rows: [(name: String, outcome: SyncOutcome, isOffline: Bool, failing: [String])] = [
            ("a", Sync.failure(isUnreachable: true), false, ["a"]),
            ("files", Sync.success, false, ["a"]),
            ("b", Sync.failure(isUnreachable: true), true, ["a", "b"]),
            ("b", Sync.failure(), false, ["a", "b"]),
            ("b", Sync.failure(isUnreachable: true), true, ["a", "b"]),
            ("a", Sync.success, false, ["b"]),
        ]
        for (number, row) in rows.enumerated() {
            let now = Sync.moment(Sync.day * number)
            if !planner.startDue(at: now).contains(row.name) { _ = planner.refresh(row.name, at: now) }
            _ = planner.ended(row.name, row.outcome, at: now, random: &random)
            #expect(planner.isOffline == row.isOffline, "row \(number)")
            #expect(planner.failing == row.failing, "row \(number)")
        }
        #expect(!Sync.planner(Sync.source("files", kind: .fortune)).isOffline)
    }

    @Test("has a note only of a successful sync")
    mutating func note() {
        var planner = Sync.planner(Sync.source("a"))
        _ = planner.startDue(at: Sync.moment(.zero))
        let odd = SyncOutcome.succeeded(with(SyncReport()) { $0.note = "no such file" })
        _ = planner.ended("a", odd, at: Sync.moment(.zero), random: &random)
        #expect(planner.remark(of: "a") == "no such file")
        _ = planner.startDue(at: Sync.moment(Sync.day))
        _ = planner.ended("a", Sync.failure(), at: Sync.moment(Sync.day), random: &random)
        #expect(planner.remark(of: "a") == nil)
    }

    @Test("retries after a random time up to a minute, doubled with each failure, up to a day, forever")
    mutating func backoff() throws {
        for failures in 1...14 {
            let longest = min(.seconds(60) * (1 << (failures - 1)), Sync.day)
            let pauses = try (0..<200).map { _ in try pause(afterFailures: failures) }
            let shortest = try #require(pauses.min())
            let furthest = try #require(pauses.max())
            #expect(furthest <= longest)
            #expect(furthest > longest * 8 / 10)
            #expect(shortest < max(longest * 2 / 10, .seconds(21)))
        }
    }

    private mutating func pause(afterFailures failures: Int) throws -> Duration {
        var state = with(SourceState()) { $0.failureCount = failures - 1 }
        state.failure = failures > 1 ? "no route to host" : nil
        var planner = Sync.planner(Sync.source("a"), states: ["a": state])
        _ = planner.startDue(at: Sync.moment(.zero))
        _ = planner.ended("a", Sync.failure(), at: Sync.moment(.zero), random: &random)
        return try #require(planner.nextDue) - Sync.moment(.zero).sinceBoot
    }

    static let requestedPauses: [(pause: Duration, waits: ClosedRange<Duration>)] = [
        (.seconds(-1), .seconds(20)...(.seconds(60))),
        (.seconds(-315_360_000), .seconds(20)...(.seconds(60))),
        (.zero, .seconds(20)...(.seconds(60))),
        (.seconds(1), .seconds(20)...(.seconds(61))),
        (.seconds(900), .seconds(900)...(.seconds(960))),
        (.seconds(86_000), .seconds(86_000)...(.seconds(86_400))),
        (.seconds(86_400), .seconds(86_400)...(.seconds(86_400))),
        (.seconds(315_360_000), .seconds(86_400)...(.seconds(86_400))),
    ]

    @Test("keeps the pause that the service has asked for, up to a day", arguments: requestedPauses)
    mutating func retryAfter(pause: Duration, waits: ClosedRange<Duration>) throws {
        for _ in 0..<100 {
            var planner = Sync.planner(Sync.source("a"))
            _ = planner.startDue(at: Sync.moment(.zero))
            _ = planner.ended("a", Sync.failure(retryAfter: pause), at: Sync.moment(.zero), random: &random)
            #expect(waits.contains(try #require(planner.nextDue) - Sync.moment(.zero).sinceBoot))
        }
    }

    @Test("converts the time of the next sync to the current wall clock")
    mutating func nextAttempt() throws {
        var planner = Sync.planner(Sync.source("a"), Sync.source("off", isEnabled: false))
        #expect(planner.nextAttempt(of: "a", at: Sync.moment(.zero)) == Sync.moment(.zero).wall)
        _ = planner.startDue(at: Sync.moment(.zero))
        #expect(planner.nextAttempt(of: "a", at: Sync.moment(.zero)) == nil)
        let state = try #require(planner.ended("a", Sync.success, at: Sync.moment(.zero), random: &random))
        let wait = try #require(planner.nextDue) - Sync.moment(.zero).sinceBoot
        #expect(state.nextAttempt == Sync.moment(.zero).wall.advanced(by: wait))
        let set = Sync.moment(.seconds(60), wallSet: Sync.day * 366)
        #expect(planner.nextAttempt(of: "a", at: set) == set.wall.advanced(by: wait - .seconds(60)))
        #expect(planner.nextAttempt(of: "off", at: set) == nil)
        #expect(planner.nextAttempt(of: "none", at: set) == nil)
    }
}
