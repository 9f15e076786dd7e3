/// Finds the slot of a hash: open addressing with linear probing over a power of two of buckets, half of them empty.
///
/// A bucket of 32 bits holds the slot in as many low bits as there are slots, and in the rest as many bits of the hash as
/// there is room for, so that an identifier is compared only where those agree, and the whole stays in the cache.
/// Entries are never taken out but in reverse: what is no longer there is known by the arrangement.
@usableFromInline
struct IdentityIndex: Sendable {
    @usableFromInline
    typealias Bucket = UInt32

    @usableFromInline var buckets: ContiguousArray<Bucket> = []
    @usableFromInline var count = 0
    /// The low bits of a bucket.
    @usableFromInline var slotMask: UInt32 = 0

    @inlinable
    init() {}

    /// No entry: no slot is so large.
    @inlinable static var empty: Bucket { Bucket.max }

    @inlinable
    func bucket(_ slot: Slot, hash: UInt32) -> Bucket {
        slot | hash & ~slotMask
    }

    @inlinable
    func slot(in bucket: Bucket) -> Slot {
        bucket & slotMask
    }

    /// Where a search for the hash begins.
    @inlinable
    func home(of hash: UInt32) -> Int {
        Int(hash) & (buckets.count - 1)
    }

    /// Where the entry with this hash that `matches` stands, or the empty bucket where it belongs. There is room.
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

    /// The slot with this hash that `matches`; `noSlot` where there is none.
    @inlinable
    func slot(of hash: UInt32, where matches: (Slot) -> Bool) -> Slot {
        if buckets.isEmpty { return noSlot }
        let bucket = buckets[position(of: hash, where: matches)]
        return bucket == Self.empty ? noSlot : slot(in: bucket)
    }

    /// The first slot whose entry has what is kept of this hash, with its identifier yet to be compared; `noSlot` where
    /// there is none.
    @inlinable
    func candidate(of hash: UInt32) -> Slot {
        slot(of: hash) { _ in true }
    }

    /// True where so many entries more, with slots below the limit, go in without a move.
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
