/// The rows that two snapshots have in common, and the other rows.
///
/// A *row* is an item at its position among the items of all sections.
@usableFromInline
struct RowMatching {
    /// The matched rows, ascending in the new snapshot. A run is within one section of each snapshot.
    @usableFromInline var runs: ContiguousArray<MatchedRun> = []
    /// The old rows that are not matched. If no slots are shared, a range is within one section until all rows are matched,
    /// here and in `unmatchedNew`.
    @usableFromInline var unmatchedOld: ContiguousArray<RowRange> = []
    /// The new rows that are not matched, ascending.
    @usableFromInline var unmatchedNew: ContiguousArray<RowRange> = []

    @usableFromInline init() {}

    /// Appends unmatched rows of one section.
    @usableFromInline
    mutating func appendUnmatched(old: Range<Int>, new: Range<Int>) {
        if !old.isEmpty { unmatchedOld.append(RowRange(old)) }
        if !new.isEmpty { unmatchedNew.append(RowRange(new)) }
    }
}

extension RowMatching {
    /// Matches the rows whose slots are below `shared`: both snapshots have the same item in such a slot. O(p), without
    /// accessing the items
    ///
    /// `origins` has the old index of each new section; nil for an inserted section.
    @usableFromInline
    init(sharedSlots shared: Slot, old: Arrangement, new: Arrangement, origins: ContiguousArray<Int?>) {
        var finder = SlotFinder(old)
        for (section, origin) in origins.enumerated() {
            let positions = new.positions(ofSection: section)
            let oldPositions = origin.map(old.positions(ofSection:)) ?? 0..<0
            let firstRun = runs.count
            var row = positions.lowerBound
            new.forEachExtent(in: positions) { slots in
                var rest = slots
                while !rest.isEmpty {
                    let (start, found) = finder.find(rest.clamped(to: 0..<max(shared, rest.lowerBound)))
                    // The slots from `shared` on are not shared.
                    let count = found == 0 ? rest.count : found
                    if let start {
                        append(MatchedRun(old: start, new: row, count: count), from: oldPositions, after: firstRun)
                    } else {
                        unmatchedNew.append(rows: row..<row + count)
                    }
                    row += count
                    rest = rest.dropFirst(count)
                }
            }
        }
        var next = 0
        for run in runs.sorted(by: { $0.old < $1.old }) {
            unmatchedOld.append(rows: next..<Int(run.old))
            next = Int(run.old) + Int(run.count)
        }
        unmatchedOld.append(rows: next..<old.itemCount)
    }

    /// Appends a run, or extends the last run of the section if both are from `oldPositions`.
    private mutating func append(_ run: MatchedRun, from oldPositions: Range<Int>, after firstRun: Int) {
        let last = runs.count - 1
        // A run that follows, and is not the first of `oldPositions`, is in the section of the last run.
        if last >= firstRun, oldPositions.contains(Int(run.old)), Int(run.old) > oldPositions.lowerBound,
            runs[last].isFollowed(by: run)
        {
            runs[last].count += run.count
        } else {
            runs.append(run)
        }
    }
}

/// Finds the positions of slots. The extent after the last found one is tried first.
private struct SlotFinder {
    let arrangement: Arrangement
    private var section = 0
    private var extent = -1

    init(_ arrangement: Arrangement) { self.arrangement = arrangement }

    /// Returns the position of the first slot of a range, and the number of slots of the range that are at consecutive
    /// positions of a section. If the first slot is unused, returns the number of unused slots at the beginning of the
    /// range.
    mutating func find(_ slots: Range<Slot>) -> (position: Int?, count: Int) {
        if slots.isEmpty { return (nil, 0) }
        let first = slots.lowerBound
        guard let extents = arrangement.extents else {
            guard Int(first) < arrangement.itemCount else { return (nil, slots.count) }
            let end = arrangement.positions(ofSection: arrangement.section(atPosition: Int(first))).upperBound
            return (Int(first), min(slots.count, end - Int(first)))
        }
        let (sections, index) = (extents.sections, extents.index)
        if extent + 1 < sections[section].count, sections[section][extent + 1].firstSlot == first {
            extent += 1
        } else if let last = index.lastExtent(upTo: first) {
            (section, extent) = last
        } else {
            return (nil, unusedCount(slots, index))
        }
        let found = sections[section].slots(ofExtent: extent)
        guard found.contains(first) else { return (nil, unusedCount(slots, index)) }
        let offset = sections[section].offset(ofExtent: extent) + Int(first - found.lowerBound)
        return (arrangement.start(ofSection: section) + offset, min(slots.count, Int(found.upperBound - first)))
    }

    /// Returns the number of slots before the next extent.
    private func unusedCount(_ slots: Range<Slot>, _ index: ExtentIndex) -> Int {
        let next = index.firstSlot(after: slots.lowerBound) ?? slots.upperBound
        return min(slots.count, Int(next - slots.lowerBound))
    }
}

extension RowMatching {
    /// True if each unmatched row can be compared with each.
    @usableFromInline var isFewUnmatched: Bool { unmatchedOld.rowCount * unmatchedNew.rowCount <= 1_024 }

    /// Adds pairs of rows that were unmatched. Each has one row.
    @usableFromInline
    mutating func add(_ pairs: ContiguousArray<MatchedRun>) {
        if pairs.isEmpty { return }
        var paired = BitSet(limit: unmatchedOld[unmatchedOld.count - 1].range.upperBound)
        for pair in pairs { paired.insert(Int(pair.old)) }
        unmatchedOld = unmatchedOld.subtracting(paired)
        paired = BitSet(limit: unmatchedNew[unmatchedNew.count - 1].range.upperBound)
        for pair in pairs { paired.insert(Int(pair.new)) }
        unmatchedNew = unmatchedNew.subtracting(paired)
        runs += pairs
        runs.sort { $0.new < $1.new }
    }
}
