/// Finds the extent of a slot: all extents by ascending first slot, in two arrays of the same length.
@usableFromInline
struct ExtentIndex: Sendable, Equatable {
    /// By ascending first slot.
    @usableFromInline var keys: ContiguousArray<Key> = []
    /// The index of each extent in its section.
    @usableFromInline var extents: ContiguousArray<UInt32> = []

    /// The first slot and the section of an extent.
    @usableFromInline
    struct Key: Sendable, Equatable {
        @usableFromInline var firstSlot: Slot
        @usableFromInline let section: UInt32

        @inlinable
        init(_ firstSlot: Slot, section: Int) {
            self.firstSlot = firstSlot
            self.section = UInt32(truncatingIfNeeded: section)
        }
    }

    @inlinable init() {}

    /// Creates an empty index with room for `capacity` extents.
    @inlinable
    init(capacity: Int) {
        keys.reserveCapacity(capacity)
        extents.reserveCapacity(capacity)
    }

    @inlinable var count: Int { keys.count }

    /// Sorts the extents by first slot. O(p log p)
    @inlinable
    mutating func sort() {
        let old = self
        self = ExtentIndex(capacity: old.count)
        for index in old.keys.indices.sorted(by: { old.keys[$0].firstSlot < old.keys[$1].firstSlot }) {
            keys.append(old.keys[index])
            extents.append(old.extents[index])
        }
    }

    /// Returns the last extent that begins at a slot or before; nil if there is none.
    @inlinable
    func lastExtent(upTo slot: Slot) -> (section: Int, extent: Int)? {
        let next = firstIndex(below: count) { keys[$0].firstSlot > slot }
        return next == 0 ? nil : (Int(keys[next - 1].section), Int(extents[next - 1]))
    }

    /// Appends an extent whose first slot is larger than those of all others.
    @inlinable
    mutating func append(_ firstSlot: Slot, section: Int, extent: Int) {
        keys.append(Key(firstSlot, section: section))
        extents.append(UInt32(truncatingIfNeeded: extent))
    }

    /// Inserts an extent. O(p)
    @inlinable
    mutating func insert(_ firstSlot: Slot, section: Int, extent: Int) {
        let index = firstIndex(below: count) { keys[$0].firstSlot > firstSlot }
        keys.insertWithRoom(Key(firstSlot, section: section), at: index)
        extents.insertWithRoom(UInt32(truncatingIfNeeded: extent), at: index)
    }

    /// Removes the extent with a first slot. O(p)
    @inlinable
    mutating func remove(_ firstSlot: Slot) {
        let index = index(ofFirstSlot: firstSlot)
        keys.remove(at: index)
        extents.remove(at: index)
    }

    /// Replaces the first slot of an extent with the next one.
    @inlinable
    mutating func removeFirstSlot(_ firstSlot: Slot) { keys[index(ofFirstSlot: firstSlot)].firstSlot += 1 }

    @inlinable
    func index(ofFirstSlot slot: Slot) -> Int { firstIndex(below: count) { keys[$0].firstSlot >= slot } }

    /// Adds a number, which may be negative, to the index of each extent of a section from the index `first` on. The
    /// addition wraps. The loop uses pointers, so that the compiler vectorizes it.
    @usableFromInline
    mutating func shift(by count: Int, section: Int, from first: Int) {
        let summand = UInt32(truncatingIfNeeded: count)
        let (section, first) = (UInt32(truncatingIfNeeded: section), UInt32(truncatingIfNeeded: first))
        extents.withUnsafeMutableBufferPointer { extents in
            keys.withUnsafeBufferPointer { keys in
                for index in 0..<min(extents.count, keys.count) {
                    extents[index] &+= keys[index].section == section && extents[index] >= first ? summand : 0
                }
            }
        }
    }
}
