/// The order of the item slots of a snapshot, in sections.
///
/// A *position* is the index of an item among the items of all sections. An *extent* is a range of consecutive slots at
/// consecutive positions of one section. A snapshot that was built in order has one extent for each section with items.
/// Each edited item adds up to three extents. So the first edit of a copy copies few extents.
///
/// Sections are given by index, extents by section and index. With `p` sections and extents, finding a slot or a
/// position costs O(log p). Appending to a section moves no extent. Other edits cost O(p) in arrays of integers.
/// `Arrangement+Editing.swift` has the edits, and `ArrangementBuilder` makes a new arrangement.
@usableFromInline
struct Arrangement: Sendable, Equatable {
    /// The extents of each section.
    @usableFromInline var sections: ContiguousArray<SectionExtents> = []
    /// The first position of each section, and the end of the last one.
    @usableFromInline var starts: ContiguousArray<UInt32> = [0]
    @usableFromInline var index = ExtentIndex()

    @inlinable init() {}

    @inlinable var itemCount: Int { Int(starts[sections.count]) }
    @inlinable var sectionCount: Int { sections.count }
    @inlinable var extentCount: Int { index.firstSlots.count }

    /// True if the slot of each item is its position.
    @inlinable var isCompact: Bool {
        sections.indices.allSatisfy { section in
            let extents = sections[section]
            return extents.count == 0 || extents.count == 1 && extents.firstSlots[0] == starts[section]
        }
    }

    /// Returns the positions of the items of a section among all items.
    @inlinable
    func positions(ofSection section: Int) -> Range<Int> { Int(starts[section])..<Int(starts[section + 1]) }

    @inlinable
    func positions(ofSections range: Range<Int>) -> Range<Int> {
        Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    }

    /// Returns the extent of a slot; nil if the slot is unused.
    @inlinable
    func extent(ofSlot slot: Slot) -> (section: Int, extent: Int)? {
        guard let place = index.lastExtent(upTo: slot) else { return nil }
        return sections[place.section].slots(ofExtent: place.extent).contains(slot) ? place : nil
    }

    /// Returns the section of an existing position.
    @inlinable
    func section(atPosition position: Int) -> Int {
        firstIndex(below: sectionCount) { Int(starts[$0 + 1]) > position }
    }

    /// Returns the position of a slot among all items; nil if the slot is unused.
    @inlinable
    func position(ofSlot slot: Slot) -> Int? {
        guard let (section, extent) = extent(ofSlot: slot) else { return nil }
        return Int(starts[section]) + sections[section].offset(ofExtent: extent)
            + Int(slot - sections[section].firstSlots[extent])
    }

    /// Returns the slot of an existing position.
    @inlinable
    func slot(atPosition position: Int) -> Slot {
        let section = section(atPosition: position)
        return sections[section].slot(atOffset: position - Int(starts[section]))
    }

    /// Calls `body` with the slots of each extent of some sections, in order.
    @inlinable
    func forEachExtent<E: Error>(inSections range: Range<Int>, _ body: (Range<Slot>) throws(E) -> Void) throws(E) {
        for section in range {
            let extents = sections[section]
            for extent in 0..<extents.count { try body(extents.slots(ofExtent: extent)) }
        }
    }
}

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

/// Finds the extent of a slot: all extents by ascending first slot, in arrays of the same length.
@usableFromInline
struct ExtentIndex: Sendable, Equatable {
    @usableFromInline var firstSlots: ContiguousArray<Slot> = []
    @usableFromInline var sections: ContiguousArray<UInt32> = []
    /// The index of each extent in its section.
    @usableFromInline var extents: ContiguousArray<UInt32> = []

    @inlinable init() {}

    /// Creates an empty index with room for `capacity` extents.
    @inlinable
    init(capacity: Int) {
        firstSlots.reserveCapacity(capacity)
        sections.reserveCapacity(capacity)
        extents.reserveCapacity(capacity)
    }

    /// Sorts the extents by first slot. O(p log p)
    @inlinable
    mutating func sort() {
        let old = self
        self = ExtentIndex(capacity: old.firstSlots.count)
        for extent in old.firstSlots.indices.sorted(by: { old.firstSlots[$0] < old.firstSlots[$1] }) {
            append(old.firstSlots[extent], section: Int(old.sections[extent]), extent: Int(old.extents[extent]))
        }
    }

    /// Returns the last extent that begins at a slot or before; nil if there is none.
    @inlinable
    func lastExtent(upTo slot: Slot) -> (section: Int, extent: Int)? {
        let next = firstIndex(below: firstSlots.count) { firstSlots[$0] > slot }
        return next == 0 ? nil : (Int(sections[next - 1]), Int(extents[next - 1]))
    }

    /// Appends an extent whose first slot is larger than those of all others.
    @inlinable
    mutating func append(_ firstSlot: Slot, section: Int, extent: Int) {
        firstSlots.append(firstSlot)
        sections.append(UInt32(truncatingIfNeeded: section))
        extents.append(UInt32(truncatingIfNeeded: extent))
    }

    /// Inserts an extent. The later extents of the section get the next index. O(p)
    @inlinable
    mutating func insert(_ firstSlot: Slot, section: Int, extent: Int, isLast: Bool) {
        if !isLast { shift(1, section: section, from: extent) }
        if firstSlots.last ?? 0 < firstSlot || firstSlots.isEmpty {
            return append(firstSlot, section: section, extent: extent)
        }
        let index = firstIndex(below: firstSlots.count) { firstSlots[$0] > firstSlot }
        firstSlots.insert(firstSlot, at: index)
        sections.insert(UInt32(truncatingIfNeeded: section), at: index)
        extents.insert(UInt32(truncatingIfNeeded: extent), at: index)
    }

    /// Removes an extent. The later extents of the section get the previous index. O(p)
    @inlinable
    mutating func remove(_ firstSlot: Slot, section: Int, extent: Int) {
        let index = firstIndex(below: firstSlots.count) { firstSlots[$0] >= firstSlot }
        firstSlots.remove(at: index)
        sections.remove(at: index)
        extents.remove(at: index)
        shift(UInt32.max, section: section, from: extent)
    }

    /// Adds a number to the index of each extent of a section that has at least an index. The addition wraps, so adding
    /// `UInt32.max` subtracts one. The loop uses pointers, so that the compiler vectorizes it.
    @usableFromInline
    mutating func shift(_ summand: UInt32, section: Int, from first: Int) {
        let (section, first) = (UInt32(truncatingIfNeeded: section), UInt32(truncatingIfNeeded: first))
        extents.withUnsafeMutableBufferPointer { extents in
            sections.withUnsafeBufferPointer { sections in
                for index in 0..<min(extents.count, sections.count) {
                    extents[index] &+= sections[index] == section && extents[index] >= first ? summand : 0
                }
            }
        }
    }
}

/// Returns the first number below `limit` for which `isReached` is true; `limit` if there is none. `isReached` must
/// stay true for all later numbers.
@inlinable @inline(__always)
func firstIndex(below limit: Int, where isReached: (Int) -> Bool) -> Int {
    var low = 0
    var high = limit
    while low < high {
        let middle = (low + high) / 2
        if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
}
