/// The items of a snapshot by slot, in two stores: a frozen store that copies share, followed by a store of this
/// snapshot.
///
/// A new item, or an item with other content, gets a new slot in the own store. Removed items stay in their slots. So a
/// slot has the same item with the same content in all copies that have it, and `commonSlots(with:)` returns their
/// number. The arrangement knows which slots are in the snapshot: the slot of an identifier may be unused.
@usableFromInline
struct ItemTable<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    @usableFromInline typealias Store = ElementStore<Item>
    /// The slots below `count`, whose items are the same in all tables that have the token.
    @usableFromInline typealias Ancestor = (token: StoreToken, count: Slot)

    /// Slots from 0. Never changed.
    @usableFromInline var frozen = Store()
    @usableFromInline var frozenToken: StoreToken?
    /// Slots from `frozen.count`.
    @usableFromInline var own = Store()
    @usableFromInline var token = StoreToken()
    /// The table that the own store was copied from.
    @usableFromInline var parent: Ancestor?

    @inlinable init() {}

    @inlinable init(_ store: Store) { own = store }

    /// The number of assigned slots.
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
        if let slot = own.slot(of: identifier, hash: hash) { return frozen.count + slot }
        return frozen.slot(of: identifier, hash: hash)
    }

    /// The store with all slots, if there is one.
    @inlinable var wholeStore: Store? {
        if frozen.count == 0 { return own }
        return own.count == 0 ? frozen : nil
    }

    /// Makes the own store unique to this table. Freezes the store if it has more than `small` slots and no store is frozen
    /// yet. Otherwise, the next write copies it.
    @inlinable
    mutating func prepareForChange(small: Int) {
        guard !isKnownUniquelyReferenced(&token) else { return }
        if frozen.count == 0 && own.count > small {
            frozen = own
            frozenToken = token
            own = Store()
            parent = nil
        } else {
            parent = (token, slotLimit)
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
            _ = own.append(item, identifier, hash: Store.hash(of: identifier))
        }
        // A loop of its own, so that the cache misses of the lookups overlap.
        var replaced: [Slot] = []
        for slot in first..<own.count {
            let earlier = own.indexSlot(slot)
            if let earlier { replaced.append(earlier) } else if frozen.count == 0 { continue }
            if isDuplicate(slot, of: earlier, first: first, among: arrangement) {
                let identifier = own.entries[Int(slot)].identifier
                own.removeSlots(from: first, restoring: replaced)
                throw duplicate(identifier)
            }
        }
        return frozen.count + first..<slotLimit
    }

    /// Returns whether the identifier of a new slot is in the snapshot, or in an earlier new slot.
    @inlinable
    func isDuplicate(_ slot: Slot, of earlier: Slot?, first: Slot, among arrangement: Arrangement) -> Bool {
        if let earlier { return earlier >= first || arrangement.extent(ofSlot: frozen.count + earlier) != nil }
        let shared = frozen.slot(of: own.entries[Int(slot)].identifier, hash: own.hashes[Int(slot)])
        return shared.flatMap(arrangement.extent(ofSlot:)) != nil
    }

    /// Replaces the item in `slot`: in this slot if no copy has it, otherwise in a new one. Returns its slot.
    ///
    /// The table must be prepared for change.
    @inlinable
    mutating func replace(_ slot: Slot, with item: Item) -> Slot {
        if slot >= parent?.count ?? frozen.count {
            own.entries[Int(slot - frozen.count)].element = item
            return slot
        }
        own.reserve(1)
        let new = own.append(item, identifier(of: slot), hash: hash(of: slot))
        _ = own.indexSlot(new)
        return frozen.count + new
    }

    /// Returns the number of first slots that have the same items in both; 0 if they have no common history.
    @inlinable
    func commonSlots(with other: ItemTable) -> Slot {
        let others = other.lineage
        for one in lineage {
            for other in others where one.token === other.token { return min(one.count, other.count) }
        }
        return 0
    }

    /// This table and the tables that it was copied from, the most slots first.
    @inlinable var lineage: [Ancestor] {
        [(token, slotLimit), parent, frozenToken.map { ($0, frozen.count) }].compactMap { $0 }
    }
}
