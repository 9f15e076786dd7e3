/// A row that is inserted or moved, with its new position.
@usableFromInline typealias Arrival = (path: ItemIndexPath, slot: Slot)

extension Arrangement {
    /// Returns the new order: inserted and moved rows at their index paths, and the remaining rows of each section at the
    /// other positions in order.
    ///
    /// `origins` has the old index of each section; nil for a new one. `identifier` returns the identifier of a slot, for
    /// errors.
    @inlinable
    func weaving(
        _ arrivals: [Arrival], without leaving: BitSet, origins: [Int?],
        identifier: (Slot) -> any Hashable & Sendable
    ) throws(DiffableError) -> Arrangement {
        func stray(_ arrival: Arrival, _ code: DiffableError.Code) -> DiffableError {
            DiffableError(code, identifier(arrival.slot), in: whileApplying)
        }
        var remaining = RemainingRows(self, leaving: leaving)
        var builder = ArrangementBuilder()
        var next = 0
        for (section, origin) in origins.enumerated() {
            remaining.rows = origin.map(positions(ofSection:)) ?? 0..<0
            let start = builder.count
            while next < arrivals.count, arrivals[next].path.section == section {
                let arrival = arrivals[next]
                let missing = arrival.path.item - (builder.count - start)
                guard missing >= 0, remaining.take(missing, into: &builder) else {
                    throw stray(arrival, missing < 0 && arrival.path.item >= 0 ? .positionTaken : .positionOutOfRange)
                }
                builder.append(arrival.slot..<arrival.slot + 1)
                next += 1
            }
            _ = remaining.take(.max, into: &builder)
            builder.endSection()
        }
        if next < arrivals.count { throw stray(arrivals[next], .positionOutOfRange) }
        return builder.finish()
    }
}

/// The rows of a section that stay, in order.
@usableFromInline
struct RemainingRows {
    @usableFromInline let arrangement: Arrangement
    @usableFromInline let leaving: BitSet
    @usableFromInline var rows = 0..<0
    @usableFromInline var extent = 0

    @inlinable
    init(_ arrangement: Arrangement, leaving: BitSet) {
        self.arrangement = arrangement
        self.leaving = leaving
    }

    /// Appends up to `count` rows to the builder. Returns false if there are fewer.
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
}
