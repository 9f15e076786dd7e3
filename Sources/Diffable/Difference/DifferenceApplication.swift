extension DiffableSnapshot {
    /// Returns the snapshot after the changes of a difference that was made from this snapshot.
    ///
    /// Every position and identifier is checked, and no identifier is in the result twice, so a difference may come from a
    /// network. The old contents and marks are not checked. O(p + k log k) for `k` changes, O(p) for each updated item but
    /// at most O(n), and n bits if items are deleted, moved or updated. Unchanged items are not accessed.
    ///
    /// - Throws: `DiffableError`: `positionOutOfRange`, `positionTaken`, `identifierMismatch`, `conflictingChanges` or
    ///   `sectionNotEmpty` if the difference is malformed or of another snapshot; `duplicateSection` or `duplicateItem` if
    ///   it inserts an identifier of this snapshot, even one that it deletes; `unknownSection` or `unknownItem` if it marks
    ///   one that the result does not have.
    @inlinable
    public func applying(_ difference: SnapshotDifference<Section, Item>) throws(DiffableError) -> DiffableSnapshot {
        var result = self
        let origins = try result.arrangeSections(by: difference.sections)
        try result.arrangeItems(by: difference.items, origins: origins, from: self)
        try result.updateSections(by: difference.sections.updated, from: self)
        try result.updateItems(by: difference.items.updated, from: self)
        try result.mark(difference.marks)
        return result
    }
}

@usableFromInline let whileApplying: StaticString = "applying"

extension BitSet {
    /// Inserts the position of a change. Throws if another change has it.
    @inlinable
    mutating func insert(_ position: Int, of identifier: some Hashable & Sendable) throws(DiffableError) {
        if contains(position) { throw DiffableError(.conflictingChanges, identifier, in: whileApplying) }
        insert(position)
    }
}

extension DiffableSnapshot {
    /// Puts the sections in their new order, and leaves their items in the old one. Returns the old index of each section;
    /// nil for a new one.
    @inlinable
    mutating func arrangeSections(by changes: ElementChanges<Int, Section>) throws(DiffableError) -> [Int?] {
        let count = numberOfSections
        guard changes.deleted.count + changes.inserted.count + changes.moved.count > 0 else { return Array(0..<count) }
        var leaving = BitSet(limit: count)
        for deletion in changes.deleted {
            let id = deletion.element.id
            try leaving.insert(try index(of: id, expectedAt: deletion.position), of: id)
        }
        var arrivals: [Arrival] = []
        for move in changes.moved {
            let index = try index(of: move.id, expectedAt: move.from)
            try leaving.insert(index, of: move.id)
            arrivals.append((ItemIndexPath(section: 0, item: move.to), Slot(truncatingIfNeeded: index)))
        }
        try sectionTable.append(changes.inserted.map(\.element)) {
            DiffableError(.duplicateSection, $0, in: whileApplying)
        }
        for (offset, insertion) in changes.inserted.enumerated() {
            let slot = Slot(truncatingIfNeeded: count + offset)
            arrivals.append((ItemIndexPath(section: 0, item: insertion.position), slot))
        }
        arrivals.sort { $0.path < $1.path }
        // The sections are the rows of one list, each with its index as its slot.
        var list = ArrangementBuilder()
        list.append(0..<Slot(truncatingIfNeeded: count))
        list.endSection()
        let order = try list.finish().weaving(arrivals, without: leaving, origins: [0]) { [sectionTable] slot in
            sectionTable.identifier(of: Int(slot))
        }
        let origins = (0..<order.extentCount).flatMap { order.slots(ofExtent: $0).map { Int($0) } }
        sectionTable.rearrange(origins)
        return origins.map { $0 < count ? $0 : nil }
    }

    /// Returns the index at which a change expects a section. Throws if the section is not there.
    @inlinable
    func index(of identifier: Section.ID, expectedAt index: Int) throws(DiffableError) -> Int {
        guard index >= 0, index < numberOfSections else {
            throw DiffableError(.positionOutOfRange, identifier, in: whileApplying)
        }
        guard sectionTable.identifier(of: index) == identifier else {
            throw DiffableError(.identifierMismatch, identifier, in: whileApplying)
        }
        return index
    }

    @inlinable
    mutating func updateSections(
        by updates: [ElementChanges<Int, Section>.Update], from base: DiffableSnapshot
    ) throws(DiffableError) {
        var updated = BitSet(limit: updates.isEmpty ? 0 : numberOfSections)
        for update in updates {
            let identifier = update.after.id
            _ = try base.index(of: identifier, expectedAt: update.from)
            guard update.before.id == identifier else {
                throw DiffableError(.identifierMismatch, identifier, in: whileApplying)
            }
            let index = try index(of: identifier, expectedAt: update.to)
            try updated.insert(index, of: identifier)
            sectionTable.replace(index, with: update.after)
        }
    }

