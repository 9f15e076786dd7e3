import Diffable
import TestSupport
import Testing

/// The documented costs of differences, counted. A difference between versions of one snapshot costs the edits, one
/// between snapshots without a common history the items, and every use of a difference its changes.
@Suite struct DifferenceCostTests {
    private let maker = CountedMaker()
    private let many = 100_000

    /// Makes this number of random edits of each kind.
    private func edit(
        _ snapshot: inout CountedSnapshot, times: Int, from first: Int, _ random: inout SplitMix64
    ) throws {
        for number in first..<first + times {
            let neighbour = maker.itemID(random.int(in: 0..<many / 2))
            let other = maker.itemID(many / 2 + number * 10)
            switch number % 4 {
            case 0: try snapshot.insertItems([maker.item(many + number)], afterItem: neighbour)
            case 1: try snapshot.moveItem(other, beforeItem: neighbour)
            case 2: try snapshot.replace(maker.item(neighbour.number, content: number))
            default: try snapshot.deleteItems([other])
            }
        }
    }

    @Test("the difference between versions of a snapshot costs the edits, up to 4√n of them")
    func versions() throws {
        var random = SplitMix64(seed: testSeed)
        let first = try maker.snapshot(items: many, sections: 10)
        var second = first
        try edit(&second, times: 300, from: 0, &random)
        var third = second
        try edit(&third, times: 300, from: 300, &random)
        var sibling = first
        try edit(&sibling, times: 300, from: 600, &random)
        let pairs = [
            (first, second, 300), (second, first, 300), (second, third, 300), (first, third, 600),
            (sibling, third, 900),
        ]
        for (old, new, edits) in pairs {
            let cost = try maker.cost { () throws in
                #expect(try SnapshotDifference(from: old, to: new).count > edits / 2, "seed \(testSeed)")
            }
            #expect(cost.items.hashes <= edits && cost.items.contents <= edits / 4, "seed \(testSeed)")
            #expect(cost.items.comparisons <= 3 * edits, "seed \(testSeed)")
            #expect(cost.sections == (0, 0, 0))
        }
    }

    @Test("the difference to a copy with other sections costs the sections, and compares no items that moved with them")
    func sections() throws {
        let old = try maker.snapshot(items: many, sections: 1_000)
        var new = old
        try new.moveSection(maker.sectionID(7), afterSection: maker.sectionID(900))
        try new.insertSections([maker.section(1_000)], beforeSection: maker.sectionID(500))
        try new.replaceSection(maker.section(30, content: 1))
        try new.deleteSections([maker.sectionID(600)])
        let cost = try maker.cost {
            let difference = try SnapshotDifference(from: old, to: new)
            #expect(difference.sections.count == 4)
            #expect(difference.items.count == many / 1_000)
        }
        #expect(cost.items == (0, 0, 0))
        #expect(cost.sections.hashes <= 2_000 && cost.sections.comparisons <= 2_000 && cost.sections.contents == 999)
    }

    @Test("without a common history, items are hashed and compared at most twice, and common ones once by content")
    func withoutCommonHistory() throws {
        let many = scaled(100_000)
        var random = SplitMix64(seed: testSeed)
        let numbers = Array(0..<many)
        let blocks = stride(from: 0, to: many, by: 40).map { Array($0..<$0 + 40) }
        // Shuffled rows that are looked up from both ends and skipped, with unchanged rows between them.
        var strays = numbers.filter { $0 % 50 < 40 }.shuffled(using: &random)[...]
        let mostlyShuffled = numbers.map { $0 % 50 < 40 ? strays.removeFirst() : $0 }
        let kept = numbers.filter { _ in random.chance(1, in: 2) }.shuffled(using: &random)
        let shapes: [(String, [Int])] = [
            ("same order", numbers), ("reversed", numbers.reversed()), ("shuffled", numbers.shuffled(using: &random)),
            ("rotated", Array(numbers[1_000...] + numbers[..<1_000])),
            ("blocks shuffled", blocks.shuffled(using: &random).flatMap { $0 }),
            ("blocks reversed", blocks.flatMap { $0.reversed() }), ("mostly shuffled", mostlyShuffled),
            ("half kept", kept + Array(many..<many + many / 2)),
        ]
        let old = try maker.snapshot(items: many)
        for (shape, numbers) in shapes {
            let new = try maker.snapshot(numbers, content: 1)
            let common = numbers.count { $0 < many }
            let cost = try maker.cost { () throws in
                #expect(try SnapshotDifference(from: old, to: new).items.updated.count == common)
            }
            #expect(cost.items.hashes <= 2 * many && cost.items.contents == common, "\(shape), seed \(testSeed)")
            #expect(cost.items.comparisons <= 3 * many + many / 1_000, "\(shape), seed \(testSeed)")
        }
    }

