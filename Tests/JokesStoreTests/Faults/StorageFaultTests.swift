import Glibc
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// Every call that SQLite makes of the system failing in turn, under every call of the store and of the reader.
@Suite struct StorageFaultTests {
    /// A case: a play, and what goes wrong in it.
    private struct Case {
        let play: Play
        let fault: StorageFault
    }

    init() {
        seeStorageCalls()
    }

    @Test("whichever call of SQLite's fails while the store is opened, it says so, and opens once all is well")
    func openings() throws {
        let beginnings = try [Beginning.nothing(), .closed(), .fullLog(), .firstVersion()]
        try check(plays(Operation.openings, on: beginnings))
    }

    @Test("whichever call of SQLite's fails under a change, it is done or undone, and works once all is well")
    func changes() throws {
        try check(plays(Operation.changes, on: [.closed(), .fullLog()]))
    }

    @Test("whichever call of SQLite's fails under a question, it is answered in full or refused in words")
    func questions() throws {
        try check(plays(Operation.questions, on: [.closed(), .fullLog()]))
    }

    private func plays(_ operations: [Operation], on beginnings: [Beginning]) throws -> [Play] {
        try operations.flatMap { operation in try beginnings.map { try Play(operation, on: $0) } }
    }

    /// All cases where `make torture` asks for them, and else some by lot of every play and kind.
    private func check(_ plays: [Play]) throws {
        var random = SplitMix64(seed: testSeed)
        var count = 0
        for play in plays {
            for kind in StorageFault.Kind.all {
                let calls = play.calls[kind.call] ?? 0
                for number in numbers(upTo: calls, kind, &random) {
                    try check(play, StorageFault(kind, number: number, lasts: isLong ? false : random.chance(1, in: 2)))
                    if isLong { try check(play, StorageFault(kind, number: number, lasts: true)) }
                    count += isLong ? 2 : 1
                }
            }
        }
        #expect(count > 0)
        if isLong { print("\(count) faults in \(plays.count) plays") }
    }

    private func check(_ play: Play, _ fault: StorageFault) throws {
        do {
            try play.hold(under: fault)
        } catch {
            let place = "\(play.operation.name) on \(play.beginning.name), \(fault)"
            throw BrokenLaw("JOKESD_TEST_SEED=\(testSeed) repeats it; \(place): \(error)")
        }
    }

    private let isLong = getenv("JOKESD_TORTURE") != nil

    private func numbers(upTo count: Int, _ kind: StorageFault.Kind, _ random: inout SplitMix64) -> [Int] {
        guard count > 0 else { return [] }
        // Most allocations are much like the one before.
        if isLong { return Array(stride(from: 1, through: count, by: kind.call == .allocate ? 1 + count / 200 : 1)) }
        return random.chance(1, in: 7) ? [random.int(in: 1..<count + 1)] : []
    }
}
