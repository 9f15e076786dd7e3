extension SnapshotDifference {
    /// Creates the difference from `old` to `new`, with as few moves as possible.
    ///
    /// No element is hashed, because snapshots store their hashes. Each mark is hashed once. An item of both snapshots
    /// is *out of step* if a parallel walk through both lists skips the item.
    ///
    /// - If the snapshots have a common history, with at most about 2√n edits since then: O(p + k log k) for `k`
    ///   changes, and O(log p) for each change and each item out of step. Only edited items are compared. A common
    ///   history means that one snapshot is an edited copy of the other, or both of a third one.
    /// - Otherwise: O(n + k log k). The contents and the identifiers of each common item are compared once. If the item
    ///   is out of step, its identifiers are compared at most three times. Long ranges of items with equal bits are not
    ///   compared, if an item and its identifier have at least 8 bytes.
    /// - The moves of a section: O(items out of step). If the section has more than 48 runs of matched items, also
    ///   O(m + r log m) for `m` items in `r` runs. If sections move, also O(s log s).
    @inlinable
    public init(from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>) {
        let common = old.itemTable.commonSlotCount(with: new.itemTable)
        let unshared = Int(old.itemTable.slotLimit - common) + Int(new.itemTable.slotLimit - common)
        if common > 0 && unshared <= old.fragmentationLimit + new.fragmentationLimit {
            self.init(SlotMatcher(old: old, new: new, common: common), from: old, to: new)
        } else {
            var compactOld = old
            var compactNew = new
            let matcher = IdentifierMatcher<Item>(old: compactOld.compactStore(), new: compactNew.compactStore())
            self.init(matcher, from: compactOld, to: compactNew)
        }
    }

    @inlinable
    init(
        _ matcher: some RowMatcher<Item>, from old: DiffableSnapshot<Section, Item>,
        to new: DiffableSnapshot<Section, Item>
    ) {
        let sections = SectionMatching(from: old, to: new)
        var walk = MatchingWalk(matcher)
        for (section, origin) in sections.origins.enumerated() {
            let rows = new.arrangement.positions(ofSection: section)
            if let origin {
                walk.match(old: old.arrangement.positions(ofSection: origin), new: rows)
            } else {
                walk.skippedNew.append(rows: rows)
            }
        }
        for section in sections.deleted {
            walk.skippedOld.append(rows: old.arrangement.positions(ofSection: section))
        }
        var builder = ItemChangesBuilder(walk, sections, from: old, to: new)
        self.init(
            sections: sections.changes(from: old, to: new), items: builder.finish(),
            marks: new.marks, previousMarks: old.marks)
    }
}

/// The matches between the sections of two snapshots, by identifier.
@usableFromInline
struct SectionMatching {
    /// The old index of each section of the new snapshot; nil for an inserted section.
    @usableFromInline var origins: ContiguousArray<Int?>
    /// By old section: true if the new snapshot has the section.
    @usableFromInline var isKept: ContiguousArray<Bool>
    /// True if both snapshots share the storage of their sections, which are then equal.
    @usableFromInline var isUnchanged: Bool

    @inlinable
    init<Section, Item>(from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>) {
        isUnchanged = old.sectionTable.token === new.sectionTable.token
        isKept = ContiguousArray(repeating: isUnchanged, count: old.numberOfSections)
        origins = []
        origins.reserveCapacity(new.numberOfSections)
        let store = new.sectionTable.store
        for index in 0..<new.numberOfSections {
            let origin =
                isUnchanged
                ? index : old.sectionTable.index(of: new.sectionTable.identifier(of: index), hash: store.hashes[index])
            origins.append(origin)
            if let origin { isKept[origin] = true }
        }
    }

    @inlinable var deleted: [Int] { isUnchanged ? [] : isKept.indices.filter { !isKept[$0] } }

    @inlinable
    func changes<Section, Item>(
        from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>
    ) -> ElementChanges<Int, Section> {
        guard !isUnchanged else { return .init(sortedDeleted: [], inserted: [], moved: [], updated: []) }
        typealias Changes = ElementChanges<Int, Section>
        var inserted: [Changes.Placement] = []
        var updated: [Changes.Update] = []
        var runs: [MatchedRun] = []
        for (index, origin) in origins.enumerated() {
            let after = new.sectionTable[index]
            guard let origin else {
                inserted.append(Changes.Placement(position: index, element: after))
                continue
            }
            let before = old.sectionTable[origin]
            if before != after { updated.append(.init(from: origin, to: index, before: before, after: after)) }
            runs.append(MatchedRun(old: origin, new: index, count: 1))
        }
        var moved: [Changes.Move] = []
        for (run, kept) in zip(runs, keptRowCounts(of: runs)) where kept == 0 {
            let id = new.sectionTable.identifier(of: Int(run.new))
            moved.append(Changes.Move(id: id, from: Int(run.old), to: Int(run.new)))
        }
        return ElementChanges(
            sortedDeleted: deleted.map { Changes.Placement(position: $0, element: old.sectionTable[$0]) },
            inserted: inserted, moved: moved, updated: updated)
    }
}
