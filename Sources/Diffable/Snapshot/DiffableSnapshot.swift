/// The state of a list at one moment: sections in order, and in each of them items in order.
///
/// A section or an item is *the same* as another where their `id` is equal, and *unchanged* where they are equal by `==`
/// besides; so a title can change without its row being another row. Identifiers of sections are unique in a snapshot, and
/// so are identifiers of items, over all sections. A method that would break this throws a `DiffableError` naming the
/// identifier and leaves the snapshot as it was; so does one that is given an identifier that is not there.
///
/// A snapshot is a value: copying it costs a constant, and a copy that is edited shares with the original what the edit
/// left alone. The difference between the two is found from the edits, not from the items.
///
/// Costs are given for `n` items in `s` sections. Items that came together are kept together in *stretches*, and `p` is how
/// many of those there are: one for each section, be it empty, of a snapshot that was built from front to back, up to three
/// more for each item edited since then. When edits have added about 8√n, the edit at hand lays the snapshot out anew, in
/// O(n), without hashing or comparing anything. Finding an identifier costs one hash and, on average, one comparison, and
/// for an item O(log p); what is stated of a method comes besides, and so do the O(p + √n) of a copy's first edit.
public struct DiffableSnapshot<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline var sectionTable = SectionTable<Section>()
    @usableFromInline var itemTable = ItemTable<Item>()
    @usableFromInline var arrangement = Arrangement()
    @usableFromInline var marked = MarkedIdentifiers<Section.ID, Item.ID>()

    /// A snapshot with no sections and no items.
    @inlinable
    public init() {}
}

extension DiffableSnapshot {
    /// How many items there are, in all sections.
    @inlinable public var numberOfItems: Int { arrangement.itemCount }

    /// How many sections there are.
    @inlinable public var numberOfSections: Int { sectionTable.count }

    /// How many items the section has; 0 where there is no such section.
    @inlinable
    public func numberOfItems(inSection identifier: Section.ID) -> Int {
        sectionTable.index(of: identifier).map { arrangement.positions(ofSection: $0).count } ?? 0
    }

    /// The identifiers of all items in order, section after section. O(n).
    @inlinable public var itemIdentifiers: [Item.ID] {
        identifiers(inStretches: 0..<arrangement.stretchCount)
    }

    /// The identifiers of the section's items in order; none where there is no such section. O(its items).
    @inlinable
    public func itemIdentifiers(inSection identifier: Section.ID) -> [Item.ID] {
        sectionTable.index(of: identifier).map { identifiers(inStretches: arrangement.stretches(ofSection: $0)) } ?? []
    }

    /// All items in order, section after section. O(n).
    @inlinable public var items: [Item] {
        items(inStretches: 0..<arrangement.stretchCount)
    }

    /// The section's items in order; none where there is no such section. O(its items).
    @inlinable
    public func items(inSection identifier: Section.ID) -> [Item] {
        sectionTable.index(of: identifier).map { items(inStretches: arrangement.stretches(ofSection: $0)) } ?? []
    }

    /// The identifiers of the sections in order. O(s).
    @inlinable public var sectionIdentifiers: [Section.ID] { sectionTable.store.entries.map(\.identifier) }

    /// The sections in order. O(s).
    @inlinable public var sections: [Section] { sectionTable.store.entries.map(\.element) }
}

extension DiffableSnapshot {
    /// Whether an item has this identifier.
    @inlinable
    public func contains(_ identifier: Item.ID) -> Bool { slot(of: identifier) != nil }

    /// Whether a section has this identifier.
    @inlinable
    public func containsSection(_ identifier: Section.ID) -> Bool { sectionTable.index(of: identifier) != nil }

    /// The item with this identifier.
    @inlinable
    public func item(for identifier: Item.ID) -> Item? { slot(of: identifier).map { itemTable[$0] } }

    /// The section with this identifier.
    @inlinable
    public func section(for identifier: Section.ID) -> Section? {
        sectionTable.index(of: identifier).map { sectionTable[$0] }
    }

    /// The section that the item is in; nil where there is no such item. O(log p).
    @inlinable
    public func sectionIdentifier(containingItem identifier: Item.ID) -> Section.ID? {
        position(of: identifier).map { sectionTable.identifier(of: arrangement.section(atPosition: $0)) }
    }

