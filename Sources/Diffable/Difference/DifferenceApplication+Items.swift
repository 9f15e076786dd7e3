extension DiffableSnapshot {
    @usableFromInline typealias ItemArrival = (path: ItemIndexPath, slot: Slot)

    /// Moves the items to their positions after. The sections already have their new order; `origins` has the index
    /// before of each.
    @inlinable
    mutating func arrangeItems(
        by changes: ElementChanges<ItemIndexPath, Item>, origins: [Int?], from base: DiffableSnapshot
    ) throws(DiffableError) {
        var leaving = BitSet(limit: changes.deleted.isEmpty && changes.moved.isEmpty ? 0 : numberOfItems)
        for deletion in changes.deleted {
            _ = try leave(deletion.element.id, at: deletion.position, &leaving)
        }
        var arrivals: [ItemArrival] = []
        arrivals.reserveCapacity(changes.moved.count + changes.inserted.count)
        for move in changes.moved {
            arrivals.append((move.to, try leave(move.id, at: move.from, &leaving)))
        }
        if !changes.inserted.isEmpty {
            let slots = try store(changes.inserted.lazy.map(\.element), in: whileApplying)
            for (insertion, slot) in zip(changes.inserted, slots) { arrivals.append((insertion.position, slot)) }
            if !changes.moved.isEmpty { arrivals.sort { $0.path < $1.path } }
        }
        try base.checkDeletedSections(areEmptyBut: leaving, origins: origins)
        arrangement = try weave(arrivals, leaving: leaving, origins: origins)
        marked.forgetAllItems()
        layOutIfNeeded()
    }

    @inlinable
    func leave(
        _ identifier: Item.ID, at path: ItemIndexPath, _ leaving: inout BitSet
    ) throws(DiffableError) -> Slot {
        let position = try position(of: identifier, expectedAt: path)
        guard !leaving.contains(position) else {
            throw DiffableError(.conflictingChanges, identifier, in: whileApplying)
        }
        leaving.insert(position)
        return arrangement.slot(atPosition: position)
    }

    /// The position of a path at which this item is.
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
    func checkDeletedSections(areEmptyBut leaving: BitSet, origins: [Int?]) throws(DiffableError) {
        var stays = BitSet(limit: numberOfSections)
        for case let origin? in origins { stays.insert(origin) }
        var gone = stays.firstAbsent(in: 0..<numberOfSections)
        while let section = gone {
            guard leaving.firstAbsent(in: arrangement.positions(ofSection: section)) == nil else {
                throw DiffableError(.sectionNotEmpty, sectionTable.identifier(of: section), in: whileApplying)
            }
            gone = stays.firstAbsent(in: section + 1..<numberOfSections)
        }
    }

    /// The new order: each arrival at its path, and the free places of a section filled by those of its items that stay.
    @inlinable
    func weave(
        _ arrivals: [ItemArrival], leaving: BitSet, origins: [Int?]
    ) throws(DiffableError) -> Arrangement {
        var staying = StayingRows(arrangement, leaving: leaving)
        var builder = ArrangementBuilder()
        var next = 0
        for (section, origin) in origins.enumerated() {
            if let origin { staying.begin(section: origin) } else { staying.beginNone() }
            let start = builder.count
            while next < arrivals.count, arrivals[next].path.section == section {
                let arrival = arrivals[next]
                let missing = arrival.path.item - (builder.count - start)
                guard missing >= 0, staying.take(missing, into: &builder) else {
                    let isTaken = missing < 0 && arrival.path.item >= 0
                    throw stray(arrival, isTaken ? .positionTaken : .positionOutOfRange)
                }
                builder.append(arrival.slot..<arrival.slot + 1)
                next += 1
            }
            staying.takeRest(into: &builder)
            builder.endSection()
        }
        if next < arrivals.count { throw stray(arrivals[next], .positionOutOfRange) }
        return builder.finish()
    }

    @inlinable
    func stray(_ arrival: ItemArrival, _ code: DiffableError.Code) -> DiffableError {
        DiffableError(code, itemTable.identifier(of: arrival.slot), in: whileApplying)
    }

    @inlinable
    mutating func updateItems(
        by updates: [ElementChanges<ItemIndexPath, Item>.Update], from base: DiffableSnapshot
    ) throws(DiffableError) {
        guard !updates.isEmpty else { return }
        // In a store of its own, content is replaced in place.
        if updates.count > editLimit { layOut() }
        var updated = BitSet(limit: numberOfItems)
        for update in updates {
            let identifier = update.after.id
            _ = try base.position(of: identifier, expectedAt: update.from)
            guard update.before.id == identifier else {
                throw DiffableError(.identifierMismatch, identifier, in: whileApplying)
            }
            let position = try position(of: identifier, expectedAt: update.to)
            guard !updated.contains(position) else {
                throw DiffableError(.conflictingChanges, identifier, in: whileApplying)
            }
            updated.insert(position)
            replace(arrangement.slot(atPosition: position), with: update.after)
        }
        layOutIfNeeded()
    }
}

/// Hands out the rows of one section after another, but for those that leave.
@usableFromInline
struct StayingRows {
    @usableFromInline let arrangement: Arrangement
    @usableFromInline let leaving: BitSet
    @usableFromInline var rows = 0..<0
    @usableFromInline var extent = 0

    @inlinable
    init(_ arrangement: Arrangement, leaving: BitSet) {
        self.arrangement = arrangement
        self.leaving = leaving
    }

    @inlinable mutating func begin(section: Int) { rows = arrangement.positions(ofSection: section) }

    @inlinable mutating func beginNone() { rows = 0..<0 }

    /// Appends rows to the builder. Returns false if there are not enough.
    @inlinable
    mutating func take(_ count: Int, into builder: inout ArrangementBuilder) -> Bool {
        var missing = count
        while missing > 0 {
            guard let first = leaving.firstAbsent(in: rows) else { return false }
            extent = arrangement.extent(atPosition: first, from: extent)
            let limit = min(first + min(missing, rows.count), Int(arrangement.ends[extent]), rows.upperBound)
            let end = leaving.firstPresent(in: first..<limit) ?? limit
            let slot = arrangement.slot(atPosition: first, inExtent: extent)
            builder.append(slot..<slot + Slot(truncatingIfNeeded: end - first))
            missing -= end - first
            rows = end..<rows.upperBound
        }
        return true
    }

    @inlinable
    mutating func takeRest(into builder: inout ArrangementBuilder) {
        while let first = leaving.firstAbsent(in: rows) {
            rows = first..<rows.upperBound
            extent = arrangement.extent(atPosition: first, from: extent)
            let limit = min(rows.upperBound, Int(arrangement.ends[extent]))
            _ = take((leaving.firstPresent(in: first..<limit) ?? limit) - first, into: &builder)
        }
    }
}
