/// Finds the index paths and slots of rows. Keeps the last extent, so that a row of the same extent needs no search.
@usableFromInline
struct RowLocator {
    @usableFromInline let arrangement: Arrangement
    // The current extent: its positions, its first slot, and the index and start of its section.
    @usableFromInline var current = 0..<0
    @usableFromInline var firstSlot: Slot = 0
    @usableFromInline var section = 0
    @usableFromInline var sectionStart = 0

    @inlinable init(_ arrangement: Arrangement) { self.arrangement = arrangement }

    /// Returns the index path and the slot of an existing position.
    @inlinable
    mutating func locate(_ position: Int) -> (path: ItemIndexPath, slot: Slot) {
        if !current.contains(position) { moveToExtent(of: position) }
        let path = ItemIndexPath(section: section, item: position - sectionStart)
        return (path, firstSlot + Slot(truncatingIfNeeded: position - current.lowerBound))
    }

    /// Makes the extent of an existing position the current one.
    @usableFromInline
    mutating func moveToExtent(of position: Int) {
        let extent = arrangement.extent(atPosition: position)
        current = arrangement.position(ofExtent: extent)..<Int(arrangement.endPositions[extent])
        firstSlot = arrangement.firstSlots[extent]
        section = arrangement.section(ofExtent: extent)
        sectionStart = arrangement.positions(ofSection: section).lowerBound
    }

    /// Calls `body` with the index path and the slot of each position, in order.
    @inlinable
    mutating func forEach(in positions: Range<Int>, _ body: (ItemIndexPath, Slot) -> Void) {
        var rest = positions
        while !rest.isEmpty {
            var (path, slot) = locate(rest.lowerBound)
            let here = rest.lowerBound..<min(rest.upperBound, current.upperBound)
            for _ in here {
                body(path, slot)
                path.item += 1
                slot += 1
            }
            rest = here.upperBound..<rest.upperBound
        }
    }
}
