import JokesCore
import TestSupport
import Testing

@Suite("Simulation of many daemons for a month")
struct SyncSimulationTests {
    private static let count = isSlowTier ? 1000 : 30

    /// Requested pauses of real servers, and some of broken ones.
    private static let requestedPauses: [Duration?] = [
        nil, nil, .seconds(60), .seconds(-60), .zero, .seconds(315_360_000),
    ]

    /// A service that is unreachable for two hours on the third day, asks all clients on the seventh to retry at the same
    /// time, and fails sometimes.
    @Sendable private static func upstream(at time: Duration, _ random: inout SplitMix64) -> SyncOutcome {
        let outage = Sync.day * 3...(Sync.day * 3 + Sync.hour * 2)
        if outage.contains(time) { return Sync.failure(isUnreachable: true) }
        let comeBack = Sync.day * 7 + Sync.hour * 6
        if (Sync.day * 7..<comeBack).contains(time) { return Sync.failure(retryAfter: comeBack - time) }
        if random.chance(1, in: 30) {
            return Sync.failure(retryAfter: requestedPauses[random.int(in: 0..<requestedPauses.count)])
        }
        return Sync.success
    }

    @Test("with failures, restarts and clock changes, they keep their rates, never stall, and do not sync all at once")
    func month() async throws {
        var requestsInSecond: [Int64: Int] = [:]
        for number in 0..<Self.count {
            var daemon = SimulatedDaemon(seed: testSeed &+ UInt64(number))
            do {
                try daemon.run(until: Sync.day * 20, Self.upstream)
                // The power fails for all machines together.
                daemon.losePower(at: Sync.day * 20, for: Sync.day)
                try daemon.run(until: Sync.day * 30, Self.upstream)
            } catch {
                throw DaemonFailure(description: "daemon \(number), JOKESD_TEST_SEED=\(testSeed): \(error)")
            }
            // Other tests have deadlines, and the machine may have only two processors.
            await Task.yield()
            for time in daemon.requests { requestsInSecond[time.components.seconds, default: 0] += 1 }
        }
        // All daemons start in the same second, and their first syncs are at once.
        #expect(requestsInSecond.removeValue(forKey: 0) == Self.count)
        let busiest = try #require(requestsInSecond.max { $0.value < $1.value })
        #expect(busiest.value <= max(Self.count / 20, 15), "in second \(busiest.key); JOKESD_TEST_SEED=\(testSeed)")
        let requests = requestsInSecond.values.reduce(0, +)
        #expect((Self.count * 85...Self.count * 130).contains(requests), "JOKESD_TEST_SEED=\(testSeed)")
    }
}

private struct DaemonFailure: Error, CustomStringConvertible {
    let description: String
}
