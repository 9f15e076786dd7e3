import JokesCore
import TestSupport
import Testing

@Suite("Planning while offline")
struct OfflineTests {
    private var random = SplitMix64(seed: 4)
    private let names = ["a", "b", "c", "d"]

    private func planner() -> SyncPlanner {
        var planner = SyncPlanner()
        let sources = names.map { Sync.source($0) } + [Sync.source("files", kind: .fortune, interval: .seconds(600))]
        planner.configure(sources, states: [:], now: Sync.moment(.zero))
        return planner
    }

    /// Syncs the due sources until the end, while none can be reached. Returns the times and names.
    private mutating func run(
        _ planner: inout SyncPlanner, until end: Duration, isReachable: (Duration) -> Bool = { _ in false }
    ) -> [(name: String, time: Duration)] {
        var asked: [(name: String, time: Duration)] = []
        while let due = planner.nextDue {
            let time = due - Sync.moment(.zero).sinceBoot
            if time > end { break }
            for name in planner.startDue(at: Sync.moment(time)) {
                asked.append((name, time))
                let fails = name != "files" && !isReachable(time)
                _ = planner.ended(
                    name, fails ? Sync.failure(isUnreachable: true) : Sync.success, at: Sync.moment(time),
                    random: &random)
            }
        }
        return asked
    }

    @Test("while no source can be reached, each is tried at least every 15 minutes")
    mutating func retries() {
        var planner = planner()
        let asked = run(&planner, until: Sync.day * 3)
        #expect(planner.isOffline)
        for name in names {
            let times = asked.filter { $0.name == name }.map(\.time)
            #expect(times.last.map { Sync.day * 3 - $0 <= .seconds(900) } == true)
            for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier <= .seconds(900)) }
            #expect(times.count < 3 * 24 * 8, "more than twice as often")
        }
    }

    @Test("a source without network is synced as usual")
    mutating func files() {
        var planner = planner()
        let asked = run(&planner, until: Sync.day).filter { $0.name == "files" }
        #expect(asked.count > 120)
    }

    @Test("after a source is reached, the others are synced within seconds, at different times")
    mutating func back() throws {
        for round in 0..<scaled(200) {
            random = SplitMix64(seed: testSeed &+ UInt64(round))
            var planner = planner()
            let back = Sync.minute * (60 + round)
            let asked = run(&planner, until: back + Sync.hour) { $0 >= back }
                .filter { $0.time >= back && $0.name != "files" }
            let first = try #require(asked.first).time
            #expect(first - back <= .seconds(900))
            #expect(Set(asked.map(\.name)) == Set(names), "JOKESD_TEST_SEED=\(testSeed)")
            #expect(asked.prefix(4).allSatisfy { $0.time - first <= .seconds(40) }, "JOKESD_TEST_SEED=\(testSeed)")
            #expect(Set(asked.prefix(4).map(\.time)).count == 4, "JOKESD_TEST_SEED=\(testSeed)")
            #expect(!planner.isOffline)
        }
    }

    @Test("a source with a low rate does not delay the probes of the others")
    mutating func rare() throws {
        var planner = SyncPlanner()
        let rare = Sync.source("a", rate: RequestRate(requests: 1, per: Sync.day))
        planner.configure([rare, Sync.source("b")], states: [:], now: Sync.moment(.zero))
        for name in planner.startDue(at: Sync.moment(.zero)) {
            _ = planner.request(name, at: Sync.moment(.zero))
            _ = planner.ended(
                name, Sync.failure(isUnreachable: true), at: Sync.moment(.zero), random: &random)
        }
        #expect(planner.isOffline)
        let due = try #require(planner.nextDue) - Sync.moment(.zero).sinceBoot
        #expect(due <= .seconds(900))
        #expect(planner.startDue(at: Sync.moment(due)) == ["b"])
    }
}
