/// The content of a list: sections in order, with items in order.
///
/// Two sections or items with equal `id` are *the same*. If they are also equal by `==`, they are *unchanged*. So the
/// title of an item can change while the item stays the same. Identifiers of sections are unique in a snapshot, and
/// identifiers of items are unique in all its sections. A method that would break this rule, or gets an unknown
/// identifier, throws a `DiffableError` with the identifier. The snapshot is then unchanged.
///
/// A snapshot stores its elements, and reads `id` whenever it compares or hashes an identifier. So `id` should be a stored
/// property, or cost as little.
///
/// A new snapshot is not *hashed*: appending hashes nothing. The first method that looks up an item hashes all items in
/// O(n), once for all copies. An append before the first lookup does not check for duplicates. The first edit that names
/// an item, a difference, a data source and `checkIdentifiers()` do, and throw `duplicateItem`.
///
/// A snapshot is a value. Copying a snapshot takes constant time. An edited copy shares unedited storage with the
/// original. So after few edits, their difference costs much less than a comparison of all items.
///
/// Costs are stated for `n` items in `s` sections. The order of the items is stored as *extents*, which are ranges of
/// items in the order of their storage. `p` is the number of sections and extents. A snapshot that was built in order
/// has one extent for each section with items. Each edited item adds up to three. When edits have added about 16√n
/// extents, the last edit compacts the storage in O(n), without hashing or comparing. A cost of O(p log p) is for sorting
/// the extents. If the extents are in the order of their storage, sorting costs O(p). Appending to sections in turn adds
/// one extent for each append, and does not compact. The next edit of another kind does, and `apply` compacts its copy.
///
/// Finding an identifier takes one hash, one comparison on average, and for an item O(log p). The first edit of a copy
/// takes O(p + √n). The stated costs of a method do not include these costs.
public struct DiffableSnapshot<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline var sectionTable = SectionTable<Section>()
    @usableFromInline var itemTable = ItemTable<Item>()
    @usableFromInline var arrangement = Arrangement()
    @usableFromInline var marked = MarkedIdentifiers<Section.ID, Item.ID>()

    /// Creates an empty snapshot.
    @inlinable public init() {}
}

extension DiffableSnapshot {
    /// The number of items in all sections.
    @inlinable public var numberOfItems: Int { arrangement.itemCount }

    /// The number of sections.
    @inlinable public var numberOfSections: Int { sectionTable.count }

    /// Returns the number of items in a section; 0 if there is no such section.
    @inlinable
    public func numberOfItems(inSection identifier: Section.ID) -> Int {
        sectionTable.index(of: identifier).map { arrangement.positions(ofSection: $0).count } ?? 0
    }

    /// The identifiers of all items in order. O(n)
    @inlinable public var itemIdentifiers: [Item.ID] { identifiers(inSections: 0..<numberOfSections) }

    /// Returns the identifiers of a section's items in order; empty if there is no such section. O(items of the
    /// section)
    @inlinable
    public func itemIdentifiers(inSection identifier: Section.ID) -> [Item.ID] {
        sectionTable.index(of: identifier).map { identifiers(inSections: $0..<$0 + 1) } ?? []
    }

    /// All items in order. O(n)
    @inlinable public var items: [Item] { items(inSections: 0..<numberOfSections) }

    /// Returns the items of a section in order; empty if there is no such section. O(items of the section)
    @inlinable
    public func items(inSection identifier: Section.ID) -> [Item] {
        sectionTable.index(of: identifier).map { items(inSections: $0..<$0 + 1) } ?? []
    }

    /// The identifiers of the sections in order. O(s)
    @inlinable public var sectionIdentifiers: [Section.ID] { sectionTable.store.elements.map(\.id) }

    /// The sections in order. O(s)
    @inlinable public var sections: [Section] { Array(sectionTable.store.elements) }
}

extension DiffableSnapshot {
    /// Throws if two items have the same identifier. For programs that want this error before they apply the snapshot.
    /// O(n) to hash the items, unless they are hashed
    ///
    /// - Throws: `DiffableError` with `duplicateItem`.
    @inlinable public func checkIdentifiers() throws(DiffableError) { try checkUniqueness(in: "checkIdentifiers") }

    /// Returns true if an item has this identifier.
    @inlinable public func contains(_ identifier: Item.ID) -> Bool { slot(of: identifier) != nil }

    /// Returns true if a section has this identifier.
    @inlinable
    public func containsSection(_ identifier: Section.ID) -> Bool { sectionTable.index(of: identifier) != nil }

    /// Returns the item with this identifier; nil if there is none.
    @inlinable public func item(for identifier: Item.ID) -> Item? { slot(of: identifier).map { itemTable[$0] } }

    /// Returns the section with this identifier; nil if there is none.
    @inlinable
    public func section(for identifier: Section.ID) -> Section? {
        sectionTable.index(of: identifier).map { sectionTable[$0] }
    }

    /// Returns the section of an item; nil if there is no such item. O(log p)
    @inlinable
    public func sectionIdentifier(containingItem identifier: Item.ID) -> Section.ID? {
        position(of: identifier).map { sectionTable.identifier(of: arrangement.section(atPosition: $0)) }
    }

    /// Returns the index of an item among all items; nil if there is no such item. O(log p)
    @inlinable public func indexOfItem(_ identifier: Item.ID) -> Int? { position(of: identifier) }

