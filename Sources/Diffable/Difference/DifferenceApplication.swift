extension DiffableSnapshot {
    /// This snapshot with the changes made: what `difference` leads to, where this is what it comes from.
    ///
    /// Every position and identifier is checked against this snapshot, and the result has no identifier twice, so that a
    /// difference may come from anywhere. Old contents and old marks are not compared. O(s), O(changes log changes), and the
    /// items of the sections that have changes; the others are shared.
    ///
    /// - Throws: `DiffableError`: `positionOutOfRange`, `positionTaken`, `identifierMismatch`, `conflictingChanges` or
    ///   `sectionNotEmpty` for a difference that is malformed or for another snapshot; `duplicateSection` or
    ///   `duplicateItem` where it inserts an identifier that is here, be it one that it deletes; `unknownSection` or
    ///   `unknownItem` where it marks one that the result does not have.
    public func applying(
        _ difference: SnapshotDifference<Section, Item>
    ) throws(DiffableError) -> DiffableSnapshot {
        var application = DifferenceApplication(of: difference, to: self)
        try application.arrangeSections()
        try application.arrangeItems()
        try application.update()
        try application.mark()
        return application.result
    }
}

/// The steps of one application. The result is a copy, so a step that throws undoes nothing.
private struct DifferenceApplication<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    private let difference: SnapshotDifference<Section, Item>
    private let base: DiffableSnapshot<Section, Item>
    private(set) var result: DiffableSnapshot<Section, Item>
    private var sectionDepartures: Departures<Section>
    private var itemDepartures: Departures<Item>

    init(of difference: SnapshotDifference<Section, Item>, to base: DiffableSnapshot<Section, Item>) {
        self.difference = difference
        self.base = base
        result = base
        sectionDepartures = Departures(from: base.sectionTable, duplicate: .duplicateSection)
        itemDepartures = Departures(from: base.itemTable, duplicate: .duplicateItem)
    }

    mutating func arrangeSections() throws(DiffableError) {
        let before = base.arrangement.sections
        let arrivals = try sectionDepartures.arrivals(of: difference.sections, into: &result.sectionTable) { index in
            before.indices.contains(index) ? before[index] : nil
        }
        let stayed = before.filter { !sectionDepartures.contains($0) }
        let order = try weave(
            arrivals.map { ($0.position, $0.slot) }, into: stayed, identifiedBy: result.sectionTable)
        result.arrangement.setSections(order)
    }

    mutating func arrangeItems() throws(DiffableError) {
        var lookup = PositionLookup(base.arrangement)
        let arrivals = try itemDepartures.arrivals(of: difference.items, into: &result.itemTable) { position in
            lookup.slot(at: position)
        }.sorted { $0.position < $1.position }
        let left = Set(itemDepartures.left.map(base.arrangement.section(ofItem:)))
        var next = arrivals.startIndex
        for (index, section) in result.arrangement.sections.enumerated() {
            var incoming: [(index: Int, slot: Slot)] = []
            while next < arrivals.endIndex, arrivals[next].position.section == index {
                incoming.append((arrivals[next].position.item, arrivals[next].slot))
                next += 1
            }
            if !incoming.isEmpty || left.contains(section) { try arrangeItems(of: section, with: incoming) }
        }
        if next < arrivals.endIndex {
            let stray = result.itemTable.identifier(of: arrivals[next].slot)
            throw DiffableError(.positionOutOfRange, stray, in: operation)
        }
        try dropDeletedSections()
        result.arrangement.forgetItems(itemDepartures.deleted)
        result.itemTable.remove(itemDepartures.deleted)
    }

    mutating func update() throws(DiffableError) {
        let before = base.arrangement.sections
        let after = result.arrangement.sections
        try sectionDepartures.update(&result.sectionTable, by: difference.sections) { from, to in
            (
                before.indices.contains(from) ? before[from] : nil,
                after.indices.contains(to) ? after[to] : nil
            )
        }
        var lookupBefore = PositionLookup(base.arrangement)
        var lookupAfter = PositionLookup(result.arrangement)
        try itemDepartures.update(&result.itemTable, by: difference.items) { from, to in
            (lookupBefore.slot(at: from), lookupAfter.slot(at: to))
        }
    }

    mutating func mark() throws(DiffableError) {
        let marks = difference.marks
        result.clearMarks()
        guard !marks.isEmpty else { return }
        result.marked.reloadedSections = Set(try result.sectionSlots(of: marks.reloadedSections, in: operation))
        let reloaded = try result.itemSlots(of: marks.reloadedItems, in: operation)
        let reconfigured = try result.itemSlots(of: marks.reconfiguredItems, in: operation)
        result.marked.reloadedItems = Set(reloaded)
        result.marked.reconfiguredItems = Set(reconfigured).subtracting(reloaded)
    }

    private mutating func arrangeItems(
        of section: Slot, with incoming: [(index: Int, slot: Slot)]
    ) throws(DiffableError) {
        let stayed = base.arrangement.items(ofSection: section).filter { !itemDepartures.contains($0) }
        let after = try weave(incoming, into: stayed, identifiedBy: result.itemTable)
        result.arrangement.setItems(after, ofSection: section)
    }

    private mutating func dropDeletedSections() throws(DiffableError) {
        for section in sectionDepartures.deleted {
            guard base.arrangement.items(ofSection: section).allSatisfy(itemDepartures.contains) else {
                throw DiffableError(.sectionNotEmpty, base.sectionTable.identifier(of: section), in: operation)
            }
            result.arrangement.setItems([], ofSection: section)
        }
        result.sectionTable.remove(sectionDepartures.deleted)
    }
}

