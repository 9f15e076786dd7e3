/// A hash table of slots by the hash of their identifiers, with open addressing and linear probing.
///
/// The number of buckets is a power of two, and at least half of them are empty. A bucket has 32 bits: the slot in the
/// low bits, and a part of the hash in the others. An identifier is compared only if these hash bits are equal. The
/// owner of the index stores the whole hashes and the elements. A bucket takes 4 bytes, so a search reads few cache
/// lines.
@usableFromInline
struct IdentityIndex: Sendable {
    @usableFromInline typealias Bucket = UInt32

    @usableFromInline var buckets: ContiguousArray<Bucket> = []
    @usableFromInline var count = 0
    /// The bits of a bucket that have the slot.
    @usableFromInline var slotMask: UInt32 = 0

    @inlinable init() {}

    /// Creates an empty index with room for `capacity` entries with slots below `limit`.
    @inlinable
    init(capacity: Int, slots limit: Int) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        buckets = ContiguousArray(repeating: Self.empty, count: size)
        slotMask = 7
        while Int(slotMask) < limit { slotMask = slotMask << 1 | 1 }
    }

    /// The value of an empty bucket. No entry has this value, because its slot bits are larger than any slot.
    @inlinable static var empty: Bucket { Bucket.max }

    @inlinable func bucket(_ slot: Slot, hash: UInt32) -> Bucket { slot | hash & ~slotMask }

    @inlinable func slot(in bucket: Bucket) -> Slot { bucket & slotMask }

    /// The slots of all entries, in no order.
    @inlinable var slots: some Sequence<Slot> { buckets.lazy.filter { $0 != Self.empty }.map(slot(in:)) }

    /// Returns the index of the bucket at which a search for a hash begins.
    @inlinable func homeIndex(of hash: UInt32) -> Int { Int(hash) & (buckets.count - 1) }

    /// Returns the index of the bucket that has this hash and a slot for which `matches` returns true. If there is
    /// none, returns the index of the empty bucket that ends the search. At least one bucket must be empty.
    @inlinable
    func bucketIndex(of hash: UInt32, where matches: (Slot) -> Bool) -> Int {
        let mask = buckets.count - 1
        var index = homeIndex(of: hash)
        while true {
            let bucket = buckets[index]
            if bucket == Self.empty { return index }
            if (bucket ^ hash) & ~slotMask == 0, matches(slot(in: bucket)) { return index }
            index = (index + 1) & mask
        }
    }

    /// Returns the slot with this hash for which `matches` returns true; nil if there is none.
    @inlinable
    func slot(of hash: UInt32, where matches: (Slot) -> Bool) -> Slot? {
        if buckets.isEmpty { return nil }
        let bucket = buckets[bucketIndex(of: hash, where: matches)]
        return bucket == Self.empty ? nil : slot(in: bucket)
    }

    /// Makes room for more entries with slots below `limit`. `hash` returns the hash of a slot.
    @inlinable
    mutating func reserve(_ additional: Int, slots limit: Int, hash: (Slot) -> UInt32) {
        guard (count + additional) * 2 > buckets.count || limit > Int(slotMask) else { return }
        let old = self
        self = IdentityIndex(capacity: count + additional, slots: limit)
        for slot in old.slots { insertNew(slot, hash: hash(slot)) }
    }

    /// Inserts a slot with an identifier that is not in the index. There must be room.
    @inlinable
    mutating func insertNew(_ slot: Slot, hash: UInt32) {
        let mask = buckets.count - 1
        var index = homeIndex(of: hash)
        while buckets[index] != Self.empty { index = (index + 1) & mask }
        buckets[index] = bucket(slot, hash: hash)
        count += 1
    }

    /// Removes the entry of a slot, which must exist. `hash` returns the hash of a slot.
    @inlinable
    mutating func remove(_ slot: Slot, hash: (Slot) -> UInt32) {
        let mask = buckets.count - 1
        var gap = bucketIndex(of: hash(slot)) { $0 == slot }
        // An empty bucket ends a search. So a later entry whose home index is at or before the gap moves into the gap.
        var next = (gap + 1) & mask
        while buckets[next] != Self.empty {
            let home = homeIndex(of: hash(self.slot(in: buckets[next])))
            if (next - home) & mask >= (next - gap) & mask {
                buckets[gap] = buckets[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        buckets[gap] = Self.empty
        count -= 1
    }
}
