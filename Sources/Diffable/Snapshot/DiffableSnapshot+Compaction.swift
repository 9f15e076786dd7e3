extension DiffableSnapshot {
    /// The maximum number of additional extents or slots, about 8√n. A data source compacts at this limit, an edit at
    /// twice this limit.
    ///
    /// With k additional extents between two compactions, an edit costs O(k), and its share of the compaction O(n/k).
    /// The sum is smallest if k is near √n. With 8√n, fewer than one of a hundred updates with ten edits each compact
    /// 100,000 items. The square root is rounded to a power of two, because `squareRoot()` needs
    /// libm in debug builds.
    @inlinable var fragmentationLimit: Int { 64 + (8 << ((Int.bitWidth - numberOfItems.leadingZeroBitCount) / 2)) }

    /// Compacts at twice the limit of a data source. Compaction ends the common history with the shown snapshot, so
    /// edits compact less often than the data source.
    ///
    /// Appending to sections in turn adds an extent with each call, but the cost of an append does not depend on the
    /// extents. So an append does not compact because of them.
    @inlinable
    mutating func compactIfNeeded(afterAppending isAppending: Bool = false) {
        if itemTable.slotLimit > numberOfItems {
            itemTable.adoptIdentities()
            // Every slot of a store that is not hashed must be in use.
            if !itemTable.isHashed { return compact() }
        }
        compact(ifOver: 2 * fragmentationLimit, ignoringExtents: isAppending)
    }

    /// Compacts if more than `limit` extents or slots are additional. Additional extents are those beyond one for each
    /// section. Additional slots are those of the table's own store if another store is frozen. If there are more
    /// unused slots than items, the excess is additional, too.
    @inlinable
    mutating func compact(ifOver limit: Int, ignoringExtents: Bool = false) {
        if !ignoringExtents && arrangement.extentCount > numberOfSections + limit
            || itemTable.frozen.count > 0 && Int(itemTable.own.count) > limit
            || Int(itemTable.slotLimit) > 2 * numberOfItems + limit
        {
            compact()
        }
    }

    /// Gives each item its position as its slot, in a new store. O(n), without hashing or comparing.
    @inlinable
    mutating func compact() {
        itemTable.adoptIdentities()
        var store = ElementStore<Item>(isHashed: itemTable.isHashed)
        store.reserve(numberOfItems)
        forEachPart(ofSections: 0..<numberOfSections) { store.append($1, of: $0) }
        itemTable = ItemTable(store, isUnique: itemTable.isUnique)
        arrangement = arrangement.compacted()
    }

    /// Compacts the snapshot unless the slot of each item is its position, in one store.
    @inlinable
    mutating func compactCompletely() {
        if itemTable.wholeStore != nil, numberOfItems == itemTable.slotLimit, arrangement.isCompact { return }
        compact()
    }
}