    @inlinable
    mutating func mark(_ marks: SnapshotMarks<Section.ID, Item.ID>) throws(DiffableError) {
        clearMarks()
        for identifier in marks.reloadedSections { _ = try indexOfSection(identifier, in: whileApplying) }
        for identifier in marks.reloadedItems + marks.reconfiguredItems {
            _ = try position(of: identifier, in: whileApplying)
        }
        marked.reloadedSections = Set(marks.reloadedSections)
        marked.reloadedItems = Set(marks.reloadedItems)
        marked.reconfiguredItems = Set(marks.reconfiguredItems).subtracting(marks.reloadedItems)
    }
}

extension DiffableSnapshot {
    /// Moves the items to their new positions. The sections already have their new order; `origins` has the old index of
    /// each.
    @inlinable
    mutating func arrangeItems(
        by changes: ElementChanges<ItemIndexPath, Item>, origins: [Int?], from base: DiffableSnapshot
    ) throws(DiffableError) {
        var leaving = BitSet(limit: changes.deleted.isEmpty && changes.moved.isEmpty ? 0 : numberOfItems)
        for deletion in changes.deleted {
            let id = deletion.element.id
            try leaving.insert(try position(of: id, expectedAt: deletion.position), of: id)
        }
        var arrivals: [Arrival] = []
        arrivals.reserveCapacity(changes.moved.count + changes.inserted.count)
        for move in changes.moved {
            let position = try position(of: move.id, expectedAt: move.from)
            try leaving.insert(position, of: move.id)
            arrivals.append((move.to, arrangement.slot(atPosition: position)))
        }
        if !changes.inserted.isEmpty {
            let slots = try store(changes.inserted.lazy.map(\.element), in: whileApplying)
            for (insertion, slot) in zip(changes.inserted, slots) { arrivals.append((insertion.position, slot)) }
            if !changes.moved.isEmpty { arrivals.sort { $0.path < $1.path } }
        }
        try base.checkDeletedSections(areEmptyWithout: leaving, origins: origins)
        arrangement = try arrangement.weaving(arrivals, without: leaving, origins: origins) { [itemTable] slot in
            itemTable.identifier(of: slot)
        }
        compactIfNeeded()
    }

    /// Returns the position of the index path at which a change expects an item. Throws if the item is not there.
    @inlinable
    func position(of identifier: Item.ID, expectedAt path: ItemIndexPath) throws(DiffableError) -> Int {
        guard path.section >= 0, path.section < arrangement.sectionCount, path.item >= 0,
            path.item < arrangement.positions(ofSection: path.section).count
        else { throw DiffableError(.positionOutOfRange, identifier, in: whileApplying) }
        let position = arrangement.positions(ofSection: path.section).lowerBound + path.item
        guard itemTable.identifier(of: arrangement.slot(atPosition: position)) == identifier else {
            throw DiffableError(.identifierMismatch, identifier, in: whileApplying)
        }
        return position
    }

    @inlinable
    func checkDeletedSections(areEmptyWithout leaving: BitSet, origins: [Int?]) throws(DiffableError) {
        var stays = BitSet(limit: numberOfSections)
        for case let origin? in origins { stays.insert(origin) }
        for section in 0..<numberOfSections where !stays.contains(section) {
            guard leaving.firstAbsent(in: arrangement.positions(ofSection: section)) == nil else {
                throw DiffableError(.sectionNotEmpty, sectionTable.identifier(of: section), in: whileApplying)
            }
        }
    }

    @inlinable
    mutating func updateItems(
        by updates: [ElementChanges<ItemIndexPath, Item>.Update], from base: DiffableSnapshot
    ) throws(DiffableError) {
        guard !updates.isEmpty else { return }
        // After compaction, no copy shares the store, so content is replaced in place.
        if updates.count > editLimit { compact() }
        var updated = BitSet(limit: numberOfItems)
        for update in updates {
            let identifier = update.after.id
            _ = try base.position(of: identifier, expectedAt: update.from)
            guard update.before.id == identifier else {
                throw DiffableError(.identifierMismatch, identifier, in: whileApplying)
            }
            let position = try position(of: identifier, expectedAt: update.to)
            try updated.insert(position, of: identifier)
            replace(arrangement.slot(atPosition: position), with: update.after)
        }
        compactIfNeeded()
    }
}
