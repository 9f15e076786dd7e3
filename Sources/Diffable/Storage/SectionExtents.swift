/// The extents of one section. An *offset* is the index of an item among the items of the section.
@usableFromInline
struct SectionExtents: Sendable, Equatable {
    /// The first slot of each extent.
    @usableFromInline var firstSlots: ContiguousArray<Slot> = []
    /// The end offset of each extent. An extent begins at the end of the previous one.
    @usableFromInline var ends: ContiguousArray<UInt32> = []

    @inlinable init() {}

    @inlinable var count: Int { ends.count }

    /// Appends slots. Returns true if they are a new extent, and false if they continue the last one. O(1) amortized
    @inlinable
    mutating func append(_ slots: Range<Slot>) -> Bool {
        let last = count - 1
        let offset = last < 0 ? 0 : ends[last]
        let end = offset + UInt32(truncatingIfNeeded: slots.count)
        if last >= 0, firstSlots[last] + (offset - (last == 0 ? 0 : ends[last - 1])) == slots.lowerBound {
            ends[last] = end
            return false
        }
        firstSlots.append(slots.lowerBound)
        ends.append(end)
        return true
    }

    /// Returns the offset at which an extent begins.
    @inlinable @inline(__always) func offset(ofExtent extent: Int) -> Int { extent == 0 ? 0 : Int(ends[extent - 1]) }

    @inlinable @inline(__always)
    func slots(ofExtent extent: Int) -> Range<Slot> {
        let start = firstSlots[extent]
        return start..<start + Slot(truncatingIfNeeded: Int(ends[extent]) - offset(ofExtent: extent))
    }

    /// Returns the extent of an existing offset.
    @inlinable func extent(atOffset offset: Int) -> Int { firstIndex(below: count) { Int(ends[$0]) > offset } }

    /// Returns the slot of an existing offset.
    @inlinable
    func slot(atOffset offset: Int) -> Slot {
        let extent = extent(atOffset: offset)
        return firstSlots[extent] + Slot(truncatingIfNeeded: offset - self.offset(ofExtent: extent))
    }
}
