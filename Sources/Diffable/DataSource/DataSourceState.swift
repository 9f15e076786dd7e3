/// The state of a data source: its snapshot, and the outlines of the sections that have an outline.
///
/// The visible items of an outline are the items of its section in the snapshot. No identifier is in two sections,
/// visible or hidden. The functions here return the state after a change that concerns outlines. `updated(by:to:)`
/// returns the state after a new snapshot.
@usableFromInline
struct DataSourceState<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline var snapshot: DiffableSnapshot<Section, Item>
    @usableFromInline var outlines: [Section.ID: DiffableSectionSnapshot<Item>] = [:]

    @inlinable init(_ snapshot: DiffableSnapshot<Section, Item>) { self.snapshot = snapshot }

    /// The same state without the marks of its snapshot.
    @inlinable var withoutMarks: DataSourceState {
        var state = self
        state.snapshot.clearMarks()
        return state
    }

    /// Returns the items of a section as an outline. If the section has no outline, all items are roots. O(1) for an
    /// outline, otherwise O(items)
    @inlinable
    func outline(of section: Section.ID) -> DiffableSectionSnapshot<Item> {
        outlines[section] ?? .init(roots: snapshot.items(inSection: section))
    }

    /// Returns the outline that has an item, visible or hidden, with its section; nil if no outline has the item.
    @inlinable
    func sectionOutline(
        containing identifier: Item.ID
    ) -> (section: Section.ID, outline: DiffableSectionSnapshot<Item>)? {
        if let section = snapshot.sectionIdentifier(containingItem: identifier) {
            return outlines[section].map { (section, $0) }
        }
        return outlines.first { $0.value.contains(identifier) }.map { ($0.key, $0.value) }
    }
}

extension DataSourceState {
    @usableFromInline typealias ItemChanges = ElementChanges<ItemIndexPath, Item>
    /// The next state, and the difference of the snapshots.
    @usableFromInline typealias Change = (result: DataSourceState, difference: SnapshotDifference<Section, Item>)

    /// Returns the state in which a section has an outline, and shows its visible items.
    @inlinable
    func showing(_ outline: DiffableSectionSnapshot<Item>, in section: Section.ID) throws(DiffableError) -> Change {
        guard let index = snapshot.indexOfSection(section), let header = snapshot.section(for: section) else {
            throw DiffableError(.unknownSection, section, in: "apply")
        }
        try refuseDuplicates(of: outline, outside: section)
        // Compares this section alone, so the cost does not depend on the other sections.
        var old = DiffableSnapshot<Section, Item>()
        try old.appendSections([header])
        var new = old
        try old.appendItems(snapshot.items(inSection: section))
        try new.appendItems(outline.visibleItems)
        let items = try SnapshotDifference(from: old, to: new).items.withSection(index)
        let difference = SnapshotDifference<Section, Item>(items: items)
        var result = self
        result.snapshot = try snapshot.applying(difference)
        result.outlines[section] = outline
        return (result, difference)
    }

    /// Returns an item, visible or hidden, with the outline and the identifier of its section. Throws `unknownItem` if
    /// there is no such item.
    @inlinable
    func outlineItem(
        _ identifier: Item.ID, in operation: StaticString
    ) throws(DiffableError) -> (item: Item, outline: DiffableSectionSnapshot<Item>, section: Section.ID) {
        let section =
            snapshot.sectionIdentifier(containingItem: identifier)
            ?? sectionOutline(containing: identifier)?.section
        guard let section else { throw DiffableError(.unknownItem, identifier, in: operation) }
        let outline = outline(of: section)
        guard let item = outline.item(for: identifier) else {
            throw DiffableError(.unknownItem, identifier, in: operation)
        }
        return (item, outline, section)
    }

