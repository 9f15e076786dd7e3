/// A search for the fewest deletions and insertions between two lists, by the algorithm of Myers ("An O(ND) Difference
/// Algorithm and Its Variations", 1986). Gives up after `maxEdits` edits.
///
/// The search knows only the lengths of the lists. For each point from `next()`, which is an index in each list, the
/// caller compares the elements from there on, and passes the number of equal ones to `extend(by:)`.
@usableFromInline
struct EditSearch {
    /// With more edits, hashing the elements costs less than this search.
    private static var maxEdits: Int { 32 }

    private let oldCount: Int
    private let newCount: Int
    /// The number of edits on the current paths.
    private var edits = 0
    /// The current diagonal: the index in the old list minus the index in the new list.
    private var diagonal = 0
    /// By number of edits and diagonal: the index in the old list that was reached; -1 if the path would leave a list.
    private var reached: ContiguousArray<Int32> = []
    /// True if both ends were reached.
    @usableFromInline private(set) var isFound = false

    @usableFromInline
    init(_ oldCount: Int, _ newCount: Int) {
        (self.oldCount, self.newCount) = (oldCount, newCount)
        reached.reserveCapacity(16)
    }

    /// Returns the point to continue from; nil at the end of the search.
    @usableFromInline
    mutating func next() -> (old: Int, new: Int)? {
        guard !isFound, abs(oldCount - newCount) <= Self.maxEdits else { return nil }
        while true {
            if reached.count == Self.rowStart(edits + 1) {
                edits += 1
                diagonal = -edits
                if edits > Self.maxEdits { return nil }
            }
            let x = start(at: diagonal, edits: edits)
            if x >= 0 { return (x, x - diagonal) }
            reached.append(-1)
            diagonal += 2
        }
    }

    /// Continues the current path by equal elements.
    @usableFromInline
    mutating func extend(by count: Int) {
        let x = start(at: diagonal, edits: edits) + count
        reached.append(Int32(truncatingIfNeeded: x))
        isFound = x == oldCount && x - diagonal == newCount
        if !isFound { diagonal += 2 }
    }

    /// Returns the runs of equal elements on the path to both ends, in order.
    @usableFromInline
    func runs() -> [MatchedRun] {
        var runs: [MatchedRun] = []
        var (edits, diagonal) = (edits, diagonal)
        while edits >= 0 {
            let first = start(at: diagonal, edits: edits)
            let count = index(at: diagonal, edits: edits) - first
            if count > 0 { runs.append(MatchedRun(old: first, new: first - diagonal, count: count)) }
            diagonal += isInsertion(at: diagonal, edits: edits) ? 1 : -1
            edits -= 1
        }
        return runs.reversed()
    }

    /// Returns the index in `reached` of the first diagonal for a number of edits.
    private static func rowStart(_ edits: Int) -> Int { edits * (edits + 1) / 2 }

    /// Returns the index in the old list that was reached; -1 if none.
    private func index(at diagonal: Int, edits: Int) -> Int {
        guard edits >= 0, abs(diagonal) <= edits else { return -1 }
        return Int(reached[Self.rowStart(edits) + (diagonal + edits) / 2])
    }

    /// Returns the index in the old list after the last edit on a diagonal; -1 if the path would leave a list.
    private func start(at diagonal: Int, edits: Int) -> Int {
        if edits == 0 { return 0 }
        return max(inserting(at: diagonal, edits), deleting(at: diagonal, edits))
    }

    private func isInsertion(at diagonal: Int, edits: Int) -> Bool {
        inserting(at: diagonal, edits) >= deleting(at: diagonal, edits)
    }

    /// Returns the index in the old list after an insertion that leads to a diagonal; -1 if there is none.
    private func inserting(at diagonal: Int, _ edits: Int) -> Int {
        let x = index(at: diagonal + 1, edits: edits - 1)
        return x - diagonal <= newCount ? x : -1
    }

    /// Returns the index in the old list after a deletion that leads to a diagonal; -1 if there is none.
    private func deleting(at diagonal: Int, _ edits: Int) -> Int {
        let x = index(at: diagonal - 1, edits: edits - 1)
        return x >= 0 && x < oldCount ? x + 1 : -1
    }
}
