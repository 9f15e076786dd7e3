extension Presentation {
    /// Returns the presentation of `snapshot`, the result of `difference`, with the hidden items under items that stay.
    ///
    /// Outlines whose items stay in place are kept. The others are rebuilt from the items of the section in order:
    ///
    /// - An item that stayed in its section in order is under its nearest ancestor that also stayed in order.
    /// - A new or moved item stays under its parent if the order allows it: if the parent is before it, and no other
    ///   item divides the parent's branch. Otherwise it becomes a sibling of the next item that stayed in order, or a
    ///   root if there is none.
    /// - Hidden items stay under their item, and are removed with it. A hidden item that is in `snapshot` is treated as
    ///   new, and is collapsed.
    ///
    /// O(changes), and O(items) of the rebuilt outlines. Each inserted item is looked up in every outline.
    @inlinable
    func following(
        _ difference: SnapshotDifference<Section, Item>, to snapshot: DiffableSnapshot<Section, Item>
    ) -> Presentation {
        var result = Presentation(snapshot)
        guard !outlines.isEmpty else { return result }
        let outlineUpdate = OutlineUpdate(of: self, difference, to: snapshot)
        for (section, outline) in outlines where snapshot.containsSection(section) {
            result.outlines[section] = outline
        }
        for update in difference.items.updated {
            guard let section = snapshot.sectionIdentifier(containingItem: update.after.id) else { continue }
            result.outlines[section]?.refresh(update.after)
        }
        for section in outlineUpdate.affected where snapshot.containsSection(section) {
            result.outlines[section] = outlineUpdate.outline(of: section)
        }
        return result
    }
}

/// The outlines after a change, for `Presentation.following(_:to:)`.
@usableFromInline
struct OutlineUpdate<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline let old: Presentation<Section, Item>
    @usableFromInline let new: DiffableSnapshot<Section, Item>
    /// The moved items, within a section or to another.
    @usableFromInline let moved: Set<Item.ID>
    /// The items that were hidden and are in the new snapshot.
    @usableFromInline private(set) var revealed: Set<Item.ID> = []
    /// The sections whose outlines are rebuilt.
    @usableFromInline private(set) var affected: Set<Section.ID> = []

    @inlinable
    init(
        of old: Presentation<Section, Item>, _ difference: SnapshotDifference<Section, Item>,
        to new: DiffableSnapshot<Section, Item>
    ) {
        self.old = old
        self.new = new
        moved = Set(difference.items.moved.map(\.id))
        let before = old.snapshot.sectionIdentifiers
        let after = new.sectionIdentifiers
        let items = difference.items
        let left = items.deleted.map(\.position.section) + items.moved.map(\.from.section)
        let entered = items.inserted.map(\.position.section) + items.moved.map(\.to.section)
        affected = Set(left.map { before[$0] } + entered.map { after[$0] }).filter { old.outlines[$0] != nil }
        for placement in items.inserted {
            guard let home = old.home(of: placement.element.id) else { continue }
            revealed.insert(placement.element.id)
            affected.insert(home.section)
            take(placement.element.id, from: home.outline, to: after[placement.position.section])
        }
        for move in items.moved where before[move.from.section] != after[move.to.section] {
            guard let outline = old.outlines[before[move.from.section]] else { continue }
            take(move.id, from: outline, to: after[move.to.section])
        }
    }

    /// Returns the items of a section as an outline, by the rules of `Presentation.following(_:to:)`.
    @inlinable
    func outline(of section: Section.ID) -> DiffableSectionSnapshot<Item> {
        let items = new.items(inSection: section)
        let parents = parentsOfRemainingItems(in: section)
        var result = DiffableSectionSnapshot<Item>()
        // The expanded items that can be ancestors of the next item, the innermost last.
        var path: [(id: Item.ID, node: Outline.Node)] = []
        for (item, limit) in zip(items, limits(items, parents)) {
            let id = item.id
            let home = old.home(of: id)?.outline
            let isArrival = parents[id] == nil && !revealed.contains(id)
            let parent = isArrival ? home?.parent(of: id)?.id : nil
            while let last = path.last, last.id != limit, last.id != parent { path.removeLast() }
            let node = result.addNew(item, under: path.last?.node ?? Outline.root)
            guard let home else { continue }
            if home.isExpanded(id), !revealed.contains(id) {
                result.outline.setExpanded(node, true)
                path.append((id, node))
            } else {
                let hidden = hiddenBranch(under: id, in: home)
                result.graft(from: hidden, under: Outline.root, onto: node, before: Outline.none)
            }
        }
        return result
    }

    /// Notes that a section becomes an outline, if a new item has descendants or is expanded.
    @inlinable
    mutating func take(_ identifier: Item.ID, from outline: DiffableSectionSnapshot<Item>, to section: Section.ID) {
        if outline.isExpanded(identifier) || !outline.children(of: identifier).isEmpty { affected.insert(section) }
    }

    /// Returns the items that stay in the section in order, each with its nearest ancestor that also does; nil for a root.
    @inlinable
    func parentsOfRemainingItems(in section: Section.ID) -> [Item.ID: Item.ID?] {
        let outline = old.outline(of: section)
        var parents: [Item.ID: Item.ID?] = [:]
        var path: [(id: Item.ID, level: Int)] = []
        for step in outline.outline.walk(visibleOnly: true) {
            while let last = path.last, last.level >= step.level { path.removeLast() }
            let id = outline[step.node].identifier
            guard !moved.contains(id), new.sectionIdentifier(containingItem: id) == section else { continue }
            parents.updateValue(path.last?.id, forKey: id)
            path.append((id, step.level))
        }
        return parents
    }

    /// Returns for each item the parent of the next item that stays, or its own. The branch of this parent must not end yet.
    @inlinable
    func limits(_ items: [Item], _ parents: [Item.ID: Item.ID?]) -> [Item.ID?] {
        var limits: [Item.ID?] = []
        limits.reserveCapacity(items.count)
        var limit: Item.ID?
        for item in items.reversed() {
            if let parent = parents[item.id] { limit = parent }
            limits.append(limit)
        }
        return limits.reversed()
    }

    @inlinable
    func hiddenBranch(
        under identifier: Item.ID, in outline: DiffableSectionSnapshot<Item>
    ) -> DiffableSectionSnapshot<Item> {
        var branch = outline.snapshot(of: identifier)
        // Iterates over the smaller of both sets, so that all branches together cost no more than the outlines.
        let nodes =
            revealed.count < branch.numberOfItems
            ? revealed.compactMap { branch.node(of: $0) }
            : branch.outline.walk().map { $0.node }.filter { revealed.contains(branch[$0].identifier) }
        // A node that is vacant now was under another of these nodes.
        for node in nodes where branch.entries[Int(node)] != nil { branch.remove(node) }
        return branch
    }
}
