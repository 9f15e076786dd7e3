/// Matches the rows of two lists, given by positions that count over all sections, and compares their contents.
@usableFromInline
protocol RowMatcher<Item> {
    associatedtype Item: Identifiable & Equatable & Sendable

    /// The rows whose content changed. Each run has one row.
    var updated: ContiguousArray<MatchedRun> { get }

    /// Returns the number of rows that are the same, pair by pair, from the beginnings of both ranges.
    mutating func commonPrefix(old: Range<Int>, new: Range<Int>) -> Int
    /// The first rows of both ranges differ. Returns the number of rows to skip in each range to reach a common row; at
    /// least one in total.
    func gap(old: Range<Int>, new: Range<Int>) -> RowGap
    /// Finds the same rows among those that were passed over.
    mutating func pair(old: ContiguousArray<RowRange>, new: ContiguousArray<RowRange>) -> RowPairing
}

/// The numbers of rows to pass over in both lists.
@usableFromInline typealias RowGap = (old: Int, new: Int)

/// The skipped new rows: those that the old list also has (one row for each run), and the inserted ones. Both ascend in
/// the new list.
@usableFromInline typealias RowPairing = (pairs: ContiguousArray<MatchedRun>, inserted: ContiguousArray<RowRange>)

/// Matches two lists section by section. It walks along both in parallel, and collects the rows that it passes over.
///
/// Similar lists need few lookups. The gaps affect only the speed: `RowMatcher.pair` finds every row that the walk
/// misses.
@usableFromInline
struct RowMatching<Matcher: RowMatcher> {
    @usableFromInline var matcher: Matcher
    /// The rows that the walk matched, ascending in the new list. Within a section, they also ascend in the old list.
    @usableFromInline var runs: ContiguousArray<MatchedRun> = []
    @usableFromInline var passedOld: ContiguousArray<RowRange> = []
    @usableFromInline var passedNew: ContiguousArray<RowRange> = []

    @inlinable
    init(_ matcher: Matcher) {
        self.matcher = matcher
        // Enough for a handful of edits, so that they allocate once.
        runs.reserveCapacity(32)
        passedOld.reserveCapacity(16)
        passedNew.reserveCapacity(16)
    }

    /// Matches the rows of a section that both snapshots have.
    @inlinable
    mutating func match(old: Range<Int>, new: Range<Int>) {
        var old = old
        var new = new
        // A wider gap is not skipped at once, because the current row may be an isolated change. First, this many single
        // rows are skipped on both sides.
        let wide = 64
        var steps = 0
        while !old.isEmpty && !new.isEmpty {
            let common = matcher.commonPrefix(old: old, new: new)
            if common > 0 {
                runs.append(MatchedRun(old: old.lowerBound, new: new.lowerBound, count: common))
                old = old.lowerBound + common..<old.upperBound
                new = new.lowerBound + common..<new.upperBound
                if common > 8 { steps = 0 }
                continue
            }
            var gap = matcher.gap(old: old, new: new)
            if gap.old + gap.new > wide && steps < wide {
                gap = (old: 1, new: 1)
                steps += 1
            }
            passedOld.append(rows: old.prefix(gap.old))
            passedNew.append(rows: new.prefix(gap.new))
            old = old.dropFirst(gap.old)
            new = new.dropFirst(gap.new)
        }
        passedOld.append(rows: old)
        passedNew.append(rows: new)
    }
}

/// Returns the gap to the first old row in the new list, or to the first new row in the old list if that is nearer. One row
/// in each list if neither is ahead.
@inlinable
func shorterGap(destination: Int?, origin: Int?, old: Range<Int>, new: Range<Int>) -> RowGap {
    let inNew = destination.flatMap { new.contains($0) ? $0 - new.lowerBound : nil } ?? .max
    let inOld = origin.flatMap { old.contains($0) ? $0 - old.lowerBound : nil } ?? .max
    if inNew == .max && inOld == .max { return (old: 1, new: 1) }
    return inOld <= inNew ? (old: inOld, new: 0) : (old: 0, new: inNew)
}
