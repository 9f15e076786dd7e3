/// The items of a snapshot by slot, in two stores: a frozen store that copies share, followed by the table's own
/// store.
///
/// A new item, or an item with new content, gets a new slot in the table's own store. Removed items stay in their slots.
/// So a slot has the same item with the same content in all copies that share this slot.
///
/// The arrangement decides which slots are in use; `find(_:)` may return one that is not. Before the first lookup, all slots
/// are in use.
@usableFromInline
struct ItemTable<Item: Identifiable & Equatable>: Sendable where Item.ID: Sendable {
    @usableFromInline typealias Store = ElementStore<Item>

    /// The items in the slots from 0, which never change.
    @usableFromInline var frozen: Store?
    /// The items in the slots from `frozenCount`.
    @usableFromInline var own: Store

    @inlinable init(_ own: Store = Store()) { self.own = own }

    @inlinable var frozenCount: Slot { frozen?.count ?? 0 }

    /// The number of assigned slots.
    @inlinable var slotLimit: Slot { frozenCount + own.count }

    @inlinable
    subscript(slot: Slot) -> Item {
        guard let frozen else { return own.elements[Int(slot)] }
        return slot < frozen.count ? frozen.elements[Int(slot)] : own.elements[Int(slot - frozen.count)]
    }

    @inlinable
    func identifier(of slot: Slot) -> Item.ID {
        guard let frozen else { return own.elements[Int(slot)].id }
        return slot < frozen.count ? frozen.elements[Int(slot)].id : own.elements[Int(slot - frozen.count)].id
    }

    /// True if the identities of all slots are known.
    @inlinable var isHashed: Bool {
        (own.known != nil || own.count == 0) && (frozen.map { $0.known != nil } ?? (own.count > 0))
    }

    /// Returns a slot of an identifier; nil if it has none. `isAmbiguous` is true if two items may have the same identifier.
    /// Hashes all items if the table is not hashed.
    @inlinable
    func find(_ identifier: Item.ID) -> (slot: Slot, isAmbiguous: Bool)? {
        let hash = Store.hash(of: identifier)
        let identities = own.identities(after: frozen)
        guard let frozen else {
            guard let slot = own.slot(of: identifier, hash: hash, in: identities) else { return nil }
            return (slot, identities.pointee.mayHaveDuplicates)
        }
        let earlier = frozen.identities()
        let isAmbiguous = identities.pointee.mayHaveDuplicates || earlier.pointee.mayHaveDuplicates
        if let slot = own.slot(of: identifier, hash: hash, in: identities) { return (frozen.count + slot, isAmbiguous) }
        guard let slot = frozen.slot(of: identifier, hash: hash, in: earlier) else { return nil }
        return (slot, isAmbiguous)
    }

    /// True if two items may have the same identifier. Hashes all items if the table is not hashed.
    @inlinable var mayHaveDuplicates: Bool {
        if own.identities(after: frozen).pointee.mayHaveDuplicates { return true }
        guard let frozen else { return false }
        return frozen.identities().pointee.mayHaveDuplicates
    }

    /// Prepares the table's own store for a change, if a copy shares the store. Freezes the store if it has more than
    /// `freezeThreshold` slots and no store is frozen yet. Otherwise, the change copies the store.
    @inlinable
    mutating func prepareForChange(freezeThreshold: Int) {
        if isKnownUniquelyReferenced(&own) { return }
        if frozen == nil, own.count > freezeThreshold {
            frozen = own
            own = Store()
        } else {
            own = Store(copying: own)
        }
    }

    /// Stores items in new slots, and returns the slots. The table must be prepared for change. `arrangement` lists the
    /// slots in use.
    @inlinable
    mutating func append(_ items: some Collection<Item>, among arrangement: Arrangement) -> Range<Slot> {
        let first = own.count
        let isIdentified = own.known != nil || first == 0 && frozen?.known != nil
        own.append(items)
        if isIdentified {
            let identities = own.known ?? own.keep(Identities())
            own.identify(from: first, in: &identities.pointee, after: frozen, isInUse: arrangement.isInUse)
        }
        return frozenCount + first..<slotLimit
    }

    /// Returns the number of slots that two tables share, which are the first ones of both; 0 if the tables have no
    /// common history.
    @inlinable
    func sharedSlotCount(with other: ItemTable) -> Slot {
        switch (frozen, other.frozen) {
        case (nil, nil): own.sharedCount(with: other.own, count: own.count, otherCount: other.own.count)
        case (let one?, let another?):
            if one !== another {
                0
            } else {
                one.count + own.sharedCount(with: other.own, count: own.count, otherCount: other.own.count)
            }
        case (let one?, nil): one === other.own ? one.count : 0
        case (nil, let another?): another === own ? another.count : 0
        }
    }
}