private let operation = "applying"

/// The elements that leave their places, deleted or moved, each checked to be there and to leave once.
private struct Departures<Element: Identifiable & Equatable & Sendable> where Element.ID: Sendable {
    typealias Arrival<Position> = (position: Position, slot: Slot)

    private let table: ElementTable<Element>
    private let duplicate: DiffableError.Code
    private(set) var left: Set<Slot> = []
    private(set) var deleted: [Slot] = []

    init(from table: ElementTable<Element>, duplicate: DiffableError.Code) {
        self.table = table
        self.duplicate = duplicate
    }

    /// Whether what has `slot` in the base leaves its place.
    func contains(_ slot: Slot) -> Bool { left.contains(slot) }

    /// Notes what leaves, puts what is new into `newTable`, and says what goes where.
    mutating func arrivals<Position>(
        of changes: ElementChanges<Position, Element>, into newTable: inout ElementTable<Element>,
        slotAt: (Position) -> Slot?
    ) throws(DiffableError) -> [Arrival<Position>] {
        for deletion in changes.deleted {
            deleted.append(try leave(deletion.element.id, at: slotAt(deletion.position)))
        }
        var arrivals: [Arrival<Position>] = []
        for move in changes.moved {
            arrivals.append((move.to, try leave(move.id, at: slotAt(move.from))))
        }
        let slots = try newTable.insert(changes.inserted.map(\.element)) { DiffableError(duplicate, $0, in: operation) }
        return arrivals + zip(changes.inserted, slots).map { ($0.position, $1) }
    }

    /// Gives updated elements their new content, each checked to be where the update says, before and after.
    func update<Position>(
        _ newTable: inout ElementTable<Element>, by changes: ElementChanges<Position, Element>,
        slotsAt: (_ from: Position, _ to: Position) -> (Slot?, Slot?)
    ) throws(DiffableError) {
        var seen: Set<Slot> = []
        for update in changes.updated {
            let id = update.after.id
            let (before, after) = slotsAt(update.from, update.to)
            let slot = try checked(id, at: before)
            guard update.before.id == id else { throw DiffableError(.identifierMismatch, id, in: operation) }
            guard seen.insert(slot).inserted else { throw DiffableError(.conflictingChanges, id, in: operation) }
            guard let after else { throw DiffableError(.positionOutOfRange, id, in: operation) }
            guard after == slot else { throw DiffableError(.identifierMismatch, id, in: operation) }
            newTable.replace(slot, with: update.after)
        }
    }

    private mutating func leave(_ id: Element.ID, at slot: Slot?) throws(DiffableError) -> Slot {
        let slot = try checked(id, at: slot)
        guard left.insert(slot).inserted else { throw DiffableError(.conflictingChanges, id, in: operation) }
        return slot
    }

    private func checked(_ id: Element.ID, at slot: Slot?) throws(DiffableError) -> Slot {
        guard let slot else { throw DiffableError(.positionOutOfRange, id, in: operation) }
        guard table.identifier(of: slot) == id else { throw DiffableError(.identifierMismatch, id, in: operation) }
        return slot
    }
}

/// Finds items by position, a section laid out flat when first asked about.
private struct PositionLookup {
    private let arrangement: Arrangement
    private var sections: [[Slot]?]

    init(_ arrangement: Arrangement) {
        self.arrangement = arrangement
        sections = Array(repeating: nil, count: arrangement.sections.count)
    }

    mutating func slot(at position: ItemIndexPath) -> Slot? {
        guard sections.indices.contains(position.section) else { return nil }
        let slots = sections[position.section] ?? flatten(position.section)
        return slots.indices.contains(position.item) ? slots[position.item] : nil
    }

    private mutating func flatten(_ section: Int) -> [Slot] {
        let slots = arrangement.items(ofSection: arrangement.sections[section])
        sections[section] = slots
        return slots
    }
}

/// The new order: each arrival at its index, and the free places filled by those that stayed.
private func weave<Element>(
    _ arrivals: [(index: Int, slot: Slot)], into stayed: [Slot], identifiedBy table: ElementTable<Element>
) throws(DiffableError) -> [Slot] {
    let total = stayed.count + arrivals.count
    var order: [Slot] = []
    order.reserveCapacity(total)
    var rest = stayed[...]
    for arrival in arrivals.sorted(by: { $0.index < $1.index }) {
        let id = table.identifier(of: arrival.slot)
        guard (0..<total).contains(arrival.index) else { throw DiffableError(.positionOutOfRange, id, in: operation) }
        let gap = arrival.index - order.count
        guard gap >= 0 else { throw DiffableError(.positionTaken, id, in: operation) }
        guard gap <= rest.count else { throw DiffableError(.positionOutOfRange, id, in: operation) }
        order.append(contentsOf: rest.prefix(gap))
        rest = rest.dropFirst(gap)
        order.append(arrival.slot)
    }
    return order + rest
}
