import Diffable
import Glibc
import TestSupport
import Testing

/// Large inputs for which other engines report far more changes than necessary. A separate algorithm counts the
/// necessary changes.
@Suite struct WhatBrokeOthersAtScaleTests {
    private let many = scaled(100_000)

    @Test("redundant moves: deleted, inserted and moved items give the fewest changes")
    func edits() throws {
        var random = SplitMix64(seed: testSeed)
        var numbers = Array(0..<many)
        for _ in 0..<2_000 { numbers.swapAt(random.int(in: 0..<many), random.int(in: 0..<many)) }
        let gone = Set((0..<many).shuffled(using: &random).prefix(many / 10))
        numbers.removeAll(where: gone.contains)
        for number in many..<many + many / 10 { numbers.insert(number, at: random.int(in: 0..<numbers.count + 1)) }
        let difference = try differenceFromSorted(to: numbers)
        #expect(difference.items.deleted.count == many / 10, "seed \(testSeed)")
        #expect(difference.items.inserted.count == many / 10, "seed \(testSeed)")
        let kept = numbers.filter { $0 < many }
        #expect(difference.items.moved.count == kept.count - longestIncreasingRun(in: kept), "seed \(testSeed)")
    }

    @Test("redundant moves: one of many reversed items stays")
    func reversed() throws {
        #expect(try differenceFromSorted(to: (0..<many).reversed()).items.moved.count == many - 1)
    }

    @Test("redundant moves: in a full shuffle the longest increasing run stays")
    func shuffled() throws {
        var random = SplitMix64(seed: testSeed)
        let numbers = (0..<many).shuffled(using: &random)
        let difference = try differenceFromSorted(to: numbers)
        #expect(difference.count == many - longestIncreasingRun(in: numbers), "seed \(testSeed)")
    }

    @Test("redundant moves: reversed sections do not move their 100,000 items")
    func sectionsReversed() throws {
        let parts = (0..<100).map { section in (section, Array(section * 1_000..<section * 1_000 + 1_000)) }
        let old = try Model<PlainIdentifier>(parts).snapshot()
        let new = try Model<PlainIdentifier>(parts.reversed()).snapshot()
        let difference = try Difference(from: old, to: new)
        #expect(difference.count == 99)
        #expect(difference.sections.moved.count == 99)
        #expect(try old.applying(difference) == new)
    }

    @Test("redundant moves: 1,000 items change section while sections change, and no other item moves")
    func acrossSections() throws {
        var random = SplitMix64(seed: testSeed)
        var parts = (0..<100).map { section in (section, Array(section * 1_000..<section * 1_000 + 1_000)) }
        let old = try Model<PlainIdentifier>(parts).snapshot()
        let travellers = (0..<99_000).shuffled(using: &random).prefix(1_000)
        for number in travellers {
            let from = number / 1_000
            parts[from].1.removeAll { $0 == number }
            let to = (from + 1 + random.int(in: 0..<98)) % 99
            parts[to].1.insert(number, at: random.int(in: 0..<parts[to].1.count + 1))
        }
        parts.removeLast()
        parts.swapAt(3, 70)
        parts.insert((100, [100_000]), at: 50)
        let new = try Model<PlainIdentifier>(parts).snapshot()
        let difference = try Difference(from: old, to: new)
        #expect(difference.sections.count == 1 + 1 + 2)
        #expect(difference.items.deleted.count == 1_000)
        #expect(difference.items.inserted.count == 1)
        #expect(Set(difference.items.moved.map(\.id.number)) == Set(travellers), "seed \(testSeed)")
        #expect(difference.items.moved.count == 1_000, "seed \(testSeed)")
        #expect(try old.applying(difference) == new)
    }

    @Test("many edits take neither gigabytes nor a deep stack")
    func memory() throws {
        var random = SplitMix64(seed: testSeed)
        let kept = (0..<many).filter { _ in random.chance(1, in: 2) }
        let numbers = (kept + Array(many..<many + many / 2)).shuffled(using: &random)
        let before = mostKilobytesSoFar()
        let difference = try differenceFromSorted(to: numbers)
        #expect(difference.count > many)
        #expect(mostKilobytesSoFar() - before < 1 << 20)
    }

    @Test("edits that a copy reverts are no changes: a difference depends on states, not on their history")
    func undone() throws {
        let old = try Model<PlainIdentifier>(flat: Array(0..<many)).snapshot()
        var new = old
        try new.moveItem(PlainIdentifier(7), afterItem: PlainIdentifier(many / 10 * 9))
        try new.moveItem(PlainIdentifier(7), beforeItem: PlainIdentifier(8))
        try new.appendItems([Row(many)])
        try new.deleteItems([PlainIdentifier(many), PlainIdentifier(50)])
        try new.insertItems([Row(50)], afterItem: PlainIdentifier(49))
        try new.replace(Row(60, content: 1))
        try new.replace(Row(60))
        new.appendSections([Row(1)])
        try new.moveItem(PlainIdentifier(many - 1), beforeItem: PlainIdentifier(0))
        try new.moveItem(PlainIdentifier(many - 1), afterItem: PlainIdentifier(many - 2))
        try new.deleteSections([PlainIdentifier(1)])
        #expect(try Difference(from: old, to: new).isEmpty)
        #expect(new == old)
    }

    @Test("overlapping edits give the fewest changes between the two states")
    func crossing() throws {
        try checkProperty(
            "crossing edits", cases: 400, maxSize: 40,
            generate: { random, size in
                (0..<size).map { _ in Edit.random(size: 30, batch: 4, using: &random) }
            },
            property: { edits in
                let start = Model<PlainIdentifier>([(0, Array(0..<10)), (1, Array(10..<20)), (2, [])])
                let old = try start.snapshot()
                var edited = old
                for edit in edits { edit.performIfUnique(on: &edited) }
                let rebuilt = try Model(edited).snapshot()
                let (one, other) = (try Difference(from: old, to: edited), try Difference(from: old, to: rebuilt))
                try verify(
                    one.count == other.count, "\(one.count) changes from the edits, \(other.count) from the state")
                try verify(
                    Model(try old.applying(one)) == Model(rebuilt).markedOnly(in: start),
                    "the difference from the edits gives another snapshot")
            })
    }

    /// Checks the properties of the difference from 0, 1, 2 and so on to these numbers.
    private func differenceFromSorted(to numbers: [Int]) throws -> Difference<PlainIdentifier> {
        let old = try Model<PlainIdentifier>(flat: Array(0..<many)).snapshot()
        let new = try Model<PlainIdentifier>(flat: numbers).snapshot()
        let difference = try Difference(from: old, to: new)
        #expect(try old.applying(difference) == new)
        #expect(try new.applying(difference.inverse) == old)
        return difference
    }
}

/// The peak memory of this process so far.
private func mostKilobytesSoFar() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
}

/// The length of the longest increasing subsequence: the number of piles in patience sorting.
private func longestIncreasingRun(in numbers: [Int]) -> Int {
    var piles: [Int] = []
    for number in numbers {
        var (low, high) = (0, piles.count)
        while low < high {
            let middle = (low + high) / 2
            if piles[middle] < number { low = middle + 1 } else { high = middle }
        }
        if low == piles.count { piles.append(number) } else { piles[low] = number }
    }
    return piles.count
}
