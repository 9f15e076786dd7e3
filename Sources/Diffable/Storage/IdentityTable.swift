/// Gives each identifier a slot, and finds the slot again: an open-addressing hash table over dense storage.
///
/// An identifier is hashed once, when it enters. Its hash is kept, so that growing, removing and looking up an identifier
/// of another table hash nothing. A slot that was left is given out again before a new one is made.
struct IdentityTable<ID: Hashable & Sendable>: Sendable {
    private var identifiers = PagedArray<ID>()
    private var hashes = PagedArray<UInt32>()
    private var buckets = PagedArray<Slot>()
    private var vacant: [Slot] = []
    private(set) var count: Slot = 0

    /// One more than the largest slot ever given out.
    var slotLimit: Slot { identifiers.count }

    subscript(slot: Slot) -> ID { identifiers[slot] }

    func slot(of id: ID) -> Slot? {
        count == 0 ? nil : slot(of: id, hash: Self.hash(of: id))
    }

    /// The slot here of the identifier that has `slot` in `other`.
    func slot(matching slot: Slot, of other: IdentityTable) -> Slot? {
        count == 0 ? nil : self.slot(of: other.identifiers[slot], hash: other.hashes[slot])
    }

    /// A slot for `id`, or nil where it has one already.
    mutating func insert(_ id: ID) -> Slot? {
        growIfNeeded()
        let hash = Self.hash(of: id)
        let bucket = bucket(of: id, hash: hash)
        guard buckets[bucket] == noSlot else { return nil }
        let slot = store(id, hash: hash)
        buckets[bucket] = slot
        count += 1
        return slot
    }

    /// Forgets the identifier in `slot`, which must be in use.
    mutating func remove(_ slot: Slot) {
        var hole = hashes[slot] & bucketMask
        while buckets[hole] != slot { hole = (hole + 1) & bucketMask }
        closeGap(at: hole)
        vacant.append(slot)
        count -= 1
    }

    private var bucketMask: Slot { buckets.count - 1 }

    private static func hash(of id: ID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.hashValue)
    }

    private func slot(of id: ID, hash: UInt32) -> Slot? {
        let slot = buckets[bucket(of: id, hash: hash)]
        return slot == noSlot ? nil : slot
    }

    /// The bucket that holds `id`, or the empty one where it belongs.
    private func bucket(of id: ID, hash: UInt32) -> Slot {
        var bucket = hash & bucketMask
        while true {
            let slot = buckets[bucket]
            if slot == noSlot || (hashes[slot] == hash && identifiers[slot] == id) { return bucket }
            bucket = (bucket + 1) & bucketMask
        }
    }

    private mutating func store(_ id: ID, hash: UInt32) -> Slot {
        if let slot = vacant.popLast() {
            identifiers[slot] = id
            hashes[slot] = hash
            return slot
        }
        precondition(slotLimit < noSlot - 1, "a snapshot holds at most 2^32 - 2 identifiers")
        identifiers.append(id)
        hashes.append(hash)
        return slotLimit - 1
    }

    /// Moves later entries of the probe sequence back, so that no search stops early at the hole.
    private mutating func closeGap(at start: Slot) {
        var hole = start
        var next = (hole + 1) & bucketMask
        while buckets[next] != noSlot {
            let home = hashes[buckets[next]] & bucketMask
            if (next &- home) & bucketMask >= (next &- hole) & bucketMask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next + 1) & bucketMask
        }
        buckets[hole] = noSlot
    }

    /// Keeps a third of the buckets empty: probe sequences stay short, and every search ends.
    private mutating func growIfNeeded() {
        guard (UInt64(count) + 1) * 3 > UInt64(buckets.count) * 2 else { return }
        let entries = liveSlots()
        buckets = PagedArray(repeating: noSlot, count: max(8, buckets.count * 2))
        for slot in entries {
            var bucket = hashes[slot] & bucketMask
            while buckets[bucket] != noSlot { bucket = (bucket + 1) & bucketMask }
            buckets[bucket] = slot
        }
    }

    private func liveSlots() -> [Slot] {
        (0..<buckets.count).lazy.map { buckets[$0] }.filter { $0 != noSlot }
    }
}
