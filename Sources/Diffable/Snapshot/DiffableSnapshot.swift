/// The content of a list: sections in order, with items in order.
///
/// Two sections or items with equal `id` are *the same*. If they are also equal by `==`, they are *unchanged*. So the
/// title of an item can change while the item stays the same. Identifiers of sections must be unique in a snapshot, and
/// identifiers of items in all its sections.
///
/// An edit throws only for an identifier that it names: if there is no such section or item. The snapshot is then
/// unchanged. A duplicate is reported by `validate()`, by a difference, and when the snapshot is applied. Until then, a
/// lookup finds the first of several elements with the identifier.
///
/// A snapshot stores its elements, and reads `id` whenever it compares or hashes an identifier. So `id` should be a stored
/// property, or cost as little.
///
/// A new snapshot is not *hashed*: appending hashes nothing. The first lookup of an item hashes all items in O(n), once for
/// all copies. A lookup in a snapshot with a duplicate may cost O(n).
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
public struct DiffableSnapshot<Section: Identifiable & Equatable, Item: Identifiable & Equatable>
where Section.ID: Sendable, Item.ID: Sendable {
    // Few references, because each copy of a snapshot retains them.
    /// The slot of each section is its index. Every edit except appending makes a new store.
    @usableFromInline var sectionStore = ElementStore<Section>()
    @usableFromInline var itemTable = ItemTable<Item>()
    @usableFromInline var arrangement = Arrangement()
    @usableFromInline var marked: MarkedIdentifiers<Section.ID, Item.ID>?
    /// The number of the change of a data source from which the snapshot was copied; 0 if there is none.
    @usableFromInline var revision: UInt64 = 0

    /// Creates an empty snapshot.
    @inlinable public init() {}

    /// Creates a snapshot of sections with their items, in order.
    @inlinable
    public init(_ sections: some Sequence<(Section, [Item])>) {
        self.init()
        for (section, items) in sections {
            sectionStore.append(CollectionOfOne(section))
            arrangement.appendSections(1)
            appendItems(items, toSectionAt: numberOfSections - 1)
        }
    }
}

extension DiffableSnapshot: Sendable where Section: Sendable, Item: Sendable {}

extension DiffableSnapshot: ExpressibleByDictionaryLiteral {
    /// Creates a snapshot of sections with their items, in order: `[inbox: [first, second], archive: []]`.
    ///
    /// For `Hashable` values, use an array of pairs: `HashableSnapshot([("inbox", ["first", "second"])])`.
    @inlinable
    public init(dictionaryLiteral sections: (Section, [Item])...) { self.init(sections) }
}

extension DiffableSnapshot {
    /// The number of items in all sections.
    @inlinable public var numberOfItems: Int { arrangement.itemCount }

    /// The number of sections.
    @inlinable public var numberOfSections: Int { arrangement.sectionCount }

    /// Returns the number of items in a section; 0 if there is no such section.
    @inlinable
    public func numberOfItems(inSection identifier: Section.ID) -> Int { positions(ofSection: identifier).count }

    /// All items in order, as a view of the snapshot: O(1), and nothing is copied.
    @_disfavoredOverload
    @inlinable public var items: DiffableItems<Item> { DiffableItems(self, 0..<numberOfItems) }

    /// The items of a section in order, as a view of the snapshot; empty if there is no such section. O(1), and nothing
    /// is copied.
    @inlinable
    public subscript(section: Section.ID) -> DiffableItems<Item> {
        DiffableItems(self, positions(ofSection: section))
    }

    /// The sections in order. O(1), and nothing is copied
    @_disfavoredOverload
    @inlinable public var sections: [Section] { sectionStore.elements }

    /// The identifiers of all items in order. O(n)
    @inlinable public var itemIdentifiers: [Item.ID] { items.map(\.id) }

    /// Returns the identifiers of a section's items in order; empty if there is no such section. O(items of the
    /// section)
    @inlinable
    public func itemIdentifiers(inSection identifier: Section.ID) -> [Item.ID] { self[identifier].map(\.id) }

    /// The identifiers of the sections in order. O(s)
    public var sectionIdentifiers: [Section.ID] { sections.map(\.id) }
}

extension DiffableSnapshot {
    /// Returns true if an item has this identifier.
    @inlinable public func contains(_ identifier: Item.ID) -> Bool { indexOfItem(identifier) != nil }

    /// Returns true if a section has this identifier.
    public func containsSection(_ identifier: Section.ID) -> Bool { indexOfSection(identifier) != nil }

    /// Returns the item with this identifier; nil if there is none.
    @inlinable public func item(for identifier: Item.ID) -> Item? {
        indexOfItem(identifier).map { self.item(atPosition: $0) }
    }

    /// Returns the section with this identifier; nil if there is none.
    public func section(for identifier: Section.ID) -> Section? { indexOfSection(identifier).map { sections[$0] } }

