/// The state of a data source: its snapshot, and the outlines of sections that have one.
///
/// The visible items of an outline are the items of its section in the snapshot. No identifier is in two sections, visible or
/// hidden.
@usableFromInline
struct Presentation<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline var snapshot: DiffableSnapshot<Section, Item>
    @usableFromInline var outlines: [Section.ID: DiffableSectionSnapshot<Item>] = [:]

    @inlinable init(_ snapshot: DiffableSnapshot<Section, Item>) { self.snapshot = snapshot }

    @inlinable var withoutMarks: Presentation {
        var presentation = self
        presentation.snapshot.clearMarks()
        return presentation
    }

    /// Returns the items of a section as an outline. If the section has no outline, all its items are roots; O(items).
    @inlinable
    func outline(of section: Section.ID) -> DiffableSectionSnapshot<Item> {
        outlines[section] ?? .init(roots: snapshot.items(inSection: section))
    }

    /// Returns the outline that has an item, visible or hidden, and its section; nil if no outline has it.
    @inlinable
    func home(of identifier: Item.ID) -> (section: Section.ID, outline: DiffableSectionSnapshot<Item>)? {
        if let section = snapshot.sectionIdentifier(containingItem: identifier) {
            return outlines[section].map { (section, $0) }
        }
        return outlines.first { $0.value.contains(identifier) }.map { ($0.key, $0.value) }
    }
}

extension Presentation {
    @usableFromInline typealias ItemChanges = ElementChanges<ItemIndexPath, Item>
    /// The next presentation, and the difference of its snapshot.
    @usableFromInline typealias Change = (result: Presentation, difference: SnapshotDifference<Section, Item>)

    /// Returns the presentation with the visible items of an outline in one section.
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
        let items = SnapshotDifference(from: old, to: new).items.moved(toSection: index)
        let difference = SnapshotDifference<Section, Item>(items: items)
        var result = self
        result.snapshot = try snapshot.applying(difference)
        result.outlines[section] = outline
        return (result, difference)
    }

    /// Returns the presentation with an item expanded or collapsed; nil if the item already has this state.
    @inlinable
    func expanding(
        _ identifier: Item.ID, _ isExpanded: Bool, in operation: StaticString
    ) throws(DiffableError) -> Change? {
        guard let section = snapshot.sectionIdentifier(containingItem: identifier) ?? home(of: identifier)?.section
        else { throw DiffableError(.unknownItem, identifier, in: operation) }
        var outline = outline(of: section)
        guard outline.isExpanded(identifier) != isExpanded else { return nil }
        if isExpanded { try outline.expand([identifier]) } else { try outline.collapse([identifier]) }
        var result = self
        result.outlines[section] = outline
        guard let place = snapshot.indexPath(for: identifier) else { return (result, .init()) }
        let under = outline.itemsShown(under: identifier)
        let placements = under.enumerated().map { offset, item in
            ItemChanges.Placement(
                position: ItemIndexPath(section: place.section, item: place.item + 1 + offset), element: item)
        }
        guard !isExpanded else {
            try result.snapshot.insertItems(under, afterItem: identifier)
            return (result, .init(items: .init(inserted: placements)))
        }
        try result.snapshot.deleteItems(under.map(\.id))
        return (result, .init(items: .init(deleted: placements)))
    }

    /// Returns the presentation after an item was moved with its visible descendants; nil if it is there already.
    @inlinable
    func moving(
        _ item: Item, from source: ItemIndexPath, to destination: ItemIndexPath
    ) throws(DiffableError) -> Change? {
        let outline = home(of: item.id)?.outline
        let block = [item] + (outline.map { $0.isExpanded(item.id) ? $0.itemsShown(under: item.id) : [] } ?? [])
        let sections = snapshot.sectionIdentifiers
        let outOfRange = DiffableError(.positionOutOfRange, destination, in: "moveItem")
        guard sections.indices.contains(destination.section) else { throw outOfRange }
        let others =
            snapshot.numberOfItems(inSection: sections[destination.section])
            - (source.section == destination.section ? block.count : 0)
        guard (0...others).contains(destination.item) else { throw outOfRange }
        if source == destination { return nil }
        let moves = block.enumerated().map { offset, item in
            var move = ItemChanges.Move(id: item.id, from: source, to: destination)
            move.from.item += offset
            move.to.item += offset
            return move
        }
        let difference = SnapshotDifference<Section, Item>(items: .init(moved: moves))
        return (following(difference, to: try snapshot.applying(difference)), difference)
    }

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
    /// Returns the same changes in another section.
    @inlinable
    func moved(toSection section: Int) -> ElementChanges {
        func there(_ position: ItemIndexPath) -> ItemIndexPath { ItemIndexPath(section: section, item: position.item) }
        return ElementChanges(
            deleted: deleted.map { Placement(position: there($0.position), element: $0.element) },
            inserted: inserted.map { Placement(position: there($0.position), element: $0.element) },
            moved: moved.map { Move(id: $0.id, from: there($0.from), to: there($0.to)) },
            updated: updated.map {
                Update(from: there($0.from), to: there($0.to), before: $0.before, after: $0.after)
            })
    }
}
