/// Returns, for each run, true if its rows do not move. `RowMatching` defines rows.
///
/// The runs ascend in `new`, and no row is in two runs. The rows that do not move are a longest subsequence that also
/// ascends in `old`. If several subsequences are longest, any of these may be the result. A run has consecutive rows in
/// both lists, so the subsequence has all rows of a run or none. A few runs are compared in pairs, in O(r²) for `r` runs.
/// Many runs are sorted by patience sorting, in O(rows + r log rows). Neither algorithm is recursive.
@usableFromInline
func areKept(_ runs: [MatchedRun]) -> ContiguousArray<Bool> {
    runs.count <= 48 ? heaviestIncreasingSubsequence(of: runs) : keptByPatienceSorting(runs)
}

/// Returns a result of `areKept(_:)`, by comparing all pairs of runs. O(r²) for `r` runs
///
/// The weight of a subsequence is the number of its rows.
func heaviestIncreasingSubsequence(of runs: [MatchedRun]) -> ContiguousArray<Bool> {
    var isKept = ContiguousArray(repeating: false, count: runs.count)
    // By run: the weight of the heaviest increasing subsequence that ends with the run, and the previous run in it.
    var weights: ContiguousArray<UInt32> = []
    var previous: ContiguousArray<Int> = []
    var heaviest = -1
    for (index, run) in runs.enumerated() {
        var weight: UInt32 = 0
        var before = -1
        for (other, earlier) in runs.prefix(index).enumerated() where earlier.old < run.old && weights[other] > weight {
            weight = weights[other]
            before = other
        }
        weights.append(weight + run.count)
        previous.append(before)
        if heaviest < 0 || weights[index] > weights[heaviest] { heaviest = index }
    }
    while heaviest >= 0 {
        isKept[heaviest] = true
        heaviest = previous[heaviest]
    }
    return isKept
}

/// Returns a result of `areKept(_:)`, by patience sorting (Fredman, 1975). O(rows + r log rows) for `r` runs
///
/// The rows of a run go on consecutive piles, because in both lists no other row is between them.
func keptByPatienceSorting(_ runs: [MatchedRun]) -> ContiguousArray<Bool> {
    let rows = runs.reduce(0) { $0 + Int($1.count) }
    // By pile: the old position of its top row, which ascends from pile to pile, and the run of that row.
    var tops = ContiguousArray<UInt32>(repeating: 0, count: rows)
    var owners = ContiguousArray<UInt32>(repeating: 0, count: rows)
    var count = 0
    // By run: its first pile, and the run that was on top of the previous pile.
    var piles = ContiguousArray<UInt32>(repeating: 0, count: runs.count)
    var below = ContiguousArray<UInt32>(repeating: 0, count: runs.count)
    for (index, run) in runs.enumerated() {
        let pile = count > 0 && tops[count - 1] > run.old ? firstPile(of: tops, below: count, above: run.old) : count
        piles[index] = UInt32(truncatingIfNeeded: pile)
        if pile > 0 { below[index] = owners[pile - 1] }
        for offset in 0..<Int(run.count) {
            tops[pile + offset] = run.old + UInt32(truncatingIfNeeded: offset)
            owners[pile + offset] = UInt32(truncatingIfNeeded: index)
        }
        count = max(count, pile + Int(run.count))
    }
    // Trace back from the last pile.
    var next = count > 0 ? Int(owners[count - 1]) : -1
    var isKept = ContiguousArray(repeating: false, count: runs.count)
    while next >= 0 {
        isKept[next] = true
        next = piles[next] > 0 ? Int(below[next]) : -1
    }
    return isKept
}

/// Returns the first pile whose top is above a position. The top of the last pile must be above the position.
func firstPile(of tops: ContiguousArray<UInt32>, below count: Int, above position: UInt32) -> Int {
    var low = 0
    var length = count
    while length > 1 {
        let half = length / 2
        // Without a branch, because it could not be predicted.
        let isBelow = Int(truncatingIfNeeded: (UInt64(tops[low + half - 1]) &- UInt64(position)) >> 63)
        low += half & (0 &- isBelow)
        length -= half
    }
    return low
}