    /// The item's number among all items of the snapshot, in order. O(log p).
    @inlinable
    public func indexOfItem(_ identifier: Item.ID) -> Int? { position(of: identifier) }

    /// The section's number among the sections.
    @inlinable
    public func indexOfSection(_ identifier: Section.ID) -> Int? { sectionTable.index(of: identifier) }

    /// Where the item stands; nil where there is no such item. O(log p).
    @inlinable
    public func indexPath(for identifier: Item.ID) -> ItemIndexPath? {
        position(of: identifier).map(indexPath(atPosition:))
    }

    /// The item that stands there; nil where nothing does. O(log p).
    @inlinable
    public func item(at indexPath: ItemIndexPath) -> Item? {
        position(at: indexPath).map { itemTable[arrangement.slot(atPosition: $0)] }
    }

    /// The identifier of the item that stands there; nil where nothing does. O(log p).
    @inlinable
    public func itemIdentifier(at indexPath: ItemIndexPath) -> Item.ID? {
        position(at: indexPath).map { itemTable.identifier(of: arrangement.slot(atPosition: $0)) }
    }
}

extension DiffableSnapshot {
    /// The slot of an item that is there.
    @inlinable
    func slot(of identifier: Item.ID) -> Slot? {
        guard numberOfItems > 0 else { return nil }
        return slot(of: identifier, hash: ElementStore<Item>.hash(of: identifier))
    }

    @inlinable
    func slot(of identifier: Item.ID, hash: UInt32) -> Slot? {
        guard let slot = itemTable.slot(of: identifier, hash: hash) else { return nil }
        return numberOfItems == itemTable.slotLimit || arrangement.stretch(ofSlot: slot) != nil ? slot : nil
    }

    /// The item's position among all items.
    @inlinable
    func position(of identifier: Item.ID) -> Int? {
        slot(of: identifier).flatMap(arrangement.position(ofSlot:))
    }

    @inlinable
    func position(at indexPath: ItemIndexPath) -> Int? {
        guard indexPath.section >= 0, indexPath.section < numberOfSections else { return nil }
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
    func identifiers(inStretches stretches: Range<Int>) -> [Item.ID] {
        var result: [Item.ID] = []
        result.reserveCapacity(arrangement.count(ofStretches: stretches))
        forEachPart(ofStretches: stretches) { result.append(contentsOf: $0.entries[$1].lazy.map(\.identifier)) }
        return result
    }

    @inlinable
    func items(inStretches stretches: Range<Int>) -> [Item] {
        var result: [Item] = []
        result.reserveCapacity(arrangement.count(ofStretches: stretches))
        forEachPart(ofStretches: stretches) { result.append(contentsOf: $0.entries[$1].lazy.map(\.element)) }
        return result
    }

    /// Hands out the slots of the stretches in order, as they lie in one store or the other.
    @inlinable
    func forEachPart(ofStretches stretches: Range<Int>, _ body: (ElementStore<Item>, Range<Int>) -> Void) {
        let border = Int(itemTable.frozen.count)
        for stretch in stretches {
            let start = Int(arrangement.starts[stretch])
            let end = start + arrangement.count(ofStretch: stretch)
            if start < border { body(itemTable.frozen, start..<min(end, border)) }
            if end > border { body(itemTable.own, max(start, border) - border..<end - border) }
        }
    }
}

extension DiffableSnapshot: Equatable {
    /// True where both have equal sections with equal items in the same order, and the same is marked.
    ///
    /// O(n), with each identifier and each content compared once at most; O(p), with none, where one is a copy of the other
    /// and neither was edited.
    @inlinable
    public static func == (a: DiffableSnapshot, b: DiffableSnapshot) -> Bool {
        guard a.numberOfItems == b.numberOfItems, a.marked == b.marked, a.sectionsEqual(b) else { return false }
        let common = a.itemTable.commonSlots(with: b.itemTable)
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
    /// The identifiers, one section a line. O(n).
    public var description: String {
        (0..<numberOfSections).map { section in
            let items = identifiers(inStretches: arrangement.stretches(ofSection: section)).map { "\($0)" }
            return "\(sectionTable.identifier(of: section)): [\(items.joined(separator: ", "))]"
        }.joined(separator: "\n")
    }
}
