import Glibc
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// A VFS call or an allocation of SQLite fails, once or from then on, during each `Operation`.
@Suite struct StorageFaultTests {
    init() {
        installFaultVFS()
    }

    @Test(
        "if a VFS call or allocation fails while a store is opened, the error is reported, and the next start succeeds")
    func openings() throws {
        let initialStates = try [InitialState.emptyFolder(), .closedDatabase(), .fullWAL()]
        try check(scenarios(Operation.openings, on: initialStates))
    }

    @Test(
        "if a VFS call or allocation fails during a change, the change is complete or undone, and can be repeated",
        .enabled(if: isSlowTier, "slow tier"))
    func changes() throws {
        try check(scenarios(Operation.changes, on: [.closedDatabase(), .fullWAL()]))
    }

    @Test(
        "if a VFS call or allocation fails during a read, the result is complete or an error",
        .enabled(if: isSlowTier, "slow tier"))
    func reads() throws {
        try check(scenarios(Operation.reads, on: [.closedDatabase(), .fullWAL()]))
    }

    private func scenarios(_ operations: [Operation], on initialStates: [InitialState]) throws -> [FaultScenario] {
        try operations.flatMap { operation in try initialStates.map { try FaultScenario(operation, on: $0) } }
    }

    /// Checks random faults in each scenario; at a scale of 1000 percent, all faults, but at most 200 allocations.
    private func check(_ scenarios: [FaultScenario]) throws {
        var random = SplitMix64(seed: testSeed)
        for scenario in scenarios {
            let kinds = StorageFault.Kind.all.filter { scenario.calls[$0.call, default: 0] > 0 }.shuffled(
                using: &random)
            try #require(!kinds.isEmpty)
            for kind in kinds.prefix(isLong ? kinds.count : scaled(kinds.count / 3)) {
                for number in numbers(upTo: scenario.calls[kind.call, default: 0], kind, &random) {
                    try check(
                        scenario, StorageFault(kind, number: number, lasts: isLong ? false : random.chance(1, in: 2)))
                    if isLong { try check(scenario, StorageFault(kind, number: number, lasts: true)) }
                }
            }
        }
    }

    private func check(_ scenario: FaultScenario, _ fault: StorageFault) throws {
        do {
            try scenario.check(under: fault)
        } catch {
            let description = "\(scenario.operation.name) on \(scenario.initialState.name), \(fault)"
            throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it; \(description): \(error)")
        }
    }

    private let isLong = testScale >= 1000

    private func numbers(upTo count: Int, _ kind: StorageFault.Kind, _ random: inout SplitMix64) -> [Int] {
        // Consecutive allocations are similar: at most 200 of them fail.
        if isLong { return Array(stride(from: 1, through: count, by: kind.call == .allocate ? 1 + count / 200 : 1)) }
        return [random.int(in: 1..<count + 1)]
    }
}
