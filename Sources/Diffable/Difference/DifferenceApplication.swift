extension DiffableSnapshot {
    /// Returns the snapshot after the changes of a difference that was made from this snapshot.
    ///
    /// Every position and identifier is checked, and no identifier is in the result twice, so a difference may come from a
    /// network. The old contents and marks are not checked. O(p + k log k) for `k` changes, O(p) for each updated item but
    /// at most O(n), and n bits if items are removed. Unchanged items are not accessed.
    ///
    /// - Throws: `DiffableError`: `positionOutOfRange`, `positionTaken`, `identifierMismatch`, `conflictingChanges` or
    ///   `sectionNotEmpty` if the difference is malformed or of another snapshot; `duplicateSection` or `duplicateItem` if
    ///   it inserts an identifier of this snapshot, even one that it deletes; `unknownSection` or `unknownItem` if it marks
    ///   one that the result does not have.
    @inlinable
    public func applying(
        _ difference: SnapshotDifference<Section, Item>
    ) throws(DiffableError) -> DiffableSnapshot {
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

extension DiffableSnapshot {
    /// Puts the sections in their new order, their items still in the old one. For each, the answer is its index before;
    /// nil for one that is new.
    @inlinable
    mutating func arrangeSections(
        by changes: ElementChanges<Int, Section>
    ) throws(DiffableError) -> [Int?] {
        let count = numberOfSections
        guard changes.deleted.count + changes.inserted.count + changes.moved.count > 0 else { return Array(0..<count) }
        var leaving = BitSet(limit: count)
        for deletion in changes.deleted {
            try leave(deletion.element.id, atSection: deletion.position, &leaving)
        }
        var arrivals: [(index: Int, section: Int)] = []
        for move in changes.moved {
            try leave(move.id, atSection: move.from, &leaving)
            arrivals.append((move.to, move.from))
        }
        try sectionTable.append(changes.inserted.map(\.element)) {
            DiffableError(.duplicateSection, $0, in: whileApplying)
        }
        for (offset, insertion) in changes.inserted.enumerated() {
            arrivals.append((insertion.position, count + offset))
        }
        arrivals.sort { $0.index < $1.index }
        let order = try weave(arrivals, amongSections: (0..<count).filter { !leaving.contains($0) })
        sectionTable.rearrange(order)
        return order.map { $0 < count ? $0 : nil }
    }

    @inlinable
    func leave(_ identifier: Section.ID, atSection index: Int, _ leaving: inout BitSet) throws(DiffableError) {
        try check(identifier, atSection: index)
        guard !leaving.contains(index) else {
            throw DiffableError(.conflictingChanges, identifier, in: whileApplying)
        }
        leaving.insert(index)
    }

    @inlinable
    func check(_ identifier: Section.ID, atSection index: Int) throws(DiffableError) {
        guard index >= 0, index < numberOfSections else {
            throw DiffableError(.positionOutOfRange, identifier, in: whileApplying)
        }
        guard sectionTable.identifier(of: index) == identifier else {
            throw DiffableError(.identifierMismatch, identifier, in: whileApplying)
        }
    }

    /// The new order: each arrival at its index, and the free places filled by those that stay.
    @inlinable
    func weave(
        _ arrivals: [(index: Int, section: Int)], amongSections staying: [Int]
    ) throws(DiffableError) -> [Int] {
        var order: [Int] = []
        var rest = staying[...]
        for arrival in arrivals {
            let missing = arrival.index - order.count
            guard missing >= 0, missing <= rest.count else {
                let isTaken = missing < 0 && arrival.index >= 0
                throw DiffableError(
                    isTaken ? .positionTaken : .positionOutOfRange, sectionTable.identifier(of: arrival.section),
                    in: whileApplying)
            }
            order.append(contentsOf: rest.prefix(missing))
            rest = rest.dropFirst(missing)
            order.append(arrival.section)
        }
        return order + rest
    }

    @inlinable
    mutating func updateSections(
        by updates: [ElementChanges<Int, Section>.Update], from base: DiffableSnapshot
    ) throws(DiffableError) {
        var updated = BitSet(limit: updates.isEmpty ? 0 : numberOfSections)
        for update in updates {
            let identifier = update.after.id
            try base.check(identifier, atSection: update.from)
            guard update.before.id == identifier else {
                throw DiffableError(.identifierMismatch, identifier, in: whileApplying)
            }
            try check(identifier, atSection: update.to)
            guard !updated.contains(update.to) else {
                throw DiffableError(.conflictingChanges, identifier, in: whileApplying)
            }
            updated.insert(update.to)
            sectionTable.replace(update.to, with: update.after)
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
