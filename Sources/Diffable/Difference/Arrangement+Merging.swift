/// The slot of an inserted or moved row (see `RowMatching`), with its index path in the new snapshot.
@usableFromInline typealias PlacedSlot = (path: ItemIndexPath, slot: Slot)

extension Arrangement {
    /// Returns the new order. Inserted and moved rows are put at their index paths. The remaining rows of each section
    /// fill the other positions in order.
    ///
    /// `placedSlots` ascend by path. `removed` has the old positions of deleted and moved rows. `origins` has the old
    /// index of each section; nil for an inserted section. `identifier` returns the identifier of a slot, for errors.
    ///
    /// - Throws: `DiffableError` with `positionTaken` or `positionOutOfRange`.
    @usableFromInline
    func merging(
        _ placedSlots: [PlacedSlot], without removed: BitSet, origins: [Int?],
        identifier: (Slot) -> any Hashable & Sendable
    ) throws(DiffableError) -> Arrangement {
        func error(for placed: PlacedSlot, _ code: DiffableError.Code) -> DiffableError {
            DiffableError(code, identifier(placed.slot), in: applyingOperation)
        }
        var remaining = RemainingRows(self, removed: removed)
        var builder = ArrangementBuilder()
        var next = 0
        for (section, origin) in origins.enumerated() {
            remaining.rows = origin.map(positions(ofSection:)) ?? 0..<0
            let start = builder.count
            while next < placedSlots.count, placedSlots[next].path.section == section {
                let placed = placedSlots[next]
                let missing = placed.path.item - (builder.count - start)
                guard missing >= 0, remaining.appendNext(missing, to: &builder) else {
                    let isTaken = missing < 0 && placed.path.item >= 0
                    throw error(for: placed, isTaken ? .positionTaken : .positionOutOfRange)
                }
                builder.append(placed.slot..<placed.slot + 1)
                next += 1
            }
            _ = remaining.appendNext(.max, to: &builder)
            builder.endSection()
        }
        if next < placedSlots.count { throw error(for: placedSlots[next], .positionOutOfRange) }
        return builder.finish()
    }
}

/// The rows of a section that are not removed, in order, for `Arrangement.merging`.
private struct RemainingRows {
    let arrangement: Arrangement
    let removed: BitSet
    var rows = 0..<0

    init(_ arrangement: Arrangement, removed: BitSet) {
        self.arrangement = arrangement
        self.removed = removed
    }

    /// Appends up to `count` rows to the builder. Returns false if fewer rows remain.
    mutating func appendNext(_ count: Int, to builder: inout ArrangementBuilder) -> Bool {
        var missing = count
        while missing > 0 {
            guard let first = removed.firstAbsent(in: rows) else { return false }
            let slots = arrangement.slots(fromPosition: first).prefix(min(missing, rows.upperBound - first))
            let end = removed.firstPresent(in: first..<first + slots.count) ?? first + slots.count
            builder.append(slots.prefix(end - first))
            missing -= end - first
            rows = end..<rows.upperBound
        }
        return true
    }
}
