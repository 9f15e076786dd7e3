/// Finds the extent of a slot: all extents by ascending first slot, in two arrays of the same length.
struct ExtentIndex: Sendable, Equatable {
    /// By ascending first slot.
    var keys: ContiguousArray<Key> = []
    /// The index of each extent in its section.
    var extents: ContiguousArray<UInt32> = []

    /// The first slot and the section of an extent.
    struct Key: Sendable, Equatable {
        var firstSlot: Slot
        let section: UInt32

        init(_ firstSlot: Slot, section: Int) {
            self.firstSlot = firstSlot
            self.section = UInt32(truncatingIfNeeded: section)
        }
    }

    /// Creates the index of the extents of some sections. O(p), or O(p log p) if the slots are not ascending
    init(_ sections: ContiguousArray<SectionExtents>) {
        self.init(capacity: sections.reduce(0) { $0 + $1.count })
        var isAscending = true
        var last: Slot = 0
        for section in sections.indices {
            for extent in 0..<sections[section].count {
                let firstSlot = sections[section][extent].firstSlot
                if firstSlot < last { isAscending = false }
                last = firstSlot
                append(firstSlot, section: section, extent: extent)
            }
        }
        if !isAscending { sort() }
    }

    /// Creates an empty index with room for `capacity` extents.
    private init(capacity: Int) {
        keys.reserveCapacity(capacity)
        extents.reserveCapacity(capacity)
    }

    var count: Int { keys.count }

    /// Sorts the extents by first slot. O(p log p)
    private mutating func sort() {
        let old = self
        self = ExtentIndex(capacity: old.count)
        for index in old.keys.indices.sorted(by: { old.keys[$0].firstSlot < old.keys[$1].firstSlot }) {
            keys.append(old.keys[index])
            extents.append(old.extents[index])
        }
    }

    /// Returns the last extent that begins at a slot or before; nil if there is none.
    func lastExtent(upTo slot: Slot) -> (section: Int, extent: Int)? {
        let next = firstIndex(below: count) { keys[$0].firstSlot > slot }
        return next == 0 ? nil : (Int(keys[next - 1].section), Int(extents[next - 1]))
    }

    /// Returns the first slot of the next extent after a slot; nil if there is none.
    func firstSlot(after slot: Slot) -> Slot? {
        let next = firstIndex(below: count) { keys[$0].firstSlot > slot }
        return next < count ? keys[next].firstSlot : nil
    }

    /// Appends an extent. The extents must be sorted before a search.
    mutating func append(_ firstSlot: Slot, section: Int, extent: Int) {
        keys.append(Key(firstSlot, section: section))
        extents.append(UInt32(truncatingIfNeeded: extent))
    }

    /// Inserts an extent. O(p)
    mutating func insert(_ firstSlot: Slot, section: Int, extent: Int) {
        let index = firstIndex(below: count) { keys[$0].firstSlot > firstSlot }
        keys.insertWithRoom(Key(firstSlot, section: section), at: index)
        extents.insertWithRoom(UInt32(truncatingIfNeeded: extent), at: index)
    }

    /// Removes the extent with a first slot. O(p)
    mutating func remove(_ firstSlot: Slot) {
        let index = index(ofFirstSlot: firstSlot)
        keys.remove(at: index)
        extents.remove(at: index)
    }

    /// Replaces the first slot of an extent with the next one.
    mutating func removeFirstSlot(_ firstSlot: Slot) { keys[index(ofFirstSlot: firstSlot)].firstSlot += 1 }

    func index(ofFirstSlot slot: Slot) -> Int { firstIndex(below: count) { keys[$0].firstSlot >= slot } }

    /// Adds a number, which may be negative, to the index of each extent of a section from the index `first` on. The
    /// addition wraps. The loop uses pointers, so that the compiler vectorizes it.
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
