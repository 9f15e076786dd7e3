/// Finds the slot of a hash: open addressing with linear probing over a power of two of buckets, half of them empty.
///
/// A bucket of 32 bits has the slot in its low bits and a part of the hash in the others, so an identifier is only
/// compared if these bits are equal, and the index stays in the cache. Entries are only removed in reverse order: the
/// arrangement knows which slots are unused.
@usableFromInline
struct IdentityIndex: Sendable {
    @usableFromInline typealias Bucket = UInt32

    @usableFromInline var buckets: ContiguousArray<Bucket> = []
    @usableFromInline var count = 0
    /// The low bits of a bucket.
    @usableFromInline var slotMask: UInt32 = 0

    @inlinable init() {}

    /// No entry: no slot is so large.
    @inlinable static var empty: Bucket { Bucket.max }

    @inlinable func bucket(_ slot: Slot, hash: UInt32) -> Bucket { slot | hash & ~slotMask }

    @inlinable func slot(in bucket: Bucket) -> Slot { bucket & slotMask }

    /// Where a search for the hash begins.
    @inlinable func home(of hash: UInt32) -> Int { Int(hash) & (buckets.count - 1) }

    /// Returns the bucket of the entry with a hash that `matches`, or its empty bucket. The index must not be full.
    @inlinable
    func position(of hash: UInt32, where matches: (Slot) -> Bool) -> Int {
        let mask = buckets.count - 1
        var position = home(of: hash)
        while true {
            let bucket = buckets[position]
            if bucket == Self.empty { return position }
            if (bucket ^ hash) & ~slotMask == 0, matches(slot(in: bucket)) { return position }
            position = (position + 1) & mask
        }
    }

    /// Returns the slot with a hash that `matches`; `noSlot` if there is none.
    @inlinable
    func slot(of hash: UInt32, where matches: (Slot) -> Bool) -> Slot {
        if buckets.isEmpty { return noSlot }
        let bucket = buckets[position(of: hash, where: matches)]
        return bucket == Self.empty ? noSlot : slot(in: bucket)
    }

    /// Returns the first slot with the stored part of a hash; `noSlot` if there is none. Its identifier is still to be
    /// compared.
    @inlinable func candidate(of hash: UInt32) -> Slot { slot(of: hash) { _ in true } }

    /// Whether more entries, with slots below the limit, fit without growing.
    @inlinable
    func hasRoom(for additional: Int, slots limit: Int) -> Bool {
        (count + additional) * 2 <= buckets.count && limit <= Int(slotMask)
    }

    /// Makes an empty table with room for so many entries, with slots below the limit.
    @inlinable
    init(capacity: Int, slots limit: Int) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        buckets = ContiguousArray(repeating: Self.empty, count: size)
        slotMask = 7
        while Int(slotMask) < limit { slotMask = slotMask << 1 | 1 }
    }

    /// Puts in an entry whose identifier is known not to be here. There is room.
    @inlinable
    mutating func insertNew(_ slot: Slot, hash: UInt32) {
        let mask = buckets.count - 1
        var position = home(of: hash)
        while buckets[position] != Self.empty { position = (position + 1) & mask }
        buckets[position] = bucket(slot, hash: hash)
        count += 1
    }
}
