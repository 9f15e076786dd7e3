/// The number of an element: its index in a store. In an `ItemTable`, the slots of its own store follow those of its
/// frozen store.
///
/// A slot that two copies of a snapshot share has the same item with the same content in both. So copies are compared by
/// slots.
@usableFromInline typealias Slot = UInt32

/// The value that means no slot. A store has fewer elements than this number.
@usableFromInline let noSlot = Slot.max

/// Sections or items by slot, their hashes, and an index over their identifiers.
///
/// A store may be *not hashed*: building a snapshot hashes nothing. The first lookup hashes all identifiers. Every slot
/// of such a store is in use.
///
/// Deleting an item does not shrink a store that is hashed: the slot stays until the snapshot is compacted.
/// `SectionTable` rebuilds its store instead.
@usableFromInline
struct ElementStore<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    @usableFromInline var elements: ContiguousArray<Element> = []
    /// The identities of the elements; empty if the store is not hashed.
    @usableFromInline var identities = Identities()
    /// True if `identities` has the identities of all elements.
    @usableFromInline var isHashed: Bool

    @inlinable init(isHashed: Bool = true) { self.isHashed = isHashed }

    @inlinable var count: Slot { Slot(truncatingIfNeeded: elements.count) }

    @inlinable
    static func hash(of identifier: Element.ID) -> UInt32 { UInt32(truncatingIfNeeded: identifier.hashValue) }

    /// Returns the last slot of an identifier in a store that is hashed; nil if it has none.
    @inlinable
    func slot(of identifier: Element.ID, hash: UInt32) -> Slot? {
        slot(of: identifier, hash: hash, in: identities)
    }

    /// Returns the slot that `identities` has for an identifier; nil if it has none.
    @inlinable
    func slot(of identifier: Element.ID, hash: UInt32, in identities: Identities) -> Slot? {
        identities.index.slot(of: hash) { elements[Int($0)].id == identifier }
    }

    /// Makes room for more elements.
    @inlinable
    mutating func reserve(_ additional: Int) {
        let limit = elements.count + additional
        // `reserveCapacity` allocates the exact size. For small additions, `append` doubles the arrays instead.
        let needsRoom = additional > elements.count
        if needsRoom { elements.reserveCapacity(limit) }
        guard isHashed else { return }
        if needsRoom { identities.hashes.reserveCapacity(limit) }
        identities.index.reserve(additional, slots: limit) { [hashes = identities.hashes] in hashes[Int($0)] }
    }

    /// Stores elements without their identities.
    @inlinable
    mutating func append(_ elements: some Collection<Element>) {
        precondition(self.elements.count + elements.count < Int(noSlot), "a snapshot holds at most 2^32 - 2 elements")
        self.elements.append(contentsOf: elements)
    }

    /// Stores an element without an entry in the index, and returns its slot.
    @inlinable
    mutating func append(_ element: Element, hash: UInt32) -> Slot {
        precondition(elements.count < Int(noSlot) - 1, "a snapshot holds at most 2^32 - 2 elements")
        elements.append(element)
        identities.hashes.append(hash)
        return count - 1
    }

    /// Inserts a stored slot in the index. Returns the earlier slot of the same identifier, which the new slot
    /// replaces.
    @inlinable @inline(__always)
    mutating func insertInIndex(_ slot: Slot) -> Slot? {
        let hash = identities.hashes[Int(slot)]
        let bucketIndex = identities.index.bucketIndex(of: hash) {
            elements[Int($0)].id == elements[Int(slot)].id
        }
        let bucket = identities.index.buckets[bucketIndex]
        identities.index.buckets[bucketIndex] = identities.index.bucket(slot, hash: hash)
        guard bucket == IdentityIndex.empty else { return identities.index.slot(in: bucket) }
        identities.index.count += 1
        return nil
    }

    /// Appends the elements in some slots of another store. If this store is hashed, so must the other one, the
    /// identifiers must be new, and there must be room.
    @inlinable
    mutating func append(_ slots: Range<Int>, of other: ElementStore) {
        let first = elements.count
        elements.append(contentsOf: other.elements[slots])
        guard isHashed else { return }
        identities.hashes.append(contentsOf: other.identities.hashes[slots])
        for slot in first..<elements.count {
            identities.index.insertNew(Slot(truncatingIfNeeded: slot), hash: identities.hashes[slot])
        }
    }

    /// Removes the slots from `first` on, and puts the slots that they replaced back into the index. O(elements)
    @inlinable
    mutating func removeSlots(from first: Slot, restoring replaced: [Slot]) {
        let slots = (identities.index.slots + replaced).filter { $0 < first }
        identities.index = IdentityIndex(capacity: slots.count, slots: Int(first))
        for slot in slots { identities.index.insertNew(slot, hash: identities.hashes[Int(slot)]) }
        elements.removeSubrange(Int(first)...)
        identities.hashes.removeSubrange(Int(first)...)
    }

    /// Takes the identities from the token of this store, which is not hashed, if they are known and unique. O(1)
    @inlinable
    mutating func adoptIdentities(from token: StoreToken) {
        guard let known = token.identities, known.duplicate == nil else { return }
        identities = known
        isHashed = true
    }

    /// Returns the identities of the elements in some slots. The hashes of other slots are 0. Hashes O(slots)
    /// identifiers, and also zeroes 4 bytes for each slot of the store.
    @inlinable
    func identities(of ranges: ContiguousArray<RowRange>) -> Identities {
        var result = Identities()
        result.hashes = ContiguousArray(repeating: 0, count: elements.count)
        result.index = IdentityIndex(capacity: ranges.rowCount, slots: elements.count)
        for range in ranges {
            for slot in range.range { result.hashes[slot] = Self.hash(of: elements[slot].id) }
        }
        // A loop of its own, so that the cache misses of the lookups overlap.
        for range in ranges {
            for slot in range.range {
                let hash = result.hashes[slot]
                let bucketIndex = result.index.bucketIndex(of: hash) {
                    elements[Int($0)].id == elements[slot].id
                }
                if result.index.buckets[bucketIndex] == IdentityIndex.empty {
                    let slot = Slot(truncatingIfNeeded: slot)
                    result.index.buckets[bucketIndex] = result.index.bucket(slot, hash: hash)
                    result.index.count += 1
                } else if result.duplicate == nil {
                    result.duplicate = Slot(truncatingIfNeeded: slot)
                }
            }
        }
        return result
    }
}
