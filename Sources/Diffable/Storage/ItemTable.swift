/// The items of a snapshot by slot, in two stores: a frozen one that copies share, and one of its own behind it.
///
/// A new item, or an item with other content, gets a new slot in the own store. Removed items stay in their slots. So a
/// slot has the same item with the same content in all copies that have it, and `commonSlots(with:)` returns their
/// number. The arrangement knows which slots are in the snapshot: the slot of an identifier may be unused.
@usableFromInline
struct ItemTable<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    @usableFromInline typealias Store = ElementStore<Item>

    /// Slots from 0. Never changed once it is here.
    @usableFromInline var frozen = Store()
    @usableFromInline var frozenToken: StoreToken?
    /// Slots from `frozen.count`.
    @usableFromInline var own = Store()
    @usableFromInline var token = StoreToken()
    /// The table that the own store was copied from, and how many slots they have in common.
    @usableFromInline var parent: StoreToken?
    @usableFromInline var parentCount: Slot = 0

    @inlinable init() {}

    /// A table of these, all in place.
    @inlinable init(_ store: Store) { own = store }

    /// One more than the largest slot given out.
    @inlinable var slotLimit: Slot { frozen.count + own.count }

    @inlinable
    func identifier(of slot: Slot) -> Item.ID {
        slot < frozen.count ? frozen.entries[Int(slot)].identifier : own.entries[Int(slot - frozen.count)].identifier
    }

    @inlinable
    func hash(of slot: Slot) -> UInt32 {
        slot < frozen.count ? frozen.hashes[Int(slot)] : own.hashes[Int(slot - frozen.count)]
    }

    @inlinable
    subscript(slot: Slot) -> Item {
        slot < frozen.count ? frozen.entries[Int(slot)].element : own.entries[Int(slot - frozen.count)].element
    }

    /// Returns the last slot of an identifier; nil if it has none. The own store comes first.
    @inlinable
    func slot(of identifier: Item.ID, hash: UInt32) -> Slot? {
        let slot = own.slot(of: identifier, hash: hash)
        if slot != noSlot { return frozen.count + slot }
        let shared = frozen.slot(of: identifier, hash: hash)
        return shared == noSlot ? nil : shared
    }

    /// The store with all slots, if there is one.
    @inlinable var wholeStore: Store? {
        if frozen.count == 0 { return own }
        return own.count == 0 ? frozen : nil
    }
}

extension ItemTable {
    /// Makes the own store unique to this table. It is copied if it is `small`, otherwise frozen.
    @inlinable
    mutating func prepareForChange(small: Int) {
        guard !isKnownUniquelyReferenced(&token) else { return }
        if frozen.count == 0 && own.count > small {
            frozen = own
            frozenToken = token
            own = Store()
            parent = nil
            parentCount = 0
        } else {
            parent = token
            parentCount = own.count
        }
        token = StoreToken()
    }

    /// Inserts all of `items` in new slots, or none if one is a duplicate.
    ///
    /// `arrangement` knows which slots are in the snapshot. The table must be prepared for change.
    @inlinable
    mutating func insert(
        _ items: some Collection<Item>, among arrangement: Arrangement, orThrow duplicate: (Item.ID) -> DiffableError
    ) throws(DiffableError) -> Range<Slot> {
        let first = own.count
        own.reserve(items.count)
        for item in items {
            let identifier = item.id
            _ = own.store(item, identifier, hash: Store.hash(of: identifier))
        }
        // In a loop of its own, so that the searches wait for memory together.
        var replaced: [(position: Int, bucket: IdentityIndex.Bucket)] = []
        for slot in first..<own.count {
            let hash = own.hashes[Int(slot)]
            let position = own.index.position(of: hash) {
                own.entries[Int($0)].identifier == own.entries[Int(slot)].identifier
            }
            let bucket = own.index.buckets[position]
            if bucket == IdentityIndex.empty {
                own.index.count += 1
            } else {
                replaced.append((position, bucket))
            }
            own.index.buckets[position] = own.index.bucket(slot, hash: hash)
            guard bucket != IdentityIndex.empty || frozen.count > 0 else { continue }
            let earlier = bucket == IdentityIndex.empty ? nil : own.index.slot(in: bucket)
            if isThere(slot, before: earlier, first: first, among: arrangement) {
                let identifier = own.entries[Int(slot)].identifier
                takeBack(from: first, indexed: slot, replaced)
                throw duplicate(identifier)
            }
        }
        return frozen.count + first..<slotLimit
    }

    /// Whether the identifier of a new slot is in the snapshot already, or comes earlier among the new ones.
    @inlinable
    func isThere(_ slot: Slot, before earlier: Slot?, first: Slot, among arrangement: Arrangement) -> Bool {
        if let earlier { return earlier >= first || arrangement.extent(ofSlot: frozen.count + earlier) != nil }
        let shared = frozen.slot(of: own.entries[Int(slot)].identifier, hash: own.hashes[Int(slot)])
        return shared != noSlot && arrangement.extent(ofSlot: shared) != nil
    }

    /// Undoes the insertions from `first` on, those up to `last` in the index. What came last there goes first, so that no
    /// search passes a hole.
    @inlinable
    mutating func takeBack(
        from first: Slot, indexed last: Slot, _ replaced: [(position: Int, bucket: IdentityIndex.Bucket)]
    ) {
        for (position, bucket) in replaced.reversed() { own.index.buckets[position] = bucket }
        for slot in (first...last).reversed() {
            let position = own.index.position(of: own.hashes[Int(slot)]) { $0 == slot }
            guard own.index.buckets[position] != IdentityIndex.empty else { continue }
            own.index.buckets[position] = IdentityIndex.empty
            own.index.count -= 1
        }
        own.removeLast(Int(own.count - first))
    }

    /// Replaces the item in `slot`: in this slot if no copy has it, otherwise in a new one.
    ///
    /// The answer is its slot from now on. The table must be prepared for change.
    @inlinable
    mutating func replace(_ slot: Slot, with item: Item) -> Slot {
        if slot >= frozen.count + parentCount {
            own.entries[Int(slot - frozen.count)].element = item
            return slot
        }
        let identifier = identifier(of: slot)
        let hash = hash(of: slot)
        own.reserve(1)
        let new = own.store(item, identifier, hash: hash)
        let position = own.index.position(of: hash) { own.entries[Int($0)].identifier == identifier }
        if own.index.buckets[position] == IdentityIndex.empty { own.index.count += 1 }
        own.index.buckets[position] = own.index.bucket(new, hash: hash)
        return frozen.count + new
    }
}

extension ItemTable {
    /// Both have the same items in slots below this; 0 if they have no common history.
    @inlinable
    func commonSlots(with other: ItemTable) -> Slot {
        if let frozenToken {
            if frozenToken === other.frozenToken { return frozen.count + commonOwnSlots(with: other) }
            return frozenToken === other.token && other.frozenToken == nil ? frozen.count : 0
        }
        if let frozenToken = other.frozenToken { return frozenToken === token ? other.frozen.count : 0 }
        return commonOwnSlots(with: other)
    }

    @inlinable
    func commonOwnSlots(with other: ItemTable) -> Slot {
        if token === other.token { return min(own.count, other.own.count) }
        if let parent, parent === other.token { return min(parentCount, other.own.count) }
        if let parent = other.parent, parent === token { return min(other.parentCount, own.count) }
        if let parent, parent === other.parent { return min(parentCount, other.parentCount) }
        return 0
    }
}
