extension DiffableSnapshot {
    /// Marks items whose row is to be made anew although their content is equal. Supersedes a mark to reconfigure.
    /// O(identifiers).
    ///
    /// - Throws: `DiffableError` with `unknownItem`; nothing is marked then.
    @inlinable
    public mutating func reloadItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        for identifier in identifiers { _ = try position(of: identifier, in: "reloadItems") }
        marked.reloadedItems.formUnion(identifiers)
        marked.reconfiguredItems.subtract(identifiers)
    }

    /// Marks items whose row is kept and filled in again. Leaves an item that is marked to be reloaded as it is.
    /// O(identifiers).
    ///
    /// - Throws: `DiffableError` with `unknownItem`; nothing is marked then.
    @inlinable
    public mutating func reconfigureItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        for identifier in identifiers { _ = try position(of: identifier, in: "reconfigureItems") }
        marked.reconfiguredItems.formUnion(identifiers.filter { !marked.reloadedItems.contains($0) })
    }

    /// Marks sections to be made anew although their content is equal. O(identifiers).
    ///
    /// - Throws: `DiffableError` with `unknownSection`; nothing is marked then.
    @inlinable
    public mutating func reloadSections(_ identifiers: [Section.ID]) throws(DiffableError) {
        for identifier in identifiers { _ = try indexOfSection(identifier, in: "reloadSections") }
        marked.reloadedSections.formUnion(identifiers)
    }

    /// What `reloadItems` marked, in the order of the snapshot. O(m log m) for `m` marks.
    @inlinable public var reloadedItemIdentifiers: [Item.ID] { inOrder(marked.reloadedItems) }

    /// What `reconfigureItems` marked, in the order of the snapshot. O(m log m) for `m` marks.
    @inlinable public var reconfiguredItemIdentifiers: [Item.ID] { inOrder(marked.reconfiguredItems) }

    /// What `reloadSections` marked, in the order of the snapshot. O(m log m) for `m` marks.
    @inlinable public var reloadedSectionIdentifiers: [Section.ID] {
        marked.reloadedSections.compactMap { id in indexOfSection(id).map { (index: $0, id: id) } }
            .sorted { $0.index < $1.index }.map(\.id)
    }

    /// All marks, each list in the order of the snapshot. O(m log m) for `m` marks.
    @inlinable public var marks: SnapshotMarks<Section.ID, Item.ID> {
        SnapshotMarks(
            reloadedSections: reloadedSectionIdentifiers, reloadedItems: reloadedItemIdentifiers,
            reconfiguredItems: reconfiguredItemIdentifiers)
    }

    @inlinable
    mutating func clearMarks() {
        marked = MarkedIdentifiers()
    }

    @inlinable
    func inOrder(_ identifiers: Set<Item.ID>) -> [Item.ID] {
        identifiers.compactMap { id in position(of: id).map { (position: $0, id: id) } }
            .sorted { $0.position < $1.position }.map(\.id)
    }
}
