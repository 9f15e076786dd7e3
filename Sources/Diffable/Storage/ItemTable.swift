/// The items of a snapshot by slot, in two stores: a frozen store that copies share, followed by the table's own
/// store.
///
/// A new item gets a new slot in the table's own store. An item with new content also gets one if a copy has ever had
/// the item. Removed items stay in their slots. So a slot has the same item with the same content in all copies that
/// share this slot. `commonSlotCount(with:)` returns the number of slots that two tables share.
///
/// The arrangement lists the slots in use. `slot(of:hash:)` may return an unused slot.
///
/// At most one store is not hashed: the table's own store if no store is frozen, or the frozen store if the own one is
/// empty. A duplicate in a store that is not hashed is found when it is hashed.
@usableFromInline
struct ItemTable<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    @usableFromInline typealias Store = ElementStore<Item>
    /// The slots below `count`, whose items are the same in all tables that have the token.
    @usableFromInline typealias Ancestor = (token: StoreToken, count: Slot)

    /// The items in the slots from 0, which never change.
    @usableFromInline var frozen = Store()
    @usableFromInline var frozenToken: StoreToken?
    /// The items in the slots from `frozen.count`.
    @usableFromInline var own = Store(isHashed: false)
    @usableFromInline var token = StoreToken()
    /// The table from which this table's own store was last copied; nil if the store was not copied.
    @usableFromInline var parent: Ancestor?

    @inlinable init() {}

    @inlinable
    init(_ store: Store, isUnique: Bool) {
        own = store
        token.isUnique = isUnique
    }

    /// The number of assigned slots.
    @inlinable var slotLimit: Slot { frozen.count + own.count }

    @inlinable
    func identifier(of slot: Slot) -> Item.ID {
        slot < frozen.count ? frozen.elements[Int(slot)].id : own.elements[Int(slot - frozen.count)].id
    }

    @inlinable
    func hash(of slot: Slot) -> UInt32 {
        guard isHashed else { return Store.hash(of: identifier(of: slot)) }
        return slot < frozen.count
            ? frozen.identities.hashes[Int(slot)] : own.identities.hashes[Int(slot - frozen.count)]
    }

    @inlinable
    subscript(slot: Slot) -> Item {
        slot < frozen.count ? frozen.elements[Int(slot)] : own.elements[Int(slot - frozen.count)]
    }

    /// Returns the slot of an identifier; nil if it has none. If it has several, returns the last one in a hashed table, and
    /// the first one in other tables. Searches the table's own store first.
    @inlinable
    func slot(of identifier: Item.ID, hash: UInt32) -> Slot? {
        if !isHashed { return slotInTokenIdentities(of: identifier, hash: hash) }
        if let slot = own.slot(of: identifier, hash: hash) { return frozen.count + slot }
        return frozen.slot(of: identifier, hash: hash)
    }

    /// Returns the slot of an identifier in the store that is not hashed; nil if it has none.
    @inlinable @inline(never)
    func slotInTokenIdentities(of identifier: Item.ID, hash: UInt32) -> Slot? {
        guard let (store, token) = wholeStore else { return nil }
        return store.slot(of: identifier, hash: hash, in: token.identities(of: store))
    }

    /// The store that has all slots, and its token; nil if both stores have some.
    @inlinable var wholeStore: (store: Store, token: StoreToken)? {
        guard let frozenToken, frozen.count > 0 else { return (own, token) }
        return own.count == 0 ? (frozen, frozenToken) : nil
    }

    /// True if both stores are hashed.
    @inlinable var isHashed: Bool { own.isHashed && frozen.isHashed }

    /// True if all identifiers are known to be unique.
    @inlinable var isUnique: Bool { isHashed || wholeStore?.token.isUnique ?? true }

    /// Returns an identifier that two items have; nil if there is none. Hashes the identifiers unless they are known as
    /// unique.
    @inlinable
    func duplicate() -> Item.ID? {
        guard !isUnique, let (store, token) = wholeStore else { return nil }
        return token.identities(of: store).duplicate.map { store.elements[Int($0)].id }
    }

    /// Hashes the items of the store that is not hashed, and keeps their identities in its token.
    @inlinable
    func hashIntoToken() {
        if let (store, token) = wholeStore { _ = token.identities(of: store) }
    }

    /// Remembers that all identifiers are unique.
    @inlinable
    func markAsUnique() {
        if !isHashed { wholeStore?.token.isUnique = true }
    }

    /// Takes the identities from the token of a store that is not hashed, if they are known and unique. O(1)
    @inlinable
    mutating func adoptIdentities() {
        if isHashed { return }
        if own.isHashed {
            if let frozenToken { frozen.adoptIdentities(from: frozenToken) }
        } else {
            own.adoptIdentities(from: token)
        }
    }

    /// Prepares the table's own store for a change, if a copy shares the store. Freezes the store if it has more than
    /// `freezeThreshold` slots and no store is frozen yet. Otherwise, the change copies the store.
    @inlinable
    mutating func prepareForChange(freezeThreshold: Int) {
        if isKnownUniquelyReferenced(&token) {
            // The token must not keep the identities of the store before the change.
            if token.isHashed {
                adoptIdentities()
                if own.isHashed { token = StoreToken() }
            }
            return
        }
        adoptIdentities()
        if frozen.count == 0 && own.count > freezeThreshold {
            frozen = own
            frozenToken = token
            own = Store()
            parent = nil
        } else {
            parent = (token, slotLimit)
        }
        token = StoreToken()
    }

    /// Appends items in new slots to the table's own store, which is not hashed. The table must be prepared for change.
    @inlinable
    mutating func appendUnchecked(_ items: some Collection<Item>) -> Range<Slot> {
        let first = own.count
        own.append(items)
        token.isUnique = false
        return first..<own.count
    }

    /// Inserts all of `items` in new slots, or none if one is a duplicate.
    ///
    /// `arrangement` lists the slots in use. The table must be hashed and prepared for change.
    @inlinable
    mutating func insert(
        _ items: some Collection<Item>, among arrangement: Arrangement, orThrow duplicate: (Item.ID) -> DiffableError
    ) throws(DiffableError) -> Range<Slot> {
        let first = own.count
        own.reserve(items.count)
        for item in items {
            _ = own.append(item, hash: Store.hash(of: item.id))
        }
        // A loop of its own, so that the cache misses of the lookups overlap.
        var replaced: [Slot] = []
        for slot in first..<own.count {
            let earlier = own.insertInIndex(slot)
            if let earlier { replaced.append(earlier) } else if frozen.count == 0 { continue }
            if isDuplicate(slot, of: earlier, first: first, among: arrangement) {
                let identifier = own.elements[Int(slot)].id
                own.removeSlots(from: first, restoring: replaced)
                throw duplicate(identifier)
            }
        }
        return frozen.count + first..<slotLimit
    }

    /// Returns true if the identifier of a new slot is in the snapshot, or in an earlier new slot.
    ///
    /// `earlier` is the slot that the index had for this identifier. New slots begin at `first`. All three are slots of
    /// the table's own store.
    @inlinable
    func isDuplicate(_ slot: Slot, of earlier: Slot?, first: Slot, among arrangement: Arrangement) -> Bool {
        if let earlier { return earlier >= first || arrangement.location(ofSlot: frozen.count + earlier) != nil }
        let shared = frozen.slot(of: own.elements[Int(slot)].id, hash: own.identities.hashes[Int(slot)])
        return shared.flatMap(arrangement.location(ofSlot:)) != nil
    }

    /// Replaces the item in `slot`: in the same slot if no copy has ever shared the slot, otherwise in a new slot.
    /// Returns the slot.
    ///
    /// The table must be hashed and prepared for change.
    @inlinable
    mutating func replace(_ slot: Slot, with item: Item) -> Slot {
        if slot >= parent?.count ?? frozen.count {
            own.elements[Int(slot - frozen.count)] = item
            return slot
        }
        own.reserve(1)
        let new = own.append(item, hash: hash(of: slot))
        _ = own.insertInIndex(new)
        return frozen.count + new
    }

    /// Returns the number of slots that two tables share, which are the first ones of both; 0 if the tables have no
    /// common history.
    @inlinable
    func commonSlotCount(with other: ItemTable) -> Slot {
        let otherLineage = other.lineage
        for ancestor in lineage {
            for otherAncestor in otherLineage where ancestor.token === otherAncestor.token {
                return min(ancestor.count, otherAncestor.count)
            }
        }
        return 0
    }

    /// This table, the table from which its own store was last copied, and the table whose store is frozen, in descending
    /// order of slot counts.
    @inlinable var lineage: [Ancestor] {
        [(token, slotLimit), parent, frozenToken.map { ($0, frozen.count) }].compactMap { $0 }
    }
}
