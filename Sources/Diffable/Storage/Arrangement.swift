/// The order of the item slots of a snapshot, in sections.
///
/// A *position* is the index of an item among the items of all sections. An arrangement is *compact* if the slot of
/// each item is its position, as in a snapshot that was built in order. Otherwise, it has *extents*: ranges of
/// consecutive slots at consecutive positions of one section. Each edited item adds up to three extents.
///
/// Sections are given by index, extents by section and index. With `p` sections and extents, finding a slot or a
/// position costs O(log p). Appending to a section moves no extent. Other edits cost O(p) in arrays of integers.
/// `Arrangement+Editing.swift` has the edits, and `ArrangementBuilder` makes a new arrangement.
@usableFromInline
struct Arrangement: Sendable {
    /// The position after the last item of each section.
    var ends: ContiguousArray<UInt32> = []
    /// The extents; nil if the arrangement is compact.
    @usableFromInline var extents: Extents?

    @usableFromInline init() {}

    @usableFromInline var itemCount: Int { ends.isEmpty ? 0 : Int(ends[ends.count - 1]) }
    @usableFromInline var sectionCount: Int { ends.count }
    /// True if the slot of each item is its position.
    @inlinable var isCompact: Bool { extents == nil }
    /// The number of extents beyond one for each section.
    @usableFromInline var additionalExtentCount: Int { extents.map { $0.index.count - $0.sections.count } ?? 0 }

    /// Returns the positions of the items of a section among all items.
    @usableFromInline
    func positions(ofSection section: Int) -> Range<Int> { start(ofSection: section)..<Int(ends[section]) }

    /// Returns the position of the first item of a section.
    func start(ofSection section: Int) -> Int { section == 0 ? 0 : Int(ends[section - 1]) }

    /// Returns the section of an existing position.
    @usableFromInline
    func section(atPosition position: Int) -> Int {
        sectionCount == 1 ? 0 : firstIndex(below: sectionCount) { Int(ends[$0]) > position }
    }

    /// Returns the index path of an existing position.
    @usableFromInline
    func indexPath(atPosition position: Int) -> ItemIndexPath {
        let section = section(atPosition: position)
        return ItemIndexPath(section: section, item: position - start(ofSection: section))
    }

    /// Returns the position of an index path; nil if there is none.
    @usableFromInline
    func position(at path: ItemIndexPath) -> Int? {
        guard path.section >= 0, path.section < sectionCount else { return nil }
        let positions = positions(ofSection: path.section)
        guard path.item >= 0, path.item < positions.count else { return nil }
        return positions.lowerBound + path.item
    }

    /// Returns true if both arrangements have the same number of sections with the same numbers of items.
    @usableFromInline func hasSameSections(as other: Arrangement) -> Bool { ends == other.ends }

    @usableFromInline func isInUse(_ slot: Slot) -> Bool { position(ofSlot: slot) != nil }

    /// Returns the position of a slot among all items; nil if the slot is unused.
    @usableFromInline
    func position(ofSlot slot: Slot) -> Int? {
        guard let extents else { return Int(slot) < itemCount ? Int(slot) : nil }
        guard let (section, extent) = extents.index.lastExtent(upTo: slot) else { return nil }
        let offset =
            extents.sections[section].offset(ofExtent: extent)
            + Int(slot - extents.sections[section][extent].firstSlot)
        return offset < Int(extents.sections[section][extent].end) ? start(ofSection: section) + offset : nil
    }

    /// Returns the slot of an existing position.
    @inlinable
    func slot(atPosition position: Int) -> Slot {
        isCompact ? Slot(truncatingIfNeeded: position) : slots(fromPosition: position).lowerBound
    }

    /// Returns the slots from an existing position to the end of its extent.
    @usableFromInline
    func slots(fromPosition position: Int) -> Range<Slot> {
        guard let extents else { return Slot(position)..<Slot(itemCount) }
        let section = section(atPosition: position)
        let offset = position - start(ofSection: section)
        let extent = extents.sections[section].extent(atOffset: offset)
        return extents.sections[section].slots(ofExtent: extent)
            .dropFirst(offset - extents.sections[section].offset(ofExtent: extent))
    }

    /// Calls `body` with consecutive slots of consecutive positions, in order.
    @usableFromInline
    func forEachExtent<E: Error>(in positions: Range<Int>, _ body: (Range<Slot>) throws(E) -> Void) throws(E) {
        guard !positions.isEmpty else { return }
        guard let extents else {
            return try body(
                Slot(truncatingIfNeeded: positions.lowerBound)..<Slot(truncatingIfNeeded: positions.upperBound))
        }
        var section = section(atPosition: positions.lowerBound)
        var extent = extents.sections[section].extent(atOffset: positions.lowerBound - start(ofSection: section))
        var position = start(ofSection: section) + extents.sections[section].offset(ofExtent: extent)
        while position < positions.upperBound {
            guard extent < extents.sections[section].count else {
                (section, extent) = (section + 1, 0)
                continue
            }
            let slots = extents.sections[section].slots(ofExtent: extent)
            let first = max(0, positions.lowerBound - position)
            try body(slots.prefix(positions.upperBound - position).dropFirst(first))
            position += slots.count
            extent += 1
        }
    }
}

extension Arrangement: Equatable {
    @usableFromInline
    static func == (a: Arrangement, b: Arrangement) -> Bool {
        a.ends == b.ends
            && (a.extents === b.extents || a.extents?.sections == b.extents?.sections)
    }
}

/// The extents of an arrangement. Copies of an arrangement share them until one of the copies is edited.
@usableFromInline
final class Extents: @unchecked Sendable {
    // Changed only if the extents have a single owner, by a mutating method of this owner. So each access is exclusive
    // without a check at run time.
    /// The extents of each section.
    @exclusivity(unchecked) var sections: ContiguousArray<SectionExtents>
    @exclusivity(unchecked) var index: ExtentIndex

    init(_ sections: ContiguousArray<SectionExtents>, _ index: ExtentIndex? = nil) {
        self.sections = sections
        self.index = index ?? ExtentIndex(sections)
    }
}

/// Returns the first number below `limit` for which `isReached` is true; `limit` if there is none. `isReached` must
/// stay true for all later numbers.
@inline(__always)
func firstIndex(below limit: Int, where isReached: (Int) -> Bool) -> Int {
    var low = 0
    var high = limit
    while low < high {
        let middle = (low + high) / 2
        if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
}
