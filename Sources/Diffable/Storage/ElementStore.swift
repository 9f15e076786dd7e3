/// Sections or items by slot: identifiers, contents and hashes, and an index over the identifiers.
///
/// It only grows. A slot whose element was deleted or replaced stays until the snapshot is laid out anew.
@usableFromInline
struct ElementStore<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    /// An element beside its identifier, which may cost to ask for; what is found by the one is compared by the other.
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

    /// Returns the last slot of an identifier; `noSlot` if it has none.
    @inlinable
    func slot(of identifier: Element.ID, hash: UInt32) -> Slot {
        index.slot(of: hash) { entries[Int($0)].identifier == identifier }
    }

    @inlinable
    mutating func reserve(_ additional: Int) {
        let limit = entries.count + additional
        // Arrays grow by doubling when asked for one more, to the exact size when asked for many at once.
        if additional > entries.count {
            entries.reserveCapacity(limit)
            hashes.reserveCapacity(limit)
        }
        guard !index.hasRoom(for: additional, slots: limit) else { return }
        let indexed = index
        index = IdentityIndex(capacity: indexed.count + additional, slots: limit)
        for bucket in indexed.buckets where bucket != IdentityIndex.empty {
            let slot = indexed.slot(in: bucket)
            index.insertNew(slot, hash: hashes[Int(slot)])
        }
    }

    /// Stores an element without an entry in the index.
    @inlinable
    mutating func store(_ element: Element, _ identifier: Element.ID, hash: UInt32) -> Slot {
        precondition(entries.count < Int(noSlot) - 1, "a snapshot holds at most 2^32 - 2 elements")
        entries.append(Entry(element, identifier))
        hashes.append(hash)
        return count - 1
    }

    /// Takes in some slots of another store, which hold identifiers that are not here. There is room.
    @inlinable
    mutating func append(_ slots: Range<Int>, of other: ElementStore) {
        let first = entries.count
        entries.append(contentsOf: other.entries[slots])
        hashes.append(contentsOf: other.hashes[slots])
        for slot in first..<entries.count {
            index.insertNew(Slot(truncatingIfNeeded: slot), hash: hashes[slot])
        }
    }

    /// Takes out the last slots, which are in the index no more.
    @inlinable
    mutating func removeLast(_ count: Int) {
        entries.removeLast(count)
        hashes.removeLast(count)
    }
}
