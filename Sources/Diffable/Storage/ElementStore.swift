import Synchronization

/// The number of an element: its index in a store. In an `ItemTable`, the slots of its own store follow those of its
/// frozen store.
///
/// A store only grows, so a slot always has the same element. Copies of a snapshot are compared by slots.
@usableFromInline typealias Slot = UInt32

/// Sections or items by slot. The identities of the elements are computed when a lookup first needs them.
///
/// Copies of a snapshot share a store, and only its single owner appends to it. Deleting an item does not shrink a
/// store: the slot stays until the snapshot is compacted.
@usableFromInline
final class ElementStore<Element: Identifiable & Equatable>: IdentityCache, @unchecked Sendable
where Element.ID: Sendable {
    // Changed only if the store has a single owner, by a mutating method of this owner. So each access is exclusive
    // without a check at run time. A snapshot is `Sendable` only if its elements are.
    @exclusivity(unchecked) @usableFromInline var elements: [Element]

    @inlinable
    init(_ elements: [Element] = []) {
        self.elements = elements
        super.init()
    }

    /// Copies a store. The copy has the same slots.
    @inlinable
    init(copying other: ElementStore) {
        elements = other.elements
        super.init(copying: other, count: other.count)
    }

    @inlinable var count: Slot { Slot(truncatingIfNeeded: elements.count) }

    @inlinable
    static func hash(of identifier: Element.ID) -> UInt32 { UInt32(truncatingIfNeeded: identifier.hashValue) }

    /// Appends elements, without their identities.
    @inlinable
    func append(_ new: some Collection<Element>) {
        precondition(elements.count + new.count < Int(Slot.max), "a snapshot holds at most 2^32 - 2 elements")
        elements.append(contentsOf: new)
    }

    /// Returns the first slot of an identifier; nil if it has none. The store must be compact: all slots are in use.
    @inlinable
    func firstSlot(of identifier: Element.ID) -> Int? {
        // A few elements are compared sooner than one is hashed.
        if elements.count <= 8 { return elements.firstIndex { $0.id == identifier } }
        let identities = identities()
        if identities.pointee.mayHaveDuplicates { return elements.firstIndex { $0.id == identifier } }
        return slot(of: identifier, hash: Self.hash(of: identifier), in: identities).map { Int($0) }
    }

    /// Returns the first two slots with the same identifier; nil if there are none. The store must be compact.
    @inlinable
    func firstDuplicate() -> (first: Int, second: Int)? {
        if elements.count > 8 {
            if !identities().pointee.mayHaveDuplicates { return nil }
        } else if elements.indices.allSatisfy({ index in elements[..<index].allSatisfy { $0.id != elements[index].id } }
        ) {
            return nil
        }
        return Diffable.firstDuplicate(in: elements)
    }

    /// Returns the slot that `identities` has for an identifier; nil if it has none.
    @inlinable
    func slot(of identifier: Element.ID, hash: UInt32, in identities: UnsafePointer<Identities>) -> Slot? {
        identities.pointee.index.slot(of: hash) { elements[Int($0)].id == identifier }
    }

    /// Returns the identities. The first call hashes all elements, which must be in use, as must those of `frozen`.
    @inlinable
    func identities(after frozen: ElementStore? = nil) -> UnsafePointer<Identities> {
        if let known { return UnsafePointer(known) }
        return UnsafePointer(keep(makeIdentities(after: frozen)))
    }

    @inlinable @inline(never)
    func makeIdentities(after frozen: ElementStore?) -> Identities {
        var identities = Identities()
        identify(from: 0, in: &identities, after: frozen) { _ in true }
        return identities
    }

    /// Adds the identities of the slots from `first` on. Looks for duplicates among the slots for which `isInUse` returns
    /// true. The slots of `frozen` precede those of this store.
    @inlinable @inline(never)
    func identify(
        from first: Slot, in identities: inout Identities, after frozen: ElementStore?, isInUse: (Slot) -> Bool
    ) {
        let frozenCount = frozen?.count ?? 0
        let frozenIdentities = frozen?.identities()
        identities.hashes.reserveCapacity(first == 0 ? elements.count : 0)
        for slot in first..<count { identities.hashes.append(Self.hash(of: elements[Int(slot)].id)) }
        identities.reserve(Int(count - first))
        // A loop of its own, so that the cache misses of the lookups overlap.
        for slot in first..<count {
            let hash = identities.hashes[Int(slot)]
            if let earlier = insert(slot, hash, in: &identities) {
                if earlier >= first || isInUse(frozenCount + earlier) { identities.mayHaveDuplicates = true }
            } else if let frozen, let frozenIdentities,
                let earlier = frozen.slot(of: elements[Int(slot)].id, hash: hash, in: frozenIdentities),
                isInUse(earlier)
            {
                identities.mayHaveDuplicates = true
            }
        }
    }

    /// Inserts a slot in the index. Returns the earlier slot of the same identifier, which the new slot replaces.
    @inlinable @inline(__always)
    func insert(_ slot: Slot, _ hash: UInt32, in identities: inout Identities) -> Slot? {
        let bucketIndex = identities.index.bucketIndex(of: hash) { elements[Int($0)].id == elements[Int(slot)].id }
        let bucket = identities.index.buckets[bucketIndex]
        identities.index.buckets[bucketIndex] = identities.index.bucket(slot, hash: hash)
        if bucket != IdentityIndex.empty { return identities.index.slot(in: bucket) }
        identities.index.count += 1
        return nil
    }
}

