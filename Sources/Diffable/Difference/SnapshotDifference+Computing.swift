extension SnapshotDifference {
    /// Creates the difference from `old` to `new`, with as few moves as possible.
    ///
    /// - If the snapshots have a common history, with at most about 5√n edits since then: O(p + k log k) for `k`
    ///   changes, and one lookup for each inserted item. Only edited items are compared. A common history means that one
    ///   snapshot is an edited copy of the other, or both of a third one.
    /// - Otherwise: O(n + k log k). The identifiers and the contents of each common item are compared once or twice. Long
    ///   ranges of items with equal bits are not compared, if an item has at least 8 bytes. If a section has more than
    ///   about 30 edits, the old items are hashed, and the new items that follow an edit.
    /// - The moves of a section: if the section has more than 48 runs of matched items, O(m + r log m) for `m` items in
    ///   `r` runs.
    /// - The check for duplicates: the old snapshot is hashed in O(n), unless it is hashed. More than 16 inserted items
    ///   are hashed, too.
    ///
    /// The marks of inserted elements are left out: these elements are shown for the first time.
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `duplicateItem` if a snapshot has two sections or two items
    ///   with the same identifier.
    @inlinable
    public init(
        from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>
    ) throws(DiffableError) {
        try old.validate(in: "SnapshotDifference")
        try self.init(fromUnique: old, to: new, in: "SnapshotDifference")
    }

    /// Creates the difference from a snapshot that is known to be unique.
    @inlinable
    init(
        fromUnique old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>,
        in operation: StaticString
    ) throws(DiffableError) {
        var matching = SnapshotMatching(old: old, new: new, in: operation)
        try matching.match()
        let sections = matching.sectionChanges()
        let items = matching.itemChanges()
        guard old.marked != nil || new.marked != nil else {
            self.init(sections: sections, items: items)
            return
        }
        self.init(
            sections: sections, items: items,
            marks: new.marks(remainingFrom: old), previousMarks: old.marks(remainingFrom: new))
    }
}

extension SnapshotMatching {
    @inlinable
    func sectionChanges() -> ElementChanges<Int, Section> {
        typealias Changes = ElementChanges<Int, Section>
        if old.sectionStore === new.sectionStore { return Changes() }
        var inserted: [Changes.Placement] = []
        var updated: [Changes.Update] = []
        var runs: [MatchedRun] = []
        var isInOrder = true
        for (index, origin) in origins.enumerated() {
            let after = new.sections[index]
            guard let origin else {
                inserted.append(Changes.Placement(position: index, element: after))
                continue
            }
            let before = old.sections[origin]
            if before != after { updated.append(.init(from: origin, to: index, before: before, after: after)) }
            if let last = runs.last, last.old > origin { isInOrder = false }
            runs.append(MatchedRun(old: origin, new: index, count: 1))
        }
        var moved: [Changes.Move] = []
        if !isInOrder {
            for (run, isKept) in zip(runs, areKept(runs)) where !isKept {
                moved.append(Changes.Move(id: new.sections[Int(run.new)].id, from: Int(run.old), to: Int(run.new)))
            }
        }
        return Changes(
            sortedDeleted: deletedSections.map { Changes.Placement(position: $0, element: old.sections[$0]) },
            inserted: inserted, moved: moved, updated: updated)
    }

    @inlinable
    func itemChanges() -> ElementChanges<ItemIndexPath, Item> {
        typealias Changes = ElementChanges<ItemIndexPath, Item>
        let moves = rows.moves(
            origins: origins, old: old.arrangement, new: new.arrangement)
        return Changes(
            sortedDeleted: old.placements(of: rows.unmatchedOld), inserted: new.placements(of: rows.unmatchedNew),
            moved: moves.map { move in
                Changes.Move(
                    id: new.identifier(atPosition: Int(move.new)),
                    from: old.arrangement.indexPath(atPosition: Int(move.old)),
                    to: new.arrangement.indexPath(atPosition: Int(move.new)))
            },
            updated: updated.map { pair in
                Changes.Update(
                    from: old.arrangement.indexPath(atPosition: Int(pair.old)),
                    to: new.arrangement.indexPath(atPosition: Int(pair.new)),
                    before: old.item(atPosition: Int(pair.old)), after: new.item(atPosition: Int(pair.new)))
            })
    }
}

extension DiffableSnapshot {
    /// Returns the items of ranges of rows with their index paths.
    @inlinable
    func placements(of ranges: ContiguousArray<RowRange>) -> [ElementChanges<ItemIndexPath, Item>.Placement] {
        if ranges.isEmpty { return [] }
        return Array(unsafeUninitializedCapacity: ranges.rowCount) { placements, count in
            for range in ranges {
                var path = ItemIndexPath(section: 0, item: 0)
                var rest = 0
                var row = range.range.lowerBound
                for item in DiffableItems(self, range.range) {
                    if rest == 0 {
                        path = arrangement.indexPath(atPosition: row)
                        rest = arrangement.positions(ofSection: path.section).upperBound - row
                    }
                    placements.initializeElement(at: count, to: .init(position: path, element: item))
                    count += 1
                    path.item += 1
                    row += 1
                    rest -= 1
                }
            }
        }
    }
}

extension RowMatching {
    /// Returns the rows that change their section or their order, one in each run, ascending in the new snapshot.
    ///
    /// `origins` has the old index of each new section; nil for an inserted section.
    @usableFromInline
    func moves(origins: ContiguousArray<Int?>, old: Arrangement, new: Arrangement) -> [MatchedRun] {
        var moves: [MatchedRun] = []
        var rest = runs[...]
        for (section, origin) in origins.enumerated() {
            let end = new.positions(ofSection: section).upperBound
            let oldPositions = origin.map(old.positions(ofSection:)) ?? 0..<0
            let section = rest.prefix { $0.new < end }
            rest = rest.dropFirst(section.count)
            var last: UInt32 = 0
            let isInOrder = section.allSatisfy { run in
                defer { last = run.old }
                return oldPositions.contains(Int(run.old)) && run.old >= last
            }
            if !isInOrder { moves += self.moves(of: section, oldPositions) }
        }
        return moves
    }

    /// Returns the moved rows of one section of the new snapshot, given its runs and its old positions.
    private func moves(of section: ArraySlice<MatchedRun>, _ oldPositions: Range<Int>) -> [MatchedRun] {
        var moves: [MatchedRun] = []
        var candidates: [MatchedRun] = []
        for run in section {
            if !oldPositions.contains(Int(run.old)) {
                moves.append(rowsOf: run)
            } else if candidates.last?.isFollowed(by: run) == true {
                candidates[candidates.count - 1].count += run.count
            } else {
                candidates.append(run)
            }
        }
        for (run, isKept) in zip(candidates, areKept(candidates)) where !isKept { moves.append(rowsOf: run) }
        return moves.sorted { $0.new < $1.new }
    }
}

extension [MatchedRun] {
    /// Appends each row of a run as a run of its own.
    fileprivate mutating func append(rowsOf run: MatchedRun) {
        for offset in 0..<Int(run.count) {
            append(MatchedRun(old: Int(run.old) + offset, new: Int(run.new) + offset, count: 1))
        }
    }
}
