extension SnapshotDifference {
    /// Creates the difference from `old` to `new`, with as few moves as possible.
    ///
    /// No element is hashed, because snapshots keep their hashes; each mark is hashed once. If one snapshot was made from a copy of the other, or
    /// both from copies of a third one, by at most about 2√n edits, only edited items are compared: O(p), and O(log p)
    /// for each row out of order. Otherwise it takes O(n): the contents of each common item are compared once, and
    /// identifiers once, or at most three times for a row out of order; rows with equal bits are not compared. Finding
    /// the fewest moves takes O(k log k) for `k` rows out of order.
    @inlinable
    public init(from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>) {
        let common = old.itemTable.commonSlots(with: new.itemTable)
        let alone = Int(old.itemTable.slotLimit - common) + Int(new.itemTable.slotLimit - common)
        if common > 0 && alone <= old.editLimit + new.editLimit {
            self.init(LineageMatcher(old: old, new: new, common: common), from: old, to: new)
        } else {
            var plainOld = old
            var plainNew = new
            let matcher = PlainMatcher<Item>(old: plainOld.compactStore(), new: plainNew.compactStore())
            self.init(matcher, from: plainOld, to: plainNew)
        }
    }

    @inlinable
    init(
        _ matcher: some RowMatcher<Item>, from old: DiffableSnapshot<Section, Item>,
        to new: DiffableSnapshot<Section, Item>
    ) {
        let sections = SectionMatching(from: old, to: new)
        var matching = RowMatching(matcher)
        for (section, origin) in sections.origins.enumerated() {
            let rows = new.arrangement.positions(ofSection: section)
            if let origin {
                matching.match(old: old.arrangement.positions(ofSection: origin), new: rows)
            } else {
                matching.passedNew.append(rows: rows)
            }
        }
        for section in sections.deleted {
            matching.passedOld.append(rows: old.arrangement.positions(ofSection: section))
        }
        var emission = ItemEmission(matching, sections, from: old, to: new)
        self.init(
            sections: sections.changes(from: old, to: new), items: emission.changes(),
            marks: new.marks, previousMarks: old.marks)
    }
}

/// The sections that two snapshots have in common.
@usableFromInline
struct SectionMatching {
    /// The old index of each section of the new snapshot; nil for an inserted section.
    @usableFromInline var origins: ContiguousArray<Int?>
    /// For each old section, whether the new snapshot has it.
    @usableFromInline var stays: ContiguousArray<Bool>
    /// Whether both share the storage of their sections, which are then equal.
    @usableFromInline var isUnchanged: Bool

    @inlinable
    init<Section, Item>(from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>) {
        isUnchanged = old.sectionTable.token === new.sectionTable.token
        stays = ContiguousArray(repeating: isUnchanged, count: old.numberOfSections)
        origins = []
        origins.reserveCapacity(new.numberOfSections)
        let store = new.sectionTable.store
        for index in 0..<new.numberOfSections {
            let origin =
                isUnchanged
                ? index : old.sectionTable.index(of: new.sectionTable.identifier(of: index), hash: store.hashes[index])
            origins.append(origin)
            if let origin { stays[origin] = true }
        }
    }

    @inlinable var deleted: [Int] { isUnchanged ? [] : stays.indices.filter { !stays[$0] } }

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
        for (run, kept) in zip(runs, keptPrefixes(of: runs)) where kept == 0 {
            let id = new.sectionTable.identifier(of: Int(run.new))
            moved.append(Changes.Move(id: id, from: Int(run.old), to: Int(run.new)))
        }
        return ElementChanges(
            sortedDeleted: deleted.map { Changes.Placement(position: $0, element: old.sectionTable[$0]) },
            inserted: inserted, moved: moved, updated: updated)
    }
}
