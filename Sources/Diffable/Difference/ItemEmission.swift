/// Expresses matched rows as changes of items, and decides section by section which rows move.
@usableFromInline
struct ItemEmission<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline typealias Snapshot = DiffableSnapshot<Section, Item>
    @usableFromInline typealias Changes = ElementChanges<ItemIndexPath, Item>

    @usableFromInline let old: Snapshot
    @usableFromInline let new: Snapshot
    /// The old index of each new section.
    @usableFromInline let origins: ContiguousArray<Int?>
    @usableFromInline let runs: ContiguousArray<MatchedRun>
    /// The rows that the walk skipped and that both lists have. Each run has one row.
    @usableFromInline let pairs: ContiguousArray<MatchedRun>
    @usableFromInline var deleted: ContiguousArray<RowRange>
    @usableFromInline let inserted: ContiguousArray<RowRange>
    @usableFromInline var updated: ContiguousArray<MatchedRun>
    @usableFromInline var moved: [Changes.Move] = []
    @usableFromInline var before: RowLocator
    @usableFromInline var after: RowLocator

    @inlinable
    init(
        _ matching: consuming RowMatching<some RowMatcher<Item>>, _ sections: SectionMatching, from old: Snapshot,
        to new: Snapshot
    ) {
        self.old = old
        self.new = new
        before = RowLocator(old.arrangement)
        after = RowLocator(new.arrangement)
        origins = sections.origins
        runs = matching.runs
        deleted = matching.passedOld
        if deleted.isEmpty || matching.passedNew.isEmpty {
            inserted = matching.passedNew
            pairs = []
        } else {
            (pairs, inserted) = matching.matcher.pair(old: deleted, new: matching.passedNew)
            if !pairs.isEmpty {
                var paired = BitSet(limit: 1 + Int(pairs.lazy.map { $0.old }.max() ?? 0))
                for pair in pairs { paired.insert(Int(pair.old)) }
                deleted = deleted.subtracting(paired)
            }
        }
        updated = matching.matcher.updated
        // The ranges are in the order of the new sections, and the updates of paired rows are last, so both lists are
        // sorted.
        deleted.sort { $0.start < $1.start }
        updated.sort { $0.new < $1.new }
    }

    @inlinable
    mutating func changes() -> Changes {
        // Computes the moves first, so that their temporary arrays are freed before the other lists are built.
        if !pairs.isEmpty { move() }
        return Changes(
            sortedDeleted: placements(of: deleted, in: old), inserted: placements(of: inserted, in: new),
            moved: moved, updated: updates())
    }

    @inlinable
    func placements(of ranges: ContiguousArray<RowRange>, in snapshot: Snapshot) -> [Changes.Placement] {
        var locator = RowLocator(snapshot.arrangement)
        var result: [Changes.Placement] = []
        result.reserveCapacity(ranges.rowCount)
        for range in ranges {
            locator.forEach(in: range.range) { path, slot in
                result.append(Changes.Placement(position: path, element: snapshot.itemTable[slot]))
            }
        }
        return result
    }

    @inlinable
    mutating func updates() -> [Changes.Update] {
        updated.map { pair in
            let (from, slot) = before.locate(Int(pair.old))
            let (to, newSlot) = after.locate(Int(pair.new))
            return Changes.Update(from: from, to: to, before: old.itemTable[slot], after: new.itemTable[newSlot])
        }
    }

    /// Appends a move for each row that changes its section or its order.
    @inlinable
    mutating func move() {
        moved.reserveCapacity(pairs.count)
        var nextRun = 0
        var nextPair = 0
        for (section, origin) in origins.enumerated() {
            let rows = new.arrangement.positions(ofSection: section)
            let firstRun = nextRun
            while nextRun < runs.count, runs[nextRun].newRange.lowerBound < rows.upperBound { nextRun += 1 }
            let firstPair = nextPair
            while nextPair < pairs.count, pairs[nextPair].newRange.lowerBound < rows.upperBound { nextPair += 1 }
            guard firstPair < nextPair else { continue }
            let home = origin.map(old.arrangement.positions(ofSection:)) ?? 0..<0
            move(runs[firstRun..<nextRun], pairs[firstPair..<nextPair], home: home)
        }
    }

    /// Moves rows of one section, given its runs and its pairs. `home` is the range of its old positions.
    @inlinable
    mutating func move(_ runs: ArraySlice<MatchedRun>, _ pairs: ArraySlice<MatchedRun>, home: Range<Int>) {
        var candidates: [MatchedRun] = []
        candidates.reserveCapacity(runs.count + pairs.count)
        var fromOtherSections: [MatchedRun] = []
        var rest = runs
        for pair in pairs {
            guard home.contains(Int(pair.old)) else {
                fromOtherSections.append(pair)
                continue
            }
            while let run = rest.first, run.new < pair.new { candidates.append(rest.removeFirst()) }
            if candidates.last?.isFollowed(by: pair) == true {
                candidates[candidates.count - 1].count += pair.count
            } else {
                candidates.append(pair)
            }
        }
        if !candidates.isEmpty { candidates.append(contentsOf: rest) }
        var others = fromOtherSections[...]
        for (run, kept) in zip(candidates, keptPrefixes(of: candidates)) where kept < run.count {
            while let other = others.first, other.new < run.new { move(others.removeFirst()) }
            move(run.dropFirst(kept))
        }
        for other in others { move(other) }
    }

    @inlinable
    mutating func move(_ run: MatchedRun) {
        var origin = before.locate(Int(run.old)).path
        after.forEach(in: run.newRange) { path, slot in
            moved.append(Changes.Move(id: new.itemTable.identifier(of: slot), from: origin, to: path))
            origin.item += 1
        }
    }
}
