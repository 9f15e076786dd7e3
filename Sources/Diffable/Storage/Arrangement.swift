/// The order of the item slots of a snapshot, in sections.
///
/// A *position* is the index of an item among the items of all sections. An *extent* is a range of consecutive slots at
/// consecutive positions of one section. A snapshot that was built in order has one extent for each section with items.
/// Each edited item adds up to three extents. So the first edit of a copy copies few extents.
///
/// Sections are given by index. With `p` sections and extents, finding a slot or a position costs O(log p). An edit in
/// the middle costs O(p) in arrays of integers. `Arrangement+Editing.swift` has the edits, and `ArrangementBuilder` makes
/// a new arrangement.
@usableFromInline
struct Arrangement: Sendable, Equatable {
    /// The first slot of each extent.
    @usableFromInline var firstSlots: ContiguousArray<Slot> = []
    /// The end position of each extent, over all sections. An extent begins at the end of the previous one.
    @usableFromInline var endPositions: ContiguousArray<UInt32> = []
    /// The extents by ascending first slot.
    @usableFromInline var byFirstSlot: ContiguousArray<UInt32> = []
    /// The extents of section `x` are `bounds[x]..<bounds[x + 1]`.
    @usableFromInline var bounds: ContiguousArray<UInt32> = [0]

    @inlinable init() {}

    @inlinable var itemCount: Int { Int(endPositions.last ?? 0) }
    @inlinable var sectionCount: Int { bounds.count - 1 }
    @inlinable var extentCount: Int { firstSlots.count }

    /// True if the slot of each item is its position.
    @inlinable var isCompact: Bool { zip(firstSlots, [0] + endPositions).allSatisfy { $0 == $1 } }

    @inlinable func position(ofExtent extent: Int) -> Int { extent == 0 ? 0 : Int(endPositions[extent - 1]) }

    @inlinable func count(ofExtent extent: Int) -> Int { Int(endPositions[extent]) - position(ofExtent: extent) }

    @inlinable
    func count(ofExtents extents: Range<Int>) -> Int {
        position(ofExtent: extents.upperBound) - position(ofExtent: extents.lowerBound)
    }

    @inlinable
    func slots(ofExtent extent: Int) -> Range<Slot> {
        let start = firstSlots[extent]
        return start..<start + Slot(truncatingIfNeeded: count(ofExtent: extent))
    }

    @inlinable func extents(ofSection section: Int) -> Range<Int> { Int(bounds[section])..<Int(bounds[section + 1]) }

    /// Returns the positions of the items of a section among all items.
    @inlinable
    func positions(ofSection section: Int) -> Range<Int> {
        position(ofExtent: Int(bounds[section]))..<position(ofExtent: Int(bounds[section + 1]))
    }

    /// Returns the extent of a slot; nil if the slot is unused.
    @inlinable
    func extent(ofSlot slot: Slot) -> Int? {
        let next = firstIndex(below: byFirstSlot.count) { firstSlots[Int(byFirstSlot[$0])] > slot }
        guard next > 0 else { return nil }
        let extent = Int(byFirstSlot[next - 1])
        return Int(slot - firstSlots[extent]) < count(ofExtent: extent) ? extent : nil
    }

    /// Returns the extent of an existing position.
    @inlinable
    func extent(atPosition position: Int) -> Int {
        firstIndex(below: endPositions.count) { Int(endPositions[$0]) > position }
    }

    @inlinable
    func section(ofExtent extent: Int) -> Int { firstIndex(below: bounds.count) { Int(bounds[$0]) > extent } - 1 }

    @inlinable func section(atPosition position: Int) -> Int { section(ofExtent: extent(atPosition: position)) }

    /// Returns the position of a slot among all items; nil if the slot is unused.
    @inlinable
    func position(ofSlot slot: Slot) -> Int? {
        guard let extent = extent(ofSlot: slot) else { return nil }
        return position(ofExtent: extent) + Int(slot - firstSlots[extent])
    }

    /// Returns the extent of an existing position. Checks the expected extent and the next one before it searches all.
    @inlinable
    func extent(atPosition position: Int, from expected: Int) -> Int {
        if expected < firstSlots.count, position >= self.position(ofExtent: expected) {
            if position < Int(endPositions[expected]) { return expected }
            if expected + 1 < firstSlots.count, position < Int(endPositions[expected + 1]) { return expected + 1 }
        }
        return extent(atPosition: position)
    }

    @inlinable
    func slot(atPosition position: Int, inExtent extent: Int) -> Slot {
        firstSlots[extent] + Slot(truncatingIfNeeded: position - self.position(ofExtent: extent))
    }

    /// Returns the slot of an existing position.
    @inlinable
    func slot(atPosition position: Int) -> Slot { slot(atPosition: position, inExtent: extent(atPosition: position)) }

    /// Returns the first number below `limit` for which `isReached` is true; `limit` if there is none. `isReached` must
    /// stay true for all later numbers.
    @inlinable
    func firstIndex(below limit: Int, where isReached: (Int) -> Bool) -> Int {
        var low = 0
        var high = limit
        while low < high {
            let middle = (low + high) / 2
            if isReached(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