    /// Returns the section of an item; nil if there is no such item. O(log p)
    @inlinable
    public func sectionIdentifier(containingItem identifier: Item.ID) -> Section.ID? {
        indexOfItem(identifier).map { sections[arrangement.section(atPosition: $0)].id }
    }

    /// Returns the index of an item among all items; nil if there is no such item. O(log p)
    @inlinable
    public func indexOfItem(_ identifier: Item.ID) -> Int? {
        guard let found = itemTable.find(identifier) else { return nil }
        if found.isAmbiguous { return items.firstIndex { $0.id == identifier } }
        return arrangement.position(ofSlot: found.slot)
    }

    /// Returns the index of a section; nil if there is no such section.
    @inlinable
    public func indexOfSection(_ identifier: Section.ID) -> Int? { sectionStore.firstSlot(of: identifier) }

    /// Returns the index path of an item; nil if there is no such item. O(log p)
    @inlinable
    public func indexPath(for identifier: Item.ID) -> ItemIndexPath? {
        indexOfItem(identifier).map { arrangement.indexPath(atPosition: $0) }
    }

    /// Returns the item at an index path; nil if there is none. O(log p)
    @inlinable
    public func item(at indexPath: ItemIndexPath) -> Item? {
        arrangement.position(at: indexPath).map { self.item(atPosition: $0) }
    }

    /// Returns the identifier of the item at an index path; nil if there is none. O(log p)
    @inlinable
    public func itemIdentifier(at indexPath: ItemIndexPath) -> Item.ID? { item(at: indexPath)?.id }
}

extension DiffableSnapshot {
    /// Throws if two sections or two items have the same identifier. For programs that want this error before they apply
    /// the snapshot. O(n) to hash the items, unless they are hashed
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `duplicateItem`, and both positions.
    @inlinable public func validate() throws(DiffableError) { try validate(in: "validate") }

    @inlinable
    func validate(in operation: StaticString) throws(DiffableError) {
        try validateSections(in: operation)
        if itemTable.mayHaveDuplicates { try findDuplicate(in: operation) }
    }

    @inlinable
    func validateSections(in operation: StaticString) throws(DiffableError) {
        guard numberOfSections > 1, let (first, second) = sectionStore.firstDuplicate() else { return }
        throw DiffableError(.duplicateSection, sections[first].id, sections: [first, second], in: operation)
    }

    /// Throws if two items have the same identifier. O(n)
    @usableFromInline
    func findDuplicate(in operation: StaticString) throws(DiffableError) {
        guard let (first, second) = firstDuplicate(in: items) else { return }
        throw DiffableError(
            .duplicateItem, identifier(atPosition: first), at: [first, second].map(arrangement.indexPath),
            in: operation)
    }
}

extension DiffableSnapshot {
    @inlinable
    func item(atPosition position: Int) -> Item { itemTable[arrangement.slot(atPosition: position)] }

    @inlinable
    func identifier(atPosition position: Int) -> Item.ID {
        itemTable.identifier(of: arrangement.slot(atPosition: position))
    }

    /// Returns the positions of a section's items among all items; empty if there is no such section.
    @inlinable
    func positions(ofSection identifier: Section.ID) -> Range<Int> {
        indexOfSection(identifier).map { arrangement.positions(ofSection: $0) } ?? 0..<0
    }

    /// The items of the section at an index.
    @inlinable
    subscript(section index: Int) -> DiffableItems<Item> {
        DiffableItems(self, arrangement.positions(ofSection: index))
    }
}

extension DiffableSnapshot: Equatable {
    /// Returns true if both snapshots have equal sections with equal items in the same order, and the same marks.
    ///
    /// O(n), with at most one comparison of each identifier and content. O(p) without comparisons if one snapshot is an
    /// unedited copy of the other.
    @inlinable
    public static func == (a: DiffableSnapshot, b: DiffableSnapshot) -> Bool {
        func isSame<Element: Identifiable & Equatable>(_ one: Element, _ other: Element) -> Bool {
            one.id == other.id && one == other
        }
        guard a.arrangement.hasSameSections(as: b.arrangement), a.marked == b.marked,
            a.sectionStore === b.sectionStore || a.sections.elementsEqual(b.sections, by: isSame)
        else { return false }
        let shared = a.itemTable.sharedSlotCount(with: b.itemTable)
        if shared == a.itemTable.slotLimit, shared == b.itemTable.slotLimit,
            a.arrangement == b.arrangement
        {
            return true
        }
        return a.items.elementsEqual(b.items, by: isSame)
    }
}

extension DiffableSnapshot: CustomStringConvertible {
    /// The identifiers, one section on a line. O(n)
    public var description: String {
        sections.indices.map { index in
            "\(sections[index].id): [\(self[section: index].map { "\($0.id)" }.joined(separator: ", "))]"
        }.joined(separator: "\n")
    }
}
