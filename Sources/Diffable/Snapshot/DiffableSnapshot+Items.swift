extension DiffableSnapshot {
    /// Appends items to a section, or to the last section.
    ///
    /// O(items added), amortized; also one addition for each later section. If a copy shares many items that are not
    /// hashed, hashes them in O(n).
    ///
    /// - Throws: `DiffableError` with `unknownSection` or `noSections`; if the snapshot is hashed, also with
    ///   `duplicateItem`. Nothing is added then.
    @inlinable @inline(never)
    public mutating func appendItems(_ items: [Item], toSection identifier: Section.ID? = nil) throws(DiffableError) {
        let section = try indexOfSection(orLast: identifier, in: "appendItems")
        // As a buffer, and not inlined: so the compiler can put an array literal of the caller on the stack.
        let slots = try items.withUnsafeBufferPointer { (items) throws(DiffableError) in
            try store(items, in: "appendItems")
        }
        arrangement.append(slots, toSection: section)
        compactIfNeeded(afterAppending: true)
    }

    /// Inserts items before another item. O(items added + p)
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insertItems(_ items: [Item], beforeItem neighbor: Item.ID) throws(DiffableError) {
        try insert(items, nextTo: neighbor, offset: 0)
    }

    /// Inserts items after another item. O(items added + p)
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insertItems(_ items: [Item], afterItem neighbor: Item.ID) throws(DiffableError) {
        try insert(items, nextTo: neighbor, offset: 1)
    }

    /// Deletes items. An identifier may be given twice. O(k log k + p log p) for `k` identifiers, or O(p)
    /// for one
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is deleted then.
    @inlinable
    public mutating func deleteItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        try hashItems(in: "deleteItems")
        var positions = try positions(of: identifiers, in: "deleteItems")
        positions.sort()
        removeItems(atPositions: positions)
    }

    /// Deletes all items, sections and marks, as UIKit does. O(1), and the cost of releasing them
    @inlinable public mutating func deleteAllItems() { self = DiffableSnapshot() }

    /// Deletes the items for which `shouldBeRemoved` returns true. The closure is called once for each item, in order.
    /// O(n + p log p), and O(k log p) for `k` deleted items if items are marked
    ///
    /// - Throws: The errors of `shouldBeRemoved`, after which nothing is deleted.
    @inlinable
    public mutating func removeItems<E: Error>(where shouldBeRemoved: (Item) throws(E) -> Bool) throws(E) {
        var positions: [Int] = []
        var position = 0
        try arrangement.forEachExtent(inSections: 0..<numberOfSections) { slots throws(E) in
            for slot in slots {
                if try shouldBeRemoved(itemTable[slot]) { positions.append(position) }
                position += 1
            }
        }
        removeItems(atPositions: positions)
    }

    /// Moves an item before another one, possibly to another section. If both identifiers are equal, nothing changes.
    /// O(p)
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public mutating func moveItem(_ identifier: Item.ID, beforeItem neighbor: Item.ID) throws(DiffableError) {
        try moveItem(identifier, nextTo: neighbor, offset: 0)
    }

    /// Moves an item after another one, possibly to another section. If both identifiers are equal, nothing changes. O(p)
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public mutating func moveItem(_ identifier: Item.ID, afterItem neighbor: Item.ID) throws(DiffableError) {
        try moveItem(identifier, nextTo: neighbor, offset: 1)
    }

    /// Replaces the item with the same `id`, at the same position. O(1), or O(p) if the item was ever shared with a copy
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public mutating func replace(_ item: Item) throws(DiffableError) {
        let identifier = item.id
        try hashItems(in: "replace")
        guard let slot = slot(of: identifier) else { throw DiffableError(.unknownItem, identifier, in: "replace") }
        replace(slot, with: item)
        compactIfNeeded()
    }
}

