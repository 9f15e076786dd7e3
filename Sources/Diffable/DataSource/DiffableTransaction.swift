/// A change of a data source: the snapshots before and after, and their difference.
public struct DiffableTransaction<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    /// The states before and after the change. An object, because copying snapshots copies many references.
    @usableFromInline
    final class States: Sendable {
        @usableFromInline let initial: DataSourceState<Section, Item>
        @usableFromInline let final: DataSourceState<Section, Item>

        @inlinable
        init(_ initial: DataSourceState<Section, Item>, _ final: DataSourceState<Section, Item>) {
            self.initial = initial
            self.final = final
        }
    }

    @usableFromInline let states: States
    /// The difference that the data source computed or received; nil for reload data.
    @usableFromInline let storedDifference: SnapshotDifference<Section, Item>?

    @inlinable
    init(
        from initial: DataSourceState<Section, Item>, to final: DataSourceState<Section, Item>,
        _ difference: SnapshotDifference<Section, Item>?
    ) {
        states = States(initial, final)
        storedDifference = difference
    }

    @inlinable var initial: DataSourceState<Section, Item> { states.initial }
    @inlinable var final: DataSourceState<Section, Item> { states.final }

    /// The snapshot before the change, without marks.
    @inlinable public var initialSnapshot: DiffableSnapshot<Section, Item> { initial.snapshot }

    /// The snapshot after the change, with its marks.
    @inlinable public var finalSnapshot: DiffableSnapshot<Section, Item> { final.snapshot }

    /// True if observers must reload everything, because the snapshot was applied without a comparison.
    @inlinable public var usesReloadData: Bool { storedDifference == nil }

    /// The difference: `try initialSnapshot.applying(difference) == finalSnapshot`.
    ///
    /// O(1). If `usesReloadData` is true, each access computes the difference by `SnapshotDifference(from:to:)`.
    @inlinable public var difference: SnapshotDifference<Section, Item> {
        storedDifference ?? SnapshotDifference(fromUnique: initialSnapshot, to: finalSnapshot)
    }

    /// The changes in each section whose items, order or expansion changed: in the order of the new sections, followed
    /// by the removed sections. O(sections + changes + items of these sections and of outlines)
    @inlinable public var sectionTransactions: [DiffableSectionTransaction<Section, Item>] {
        let changes = difference.items
        let before = initialSnapshot.sectionIdentifiers
        let after = finalSnapshot.sectionIdentifiers
        var edits: [Section.ID: SectionEdits] = [:]
        for change in changes.deleted {
            edits[before[change.position.section], default: .init()].addRemoval(at: change.position)
        }
        for change in changes.inserted {
            edits[after[change.position.section], default: .init()].addInsertion(at: change.position)
        }
        let pairs = changes.moved.map { ($0.from, $0.to) } + changes.updated.map { ($0.from, $0.to) }
        for (from, to) in pairs {
            let (old, new) = (before[from.section], after[to.section])
            edits[old, default: .init()].addRemoval(at: from, to: old == new ? to : nil)
            edits[new, default: .init()].addInsertion(at: to, from: old == new ? from : nil)
        }
        let removedSections = before.filter { !finalSnapshot.containsSection($0) }
        return (after + removedSections).compactMap { section in
            guard edits[section] != nil || initial.outlines[section] != final.outlines[section] else { return nil }
            let transaction = DiffableSectionTransaction<Section, Item>(
                of: section, from: initial.outline(of: section), to: final.outline(of: section),
                edits[section] ?? .init())
            return transaction.isEmpty ? nil : transaction
        }
    }
}

/// The changes in one section of a data source.
public struct DiffableSectionTransaction<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    /// The section.
    public let sectionIdentifier: Section.ID
    /// The items of the section before the change, with hidden items; empty for a new section.
    public let initialSnapshot: DiffableSectionSnapshot<Item>
    /// The items of the section after the change, with hidden items; empty for a removed section.
    public let finalSnapshot: DiffableSectionSnapshot<Item>
    @usableFromInline let edits: SectionEdits

    @inlinable
    init(
        of section: Section.ID, from initial: DiffableSectionSnapshot<Item>,
        to final: DiffableSectionSnapshot<Item>, _ edits: SectionEdits
    ) {
        sectionIdentifier = section
        initialSnapshot = initial
        finalSnapshot = final
        self.edits = edits
    }

    /// The difference of the visible items: `initialSnapshot.visibleItems.applying(difference)` equals
    /// `finalSnapshot.visibleItems`. For programs that keep their items in an array. An updated item is removed and
    /// inserted. O(items)
    @inlinable public var difference: CollectionDifference<Item> {
        let before = initialSnapshot.visibleItems
        let after = finalSnapshot.visibleItems
        let removals = edits.removals.map { offset, destination in
            CollectionDifference<Item>.Change.remove(
                offset: offset, element: before[offset], associatedWith: destination)
        }
        let insertions = edits.insertions.map { offset, origin in
            CollectionDifference<Item>.Change.insert(offset: offset, element: after[offset], associatedWith: origin)
        }
        guard let difference = CollectionDifference(removals + insertions) else {
            preconditionFailure("a difference has a position twice")
        }
        return difference
    }

    @inlinable var isEmpty: Bool { edits.isEmpty && initialSnapshot == finalSnapshot }
}

/// The removals and insertions of items in one section. Each has the other offset if the item moves within the section.
@usableFromInline
struct SectionEdits: Sendable {
    /// By old offset: the new offset in this section; nil if the item is deleted or moves to another section.
    @usableFromInline var removals: [Int: Int?] = [:]
    /// By new offset: the old offset in this section; nil if the item is inserted or moves from another section.
    @usableFromInline var insertions: [Int: Int?] = [:]

    @inlinable init() {}

    @inlinable var isEmpty: Bool { removals.isEmpty && insertions.isEmpty }

    @inlinable
    mutating func addRemoval(at position: ItemIndexPath, to destination: ItemIndexPath? = nil) {
        removals.updateValue(destination?.item, forKey: position.item)
    }

    @inlinable
    mutating func addInsertion(at position: ItemIndexPath, from origin: ItemIndexPath? = nil) {
        insertions.updateValue(origin?.item, forKey: position.item)
    }
}
