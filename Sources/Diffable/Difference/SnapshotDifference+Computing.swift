extension SnapshotDifference {
    /// Creates the difference from `old` to `new`, with as few moves as possible.
    ///
    /// No element is hashed if both snapshots are hashed. Otherwise, at least the items between the common items at both
    /// ends of each section are hashed. Each mark is hashed once. An item of both snapshots is *out of step* if a
    /// parallel walk through both lists skips the item.
    ///
    /// - If the snapshots have a common history, with at most about 5√n edits since then: O(p + k log k) for `k`
    ///   changes, and O(log p) for each change and each item out of step. If items are out of step, also one bit for each
    ///   item, in O(n / 64). Only edited items are compared. A common
    ///   history means that one snapshot is an edited copy of the other, or both of a third one. A snapshot that is not
    ///   known to be unique is hashed.
    /// - Otherwise: O(n + k log k). The contents and the identifiers of each common item are compared once. If the item
    ///   is out of step, its identifiers are compared at most three times. Long ranges of items with equal bits are not
    ///   compared, if an item has at least 8 bytes.
    /// - The moves of a section: O(items out of step). If the section has more than 48 runs of matched items, also
    ///   O(m + r log m) for `m` items in `r` runs. If sections move, also O(s log s).
    ///
    /// - Throws: `DiffableError` with `duplicateItem` if a snapshot has two items with the same identifier. This
    ///   may not be noticed if the items of each section have the same identifiers in the same order.
    @inlinable
    public init(
        from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>
    ) throws(DiffableError) {
        try self.init(from: old, to: new, in: "SnapshotDifference")
    }

    /// Creates the difference of two snapshots that a data source has checked.
    @inlinable
    init(fromUnique old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>) {
        do throws(DiffableError) {
            try self.init(from: old, to: new)
        } catch {
            preconditionFailure("a data source has a snapshot with a duplicate: \(error)")
        }
    }

    /// Creates the difference. If `old` is known to be unique, `new` is afterwards.
    @inlinable
    init(
        from old: DiffableSnapshot<Section, Item>, to original: DiffableSnapshot<Section, Item>,
        in operation: StaticString
    ) throws(DiffableError) {
        var old = old
        var new = original
        old.itemTable.adoptIdentities()
        new.itemTable.adoptIdentities()
        let common = old.itemTable.commonSlotCount(with: new.itemTable)
        let unshared = Int(old.itemTable.slotLimit - common) + Int(new.itemTable.slotLimit - common)
        if common > 0 && unshared <= old.fragmentationLimit + new.fragmentationLimit {
            try old.checkUniqueness(in: operation)
            try new.checkUniqueness(in: operation)
            let snapshots = SnapshotPair(old: consume old, new: consume new)
            self.init(try ItemChangesBuilder(SlotMatcher(snapshots, common: common), snapshots))
        } else {
            old.compactCompletely()
            new.compactCompletely()
            let matcher = IdentifierMatcher(old: old.itemTable, new: new.itemTable, operation: operation)
            self.init(try ItemChangesBuilder(matcher, SnapshotPair(old: old, new: new)))
            if new.itemTable.isUnique { original.itemTable.markAsUnique() }
        }
    }

    @inlinable
    init(_ builder: consuming ItemChangesBuilder<Section, Item>) {
        let snapshots = builder.snapshots
        self.init(
            sections: builder.sections.changes(in: snapshots), items: builder.finish(),
            marks: snapshots.new.marks, previousMarks: snapshots.old.marks)
    }
}

/// Two compared snapshots. The parts of a comparison share this object, because copying a snapshot copies many references.
@usableFromInline
final class SnapshotPair<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline let old: DiffableSnapshot<Section, Item>
    @usableFromInline let new: DiffableSnapshot<Section, Item>

    @inlinable
    init(old: DiffableSnapshot<Section, Item>, new: DiffableSnapshot<Section, Item>) {
        self.old = old
        self.new = new
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
    init<Section, Item>(_ snapshots: SnapshotPair<Section, Item>) {
        let old = snapshots.old.sectionTable
        let new = snapshots.new.sectionTable
        isUnchanged = old.token === new.token
        isKept = ContiguousArray(repeating: isUnchanged, count: old.count)
        origins = []
        origins.reserveCapacity(new.count)
        for index in 0..<new.count {
            let origin =
                isUnchanged
                ? index : old.index(of: new.identifier(of: index), hash: new.store.identities.hashes[index])
            origins.append(origin)
            if let origin { isKept[origin] = true }
        }
    }

    @inlinable var deleted: [Int] { isUnchanged ? [] : isKept.indices.filter { !isKept[$0] } }

    @inlinable
    func changes<Section, Item>(in snapshots: SnapshotPair<Section, Item>) -> ElementChanges<Int, Section> {
        guard !isUnchanged else { return .init() }
        let old = snapshots.old.sectionTable
        let new = snapshots.new.sectionTable
        typealias Changes = ElementChanges<Int, Section>
        var inserted: [Changes.Placement] = []
        var updated: [Changes.Update] = []
        var runs: [MatchedRun] = []
        for (index, origin) in origins.enumerated() {
            let after = new[index]
            guard let origin else {
                inserted.append(Changes.Placement(position: index, element: after))
                continue
            }
            let before = old[origin]
            if before != after { updated.append(.init(from: origin, to: index, before: before, after: after)) }
            runs.append(MatchedRun(old: origin, new: index, count: 1))
        }
        var moved: [Changes.Move] = []
        for (run, isKept) in zip(runs, areKept(runs)) where !isKept {
            let id = new.identifier(of: Int(run.new))
            moved.append(Changes.Move(id: id, from: Int(run.old), to: Int(run.new)))
        }
        return ElementChanges(
            sortedDeleted: deleted.map { Changes.Placement(position: $0, element: old[$0]) },
            inserted: inserted, moved: moved, updated: updated)
    }
}
