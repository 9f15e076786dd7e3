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

    init() {}

    /// Creates an empty index with room for `capacity` entries with slots below `limit`.
    private init(capacity: Int, slots limit: Int) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        buckets = ContiguousArray(repeating: Self.empty, count: size)
        slotMask = 7
        while Int(slotMask) < limit { slotMask = slotMask << 1 | 1 }
    }

    /// Creates the index of elements that are known to be unique, given the hash of each slot.
    init(unique hashes: ContiguousArray<UInt32>) {
        self.init(capacity: hashes.count, slots: hashes.count)
        for (slot, hash) in hashes.enumerated() { insertUnique(Slot(truncatingIfNeeded: slot), hash: hash) }
        count = hashes.count
    }

    private mutating func insertUnique(_ slot: Slot, hash: UInt32) {
        buckets[bucketIndex(of: hash) { _ in false }] = bucket(slot, hash: hash)
    }

    /// The value of an empty bucket. No entry has this value, because its slot bits are larger than any slot.
    @inlinable static var empty: Bucket { Bucket.max }

    @inlinable func bucket(_ slot: Slot, hash: UInt32) -> Bucket { slot | hash & ~slotMask }

    @inlinable func slot(in bucket: Bucket) -> Slot { bucket & slotMask }

    /// Returns the index of the bucket that has this hash and a slot for which `matches` returns true. If there is
    /// none, returns the index of the empty bucket that ends the search. At least one bucket must be empty.
    @inlinable
    func bucketIndex(of hash: UInt32, where matches: (Slot) -> Bool) -> Int {
        let mask = buckets.count - 1
        var index = Int(hash) & mask
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
    mutating func reserve(_ additional: Int, slots limit: Int, hash: (Slot) -> UInt32) {
        guard (count + additional) * 2 > buckets.count || limit > Int(slotMask) else { return }
        let old = self
        self = IdentityIndex(capacity: count + additional, slots: limit)
        for bucket in old.buckets where bucket != Self.empty {
            let slot = old.slot(in: bucket)
            insertUnique(slot, hash: hash(slot))
        }
        count = old.count
    }
}
