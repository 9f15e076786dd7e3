import Diffable
import TestSupport
import Testing

private typealias CountedList = DiffableSnapshot<PlainRow, CountedRow>

/// The documented costs, counted, not timed. The slow tier also shows that 100,000 edits work without recursion: a
/// stack frame for each would not fit.
@Suite struct CostTests {
    private let tally = Tally()
    private let many = scaled(100_000)

    private func id(_ number: Int) -> CountedID { CountedID(number: number, tally: tally) }

    private func row(_ number: Int) -> CountedRow { CountedRow(id: id(number)) }

    private func snapshot(_ numbers: some Sequence<Int>, isHashed: Bool = true) throws -> CountedList {
        var snapshot = CountedList()
        snapshot.appendSections([PlainRow(0)])
        try snapshot.appendItems(numbers.map(row))
        if isHashed { try snapshot.validate() }
        return snapshot
    }

    @Test("appending hashes nothing; the first lookup in a snapshot or a copy hashes each item once")
    func appending() throws {
        var snapshot = try snapshot([], isHashed: false)
        for number in 0..<many { try snapshot.appendItems([row(number)]) }
        #expect(tally.take() == (0, 0, 0))
        let copy = snapshot
        #expect(copy.contains(id(many - 1)))
        let cost = tally.take()
        #expect(cost.hashes == many + 1)
        #expect(cost.comparisons < many / 100)
        #expect(cost.contents == 0)
        #expect(snapshot.contains(id(0)))
        try snapshot.appendItems([row(many)])
        #expect(tally.take().hashes == 2)
        #expect(snapshot.numberOfItems == many + 1)
    }

    @Test("a new snapshot with few edits is compared without hashing, one with many edits by hashing each item once")
    func updates() throws {
        let source = DiffableDataSource<PlainRow, CountedRow>()
        try source.apply(try snapshot(0..<many, isHashed: false))
        func cost(of numbers: [Int]) throws -> Tally.Counts {
            let next = try snapshot(numbers, isHashed: false)
            _ = tally.take()
            try source.apply(next)
            #expect(source.snapshot().itemIdentifiers == numbers.map(id))
            return tally.take()
        }
        var numbers = Array(0..<many)
        let edits: [(inout [Int]) -> Void] = [
            { _ in }, { $0.swapAt(many / 2, many / 2 + 3) }, { $0.removeSubrange(50..<60) },
            { $0.insert(many, at: 70) },
        ]
        for edit in edits {
            edit(&numbers)
            let cost = try cost(of: numbers)
            #expect(cost.hashes == 0 && cost.comparisons <= 4 * many && cost.contents <= many, "\(cost)")
        }
        var random = SplitMix64(seed: testSeed)
        numbers.shuffle(using: &random)
        #expect(try cost(of: numbers).hashes <= 3 * many, "seed \(testSeed)")
    }

    @Test("items with equal bits are not compared")
    func identical() throws {
        let rows = (0..<many).map(row)
        var old = CountedList()
        old.appendSections([PlainRow(0)])
        try old.appendItems(rows)
        var new = CountedList()
        new.appendSections([PlainRow(0)])
        try new.appendItems([row(many)] + rows.dropLast())
        for snapshot in [old, new] { try snapshot.validate() }
        _ = tally.take()
        let difference = try SnapshotDifference(from: old, to: new)
        let cost = tally.take()
        #expect(difference.count == 2)
        #expect(cost.hashes == 0 && cost.comparisons <= 8 && cost.contents == 0)
    }
}
