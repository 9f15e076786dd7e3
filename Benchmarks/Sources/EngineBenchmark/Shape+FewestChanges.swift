extension Shape {
    /// The minimum number of changes, counted from the numbers alone: deleted items, new items, items that changed
    /// their section, and, of the others, all but a longest increasing subsequence.
    var fewestChanges: Int {
        var sectionOf: [Int: (section: Int, offset: Int)] = [:]
        for section in before {
            for (offset, item) in section.items.enumerated() { sectionOf[item] = (section.number, offset) }
        }
        var changes = Self.fewestChanges(from: before.map(\.number), to: after.map(\.number))
        var matched = 0
        for section in after {
            let known = section.items.compactMap { sectionOf[$0] }
            let stayed = known.filter { $0.section == section.number }.map(\.offset)
            matched += known.count
            changes += section.items.count - known.count
            changes += known.count - Self.longestIncreasingRun(in: stayed)
        }
        return changes + sectionOf.count - matched
    }

    private static func fewestChanges(from before: [Int], to after: [Int]) -> Int {
        let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
        let known = after.compactMap { places[$0] }
        return before.count + after.count - known.count - longestIncreasingRun(in: known)
    }

    /// Patience sorting: one pile for each length, whose top is the smallest last number of a run of that length.
    private static func longestIncreasingRun(in numbers: [Int]) -> Int {
        var tops: [Int] = []
        for number in numbers {
            var (low, high) = (0, tops.count)
            while low < high {
                let middle = (low + high) / 2
                if tops[middle] < number { low = middle + 1 } else { high = middle }
            }
            if low == tops.count { tops.append(number) } else { tops[low] = number }
        }
        return tops.count
    }
}