    /// Returns the index of a section; nil if there is no such section.
    @inlinable public func indexOfSection(_ identifier: Section.ID) -> Int? { sectionTable.index(of: identifier) }

    /// Returns the index path of an item; nil if there is no such item. O(log p)
    @inlinable
    public func indexPath(for identifier: Item.ID) -> ItemIndexPath? {
        position(of: identifier).map(indexPath(atPosition:))
    }

    /// Returns the item at an index path; nil if there is none. O(log p)
    @inlinable
    public func item(at indexPath: ItemIndexPath) -> Item? {
        position(at: indexPath).map { itemTable[arrangement.slot(atPosition: $0)] }
    }

    /// Returns the identifier of the item at an index path; nil if there is none. O(log p)
    @inlinable
    public func itemIdentifier(at indexPath: ItemIndexPath) -> Item.ID? {
        position(at: indexPath).map { itemTable.identifier(of: arrangement.slot(atPosition: $0)) }
    }
}

extension DiffableSnapshot {
    /// Returns the slot of an item; nil if there is no such item.
    @inlinable
    func slot(of identifier: Item.ID) -> Slot? {
        slot(of: identifier, hash: ElementStore<Item>.hash(of: identifier))
    }

    @inlinable
    func slot(of identifier: Item.ID, hash: UInt32) -> Slot? {
        guard let slot = itemTable.slot(of: identifier, hash: hash) else { return nil }
        return numberOfItems == itemTable.slotLimit || arrangement.location(ofSlot: slot) != nil ? slot : nil
    }

    /// Returns the position of an item among all items; nil if there is no such item.
    @inlinable
    func position(of identifier: Item.ID) -> Int? {
        guard let slot = itemTable.slot(of: identifier, hash: ElementStore<Item>.hash(of: identifier)) else {
            return nil
        }
        return arrangement.position(ofSlot: slot)
    }

    @inlinable
    func position(at indexPath: ItemIndexPath) -> Int? {
        guard indexPath.section >= 0, indexPath.section < arrangement.sectionCount else { return nil }
        let positions = arrangement.positions(ofSection: indexPath.section)
        guard indexPath.item >= 0, indexPath.item < positions.count else { return nil }
        return positions.lowerBound + indexPath.item
    }

    @inlinable
    func indexPath(atPosition position: Int) -> ItemIndexPath {
        let section = arrangement.section(atPosition: position)
        return ItemIndexPath(section: section, item: position - arrangement.positions(ofSection: section).lowerBound)
    }

    @inlinable
    func identifiers(inSections sections: Range<Int>) -> [Item.ID] {
        var result: [Item.ID] = []
        result.reserveCapacity(arrangement.positions(ofSections: sections).count)
        forEachPart(ofSections: sections) { result.append(contentsOf: $0.elements[$1].lazy.map { $0.id }) }
        return result
    }

    @inlinable
    func items(inSections sections: Range<Int>) -> [Item] {
        var result: [Item] = []
        result.reserveCapacity(arrangement.positions(ofSections: sections).count)
        forEachPart(ofSections: sections) { result.append(contentsOf: $0.elements[$1]) }
        return result
    }

    /// Calls `body` with a store and a range of its slots, for each part of the sections in order.
    @inlinable
    func forEachPart(ofSections sections: Range<Int>, _ body: (ElementStore<Item>, Range<Int>) -> Void) {
        let border = Int(itemTable.frozen.count)
        arrangement.forEachExtent(inSections: sections) { slots in
            let start = Int(slots.lowerBound)
            let end = Int(slots.upperBound)
            if start < border { body(itemTable.frozen, start..<min(end, border)) }
            if end > border { body(itemTable.own, max(start, border) - border..<end - border) }
        }
    }
}

extension DiffableSnapshot: Equatable {
    /// Returns true if both snapshots have equal sections with equal items in the same order, and the same marks.
    ///
    /// O(n), with at most one comparison of each identifier and content. O(p) without comparisons if one snapshot is an
    /// unedited copy of the other.
    @inlinable
    public static func == (a: DiffableSnapshot, b: DiffableSnapshot) -> Bool {
        guard a.numberOfItems == b.numberOfItems, a.marked == b.marked, a.sectionsEqual(b) else { return false }
        let common = a.itemTable.commonSlotCount(with: b.itemTable)
        if common == a.itemTable.slotLimit, common == b.itemTable.slotLimit, a.arrangement == b.arrangement {
            return true
        }
        return (0..<a.numberOfSections).allSatisfy {
            a.arrangement.positions(ofSection: $0) == b.arrangement.positions(ofSection: $0)
        } && a.itemIdentifiers == b.itemIdentifiers && a.items == b.items
    }

    @inlinable
    func sectionsEqual(_ other: DiffableSnapshot) -> Bool {
        sectionTable.token === other.sectionTable.token
            || sectionIdentifiers == other.sectionIdentifiers && sections == other.sections
    }
}

extension DiffableSnapshot: CustomStringConvertible {
    /// The identifiers, one section on a line. O(n)
    public var description: String {
        (0..<numberOfSections).map { section in
            let items = identifiers(inSections: section..<section + 1).map { "\($0)" }
            return "\(sectionTable.identifier(of: section)): [\(items.joined(separator: ", "))]"
        }.joined(separator: "\n")
    }
}
