/// The state of a list at one moment: sections in order, and in each of them items in order.
///
/// A section or an item is *the same* as another where their `id` is equal, and *unchanged* where they are equal by `==`
/// besides; so a title can change without its row being another row. Identifiers of sections are unique in a snapshot, and
/// so are identifiers of items, over all sections. A method that would break this throws a `DiffableError` naming the
/// identifier and leaves the snapshot as it was; so does one that is given an identifier that is not there.
///
/// A snapshot is a value: copying it is cheap, and a copy that is edited shares with the original what the edit left alone.
///
/// Costs are given for `n` items in `s` sections. Finding an identifier costs one hash and, on average, one comparison.
/// Where a method's cost says *a position*, the position is found in one stretch of at most 256 items and a list of such
/// stretches, without looking at identifiers: 256 and `n`/32 small steps at worst.
public struct DiffableSnapshot<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Sendable where Section.ID: Sendable, Item.ID: Sendable {
    var sectionTable = ElementTable<Section>()
    var itemTable = ElementTable<Item>()
    var arrangement = Arrangement()
    var marked = MarkedSlots()

    /// A snapshot with no sections and no items.
    public init() {}
}

extension DiffableSnapshot {
    /// How many items there are, in all sections.
    public var numberOfItems: Int { itemTable.count }

    /// How many sections there are.
    public var numberOfSections: Int { sectionTable.count }

    /// How many items the section has; 0 where there is no such section.
    public func numberOfItems(inSection identifier: Section.ID) -> Int {
        sectionTable.slot(of: identifier).map(arrangement.itemCount(ofSection:)) ?? 0
    }

    /// The identifiers of all items in order, section after section. O(n).
    public var itemIdentifiers: [Item.ID] {
        arrangement.items().map(itemTable.identifier(of:))
    }

    /// The identifiers of the section's items in order; none where there is no such section. O(its items).
    public func itemIdentifiers(inSection identifier: Section.ID) -> [Item.ID] {
        itemSlots(inSection: identifier).map(itemTable.identifier(of:))
    }

    /// All items in order, section after section. O(n).
    public var items: [Item] {
        arrangement.items().map { itemTable[$0] }
    }

    /// The section's items in order; none where there is no such section. O(its items).
    public func items(inSection identifier: Section.ID) -> [Item] {
        itemSlots(inSection: identifier).map { itemTable[$0] }
    }

    /// The identifiers of the sections in order. O(s).
    public var sectionIdentifiers: [Section.ID] {
        arrangement.sections.map(sectionTable.identifier(of:))
    }

    /// The sections in order. O(s).
    public var sections: [Section] {
        arrangement.sections.map { sectionTable[$0] }
    }

    /// Whether an item has this identifier.
    public func contains(_ identifier: Item.ID) -> Bool {
        itemTable.slot(of: identifier) != nil
    }

    /// Whether a section has this identifier.
    public func containsSection(_ identifier: Section.ID) -> Bool {
        sectionTable.slot(of: identifier) != nil
    }

    /// The item with this identifier.
    public func item(for identifier: Item.ID) -> Item? {
        itemTable.slot(of: identifier).map { itemTable[$0] }
    }

    /// The section with this identifier.
    public func section(for identifier: Section.ID) -> Section? {
        sectionTable.slot(of: identifier).map { sectionTable[$0] }
    }

    /// The section that the item is in; nil where there is no such item.
    public func sectionIdentifier(containingItem identifier: Item.ID) -> Section.ID? {
        itemTable.slot(of: identifier).map { sectionTable.identifier(of: arrangement.section(ofItem: $0)) }
    }

    /// The item's number among all items of the snapshot, in order. A position, and O(s).
    public func indexOfItem(_ identifier: Item.ID) -> Int? {
        itemTable.slot(of: identifier).map(arrangement.index(ofItem:))
    }

    /// The section's number among the sections. O(s).
    public func indexOfSection(_ identifier: Section.ID) -> Int? {
        sectionTable.slot(of: identifier).map(arrangement.sectionIndex(of:))
    }

    /// Where the item stands; nil where there is no such item. A position, and O(s).
    public func indexPath(for identifier: Item.ID) -> ItemIndexPath? {
        itemTable.slot(of: identifier).map { slot in
            ItemIndexPath(
                section: arrangement.sectionIndex(of: arrangement.section(ofItem: slot)),
                item: arrangement.offset(ofItem: slot))
        }
    }

    /// The item that stands there; nil where nothing does. A position.
    public func item(at indexPath: ItemIndexPath) -> Item? {
        itemSlot(at: indexPath).map { itemTable[$0] }
    }

    func itemSlot(at indexPath: ItemIndexPath) -> Slot? {
        guard arrangement.sections.indices.contains(indexPath.section) else { return nil }
        return arrangement.item(at: indexPath.item, ofSection: arrangement.sections[indexPath.section])
    }

    private func itemSlots(inSection identifier: Section.ID) -> [Slot] {
        sectionTable.slot(of: identifier).map(arrangement.items(ofSection:)) ?? []
    }
}

extension DiffableSnapshot: Equatable {
    /// True where both have equal sections with equal items in the same order, and the same is marked. O(n).
    public static func == (a: DiffableSnapshot, b: DiffableSnapshot) -> Bool {
        a.numberOfItems == b.numberOfItems && a.numberOfSections == b.numberOfSections
            && zip(a.arrangement.sections, b.arrangement.sections).allSatisfy { one, other in
                a.sectionTable.same(one, other, in: b.sectionTable)
                    && a.arrangement.itemCount(ofSection: one) == b.arrangement.itemCount(ofSection: other)
            }
            && zip(a.arrangement.items(), b.arrangement.items()).allSatisfy { one, other in
                a.itemTable.same(one, other, in: b.itemTable)
            }
            && a.marks == b.marks
    }
}

extension DiffableSnapshot: CustomStringConvertible {
    /// The identifiers, one section a line.
    public var description: String {
        arrangement.sections.map { section in
            let items = arrangement.items(ofSection: section).map { "\(itemTable.identifier(of: $0))" }
            return "\(sectionTable.identifier(of: section)): [\(items.joined(separator: ", "))]"
        }.joined(separator: "\n")
    }
}