    @Test("without a common history, few edits of each section hash only the changed items")
    func nearlyEqual() throws {
        let old = try maker.snapshot(items: many, sections: 10)
        var numbers = Array(0..<many)
        for number in stride(from: 100, to: many, by: 1_000) { numbers[number] = many + number }
        let new = try maker.snapshot(numbers, sections: 10)
        let cost = try maker.cost { () throws in #expect(try SnapshotDifference(from: old, to: new).count == 200) }
        #expect(cost.items.hashes <= 200 && cost.items.contents == many - 100)
        #expect(cost.items.comparisons <= 2 * many)
    }

    @Test("applying a difference or its inverse hashes each added item and accesses no unchanged item")
    func applying() throws {
        var random = SplitMix64(seed: testSeed)
        let old = try maker.snapshot(items: many, sections: 10)
        var new = old
        try edit(&new, times: 300, from: 0, &random)
        try new.reloadItems([maker.itemID(3)])
        try new.moveSection(maker.sectionID(9), beforeSection: maker.sectionID(2))
        let difference = try SnapshotDifference(from: old, to: new)
        for (base, difference, expected) in [(old, difference, new), (new, difference.inverse, old)] {
            var result = base
            let cost = try maker.cost { result = try base.applying(difference) }
            // Includes the cost of the mark.
            let added = difference.items.inserted.count + difference.items.updated.count
            #expect(cost.items.hashes <= added + 3, "seed \(testSeed)")
            #expect(cost.items.comparisons <= 4 * difference.items.count, "seed \(testSeed)")
            #expect(cost.items.contents == 0)
            #expect(cost.sections.hashes == 0 && cost.sections.comparisons <= 2)
            #expect(result == expected)
        }
    }

    @Test("the properties of a difference hash and compare nothing")
    func inverse() throws {
        let difference = try SnapshotDifference(
            from: try maker.snapshot(items: 1_000), to: try maker.snapshot(Array((500..<1_500).reversed()), content: 1))
        let cost = maker.cost {
            #expect(difference.inverse.count == difference.count)
            #expect(!difference.isEmpty)
            #expect(!difference.steps.isEmpty && !difference.stages.isEmpty)
            #expect(difference.indexMap[ItemIndexPath(section: 0, item: 999)] == ItemIndexPath(section: 0, item: 500))
            #expect(SnapshotPatch(difference).items.deleted.count == 500)
        }
        #expect(cost.items == (0, 0, 0) && cost.sections == (0, 0, 0))
    }

    @Test("receiving a patch takes at most five hashes for each change", arguments: [10_000, 100_000])
    func patch(count: Int) throws {
        let old = try maker.snapshot(items: count, sections: 10)
        var new = old
        for number in stride(from: 0, to: 1_000, by: 10) {
            try new.replace(maker.item(number, content: 1))
            try new.moveItem(maker.itemID(number + 1), afterItem: maker.itemID(count - 1))
            try new.deleteItems([maker.itemID(number + 2)])
            try new.insertItems([maker.item(count + number)], beforeItem: maker.itemID(number))
        }
        let sent = try SnapshotDifference(from: old, to: new)
        let patch = SnapshotPatch(sent)
        var received = SnapshotDifference<CountedRow, CountedRow>()
        let cost = try maker.cost { received = try SnapshotDifference(patch, from: old) }
        #expect(cost.items.hashes <= 5 * sent.count && cost.items.comparisons <= 5 * sent.count)
        #expect(cost.items.contents == 0)
        #expect(received == sent)
        #expect(try old.applying(received) == new)
    }
}
