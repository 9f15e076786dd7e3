/// The extents of one section. An *offset* is the index of an item among the items of the section.
struct SectionExtents: Sendable, Equatable {
    /// The extents in order.
    var extents: ContiguousArray<Extent> = []

    /// Consecutive slots at consecutive offsets. An extent begins at the end of the previous one.
    struct Extent: Sendable, Equatable {
        var firstSlot: Slot
        /// The offset after the last item.
        var end: UInt32

        init(firstSlot: Slot, end: UInt32) {
            self.firstSlot = firstSlot
            self.end = end
        }
    }

    init() {}

    var count: Int { extents.count }

    subscript(extent: Int) -> Extent {
        get { extents[extent] }
        _modify { yield &extents[extent] }
    }

    /// Appends slots. Returns true if they are a new extent, and false if they continue the last one. O(1) amortized
    mutating func append(_ slots: Range<Slot>) -> Bool {
        if slots.isEmpty { return false }
        let last = count - 1
        let offset = last < 0 ? 0 : extents[last].end
        let end = offset + UInt32(truncatingIfNeeded: slots.count)
        if last >= 0, self.slots(ofExtent: last).upperBound == slots.lowerBound {
            extents[last].end = end
            return false
        }
        // More extents usually follow the second one.
        if last == 0 { extents.reserveCapacity(16) }
        extents.append(Extent(firstSlot: slots.lowerBound, end: end))
        return true
    }

    /// Returns the offset at which an extent begins.
    @inline(__always)
    func offset(ofExtent extent: Int) -> Int {
        extent == 0 ? 0 : Int(extents[extent - 1].end)
    }

    @inline(__always)
    func slots(ofExtent extent: Int) -> Range<Slot> {
        let start = extents[extent].firstSlot
        return start..<start + Slot(truncatingIfNeeded: Int(extents[extent].end) - offset(ofExtent: extent))
    }

    /// Returns the extent of an existing offset.
    func extent(atOffset offset: Int) -> Int { firstIndex(below: count) { Int(extents[$0].end) > offset } }

    /// Returns the slot of an existing offset.
    func slot(atOffset offset: Int) -> Slot {
        let extent = extent(atOffset: offset)
        return extents[extent].firstSlot + Slot(truncatingIfNeeded: offset - self.offset(ofExtent: extent))
    }

    /// Adds a number to the ends of the extents from an index on. The addition wraps, so `UInt32.max` subtracts one.
    mutating func addToEnds(_ summand: UInt32, from first: Int) {
        extents.withUnsafeMutableBufferPointer { extents in
            for index in min(first, extents.count)..<extents.count { extents[index].end &+= summand }
        }
    }
}
