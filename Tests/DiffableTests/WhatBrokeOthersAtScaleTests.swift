import Diffable
import Glibc
import TestSupport
import Testing

/// Large inputs for which other engines report far more changes than necessary. A separate algorithm counts the
/// necessary changes.
@Suite struct WhatBrokeOthersAtScaleTests {
    private let many = scaled(100_000)
    /// The number of items of a section.
    private let size = scaled(1_000)

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

    /// A hundred sections.
    private var parts: [(Int, [Int])] {
        (0..<100).map { section in (section, Array(section * size..<section * size + size)) }
    }

    @Test("redundant moves: reversed sections do not move their 100,000 items")
    func sectionsReversed() throws {
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
        var parts = parts
        let old = try Model<PlainIdentifier>(parts).snapshot()
        let travellers = (0..<99 * size).shuffled(using: &random).prefix(size)
        for number in travellers {
            let from = number / size
            parts[from].1.removeAll { $0 == number }
            let to = (from + 1 + random.int(in: 0..<98)) % 99
            parts[to].1.insert(number, at: random.int(in: 0..<parts[to].1.count + 1))
        }
        parts.removeLast()
        parts.swapAt(3, 70)
        parts.insert((100, [100 * size]), at: 50)
        let new = try Model<PlainIdentifier>(parts).snapshot()
        let difference = try Difference(from: old, to: new)
        #expect(difference.sections.count == 1 + 1 + 2)
        #expect(difference.items.deleted.count == size)
        #expect(difference.items.inserted.count == 1)
        #expect(Set(difference.items.moved.map(\.id.number)) == Set(travellers), "seed \(testSeed)")
        #expect(difference.items.moved.count == size, "seed \(testSeed)")
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
