/// Matches two snapshots section by section. Walks through both in parallel, and collects the rows that it skips.
///
/// An item that both snapshots have but the walk skips is *out of step*. Similar lists need few lookups. The rows
/// that `RowMatcher.gap` skips affect only the speed: after the walk, `RowMatcher.pair` finds the items out of step.
@usableFromInline
struct MatchingWalk<Matcher: RowMatcher> {
    @usableFromInline var matcher: Matcher
    /// The matched rows, ascending in the new snapshot. In a section, the rows also ascend in the old snapshot.
    @usableFromInline var runs: ContiguousArray<MatchedRun> = []
    /// The old rows that the walk skipped.
    @usableFromInline var skippedOld: ContiguousArray<RowRange> = []
    /// The new rows that the walk skipped.
    @usableFromInline var skippedNew: ContiguousArray<RowRange> = []

    @inlinable
    init(_ matcher: Matcher) {
        self.matcher = matcher
        // Enough for a few edits, so that each array is allocated once.
        runs.reserveCapacity(32)
        skippedOld.reserveCapacity(16)
        skippedNew.reserveCapacity(16)
    }

    /// Matches the rows of a section that both snapshots have.
    @inlinable
    mutating func match(old: Range<Int>, new: Range<Int>) {
        var old = old
        var new = new
        // A longer gap may come from an isolated change of the current row. A single step skips one row in each list
        // instead. After `maxSteps` single steps, longer gaps are skipped, until a match has more than 8 rows.
        let (maxGap, maxSteps) = (64, 64)
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
            if gap.old + gap.new > maxGap && steps < maxSteps {
                gap = (old: 1, new: 1)
                steps += 1
            }
            skippedOld.append(rows: old.prefix(gap.old))
            skippedNew.append(rows: new.prefix(gap.new))
            old = old.dropFirst(gap.old)
            new = new.dropFirst(gap.new)
        }
        skippedOld.append(rows: old)
        skippedNew.append(rows: new)
    }
}
