extension DiffableSnapshot {
    /// Marks items whose row is to be made anew although their content is equal. Supersedes a mark to reconfigure.
    ///
    /// - Throws: `DiffableError` with `unknownItem`; nothing is marked then.
    public mutating func reloadItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        let slots = try itemSlots(of: identifiers, in: "reloadItems")
        marked.reloadedItems.formUnion(slots)
        marked.reconfiguredItems.subtract(slots)
    }

    /// Marks items whose row is kept and filled in again. Leaves an item that is marked to be reloaded as it is.
    ///
    /// - Throws: `DiffableError` with `unknownItem`; nothing is marked then.
    public mutating func reconfigureItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        let slots = try itemSlots(of: identifiers, in: "reconfigureItems")
        marked.reconfiguredItems.formUnion(slots.filter { !marked.reloadedItems.contains($0) })
    }

    /// Marks sections to be made anew although their content is equal.
    ///
    /// - Throws: `DiffableError` with `unknownSection`; nothing is marked then.
    public mutating func reloadSections(_ identifiers: [Section.ID]) throws(DiffableError) {
        marked.reloadedSections.formUnion(try sectionSlots(of: identifiers, in: "reloadSections"))
    }

    /// What `reloadItems` marked, in the order of the snapshot. O(n) where anything is marked.
    public var reloadedItemIdentifiers: [Item.ID] { marks.reloadedItems }

    /// What `reconfigureItems` marked, in the order of the snapshot. O(n) where anything is marked.
    public var reconfiguredItemIdentifiers: [Item.ID] { marks.reconfiguredItems }

    /// What `reloadSections` marked, in the order of the snapshot. O(s).
    public var reloadedSectionIdentifiers: [Section.ID] { marks.reloadedSections }

    /// All marks, each list in the order of the snapshot. O(n) where anything is marked.
    public var marks: SnapshotMarks<Section.ID, Item.ID> {
        let sections = marked.reloadedSections.isEmpty ? [] : arrangement.sections
        return SnapshotMarks(
            reloadedSections: sections.filter(marked.reloadedSections.contains).map(sectionTable.identifier(of:)),
            reloadedItems: identifiers(of: marked.reloadedItems),
            reconfiguredItems: identifiers(of: marked.reconfiguredItems))
    }

    mutating func clearMarks() {
        marked = MarkedSlots()
    }

    private func identifiers(of items: Set<Slot>) -> [Item.ID] {
        items.isEmpty ? [] : arrangement.items().filter(items.contains).map(itemTable.identifier(of:))
    }
}