/// The part of a store that does not depend on the type of its elements.
@usableFromInline
class IdentityCache: @unchecked Sendable {
    // All properties are constant or atomic. What `known` points to is changed only by the single owner of the store.
    /// The slots below `count`, which are the same in all stores that have this ancestor.
    typealias Ancestor = (id: UInt64, count: Slot)

    /// The number of the store. No other store has this number.
    let id = uniqueNumber()
    /// The store from which this one was copied.
    let parent: Ancestor?
    /// The identities; nil until a lookup needs them. The store owns this memory.
    private let cached = Atomic<UnsafeMutablePointer<Identities>?>(nil)

    @usableFromInline init() { parent = nil }

    @usableFromInline
    init(copying other: IdentityCache, count: Slot) {
        parent = (other.id, count)
        if let known = other.known { _ = keep(known.pointee) }
    }

    deinit {
        guard let known else { return }
        known.deinitialize(count: 1)
        known.deallocate()
    }

    /// The identities, if a lookup has needed them. The pointer is valid while the store exists. Only the single owner of
    /// the store may change them.
    @usableFromInline
    final var known: UnsafeMutablePointer<Identities>? { cached.load(ordering: .acquiring) }

    /// Keeps the identities for later lookups. Threads may do this at the same time; all get the same identities.
    @usableFromInline
    final func keep(_ identities: Identities) -> UnsafeMutablePointer<Identities> {
        let new = UnsafeMutablePointer<Identities>.allocate(capacity: 1)
        new.initialize(to: identities)
        let (isStored, current) = cached.compareExchange(
            expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !isStored, let current else { return new }
        new.deinitialize(count: 1)
        new.deallocate()
        return current
    }

    /// Returns the number of slots, the first ones of both stores, that have the same elements in both.
    @usableFromInline
    final func sharedCount(with other: IdentityCache, count: Slot, otherCount: Slot) -> Slot {
        let ancestors = [(id, count), parent].compactMap(\.self)
        let others = [(other.id, otherCount), other.parent].compactMap(\.self)
        for one in ancestors {
            for another in others where one.id == another.id { return min(one.count, another.count) }
        }
        return 0
    }
}

/// The hashes of the identifiers in a store, and an index over the identifiers.
@usableFromInline
struct Identities: Sendable {
    /// The hash of each identifier, by slot.
    @usableFromInline var hashes: ContiguousArray<UInt32> = []
    @usableFromInline var index = IdentityIndex()
    /// True if two slots that were in use at the same time have the same identifier. One of them may be deleted since.
    @usableFromInline var mayHaveDuplicates = false

    @usableFromInline init() {}

    /// Creates the identities of elements that are known to be unique.
    @usableFromInline
    init(unique hashes: ContiguousArray<UInt32>) {
        self.hashes = hashes
        index = IdentityIndex(unique: hashes)
    }

    /// Makes room in the index for more entries. All hashes must be known.
    @usableFromInline
    mutating func reserve(_ additional: Int) {
        index.reserve(additional, slots: hashes.count) { [hashes] in hashes[Int($0)] }
    }
}

private let lastNumber = Atomic<UInt64>(0)

/// Returns a number that no other call returns. It is not 0.
@usableFromInline
func uniqueNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

/// Returns the offsets of the first two elements with the same identifier; nil if there are none. O(n)
@usableFromInline
func firstDuplicate<Elements: Collection>(in elements: Elements) -> (first: Int, second: Int)?
where Elements.Element: Identifiable {
    var offsets: [Elements.Element.ID: Int] = [:]
    for (offset, element) in elements.enumerated() {
        if let first = offsets.updateValue(offset, forKey: element.id) { return (first, offset) }
    }
    return nil
}
