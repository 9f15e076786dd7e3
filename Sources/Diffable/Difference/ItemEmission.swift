/// Says what was matched as changes of items: what moved is decided here, section by section.
@usableFromInline
struct ItemEmission<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline typealias Snapshot = DiffableSnapshot<Section, Item>
    @usableFromInline typealias Changes = ElementChanges<ItemIndexPath, Item>

    @usableFromInline let old: Snapshot
    @usableFromInline let new: Snapshot
    /// By new section, its index before.
    @usableFromInline let origins: ContiguousArray<Int?>
    @usableFromInline let runs: ContiguousArray<MatchedRun>
    /// Rows out of step, one a run.
    @usableFromInline let pairs: ContiguousArray<MatchedRun>
    @usableFromInline var deleted: ContiguousArray<RowRange>
    @usableFromInline let inserted: ContiguousArray<RowRange>
    @usableFromInline var updated: ContiguousArray<MatchedRun>

    @inlinable
    init(
        _ matching: consuming RowMatching<some ItemMatcher<Item>>, _ sections: SectionMatching, from old: Snapshot,
        to new: Snapshot
    ) {
        self.old = old
        self.new = new
        origins = sections.origins
        runs = matching.runs
        deleted = matching.passedOld
        if deleted.isEmpty || matching.passedNew.isEmpty {
            inserted = matching.passedNew
            pairs = []
        } else {
            let pairing = matching.matcher.pair(old: deleted, new: matching.passedNew)
            inserted = pairing.inserted
            pairs = pairing.pairs
            if !pairs.isEmpty {
                var paired = BitSet(limit: 1 + Int(pairs.lazy.map { $0.old }.max() ?? 0))
                for pair in pairs { paired.insert(Int(pair.old)) }
                deleted = deleted.subtracting(paired)
            }
        }
        updated = matching.matcher.updated
        // The walk goes through the old list in the order of the new sections, and pairs at the end.
        if !isAscending(deleted, by: { $0.start }) { deleted.sort { $0.start < $1.start } }
        if !isAscending(updated, by: { $0.new }) { updated.sort { $0.new < $1.new } }
    }

    @inlinable
    func changes() -> Changes {
        // Moves first: what they need beside themselves is gone when the others take their memory.
        let moved = moves()
        return Changes(
            sortedDeleted: placements(of: deleted, in: old), inserted: placements(of: inserted, in: new),
            moved: moved, updated: updates())
    }

    @inlinable
    func placements(of ranges: ContiguousArray<RowRange>, in snapshot: Snapshot) -> [Changes.Placement] {
        var result: [Changes.Placement] = []
        result.reserveCapacity(ranges.rowCount)
        var locator = RowLocator(snapshot.arrangement)
        for range in ranges {
            locator.forEach(in: range.range) { path, slot in
                result.append(Changes.Placement(position: path, element: snapshot.itemTable[slot]))
            }
        }
        return result
    }

    @inlinable
    func updates() -> [Changes.Update] {
        var before = RowLocator(old.arrangement)
        var after = RowLocator(new.arrangement)
        return updated.map { pair in
            let (from, slot) = before.locate(Int(pair.old))
            let (to, newSlot) = after.locate(Int(pair.new))
            return Changes.Update(from: from, to: to, before: old.itemTable[slot], after: new.itemTable[newSlot])
        }
    }

    /// What is not among the rows of its section that keep their order.
    @inlinable
    func moves() -> [Changes.Move] {
        guard !pairs.isEmpty else { return [] }
        var mover = Mover(self)
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
            mover.settle(runs[firstRun..<nextRun], pairs[firstPair..<nextPair], home: home)
        }
        return mover.moves
    }

    /// Writes moves down, in the order of the new list.
    @usableFromInline
    struct Mover {
        @usableFromInline var moves: [Changes.Move] = []
        @usableFromInline let new: Snapshot
        @usableFromInline var before: RowLocator
        @usableFromInline var after: RowLocator

        @inlinable
        init(_ emission: ItemEmission) {
            new = emission.new
            before = RowLocator(emission.old.arrangement)
            after = RowLocator(emission.new.arrangement)
            moves.reserveCapacity(emission.pairs.count)
        }

        /// Of the rows of one section, in step or paired, decides which keep their order.
        @inlinable
        mutating func settle(_ runs: ArraySlice<MatchedRun>, _ pairs: ArraySlice<MatchedRun>, home: Range<Int>) {
            var candidates: [MatchedRun] = []
            candidates.reserveCapacity(runs.count + pairs.count)
            var strangers: [MatchedRun] = []
            var rest = runs
            for pair in pairs {
                guard home.contains(Int(pair.old)) else {
                    strangers.append(pair)
                    continue
                }
                while let run = rest.first, run.new < pair.new { candidates.append(rest.removeFirst()) }
                candidates.append(joining: pair)
            }
            if !candidates.isEmpty {
                candidates.append(contentsOf: rest)
                move(candidates[...], butFor: keptPrefixes(of: candidates[...]), and: strangers[...])
            } else {
                for stranger in strangers { move(stranger) }
            }
        }

        /// Moves what of each run is not kept, and the strangers among them.
        @inlinable
        mutating func move(
            _ runs: ArraySlice<MatchedRun>, butFor kept: ContiguousArray<UInt32>,
            and strangers: ArraySlice<MatchedRun> = []
        ) {
            var strangers = strangers
            for (run, kept) in zip(runs, kept) where kept < run.count {
                while let stranger = strangers.first, stranger.new < run.new { move(strangers.removeFirst()) }
                let offset = Int(kept)
                move(MatchedRun(old: Int(run.old) + offset, new: Int(run.new) + offset, count: Int(run.count) - offset))
            }
            for stranger in strangers { move(stranger) }
        }

        @inlinable
        mutating func move(_ run: MatchedRun) {
            var origin = before.locate(Int(run.old)).path
            after.forEach(in: run.newRange) { path, slot in
                moves.append(Changes.Move(id: new.itemTable.identifier(of: slot), from: origin, to: path))
                origin.item += 1
            }
        }
    }
}

extension [MatchedRun] {
    /// Adds a run, or extends the last one if it continues in both lists.
    @inlinable
    mutating func append(joining run: MatchedRun) {
        if let last = indices.last, self[last].old + self[last].count == run.old,
            self[last].new + self[last].count == run.new
        {
            self[last].count += run.count
        } else {
            append(run)
        }
    }
}

@inlinable
func isAscending<Element>(_ elements: ContiguousArray<Element>, by position: (Element) -> UInt32) -> Bool {
    var last: UInt32 = 0
    return elements.allSatisfy { element in
        defer { last = position(element) }
        return position(element) >= last
    }
}
