/// Builds the changes of items from the matched and skipped rows of a walk. Decides section by section which rows move.
@usableFromInline
struct ItemChangesBuilder<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline typealias Snapshot = DiffableSnapshot<Section, Item>
    @usableFromInline typealias Changes = ElementChanges<ItemIndexPath, Item>

    @usableFromInline let snapshots: SnapshotPair<Section, Item>
    @usableFromInline let sections: SectionMatching
    /// The matched rows.
    @usableFromInline let runs: ContiguousArray<MatchedRun>
    /// The rows of items that are out of step. Each run has one row.
    @usableFromInline let pairs: ContiguousArray<MatchedRun>
    /// The old rows with items that the new snapshot does not have.
    @usableFromInline var deleted: ContiguousArray<RowRange>
    /// The new rows with items that the old snapshot does not have.
    @usableFromInline let inserted: ContiguousArray<RowRange>
    /// The rows with different contents. Each run has one row.
    @usableFromInline var updated: ContiguousArray<MatchedRun>
    @usableFromInline var moved: [Changes.Move] = []
    @usableFromInline var oldLocator: RowLocator
    @usableFromInline var newLocator: RowLocator

    /// Matches the rows of two snapshots.
    ///
    /// - Throws: The errors of `RowMatcher`.
    @inlinable
    init(_ matcher: some RowMatcher<Item>, _ snapshots: SnapshotPair<Section, Item>) throws(DiffableError) {
        self.snapshots = snapshots
        sections = SectionMatching(snapshots)
        oldLocator = RowLocator(snapshots.old.arrangement)
        newLocator = RowLocator(snapshots.new.arrangement)
        var walk = try MatchingWalk(
            matcher, sections, old: snapshots.old.arrangement, new: snapshots.new.arrangement)
        runs = walk.runs
        deleted = walk.skippedOld
        if deleted.isEmpty || walk.skippedNew.isEmpty {
            inserted = walk.skippedNew
            pairs = []
        } else {
            (pairs, inserted) = walk.matcher.pair(old: deleted, new: walk.skippedNew)
            if !pairs.isEmpty {
                var paired = BitSet(limit: 1 + Int(pairs.lazy.map { $0.old }.max() ?? 0))
                for pair in pairs { paired.insert(Int(pair.old)) }
                deleted = deleted.subtracting(paired)
            }
        }
        try walk.matcher.checkUniqueness(inserted: inserted)
        updated = walk.matcher.updated
        // Both lists may be out of order here: the walk skipped old rows in the order of the new sections, and the
        // updates of paired rows are last.
        deleted.sort { $0.start < $1.start }
        updated.sort { $0.new < $1.new }
    }

    @inlinable var old: Snapshot { snapshots.old }
    @inlinable var new: Snapshot { snapshots.new }

    /// Returns the changes.
    @inlinable
    mutating func finish() -> Changes {
        // Computes the moves first, so that their temporary arrays are freed before the other lists are built.
        if !pairs.isEmpty { appendMoves() }
        return Changes(
            sortedDeleted: Self.placements(of: deleted, in: snapshots.old.itemTable, &oldLocator),
            inserted: Self.placements(of: inserted, in: snapshots.new.itemTable, &newLocator),
            moved: moved, updated: updates())
    }

    /// Returns the items of ranges of rows with their index paths.
    @inlinable
    static func placements(
        of ranges: ContiguousArray<RowRange>, in table: ItemTable<Item>, _ locator: inout RowLocator
    ) -> [Changes.Placement] {
        Array(unsafeUninitializedCapacity: ranges.rowCount) { placements, count in
            for range in ranges {
                locator.forEach(in: range.range) { path, slot in
                    let placement = Changes.Placement(position: path, element: table[slot])
                    placements.initializeElement(at: count, to: placement)
                    count += 1
                }
            }
        }
    }

    /// Returns the updates with their index paths and contents.
    @inlinable
    mutating func updates() -> [Changes.Update] {
        updated.map { pair in
            let (from, slot) = oldLocator.locate(Int(pair.old))
            let (to, newSlot) = newLocator.locate(Int(pair.new))
            return Changes.Update(from: from, to: to, before: old.itemTable[slot], after: new.itemTable[newSlot])
        }
    }

    /// Appends a move for each row that changes its section or its order.
    @inlinable
    mutating func appendMoves() {
        moved.reserveCapacity(pairs.count)
        var nextRun = 0
        var nextPair = 0
        for (section, origin) in sections.origins.enumerated() {
            let rows = new.arrangement.positions(ofSection: section)
            let firstRun = nextRun
            while nextRun < runs.count, runs[nextRun].newRange.lowerBound < rows.upperBound { nextRun += 1 }
            let firstPair = nextPair
            while nextPair < pairs.count, pairs[nextPair].newRange.lowerBound < rows.upperBound { nextPair += 1 }
            guard firstPair < nextPair else { continue }
            let oldPositions = origin.map(old.arrangement.positions(ofSection:)) ?? 0..<0
            appendMoves(runs[firstRun..<nextRun], pairs[firstPair..<nextPair], oldPositions: oldPositions)
        }
    }

    /// Appends the moves of one section of the new snapshot, given its runs, its pairs and its old positions.
    @inlinable
    mutating func appendMoves(
        _ runs: ArraySlice<MatchedRun>, _ pairs: ArraySlice<MatchedRun>, oldPositions: Range<Int>
    ) {
        var candidates: [MatchedRun] = []
        candidates.reserveCapacity(runs.count + pairs.count)
        var fromOtherSections: [MatchedRun] = []
        var rest = runs
        for pair in pairs {
            guard oldPositions.contains(Int(pair.old)) else {
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
        for (run, isKept) in zip(candidates, areKept(candidates)) where !isKept {
            while let other = others.first, other.new < run.new { appendMoves(others.removeFirst()) }
            appendMoves(run)
        }
        for other in others { appendMoves(other) }
    }

    /// Appends a move for each row of a run.
    @inlinable
    mutating func appendMoves(_ run: MatchedRun) {
        let snapshots = snapshots
        var origin = oldLocator.locate(Int(run.old)).path
        newLocator.forEach(in: run.newRange) { path, slot in
            moved.append(Changes.Move(id: snapshots.new.itemTable.identifier(of: slot), from: origin, to: path))
            origin.item += 1
        }
    }
}
