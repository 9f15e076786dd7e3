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
    @inlinable var extentCount: Int { index.count }

    /// True if the slot of each item is its position.
    @inlinable var isCompact: Bool {
        sections.indices.allSatisfy { section in
            let extents = sections[section]
            return extents.count == 0 || extents.count == 1 && extents[0].firstSlot == starts[section]
        }
    }

    /// Returns the positions of the items of a section among all items.
    @inlinable
    func positions(ofSection section: Int) -> Range<Int> { Int(starts[section])..<Int(starts[section + 1]) }

    @inlinable
    func positions(ofSections range: Range<Int>) -> Range<Int> {
        Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    }

    /// Returns the section of a slot, and its offset there; nil if the slot is unused.
    @inlinable
    func location(ofSlot slot: Slot) -> (section: Int, offset: Int)? {
        guard let (section, extent) = index.lastExtent(upTo: slot) else { return nil }
        let offset = sections[section].offset(ofExtent: extent) + Int(slot - sections[section][extent].firstSlot)
        return offset < Int(sections[section][extent].end) ? (section, offset) : nil
    }

    /// Returns the section of an existing position.
    @inlinable
    func section(atPosition position: Int) -> Int {
        firstIndex(below: sectionCount) { Int(starts[$0 + 1]) > position }
    }

    /// Returns the position of a slot among all items; nil if the slot is unused.
    @inlinable
    func position(ofSlot slot: Slot) -> Int? {
        location(ofSlot: slot).map { Int(starts[$0.section]) + $0.offset }
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
