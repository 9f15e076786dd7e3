/// Finds the index paths and slots of rows. Keeps the last extent, so that a row of the same extent needs no search, and
/// a row of the next extent few steps.
@usableFromInline
struct RowLocator {
    // Those of the arrangement.
    @usableFromInline let starts: ContiguousArray<UInt32>
    @usableFromInline let sections: ContiguousArray<SectionExtents>
    // The current section: its index and its positions.
    @usableFromInline var section = 0
    @usableFromInline var positions = 0..<0
    // The current extent: its index, its positions and its first slot.
    @usableFromInline var extent = 0
    @usableFromInline var current = 0..<0
    @usableFromInline var firstSlot: Slot = 0

    @inlinable
    init(_ arrangement: Arrangement) {
        starts = arrangement.starts
        sections = arrangement.sections
    }

    /// Returns the index path and the slot of an existing position.
    @inlinable
    mutating func locate(_ position: Int) -> (path: ItemIndexPath, slot: Slot) {
        let slot = slot(at: position)
        return (ItemIndexPath(section: section, item: position - positions.lowerBound), slot)
    }

    /// Returns the slot of an existing position.
    @inlinable
    mutating func slot(at position: Int) -> Slot {
        if !current.contains(position) { moveToExtent(of: position) }
        return firstSlot + Slot(truncatingIfNeeded: position - current.lowerBound)
    }

    /// Makes the extent of an existing position the current one.
    @usableFromInline
    mutating func moveToExtent(of position: Int) {
        if position == current.upperBound, position < positions.upperBound {
            setExtent(extent + 1)
            return
        }
        if !positions.contains(position) {
            section = firstIndex(below: sections.count) { Int(starts[$0 + 1]) > position }
            positions = Int(starts[section])..<Int(starts[section + 1])
        }
        setExtent(sections[section].extent(atOffset: position - positions.lowerBound))
    }

    @usableFromInline
    mutating func setExtent(_ new: Int) {
        extent = new
        let start = positions.lowerBound + sections[section].offset(ofExtent: new)
        current = start..<positions.lowerBound + Int(sections[section][new].end)
        firstSlot = sections[section][new].firstSlot
    }

    /// Calls `body` with the index path and the slot of each position, in order.
    @inlinable
    mutating func forEach(in rows: Range<Int>, _ body: (ItemIndexPath, Slot) -> Void) {
        var rest = rows
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
