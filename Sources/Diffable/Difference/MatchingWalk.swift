/// Matches two snapshots section by section. Walks through both in parallel, and collects the rows that it skips.
///
/// The *outer rows* of a section are the same in both snapshots, at its beginning and its end. The *inner rows* are the
/// rows between them, and all rows of deleted and inserted sections. The matcher gets the inner rows first.
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

    /// Matches the rows of two snapshots, given their matched sections and the order of their items.
    ///
    /// - Throws: The errors of `RowMatcher.prepared`.
    @inlinable
    init(
        _ matcher: Matcher, _ sections: SectionMatching, old: Arrangement, new: Arrangement
    ) throws(DiffableError) {
        self.matcher = matcher
        // Enough for a few edits, so that each array is allocated once.
        runs.reserveCapacity(32)
        skippedOld.reserveCapacity(16)
        skippedNew.reserveCapacity(16)
        let rows = sections.origins.enumerated().map { section, origin in
            (old: origin.map(old.positions(ofSection:)) ?? 0..<0, new: new.positions(ofSection: section))
        }
        let deleted = sections.deleted.map(old.positions(ofSection:))
        let inner = rows.map { trim(old: $0.old, new: $0.new) }
        var (oldRows, newRows) = (ContiguousArray<RowRange>(), ContiguousArray<RowRange>())
        for rows in inner.map(\.old) + deleted { oldRows.append(rows: rows) }
        for rows in inner { newRows.append(rows: rows.new) }
        if !oldRows.isEmpty || !newRows.isEmpty {
            self.matcher = try self.matcher.prepared(old: oldRows, new: newRows)
        }
        for rows in inner {
            append(rows.prefix, old: rows.old.lowerBound - rows.prefix, new: rows.new.lowerBound - rows.prefix)
            match(old: rows.old, new: rows.new)
            append(rows.suffix, old: rows.old.upperBound, new: rows.new.upperBound)
        }
        for rows in deleted { skippedOld.append(rows: rows) }
    }

    /// The inner rows of a section in both snapshots, between the numbers of outer rows at its beginning and its end.
    @usableFromInline typealias InnerRows = (prefix: Int, old: Range<Int>, new: Range<Int>, suffix: Int)

    /// Skips the rows that are the same at the beginning and the end of a section.
    @inlinable
    mutating func trim(old: Range<Int>, new: Range<Int>) -> InnerRows {
        let prefix = matcher.commonPrefix(old: old, new: new)
        let oldRest = old.dropFirst(prefix)
        let newRest = new.dropFirst(prefix)
        let suffix = matcher.commonSuffix(old: oldRest, new: newRest)
        return (prefix, oldRest.dropLast(suffix), newRest.dropLast(suffix), suffix)
    }

    /// Appends matched rows.
    @inlinable
    mutating func append(_ count: Int, old: Int, new: Int) {
        if count > 0 { runs.append(MatchedRun(old: old, new: new, count: count)) }
    }

    /// Matches the rows of a section that both snapshots have.
    @inlinable
    mutating func match(old: Range<Int>, new: Range<Int>) {
        var old = old
        var new = new
        // A gap longer than `maxGap` may come from one row that moved far. A single step skips one row in each list
        // instead. After `maxSteps` single steps, long gaps are skipped. A match of more than 8 rows resets the number
        // of steps.
        let (maxGap, maxSteps) = (64, 64)
        var steps = 0
        // Many replaced rows in a row are likely followed by more. Skips as many as were already skipped.
        let maxReplaced = 32
        var replaced = 0
        while !old.isEmpty && !new.isEmpty {
            let common = matcher.commonPrefix(old: old, new: new)
            if common > 0 {
                replaced = 0
                append(common, old: old.lowerBound, new: new.lowerBound)
                old = old.lowerBound + common..<old.upperBound
                new = new.lowerBound + common..<new.upperBound
                if common > 8 { steps = 0 }
                continue
            }
            var gap = matcher.gap(old: old, new: new)
            replaced = gap == (1, 1) ? replaced + 1 : 0
            if replaced > maxReplaced {
                gap = (old: min(replaced, old.count), new: min(replaced, new.count))
                replaced *= 2
            } else if gap.old + gap.new > maxGap && steps < maxSteps {
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
