extension DataSourceState {
    /// Returns the state after a new snapshot. Outlines keep the hidden items under items that stay. `difference` is the
    /// difference to this snapshot.
    ///
    /// Outlines whose items stay in place are kept. Other outlines are rebuilt from the items of their section in
    /// order:
    ///
    /// - An item that stayed in order in its section becomes a child of its nearest ancestor that stayed in order.
    /// - A moved item stays under its parent if the order allows it: if the parent is before the item, and no other item
    ///   divides the parent's branch. Otherwise the item, like a new item, becomes a sibling of the next item that
    ///   stayed in order, or else a root.
    /// - Hidden items stay under their ancestor, and are removed together with this ancestor. A hidden item that is in
    ///   `snapshot` is treated as new, and is collapsed.
    ///
    /// O(changes), and O(items) of the outlines that are rebuilt or have updated items. Each inserted item is looked up
    /// in every outline.
    @inlinable
    func updated(
        by difference: SnapshotDifference<Section, Item>, to snapshot: DiffableSnapshot<Section, Item>
    ) -> DataSourceState {
        var result = DataSourceState(snapshot)
        guard !outlines.isEmpty else { return result }
        let outlineUpdate = OutlineUpdate(of: self, difference, to: snapshot)
        for (section, outline) in outlines where snapshot.containsSection(section) {
            result.outlines[section] = outline
        }
        for update in difference.items.updated {
            guard let section = snapshot.sectionIdentifier(containingItem: update.after.id) else { continue }
            result.outlines[section]?.replaceIfPresent(update.after)
        }
        for section in outlineUpdate.affected where snapshot.containsSection(section) {
            result.outlines[section] = outlineUpdate.outline(of: section)
        }
        return result
    }
}

/// Computes the outlines after a change, for `DataSourceState.updated(by:to:)`.
@usableFromInline
struct OutlineUpdate<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline let old: DataSourceState<Section, Item>
    @usableFromInline let new: DiffableSnapshot<Section, Item>
    /// The items that moved within a section or to another section.
    @usableFromInline let moved: Set<Item.ID>
    /// The items that were hidden and are in the new snapshot.
    @usableFromInline private(set) var revealed: Set<Item.ID> = []
    /// The sections with outlines that are rebuilt.
    @usableFromInline private(set) var affected: Set<Section.ID> = []

    @inlinable
    init(
        of old: DataSourceState<Section, Item>, _ difference: SnapshotDifference<Section, Item>,
        to new: DiffableSnapshot<Section, Item>
    ) {
        self.old = old
        self.new = new
        moved = Set(difference.items.moved.map(\.id))
        let before = old.snapshot.sectionIdentifiers
        let after = new.sectionIdentifiers
        let items = difference.items
        let sourceSections = items.deleted.map(\.position.section) + items.moved.map(\.from.section)
        let targetSections = items.inserted.map(\.position.section) + items.moved.map(\.to.section)
        affected = Set(sourceSections.map { before[$0] } + targetSections.map { after[$0] })
            .filter { old.outlines[$0] != nil }
        for placement in items.inserted {
            guard let previous = old.sectionOutline(containing: placement.element.id) else { continue }
            revealed.insert(placement.element.id)
            affected.insert(previous.section)
            addAffectedSection(
                after[placement.position.section], ifBranch: placement.element.id, in: previous.outline)
        }
        for move in items.moved where before[move.from.section] != after[move.to.section] {
            guard let outline = old.outlines[before[move.from.section]] else { continue }
            addAffectedSection(after[move.to.section], ifBranch: move.id, in: outline)
        }
    }

    /// Returns the items of a section as an outline, by the rules of `DataSourceState.updated(by:to:)`.
    @inlinable
    func outline(of section: Section.ID) -> DiffableSectionSnapshot<Item> {
        let items = new.items(inSection: section)
        let parents = parentsOfRemainingItems(in: section)
        var result = DiffableSectionSnapshot<Item>()
        // The expanded items that can be ancestors of the next item, the innermost last.
        var path: [(id: Item.ID, node: Outline.Node)] = []
        for (item, requiredParent) in zip(items, requiredParents(of: items, parents)) {
            let id = item.id
            let oldOutline = old.sectionOutline(containing: id)?.outline
            let isNewOrMoved = parents[id] == nil && !revealed.contains(id)
            let parent = isNewOrMoved ? oldOutline?.parent(of: id)?.id : nil
            while let last = path.last, last.id != requiredParent, last.id != parent { path.removeLast() }
            let node = result.addNew(item, under: path.last?.node ?? Outline.root)
            guard let oldOutline else { continue }
            if oldOutline.isExpanded(id), !revealed.contains(id) {
                result.outline.setExpanded(node, true)
                path.append((id, node))
            } else {
                let hidden = hiddenBranch(under: id, in: oldOutline)
                result.graft(from: hidden, under: Outline.root, onto: node, before: Outline.none)
            }
        }
        return result
    }

    /// Adds a section to `affected` if an item from `outline` is a branch: it has children or is expanded. The section
    /// then becomes an outline.
    @inlinable
    mutating func addAffectedSection(
        _ section: Section.ID, ifBranch identifier: Item.ID, in outline: DiffableSectionSnapshot<Item>
    ) {
        if outline.isExpanded(identifier) || !outline.children(of: identifier).isEmpty { affected.insert(section) }
    }

    /// Returns the items that stay in the section in order, each with its nearest ancestor that also stays in order;
    /// nil for a root.
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

    /// Returns, for each item, the parent of the nearest item at or after it that stays in order; nil if this parent is
    /// the root, or if there is no such item. The item must be placed within the branch of this parent.
    @inlinable
    func requiredParents(of items: [Item], _ parents: [Item.ID: Item.ID?]) -> [Item.ID?] {
        var requiredParents: [Item.ID?] = []
        requiredParents.reserveCapacity(items.count)
        var requiredParent: Item.ID?
        for item in items.reversed() {
            if let parent = parents[item.id] { requiredParent = parent }
            requiredParents.append(requiredParent)
        }
        return requiredParents.reversed()
    }

    /// Returns the descendants of an item in an outline, without revealed items and their descendants.
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
        // A node without an entry was already deleted, as a descendant of an earlier node.
        for node in nodes where branch.entries[Int(node)] != nil { branch.remove(node) }
        return branch
    }
}
