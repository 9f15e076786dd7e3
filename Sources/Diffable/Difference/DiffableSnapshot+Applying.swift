extension DiffableSnapshot {
    /// Returns the snapshot after the changes of a difference that was made from this snapshot.
    ///
    /// Every position and identifier is checked, and no identifier is in the result twice. So a difference may come
    /// from a network. The old contents and marks are not checked.
    ///
    /// O(p log p + k log k) for `k` changes, and O(p) for each updated item, at most O(n) for all. Also scans one bit
    /// for each item, in O(n / 64). Needs memory for these bits if items are deleted, moved or updated. Unchanged items
    /// are not compared. They are hashed only if this snapshot is not hashed and items are inserted or marked,
    /// in O(n).
    ///
    /// - Throws: `DiffableError`: `positionOutOfRange`, `positionTaken`, `identifierMismatch`, `conflictingChanges` or
    ///   `sectionNotEmpty` if the difference is malformed or of another snapshot; `duplicateSection` or `duplicateItem`
    ///   if the difference inserts an identifier of this snapshot, even if it also deletes this identifier;
    ///   `unknownSection` or `unknownItem` if the difference marks an identifier that the result does not have.
    @inlinable
    public func applying(_ difference: SnapshotDifference<Section, Item>) throws(DiffableError) -> DiffableSnapshot {
        var result = self
        let origins = try result.arrangeSections(by: difference.sections)
        try result.arrangeItems(by: difference.items, origins: origins, from: self)
        try result.updateSections(by: difference.sections.updated, from: self)
        try result.updateItems(by: difference.items.updated, from: self)
        try result.setMarks(difference.marks)
        return result
    }
}

/// The `operation` of the errors of `applying(_:)` and of decoding marks.
@usableFromInline let applyingOperation: StaticString = "applying"

extension BitSet {
    /// Inserts the position of a changed element. Throws `conflictingChanges` if the set already has this position.
    @inlinable
    mutating func insert(_ position: Int, of identifier: some Hashable & Sendable) throws(DiffableError) {
        if contains(position) { throw DiffableError(.conflictingChanges, identifier, in: applyingOperation) }
        insert(position)
    }
}

extension DiffableSnapshot {
    /// Puts the sections in their new order. The items stay in their old order. Returns the old index of each section;
    /// nil for an inserted section.
    @usableFromInline
    mutating func arrangeSections(by changes: ElementChanges<Int, Section>) throws(DiffableError) -> [Int?] {
        let count = numberOfSections
        guard changes.deleted.count + changes.inserted.count + changes.moved.count > 0 else { return Array(0..<count) }
        var removed = BitSet(limit: count)
        for deletion in changes.deleted {
            let id = deletion.element.id
            try removed.insert(try index(of: id, expectedAt: deletion.position), of: id)
        }
        var placedSlots: [PlacedSlot] = []
        for move in changes.moved {
            let index = try index(of: move.id, expectedAt: move.from)
            try removed.insert(index, of: move.id)
            placedSlots.append((ItemIndexPath(section: 0, item: move.to), Slot(truncatingIfNeeded: index)))
        }
        let elements = sections + changes.inserted.map(\.element)
        if !changes.inserted.isEmpty, let (first, second) = ElementStore(elements).firstDuplicate() {
            let index = second < count ? second : changes.inserted[second - count].position
            throw DiffableError(
                .duplicateSection, elements[second].id, sections: [first, index], in: applyingOperation)
        }
        for (offset, insertion) in changes.inserted.enumerated() {
            let slot = Slot(truncatingIfNeeded: count + offset)
            placedSlots.append((ItemIndexPath(section: 0, item: insertion.position), slot))
        }
        placedSlots.sort { $0.path < $1.path }
        // The sections are the rows of one list. The slot of each section is its index.
        var list = ArrangementBuilder()
        list.append(0..<Slot(truncatingIfNeeded: count))
        list.endSection()
        let order = try list.finish().merging(placedSlots, without: removed, origins: [0]) { elements[Int($0)].id }
        var origins: [Int] = []
        order.forEachExtent(in: 0..<order.itemCount) { slots in origins += slots.map { Int($0) } }
        sectionStore = ElementStore(Array(origins.map { elements[$0] }))
        return origins.map { $0 < count ? $0 : nil }
    }

    /// Returns the index at which a change expects a section. Throws if another section has this index.
    @inlinable
    func index(of identifier: Section.ID, expectedAt index: Int) throws(DiffableError) -> Int {
        guard sections.indices.contains(index) else {
            throw DiffableError(.positionOutOfRange, identifier, in: applyingOperation)
        }
        guard sections[index].id == identifier else {
            throw DiffableError(.identifierMismatch, identifier, in: applyingOperation)
        }
        return index
    }

    /// Replaces the contents of sections that are in `base` and in this snapshot.
    @usableFromInline
    mutating func updateSections(
        by updates: [ElementChanges<Int, Section>.Update], from base: DiffableSnapshot
    ) throws(DiffableError) {
        if updates.isEmpty { return }
        var updated = BitSet(limit: numberOfSections)
        var elements = sections
        for update in updates {
            let identifier = update.after.id
            _ = try base.index(of: identifier, expectedAt: update.from)
            guard update.before.id == identifier else {
                throw DiffableError(.identifierMismatch, identifier, in: applyingOperation)
            }
            let index = try index(of: identifier, expectedAt: update.to)
            try updated.insert(index, of: identifier)
            elements[index] = update.after
        }
        sectionStore = ElementStore(elements)
    }

