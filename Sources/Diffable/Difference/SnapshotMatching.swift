/// The matches between the sections and the items of two snapshots, by identifier.
@usableFromInline
struct SnapshotMatching<Section: Identifiable & Equatable, Item: Identifiable & Equatable>
where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline typealias Snapshot = DiffableSnapshot<Section, Item>

    @usableFromInline var old: Snapshot
    @usableFromInline var new: Snapshot
    @usableFromInline let operation: StaticString
    /// The old index of each section of the new snapshot; nil for an inserted section.
    @usableFromInline var origins: ContiguousArray<Int?> = []
    /// The old indices of sections that the new snapshot does not have.
    @usableFromInline var deletedSections: [Int] = []
    @usableFromInline var rows = RowMatching()
    /// The matched rows with different contents. Each run has one row.
    @usableFromInline var updated: ContiguousArray<MatchedRun> = []

    @inlinable
    init(old: Snapshot, new: Snapshot, in operation: StaticString) {
        self.old = old
        self.new = new
        self.operation = operation
    }

    /// Matches the snapshots. The old one must be unique.
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `duplicateItem` if the new one is not unique.
    @inlinable
    mutating func match() throws(DiffableError) {
        try matchSections()
        let shared = old.itemTable.sharedSlotCount(with: new.itemTable)
        let unshared =
            Int(old.itemTable.slotLimit - shared) + Int(new.itemTable.slotLimit - shared)
        if shared > 0 && unshared <= old.fragmentationLimit + new.fragmentationLimit {
            rows = RowMatching(
                sharedSlots: shared, old: old.arrangement, new: new.arrangement, origins: origins)
            pairUnmatchedRows()
        } else {
            try compareRows()
        }
        try checkUniqueness()
        updated.sort { $0.new < $1.new }
    }

    @inlinable
    mutating func matchSections() throws(DiffableError) {
        let isUnchanged = old.sectionStore === new.sectionStore
        if !isUnchanged { try new.validateSections(in: operation) }
        origins.reserveCapacity(new.numberOfSections)
        for (index, section) in new.sections.enumerated() {
            let isSame = isUnchanged || index < old.numberOfSections && old.sections[index].id == section.id
            origins.append(isSame ? index : old.indexOfSection(section.id))
        }
        let count = origins.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        guard count < old.numberOfSections else { return }
        var kept = BitSet(limit: old.numberOfSections)
        for case let origin? in origins { kept.insert(origin) }
        deletedSections = (0..<old.numberOfSections).filter { !kept.contains($0) }
    }

    /// Matches the rows of each section by reading both lists side by side, and then rows that are elsewhere.
    @inlinable
    mutating func compareRows() throws(DiffableError) {
        var comparison = RowComparison(old: old.compactStore(), new: new.compactStore())
        for (section, origin) in origins.enumerated() {
            comparison.match(
                old: origin.map { old.arrangement.positions(ofSection: $0) } ?? 0..<0,
                new: new.arrangement.positions(ofSection: section))
        }
        for section in deletedSections {
            comparison.matching.appendUnmatched(old: old.arrangement.positions(ofSection: section), new: 0..<0)
        }
        // The sections may have another order.
        comparison.matching.unmatchedOld.sort { $0.start < $1.start }
        if comparison.matching.isFewUnmatched {
            (rows, updated) = (comparison.matching, comparison.updated)
            return pairUnmatchedRows()
        }
        if !comparison.matchByLookingUp() {
            try reportDuplicate()
        }
        (rows, updated) = (comparison.matching, comparison.updated)
        rows.runs.sort { $0.new < $1.new }
    }

    /// Throws `duplicateItem`. The new snapshot must have a duplicate.
    @usableFromInline
    func reportDuplicate() throws(DiffableError) {
        try new.findDuplicate(in: operation)
        preconditionFailure("two rows have the same identifier, but are no duplicates")
    }
}

extension SnapshotMatching {
    /// Matches unmatched rows with the same identifier: a few rows by comparing each with each, others by looking up the
    /// new ones in the old snapshot.
    @inlinable
    mutating func pairUnmatchedRows() {
        if rows.unmatchedOld.isEmpty || rows.unmatchedNew.isEmpty { return }
        var pairs: ContiguousArray<MatchedRun> = []
        if rows.isFewUnmatched {
            var candidates: [(row: Int, id: Item.ID)] = []
            for range in rows.unmatchedOld {
                for row in range.range { candidates.append((row, old.identifier(atPosition: row))) }
            }
            for range in rows.unmatchedNew {
                for row in range.range {
                    let id = new.identifier(atPosition: row)
                    guard let index = candidates.firstIndex(where: { $0.id == id }) else { continue }
                    pairs.append(MatchedRun(old: candidates.remove(at: index).row, new: row, count: 1))
                }
            }
        } else {
            var available = BitSet(limit: old.numberOfItems)
            for range in rows.unmatchedOld { available.insert(range: range.range) }
            for range in rows.unmatchedNew {
                for row in range.range {
                    guard let origin = old.indexOfItem(new.identifier(atPosition: row)), available.contains(origin)
                    else { continue }
                    available.remove(origin)
                    pairs.append(MatchedRun(old: origin, new: row, count: 1))
                }
            }
        }
        for pair in pairs where old.item(atPosition: Int(pair.old)) != new.item(atPosition: Int(pair.new)) {
            updated.append(pair)
        }
        rows.add(pairs)
    }

    /// Checks that no inserted row has the identifier of another row. All other rows are as unique as the old ones.
    @inlinable
    func checkUniqueness() throws(DiffableError) {
        let inserted = rows.unmatchedNew
        let count = inserted.rowCount
        if count == 0 { return }
        // A row that the old snapshot has and that is inserted equals a matched row.
        if !new.itemTable.isHashed && (count <= 16 || old.itemTable.isHashed && count * 2 < new.numberOfItems) {
            var items: [Item] = []
            for range in inserted { items.append(contentsOf: DiffableItems(new, range.range)) }
            let isNew =
                old.itemTable.isHashed
                ? items.allSatisfy { !old.contains($0.id) } : isOnly(items)
            if isNew, items.count == 1 || ElementStore(items).firstDuplicate() == nil { return }
        } else if !new.itemTable.mayHaveDuplicates {
            return
        }
        try new.findDuplicate(in: operation)
    }

    /// Returns true if no matched row of the new snapshot has one of the identifiers. O(n) for each of them
    @inlinable
    func isOnly(_ items: [Item]) -> Bool {
        for run in rows.runs {
            for item in DiffableItems(new, run.newRange) {
                for other in items where other.id == item.id { return false }
            }
        }
        return true
    }
}
