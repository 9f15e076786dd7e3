/// The number of an element: its index in a store. In an `ItemTable`, the slots of its own store follow those of its
/// frozen store.
///
/// A slot that two copies of a snapshot share has the same item with the same content in both. So copies are compared by
/// slots.
@usableFromInline typealias Slot = UInt32

/// The value that means no slot. A store has fewer elements than this number.
@usableFromInline let noSlot = Slot.max

/// The identity of a store: two stores with the same token have the same elements.
///
/// A table keeps its token next to its store. If the token is uniquely referenced, the arrays are too.
@usableFromInline
final class StoreToken: Sendable {
    @usableFromInline init() {}
}

/// Sections or items by slot: identifiers, contents and hashes, and an index over the identifiers.
///
/// Deleting an item does not shrink the store: the slot stays until the snapshot is compacted. `SectionTable` rebuilds its
/// store instead.
@usableFromInline
struct ElementStore<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    /// An element and its identifier, which may be costly to compute.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let identifier: Element.ID
        @usableFromInline var element: Element

        @inlinable
        init(_ element: Element, _ identifier: Element.ID) {
            self.identifier = identifier
            self.element = element
        }
    }

    @usableFromInline var entries: ContiguousArray<Entry> = []
    @usableFromInline var hashes: ContiguousArray<UInt32> = []
    @usableFromInline var index = IdentityIndex()

    @inlinable init() {}

    @inlinable var count: Slot { Slot(truncatingIfNeeded: entries.count) }

    @inlinable
    static func hash(of identifier: Element.ID) -> UInt32 { UInt32(truncatingIfNeeded: identifier.hashValue) }

    /// Returns the last slot of an identifier; nil if it has none.
    @inlinable
    func slot(of identifier: Element.ID, hash: UInt32) -> Slot? {
        index.slot(of: hash) { entries[Int($0)].identifier == identifier }
    }

    /// Makes room for more elements.
    @inlinable
    mutating func reserve(_ additional: Int) {
        let limit = entries.count + additional
        // `reserveCapacity` allocates the exact size. For small additions, `append` doubles the arrays instead.
        if additional > entries.count {
            entries.reserveCapacity(limit)
            hashes.reserveCapacity(limit)
        }
        index.reserve(additional, slots: limit) { [hashes] in hashes[Int($0)] }
    }

    /// Stores an element without an entry in the index, and returns its slot.
    @inlinable
    mutating func append(_ element: Element, _ identifier: Element.ID, hash: UInt32) -> Slot {
        precondition(entries.count < Int(noSlot) - 1, "a snapshot holds at most 2^32 - 2 elements")
        entries.append(Entry(element, identifier))
        hashes.append(hash)
        return count - 1
    }

    /// Inserts a stored slot in the index. Returns the earlier slot of the same identifier, which the new slot
    /// replaces.
    @inlinable @inline(__always)  // Called for each item of a new snapshot.
    mutating func insertInIndex(_ slot: Slot) -> Slot? {
        let hash = hashes[Int(slot)]
        let bucketIndex = index.bucketIndex(of: hash) { entries[Int($0)].identifier == entries[Int(slot)].identifier }
        let bucket = index.buckets[bucketIndex]
        index.buckets[bucketIndex] = index.bucket(slot, hash: hash)
        guard bucket == IdentityIndex.empty else { return index.slot(in: bucket) }
        index.count += 1
        return nil
    }

    /// Appends the elements in some slots of another store. The identifiers must be new, and there must be room.
    @inlinable
    mutating func append(_ slots: Range<Int>, of other: ElementStore) {
        let first = entries.count
        entries.append(contentsOf: other.entries[slots])
        hashes.append(contentsOf: other.hashes[slots])
        for slot in first..<entries.count {
            index.insertNew(Slot(truncatingIfNeeded: slot), hash: hashes[slot])
        }
    }

    /// Removes the slots from `first` on, and puts the slots that they replaced back into the index. O(elements)
    @inlinable
    mutating func removeSlots(from first: Slot, restoring replaced: [Slot]) {
        let slots = (index.slots + replaced).filter { $0 < first }
        index = IdentityIndex(capacity: slots.count, slots: Int(first))
        for slot in slots { index.insertNew(slot, hash: hashes[Int(slot)]) }
        entries.removeSubrange(Int(first)...)
        hashes.removeSubrange(Int(first)...)
    }
}