    /// Returns the state with an item expanded or collapsed; nil if nothing changes.
    @inlinable
    func settingExpanded(
        _ identifier: Item.ID, _ isExpanded: Bool, in operation: StaticString
    ) throws(DiffableError) -> Change? {
        var (_, outline, section) = try outlineItem(identifier, in: operation)
        guard outline.isExpanded(identifier) != isExpanded else { return nil }
        if isExpanded { try outline.expand([identifier]) } else { try outline.collapse([identifier]) }
        var result = self
        result.outlines[section] = outline
        guard let indexPath = snapshot.indexPath(for: identifier) else { return (result, .init()) }
        let descendants = outline.itemsShown(under: identifier)
        let placements = descendants.enumerated().map { offset, item in
            ItemChanges.Placement(
                position: ItemIndexPath(section: indexPath.section, item: indexPath.item + 1 + offset), element: item)
        }
        guard !isExpanded else {
            try result.snapshot.insertItems(descendants, afterItem: identifier)
            return (result, .init(items: .init(inserted: placements)))
        }
        try result.snapshot.deleteItems(descendants.map(\.id))
        return (result, .init(items: .init(deleted: placements)))
    }

    /// Returns the state after an item was moved with its visible descendants; nil if the item is already at
    /// `destination`.
    @inlinable
    func moving(
        _ item: Item, from source: ItemIndexPath, to destination: ItemIndexPath
    ) throws(DiffableError) -> Change? {
        let outline = sectionOutline(containing: item.id)?.outline
        let branch = [item] + (outline.map { $0.isExpanded(item.id) ? $0.itemsShown(under: item.id) : [] } ?? [])
        let sections = snapshot.sectionIdentifiers
        let outOfRange = DiffableError(.positionOutOfRange, destination, in: "moveItem")
        guard sections.indices.contains(destination.section) else { throw outOfRange }
        let others =
            snapshot.numberOfItems(inSection: sections[destination.section])
            - (source.section == destination.section ? branch.count : 0)
        guard (0...others).contains(destination.item) else { throw outOfRange }
        if source == destination { return nil }
        let moves = branch.enumerated().map { offset, item in
            var move = ItemChanges.Move(id: item.id, from: source, to: destination)
            move.from.item += offset
            move.to.item += offset
            return move
        }
        let difference = SnapshotDifference<Section, Item>(items: .init(moved: moves))
        return (updated(by: difference, to: try snapshot.applying(difference)), difference)
    }

    /// Throws `duplicateItem` if another section has an item of an outline, visible or hidden.
    @inlinable
    func refuseDuplicates(
        of outline: DiffableSectionSnapshot<Item>, outside section: Section.ID
    ) throws(DiffableError) {
        let own = outlines[section]
        let others = outlines.filter { $0.key != section }.values
        for step in outline.outline.walk() {
            let (identifier, hash) = (outline[step.node].identifier, outline[step.node].hash)
            // Items that the section had are in no other section.
            if own?.node(of: identifier, hash: hash) != nil { continue }
            let shown = snapshot.sectionIdentifier(containingItem: identifier)
            let isTaken = shown.map { $0 != section } ?? others.contains { $0.node(of: identifier, hash: hash) != nil }
            if isTaken { throw DiffableError(.duplicateItem, identifier, in: "apply") }
        }
    }
}

extension ElementChanges where Position == ItemIndexPath {
    /// Returns the same changes with another index of the section.
    @inlinable
    func withSection(_ section: Int) -> ElementChanges {
        func inNewSection(_ position: ItemIndexPath) -> ItemIndexPath {
            ItemIndexPath(section: section, item: position.item)
        }
        return ElementChanges(
            deleted: deleted.map { Placement(position: inNewSection($0.position), element: $0.element) },
            inserted: inserted.map { Placement(position: inNewSection($0.position), element: $0.element) },
            moved: moved.map { Move(id: $0.id, from: inNewSection($0.from), to: inNewSection($0.to)) },
            updated: updated.map {
                Update(from: inNewSection($0.from), to: inNewSection($0.to), before: $0.before, after: $0.after)
            })
    }
}