    /// Replaces all marks. Throws if this snapshot does not have a marked identifier.
    @usableFromInline
    mutating func setMarks(_ marks: SnapshotMarks<Section.ID, Item.ID>) throws(DiffableError) {
        for identifier in marks.reloadedSections { _ = try indexOfSection(identifier, in: applyingOperation) }
        for identifier in marks.reloadedItems + marks.reconfiguredItems {
            _ = try position(of: identifier, in: applyingOperation)
        }
        keepMarks(marks)
    }

    /// Replaces all marks. The snapshot must have the marked elements.
    @usableFromInline
    mutating func keepMarks(_ marks: SnapshotMarks<Section.ID, Item.ID>) {
        if marks.isEmpty { return clearMarks() }
        mark {
            $0.reloadedSections = Set(marks.reloadedSections)
            $0.reloadedItems = Set(marks.reloadedItems)
            $0.reconfiguredItems = Set(marks.reconfiguredItems).subtracting(marks.reloadedItems)
        }
    }
}

extension DiffableSnapshot {
    /// Puts the items in their new order. The sections already have their new order. `origins` has the old index of
    /// each section; nil for an inserted section.
    @inlinable
    mutating func arrangeItems(
        by changes: ElementChanges<ItemIndexPath, Item>, origins: [Int?], from base: DiffableSnapshot
    ) throws(DiffableError) {
        var removed = BitSet(limit: changes.deleted.isEmpty && changes.moved.isEmpty ? 0 : base.numberOfItems)
        for deletion in changes.deleted {
            let id = deletion.element.id
            try removed.insert(try base.position(of: id, expectedAt: deletion.position), of: id)
        }
        var placedSlots: [PlacedSlot] = []
        placedSlots.reserveCapacity(changes.moved.count + changes.inserted.count)
        for move in changes.moved {
            let position = try base.position(of: move.id, expectedAt: move.from)
            try removed.insert(position, of: move.id)
            placedSlots.append((move.to, base.arrangement.slot(atPosition: position)))
        }
        if !changes.inserted.isEmpty {
            let wasUnique = !itemTable.mayHaveDuplicates
            let slots = store(changes.inserted.lazy.map { $0.element })
            // All items of the base are still in use.
            if !wasUnique || itemTable.mayHaveDuplicates { try base.refuseDuplicates(changes.inserted) }
            for (insertion, slot) in zip(changes.inserted, slots) { placedSlots.append((insertion.position, slot)) }
            if !changes.moved.isEmpty { placedSlots.sort { $0.path < $1.path } }
        }
        try base.checkDeletedSections(areEmptyWithout: removed, origins: origins)
        let items = itemTable
        let arranged = try base.arrangement.merging(placedSlots, without: removed, origins: origins) {
            items.identifier(of: $0)
        }
        arrangement = arranged
        compactIfNeeded()
    }

    /// Throws `duplicateItem` if an inserted item is here, or is inserted twice.
    @usableFromInline
    func refuseDuplicates(_ inserted: [ElementChanges<ItemIndexPath, Item>.Placement]) throws(DiffableError) {
        try validate(in: applyingOperation)
        var paths: [Item.ID: ItemIndexPath] = [:]
        for insertion in inserted {
            let id = insertion.element.id
            guard let first = indexPath(for: id) ?? paths.updateValue(insertion.position, forKey: id) else { continue }
            throw DiffableError(.duplicateItem, id, at: [first, insertion.position], in: applyingOperation)
        }
    }

    /// Returns the position of the index path at which a change expects an item. Throws if another item has this index
    /// path.
    @inlinable
    func position(of identifier: Item.ID, expectedAt path: ItemIndexPath) throws(DiffableError) -> Int {
        guard let position = arrangement.position(at: path) else {
            throw DiffableError(.positionOutOfRange, identifier, in: applyingOperation)
        }
        guard self.identifier(atPosition: position) == identifier else {
            throw DiffableError(.identifierMismatch, identifier, in: applyingOperation)
        }
        return position
    }

    /// Throws `sectionNotEmpty` if a deleted section has items that are not removed.
    @usableFromInline
    func checkDeletedSections(areEmptyWithout removed: BitSet, origins: [Int?]) throws(DiffableError) {
        var remaining = BitSet(limit: numberOfSections)
        for case let origin? in origins { remaining.insert(origin) }
        for section in 0..<numberOfSections where !remaining.contains(section) {
            guard removed.firstAbsent(in: arrangement.positions(ofSection: section)) == nil else {
                throw DiffableError(.sectionNotEmpty, sections[section].id, in: applyingOperation)
            }
        }
    }

    /// Replaces the contents of items that are in `base` and in this snapshot.
    @inlinable
    mutating func updateItems(
        by updates: [ElementChanges<ItemIndexPath, Item>.Update], from base: DiffableSnapshot
    ) throws(DiffableError) {
        if updates.isEmpty { return }
        // After compaction, no copy shares the store, so content is replaced in place.
        let isInPlace = updates.count > fragmentationLimit
        if isInPlace { compact() }
        var updated = BitSet(limit: numberOfItems)
        for update in updates {
            let identifier = update.after.id
            _ = try base.position(of: identifier, expectedAt: update.from)
            guard update.before.id == identifier else {
                throw DiffableError(.identifierMismatch, identifier, in: applyingOperation)
            }
            let position = try position(of: identifier, expectedAt: update.to)
            try updated.insert(position, of: identifier)
            if isInPlace {
                itemTable.own.elements[position] = update.after
            } else {
                replaceItem(at: position, with: update.after)
            }
        }
        compactIfNeeded()
    }
}
