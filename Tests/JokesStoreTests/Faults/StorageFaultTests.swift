import Glibc
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// Each system call of SQLite fails in turn, during each call of the store and of the reader.
@Suite struct StorageFaultTests {
    /// A case: a play, and its fault.
    private struct Case {
        let play: Play
        let fault: StorageFault
    }

    init() {
        seeStorageCalls()
    }

    @Test("if any call of SQLite fails during an opening, the error is reported, and the next opening succeeds")
    func openings() throws {
        let beginnings = try [Beginning.nothing(), .closed(), .fullLog()]
        try check(plays(Operation.openings, on: beginnings))
    }

    @Test(
        "if any call of SQLite fails during a change, the change is complete or undone, and works after the failure ends",
        .enabled(if: isSlowTier, "slow tier"))
    func changes() throws {
        try check(plays(Operation.changes, on: [.closed(), .fullLog()]))
    }

    @Test(
        "if any call of SQLite fails during a read, the result is complete or an error",
        .enabled(if: isSlowTier, "slow tier"))
    func questions() throws {
        try check(plays(Operation.questions, on: [.closed(), .fullLog()]))
    }

    private func plays(_ operations: [Operation], on beginnings: [Beginning]) throws -> [Play] {
        try operations.flatMap { operation in try beginnings.map { try Play(operation, on: $0) } }
    }

    /// Tries all cases at a scale of 1000 percent, and otherwise random cases of each play.
    private func check(_ plays: [Play]) throws {
        var random = SplitMix64(seed: testSeed)
        for play in plays {
            let kinds = StorageFault.Kind.all.filter { play.calls[$0.call, default: 0] > 0 }.shuffled(using: &random)
            try #require(!kinds.isEmpty)
            for kind in kinds.prefix(isLong ? kinds.count : scaled(kinds.count / 3)) {
                for number in numbers(upTo: play.calls[kind.call, default: 0], kind, &random) {
                    try check(play, StorageFault(kind, number: number, lasts: isLong ? false : random.chance(1, in: 2)))
                    if isLong { try check(play, StorageFault(kind, number: number, lasts: true)) }
                }
            }
        }
    }

    private func check(_ play: Play, _ fault: StorageFault) throws {
        do {
            try play.hold(under: fault)
        } catch {
            let place = "\(play.operation.name) on \(play.beginning.name), \(fault)"
            throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it; \(place): \(error)")
        }
    }

    private let isLong = testScale >= 1000

    private func numbers(upTo count: Int, _ kind: StorageFault.Kind, _ random: inout SplitMix64) -> [Int] {
        // Most allocations resemble the one before.
        if isLong { return Array(stride(from: 1, through: count, by: kind.call == .allocate ? 1 + count / 200 : 1)) }
        return [random.int(in: 1..<count + 1)]
    }
}
