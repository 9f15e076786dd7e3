extension DiffableSnapshot {
    /// The limit of additional extents or slots, about 4√n. A data source compacts at this limit, an edit at twice this
    /// limit. Each additional extent makes copies and edits slower by one step, and compacting takes n steps, so a multiple
    /// of the root is best. A power of two near the root is good enough: in debug builds, `squareRoot()` would need libm.
    @inlinable var editLimit: Int { 64 + (4 << ((Int.bitWidth - numberOfItems.leadingZeroBitCount) / 2)) }

    /// Compacts at twice the limit of a data source. Compaction ends the common history with the shown snapshot, so it should
    /// be rare during edits.
    @inlinable mutating func compactIfNeeded() { compact(ifOver: 2 * editLimit) }

    @inlinable
    mutating func compact(ifOver limit: Int) {
        if arrangement.extentCount > numberOfSections + limit
            || itemTable.frozen.count > 0 && Int(itemTable.own.count) > limit
            || Int(itemTable.slotLimit) > 2 * numberOfItems + limit
        {
            compact()
        }
    }

    /// Gives each item its position as its slot, in a new store. O(n), without hashing or comparing.
    @inlinable
    mutating func compact() {
        var store = ElementStore<Item>()
        store.reserve(numberOfItems)
        forEachPart(ofExtents: 0..<arrangement.extentCount) { store.append($1, of: $0) }
        itemTable = ItemTable(store)
        arrangement = arrangement.plain()
    }

    /// Returns a store in which the slot of each item is its position. Compacts the snapshot if necessary.
    @inlinable
    mutating func compactStore() -> ElementStore<Item> {
        if let store = itemTable.wholeStore, numberOfItems == itemTable.slotLimit, arrangement.isPlain { return store }
        compact()
        return itemTable.own
    }
}
