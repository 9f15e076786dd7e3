extension DiffableSnapshot {
    /// How many edits a snapshot carries before it is laid out anew. Carrying costs each copy and each edit as many steps
    /// as there are, laying out costs n steps once in so many edits: the root balances them, and the power of two beside it
    /// is near enough. (`squareRoot()` calls the C library in debug builds, and programs need not link its mathematics.)
    @inlinable var editLimit: Int { 64 + (4 << ((Int.bitWidth - numberOfItems.leadingZeroBitCount) / 2)) }

    /// Lays out what carries twice the limit. A data source does so at the limit, between two changes: a copy that is laid
    /// out while it is edited has no slots in common any more with what it is to be compared with.
    @inlinable mutating func layOutIfNeeded() { layOut(carryingOver: 2 * editLimit) }

    @inlinable
    mutating func layOut(carryingOver limit: Int) {
        if arrangement.extentCount > numberOfSections + limit
            || itemTable.frozen.count > 0 && Int(itemTable.own.count) > limit
            || Int(itemTable.slotLimit) > 2 * numberOfItems + limit
        {
            layOut()
        }
    }

    /// Gives every item its position as its slot, in a store of its own. O(n); hashes and compares nothing.
    @inlinable
    mutating func layOut() {
        var store = ElementStore<Item>()
        store.reserve(numberOfItems)
        forEachPart(ofExtents: 0..<arrangement.extentCount) { store.append($1, of: $0) }
        itemTable = ItemTable(store)
        arrangement = arrangement.plain()
    }

    /// The store in which the slot of each item is its position. The snapshot is compacted if necessary.
    @inlinable
    mutating func layOutPlainly() -> ElementStore<Item> {
        if let store = itemTable.wholeStore, numberOfItems == itemTable.slotLimit, arrangement.isPlain { return store }
        layOut()
        return itemTable.own
    }
}
