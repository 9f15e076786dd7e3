extension SnapshotDifference {
    /// The difference from `old` to `new`, with as few moves as can be.
    ///
    /// O(n) and, for what stayed in its section, O(k log k) where it did not keep its order. Identifiers are compared once
    /// for each element of `new` on average and never hashed: the snapshots kept their hashes. Contents are compared once
    /// for each identifier that both have.
    public init(from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>) {
        var computation = DifferenceComputation(from: old, to: new)
        computation.matchSections()
        computation.matchItems()
        self.init(
            sections: computation.sectionChanges, items: computation.itemChanges,
            marks: new.marks, previousMarks: old.marks)
    }
}

/// One run of the comparison. Elements are matched by hash into slots of the old snapshot; from there on, everything is
/// arrays of integers.
private struct DifferenceComputation<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    private typealias SectionChanges = ElementChanges<Int, Section>
    private typealias ItemChanges = ElementChanges<ItemIndexPath, Item>

    private let old: DiffableSnapshot<Section, Item>
    private let new: DiffableSnapshot<Section, Item>
    // For each section of the new order, its index in the old one.
    private var oldSections: [Int?] = []
    // By slot of the old snapshot, where the item was, and whether the new snapshot has it.
    private var places: [ItemIndexPath]
    private var matched: SlotSet
    private var inserted: [ItemChanges.Placement] = []
    private var moved: [ItemChanges.Move] = []
    private var updated: [ItemChanges.Update] = []
    private(set) var sectionChanges = ElementChanges<Int, Section>()
    private(set) var itemChanges = ElementChanges<ItemIndexPath, Item>()

    init(from old: DiffableSnapshot<Section, Item>, to new: DiffableSnapshot<Section, Item>) {
        self.old = old
        self.new = new
        places = Array(repeating: ItemIndexPath(section: 0, item: 0), count: old.itemTable.slotLimit)
        matched = SlotSet(limit: old.itemTable.slotLimit)
    }

    mutating func matchSections() {
        let oldOrder = old.arrangement.sections
        var oldIndices = Array(repeating: 0, count: old.sectionTable.slotLimit)
        for (index, slot) in oldOrder.enumerated() { oldIndices[Int(slot)] = index }
        oldSections = new.arrangement.sections.map { slot in
            old.sectionTable.slot(matching: slot, of: new.sectionTable).map { oldIndices[Int($0)] }
        }
        let found = Set(oldSections.compactMap(\.self))
        sectionChanges = ElementChanges(
            deleted: oldOrder.indices.filter { !found.contains($0) }.map { index in
                SectionChanges.Placement(position: index, element: old.sectionTable[oldOrder[index]])
            },
            inserted: insertedSections(), moved: movedSections(), updated: updatedSections())
    }

    mutating func matchItems() {
        for (section, slot) in old.arrangement.sections.enumerated() {
            for (item, slot) in old.arrangement.items(ofSection: slot).enumerated() {
                places[Int(slot)] = ItemIndexPath(section: section, item: item)
            }
        }
        for section in oldSections.indices { matchItems(ofSection: section) }
        itemChanges = ElementChanges(deleted: deletedItems(), inserted: inserted, moved: moved, updated: updated)
    }

    private func newSection(at index: Int) -> Section {
        new.sectionTable[new.arrangement.sections[index]]
    }

    private func insertedSections() -> [SectionChanges.Placement] {
        oldSections.indices.filter { oldSections[$0] == nil }.map { index in
            SectionChanges.Placement(position: index, element: newSection(at: index))
        }
    }

    private func movedSections() -> [SectionChanges.Move] {
        let stayed = oldSections.indices.filter { oldSections[$0] != nil }
        let kept = longestIncreasingSubsequence(of: oldSections.compactMap(\.self))
        return zip(stayed, kept).compactMap { index, kept in
            guard !kept, let from = oldSections[index] else { return nil }
            let id = new.sectionTable.identifier(of: new.arrangement.sections[index])
            return SectionChanges.Move(id: id, from: from, to: index)
        }
    }

    private func updatedSections() -> [SectionChanges.Update] {
        oldSections.indices.compactMap { index in
            guard let from = oldSections[index] else { return nil }
            let before = old.sectionTable[old.arrangement.sections[from]]
            let after = newSection(at: index)
            return before == after ? nil : SectionChanges.Update(from: from, to: index, before: before, after: after)
        }
    }

    /// Sorts the items of one new section into those that came from nowhere, from another section, and from this one; of
    /// the last, those outside the longest run that kept its order moved.
    private mutating func matchItems(ofSection section: Int) {
        let slots = new.arrangement.items(ofSection: new.arrangement.sections[section])
        var origins: [ItemIndexPath?] = []
        origins.reserveCapacity(slots.count)
        for (item, slot) in slots.enumerated() {
            origins.append(match(slot, at: ItemIndexPath(section: section, item: item)))
        }
        let home = oldSections[section]
        let stayed = origins.compactMap { origin in origin?.section == home ? origin?.item : nil }
        var kept = longestIncreasingSubsequence(of: stayed).makeIterator()
        for (item, origin) in origins.enumerated() {
            guard let origin, origin.section != home || kept.next() == false else { continue }
            let id = new.itemTable.identifier(of: slots[item])
            moved.append(ItemChanges.Move(id: id, from: origin, to: ItemIndexPath(section: section, item: item)))
        }
    }

    /// Where the item of the new snapshot was in the old one. Notes it as inserted, or as updated, where it is.
    private mutating func match(_ slot: Slot, at position: ItemIndexPath) -> ItemIndexPath? {
        let after = new.itemTable[slot]
        guard let oldSlot = old.itemTable.slot(matching: slot, of: new.itemTable) else {
            inserted.append(ItemChanges.Placement(position: position, element: after))
            return nil
        }
        _ = matched.insert(oldSlot)
        let before = old.itemTable[oldSlot]
        let origin = places[Int(oldSlot)]
        if before != after {
            updated.append(ItemChanges.Update(from: origin, to: position, before: before, after: after))
        }
        return origin
    }

    private func deletedItems() -> [ItemChanges.Placement] {
        guard matched.count < old.numberOfItems else { return [] }
        return old.arrangement.items().filter { !matched.contains($0) }.map { slot in
            ItemChanges.Placement(position: places[Int(slot)], element: old.itemTable[slot])
        }
    }
}