extension DiffableSnapshot {
    /// Returns the position of an item. Throws `unknownItem` if there is no such item.
    @inlinable
    func position(of identifier: Item.ID, in operation: StaticString) throws(DiffableError) -> Int {
        guard let position = position(of: identifier) else {
            throw DiffableError(.unknownItem, identifier, in: operation)
        }
        return position
    }

    @inlinable
    func positions(of identifiers: [Item.ID], in operation: StaticString) throws(DiffableError) -> [Int] {
        var positions: [Int] = []
        positions.reserveCapacity(identifiers.count)
        for identifier in identifiers { positions.append(try position(of: identifier, in: operation)) }
        return positions
    }

    /// Returns the index of a section, or of the last section if the identifier is nil.
    @inlinable
    func indexOfSection(orLast identifier: Section.ID?, in operation: StaticString) throws(DiffableError) -> Int {
        if let identifier { return try indexOfSection(identifier, in: operation) }
        guard numberOfSections > 0 else { throw DiffableError(.noSections, nil, in: operation) }
        return numberOfSections - 1
    }

    @inlinable
    mutating func insert(_ items: [Item], nextTo neighbor: Item.ID, offset: Int) throws(DiffableError) {
        try hashItems(in: "insertItems")
        let position = try position(of: neighbor, in: "insertItems")
        let section = arrangement.section(atPosition: position)
        let slots = try store(items, in: "insertItems")
        arrangement.insert(slots, atPosition: position + offset, inSection: section)
        compactIfNeeded()
    }

    /// Replaces the item in a slot with an item that has the same identifier.
    @inlinable
    mutating func replace(_ slot: Slot, with item: Item) {
        itemTable.prepareForChange(freezeThreshold: fragmentationLimit)
        let new = itemTable.replace(slot, with: item)
        if new != slot { arrangement.replace(slot, with: new) }
    }

    /// Stores new items, and returns their slots. The arrangement does not have these slots yet.
    @inlinable
    mutating func store(_ items: some Collection<Item>, in operation: StaticString) throws(DiffableError) -> Range<Slot>
    {
        if items.isEmpty { return itemTable.slotLimit..<itemTable.slotLimit }
        itemTable.prepareForChange(freezeThreshold: fragmentationLimit)
        if !itemTable.isHashed {
            if itemTable.frozen.count == 0, !itemTable.token.isHashed {
                return itemTable.appendUnchecked(items)
            }
            try hashItems(in: operation)
        }
        return try itemTable.insert(items, among: arrangement) { DiffableError(.duplicateItem, $0, in: operation) }
    }

    /// Throws `duplicateItem` if two items have the same identifier.
    @inlinable
    func checkUniqueness(in operation: StaticString) throws(DiffableError) {
        if let duplicate = itemTable.duplicate() { throw DiffableError(.duplicateItem, duplicate, in: operation) }
    }

    /// Hashes the items unless they are hashed. Throws `duplicateItem` if two items have the same identifier.
    @inlinable
    mutating func hashItems(in operation: StaticString) throws(DiffableError) {
        if itemTable.isHashed { return }
        itemTable.hashIntoToken()
        try checkUniqueness(in: operation)
        itemTable.adoptIdentities()
    }

    /// Removes the items at ascending positions, which may repeat, and their marks.
    @inlinable
    mutating func removeItems(atPositions positions: [Int]) {
        if marked.hasItems {
            marked.unmarkItems(positions.map { itemTable.identifier(of: arrangement.slot(atPosition: $0)) })
        }
        if positions.isEmpty { return }
        arrangement.remove(atPositions: positions)
        compactIfNeeded()
    }

    @inlinable
    mutating func moveItem(_ identifier: Item.ID, nextTo neighbor: Item.ID, offset: Int) throws(DiffableError) {
        try hashItems(in: "moveItem")
        let position = try position(of: identifier, in: "moveItem")
        let target = try self.position(of: neighbor, in: "moveItem")
        guard position != target else { return }
        let section = arrangement.section(atPosition: target)
        arrangement.move(fromPosition: position, toPosition: target + offset, inSection: section)
        compactIfNeeded()
    }
}
