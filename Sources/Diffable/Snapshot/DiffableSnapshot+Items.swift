extension DiffableSnapshot {
    /// Adds items behind the last one of a section, the last section where none is named. O(items added), amortised.
    ///
    /// - Throws: `DiffableError` with `duplicateItem`, `unknownSection`, or `noSections`; nothing is added then.
    public mutating func appendItems(
        _ items: [Item], toSection identifier: Section.ID? = nil
    ) throws(DiffableError) {
        let section = try slotOfSection(orLast: identifier, in: "appendItems")
        arrangement.appendItems(try insert(items, in: "appendItems"), toSection: section)
    }

    /// Adds items in front of another, in its section. A position, and O(items added).
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`; nothing is added then.
    public mutating func insertItems(_ items: [Item], beforeItem neighbour: Item.ID) throws(DiffableError) {
        let slot = try itemSlot(of: neighbour, in: "insertItems")
        arrangement.insertItems(try insert(items, in: "insertItems"), nextTo: slot, after: false)
    }

    /// Adds items behind another, in its section. A position, and O(items added).
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`; nothing is added then.
    public mutating func insertItems(_ items: [Item], afterItem neighbour: Item.ID) throws(DiffableError) {
        let slot = try itemSlot(of: neighbour, in: "insertItems")
        arrangement.insertItems(try insert(items, in: "insertItems"), nextTo: slot, after: true)
    }

    /// Deletes items. An identifier given twice counts once. A position for each item at worst.
    ///
    /// - Throws: `DiffableError` with `unknownItem`; nothing is deleted then.
    public mutating func deleteItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        let slots = try itemSlots(of: identifiers, in: "deleteItems")
        removeItems(slots.count > 1 ? Array(Set(slots)) : slots)
    }

    /// Deletes all items; the sections stay. O(n).
    public mutating func deleteAllItems() {
        removeItems(arrangement.items())
    }

    /// Deletes the items that `shouldBeRemoved` says true of, asked once for each item, in order. O(n).
    ///
    /// - Throws: What `shouldBeRemoved` throws; nothing is deleted then.
    public mutating func removeItems<E: Error>(where shouldBeRemoved: (Item) throws(E) -> Bool) throws(E) {
        var slots: [Slot] = []
        for slot in arrangement.items() where try shouldBeRemoved(itemTable[slot]) { slots.append(slot) }
        removeItems(slots)
    }

    /// Puts an item in front of another, in that one's section. In front of itself is where it is. A position.
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    public mutating func moveItem(_ identifier: Item.ID, beforeItem neighbour: Item.ID) throws(DiffableError) {
        let slot = try itemSlot(of: identifier, in: "moveItem")
        arrangement.moveItem(slot, nextTo: try itemSlot(of: neighbour, in: "moveItem"), after: false)
    }

    /// Puts an item behind another, in that one's section. Behind itself is where it is. A position.
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    public mutating func moveItem(_ identifier: Item.ID, afterItem neighbour: Item.ID) throws(DiffableError) {
        let slot = try itemSlot(of: identifier, in: "moveItem")
        arrangement.moveItem(slot, nextTo: try itemSlot(of: neighbour, in: "moveItem"), after: true)
    }

    /// Gives the item that has this `id` this content. Its place stays.
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    public mutating func replace(_ item: Item) throws(DiffableError) {
        itemTable.replace(try itemSlot(of: item.id, in: "replace"), with: item)
    }

    func itemSlot(of identifier: Item.ID, in operation: String) throws(DiffableError) -> Slot {
        guard let slot = itemTable.slot(of: identifier) else {
            throw DiffableError(.unknownItem, identifier, in: operation)
        }
        return slot
    }

    func itemSlots(of identifiers: [Item.ID], in operation: String) throws(DiffableError) -> [Slot] {
        try identifiers.map { identifier throws(DiffableError) in try itemSlot(of: identifier, in: operation) }
    }

    private func slotOfSection(
        orLast identifier: Section.ID?, in operation: String
    ) throws(DiffableError) -> Slot {
        if let identifier { return try sectionSlot(of: identifier, in: operation) }
        guard let last = arrangement.sections.last else { throw DiffableError(.noSections, nil, in: operation) }
        return last
    }

    private mutating func insert(_ items: [Item], in operation: String) throws(DiffableError) -> [Slot] {
        try itemTable.insert(items) { DiffableError(.duplicateItem, $0, in: operation) }
    }

    private mutating func removeItems(_ slots: [Slot]) {
        arrangement.removeItems(slots)
        itemTable.remove(slots)
        marked.forgetItems(slots)
    }
}
