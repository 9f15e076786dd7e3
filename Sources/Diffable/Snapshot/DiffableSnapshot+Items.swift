extension DiffableSnapshot {
    /// Appends items to a section, or to the last section.
    ///
    /// O(items added), amortized; also one addition for each later section.
    ///
    /// - Throws: `DiffableError` with `unknownSection` or `noSections`. Nothing is added then.
    @inlinable @inline(never)
    public mutating func appendItems(_ items: [Item], toSection identifier: Section.ID? = nil) throws(DiffableError) {
        let section = try indexOfSection(orLast: identifier, in: "appendItems")
        // As a buffer, and not inlined: so the compiler can put an array literal of the caller on the stack.
        items.withUnsafeBufferPointer { appendItems($0, toSectionAt: section) }
    }

    /// Inserts items before another item. O(items added + p)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insertItems(_ items: [Item], beforeItem neighbor: Item.ID) throws(DiffableError) {
        insert(items, at: try position(of: neighbor, in: "insertItems"), offset: 0)
    }

    /// Inserts items after another item. O(items added + p)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insertItems(_ items: [Item], afterItem neighbor: Item.ID) throws(DiffableError) {
        insert(items, at: try position(of: neighbor, in: "insertItems"), offset: 1)
    }

    /// Deletes items. An identifier may be given twice. O(k log k + p log p) for `k` identifiers, or O(p)
    /// for one
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is deleted then.
    @inlinable
    public mutating func deleteItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        var positions = try positions(of: identifiers, in: "deleteItems")
        positions.sort()
        removeItems(atPositions: positions)
    }

    /// Deletes all items, sections and marks, as UIKit does. O(1), and the cost of releasing them
    public mutating func deleteAllItems() { self = DiffableSnapshot() }

    /// Deletes the items for which `shouldBeRemoved` returns true. The closure is called once for each item, in order.
    /// O(n + p log p), and O(k log p) for `k` deleted items if items are marked
    ///
    /// - Throws: The errors of `shouldBeRemoved`, after which nothing is deleted.
    public mutating func removeItems<E: Error>(where shouldBeRemoved: (Item) throws(E) -> Bool) throws(E) {
        var positions: [Int] = []
        for (position, item) in items.enumerated() where try shouldBeRemoved(item) { positions.append(position) }
        removeItems(atPositions: positions)
    }

    /// Replaces all items of a section. O(items removed and added + p log p), and O(n) if
    /// the snapshot is not hashed
    ///
    /// - Throws: `DiffableError` with `unknownSection`. Nothing is replaced then.
    public mutating func replaceItems(inSection identifier: Section.ID, with items: [Item]) throws(DiffableError) {
        let section = try indexOfSection(identifier, in: "replaceItems")
        removeItems(atPositions: Array(arrangement.positions(ofSection: section)))
        appendItems(items, toSectionAt: section)
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

    /// Replaces the item with the same `id`, at the same position. O(p)
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public mutating func replace(_ item: Item) throws(DiffableError) {
        replaceItem(at: try position(of: item.id, in: "replace"), with: item)
        compactIfNeeded()
    }
}

extension DiffableSnapshot {
    /// Returns the position of an item. Throws `unknownItem` if there is no such item.
    @inlinable
    func position(of identifier: Item.ID, in operation: StaticString) throws(DiffableError) -> Int {
        guard let position = indexOfItem(identifier) else {
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
        guard numberOfSections > 0 else { throw DiffableError(.noSections, in: operation) }
        return numberOfSections - 1
    }

    @inlinable
    mutating func appendItems(_ items: some Collection<Item>, toSectionAt section: Int) {
        if items.isEmpty { return }
        let slots = store(items)
        arrangement.append(slots, toSection: section)
        compactIfNeeded(afterAppending: true)
    }

    @inlinable
    mutating func insert(_ items: [Item], at position: Int, offset: Int) {
        if items.isEmpty { return }
        let section = arrangement.section(atPosition: position)
        let slots = store(items)
        arrangement.insert(slots, atPosition: position + offset, inSection: section)
        compactIfNeeded()
    }

    /// Replaces the item at a position with an item that has the same identifier.
    @inlinable
    mutating func replaceItem(at position: Int, with item: Item) {
        let old = arrangement.slot(atPosition: position)
        let wasUnique = !itemTable.mayHaveDuplicates
        let new = store(CollectionOfOne(item)).lowerBound
        // Both slots are in use only until the next line.
        if wasUnique { itemTable.own.known?.pointee.mayHaveDuplicates = false }
        arrangement.replace(old, with: new)
    }

    /// Stores new items, and returns their slots. The arrangement does not have these slots yet.
    @inlinable
    mutating func store(_ items: some Collection<Item>) -> Range<Slot> {
        itemTable.prepareForChange(freezeThreshold: fragmentationLimit)
        return itemTable.append(items, among: arrangement)
    }

    /// Removes the items at ascending positions, which may repeat, and their marks.
    @inlinable
    mutating func removeItems(atPositions positions: [Int]) {
        if positions.isEmpty { return }
        if marked != nil { unmarkItems(positions.map { item(atPosition: $0).id }) }
        arrangement.remove(atPositions: positions)
        compactIfNeeded()
    }

    @inlinable
    mutating func moveItem(_ identifier: Item.ID, nextTo neighbor: Item.ID, offset: Int) throws(DiffableError) {
        let position = try position(of: identifier, in: "moveItem")
        let target = try self.position(of: neighbor, in: "moveItem")
        guard position != target else { return }
        let section = arrangement.section(atPosition: target)
        arrangement.move(fromPosition: position, toPosition: target + offset, inSection: section)
        compactIfNeeded()
    }
}
