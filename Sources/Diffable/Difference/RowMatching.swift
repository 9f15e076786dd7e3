/// Tells which row of the old list is which row of the new one, by positions that count over all sections.
@usableFromInline
protocol RowMatcher {
    /// How many rows are the same, pair by pair, from the beginnings of both ranges on.
    mutating func commonPrefix(old: Range<Int>, new: Range<Int>) -> Int
    /// How many rows to pass over in both ranges, whose first rows differ, to come to two that are the same; at least one.
    func gap(old: Range<Int>, new: Range<Int>) -> RowGap
    /// Finds among rows that were passed over those that are the same, and compares their contents.
    mutating func pair(old: ContiguousArray<RowRange>, new: ContiguousArray<RowRange>) -> RowPairing
}

/// What became of new rows that were passed over.
@usableFromInline
struct RowPairing: Sendable {
    /// The old row that is the same, one pair a run, ascending in the new list.
    @usableFromInline var pairs: ContiguousArray<MatchedRun> = []
    @usableFromInline var inserted: ContiguousArray<RowRange> = []

    @inlinable init() {}
}

/// Rows to pass over in either list.
@usableFromInline
struct RowGap: Sendable {
    @usableFromInline var old: Int
    @usableFromInline var new: Int

    @inlinable
    init(old: Int, new: Int) {
        self.old = old
        self.new = new
    }

    @inlinable var count: Int { old + new }
}

/// Matches two lists section by section, walking along both in step, and pairs what it passed over at the end.
///
/// So lists that differ little are compared, not searched. However the walk goes, each row is matched with itself, in step
/// or by the pairing: the choice of what to pass over decides how much is searched, not what is found.
@usableFromInline
struct RowMatching<Matcher: RowMatcher> {
    @usableFromInline var matcher: Matcher
    /// What stayed in step, by ascending position in the new list, and within a section in the old one.
    @usableFromInline var runs: ContiguousArray<MatchedRun> = []
    @usableFromInline var passedOld: ContiguousArray<RowRange> = []
    @usableFromInline var passedNew: ContiguousArray<RowRange> = []

    @inlinable
    init(_ matcher: Matcher) {
        self.matcher = matcher
        // Enough for a handful of edits, so that those wait for memory once.
        runs.reserveCapacity(32)
        passedOld.reserveCapacity(16)
        passedNew.reserveCapacity(16)
    }

    /// Walks along a section that both have.
    @inlinable
    mutating func match(old: Range<Int>, new: Range<Int>) {
        var old = old
        var new = new
        // A gap this wide is taken only after as many steps of one row a side: the rows at hand may be exceptions.
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
            if gap.count > wide && steps < wide {
                gap = RowGap(old: 1, new: 1)
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

    /// Notes the rows of a section that the new list does not have.
    @inlinable mutating func pass(old: Range<Int>) { passedOld.append(rows: old) }

    /// Notes the rows of a section that the old list does not have.
    @inlinable mutating func pass(new: Range<Int>) { passedNew.append(rows: new) }
}
