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

    /// Inserts an extent. O(p)
    @inlinable
    mutating func insert(_ firstSlot: Slot, section: Int, extent: Int) {
        let index = firstIndex(below: firstSlots.count) { firstSlots[$0] > firstSlot }
        firstSlots.insertWithRoom(firstSlot, at: index)
        sections.insertWithRoom(UInt32(truncatingIfNeeded: section), at: index)
        extents.insertWithRoom(UInt32(truncatingIfNeeded: extent), at: index)
    }

    /// Removes the extent with a first slot. O(p)
    @inlinable
    mutating func remove(_ firstSlot: Slot) {
        let index = index(ofFirstSlot: firstSlot)
        firstSlots.remove(at: index)
        sections.remove(at: index)
        extents.remove(at: index)
    }

    /// Replaces the first slot of an extent with the next one.
    @inlinable
    mutating func removeFirstSlot(_ firstSlot: Slot) { firstSlots[index(ofFirstSlot: firstSlot)] += 1 }

    @inlinable
    func index(ofFirstSlot slot: Slot) -> Int { firstIndex(below: firstSlots.count) { firstSlots[$0] >= slot } }

    /// Adds a number, which may be negative, to the index of each extent of a section from the index `first` on. The
    /// addition wraps. The loop uses pointers, so that the compiler vectorizes it.
    @usableFromInline
    mutating func shift(by count: Int, section: Int, from first: Int) {
        let summand = UInt32(truncatingIfNeeded: count)
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
