/// The items of one section as an outline: items may have items under them, and show them or hide them.
///
/// What `DiffableSnapshot` says of items holds here: an item is *the same* as another where their `id` is equal, and
/// *unchanged* where they are equal by `==` besides. Identifiers are unique over all levels; a method that would break this
/// throws a `DiffableError` naming the identifier and leaves the value as it was, and so does one that is given an
/// identifier that is not there. Arguments are identifiers, answers are items.
///
/// *Under* an item are its children, their children, and so on. Every item is collapsed at first; expanding is a property of
/// the item, whether it has children yet or not. An item is *visible* where all that it is under are expanded.
///
/// A section snapshot is a value. Copies share their storage until one is edited, which then copies it once: O(n), with no
/// identifier hashed. Expanding and collapsing copy one bit for each item.
///
/// Costs are given for `n` items. Finding an identifier costs one hash and, on average, one comparison. Nothing here recurs:
/// the depth of an outline is bounded by memory alone.
public struct DiffableSectionSnapshot<Item: Identifiable & Equatable & Sendable>: Sendable where Item.ID: Sendable {
    /// What stands at a node. The identifier is asked of an item once: it may be made up each time.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let identifier: Item.ID
        @usableFromInline let hash: UInt32
        @usableFromInline var item: Item

        @inlinable
        init(_ item: Item, identifier: Item.ID, hash: UInt32) {
            self.identifier = identifier
            self.hash = hash
            self.item = item
        }
    }

    @usableFromInline var outline = Outline()
    @usableFromInline var index = NodeIndex()
    // By node; empty for the root and for vacant nodes.
    @usableFromInline var entries: ContiguousArray<Entry?> = [nil]

    /// A section snapshot with no items.
    @inlinable public init() {}
}

extension DiffableSectionSnapshot {
    /// How many items there are, visible or not.
    @inlinable public var numberOfItems: Int { index.count }

    /// All items, each before those under it. O(n).
    @inlinable public var items: [Item] {
        var items: [Item] = []
        items.reserveCapacity(numberOfItems)
        for step in outline.walk() { items.append(self[step.node].item) }
        return items
    }

    /// The items that are under no other, in order. O(of them).
    @inlinable public var rootItems: [Item] { children(of: Outline.root) }

    /// The items that are visible, each before those under it. O(of them).
    @inlinable public var visibleItems: [Item] {
        outline.walk(visibleOnly: true).map { self[$0.node].item }
    }

    /// Whether an item has this identifier.
    @inlinable
    public func contains(_ identifier: Item.ID) -> Bool {
        node(of: identifier) != nil
    }

    /// The item with this identifier.
    @inlinable
    public func item(for identifier: Item.ID) -> Item? {
        node(of: identifier).map { self[$0].item }
    }

    /// The item's number among all items, in order; nil where there is no such item. O(this number), counted without
    /// looking at identifiers.
    @inlinable
    public func index(of identifier: Item.ID) -> Int? {
        guard let node = node(of: identifier) else { return nil }
        var index = 0
        for step in outline.walk() {
            if step.node == node { break }
            index += 1
        }
        return index
    }

    /// The item that this one is directly under; nil for a root, and where there is no such item.
    @inlinable
    public func parent(of identifier: Item.ID) -> Item? {
        guard let node = node(of: identifier) else { return nil }
        let parent = outline.links[Int(node)].parent
        return parent == Outline.root ? nil : self[parent].item
    }

    /// The items directly under this one, in order; none where there is no such item. O(of them).
    @inlinable
    public func children(of identifier: Item.ID) -> [Item] {
        node(of: identifier).map { children(of: $0) } ?? []
    }

    /// How many items this one is under: 0 for a root. Nil where there is no such item. O(level).
    @inlinable
    public func level(of identifier: Item.ID) -> Int? {
        node(of: identifier).map { node in outline.ancestors(of: node).reduce(0) { count, _ in count + 1 } }
    }

    /// Whether the item is expanded; false where there is no such item.
    @inlinable
    public func isExpanded(_ identifier: Item.ID) -> Bool {
        node(of: identifier).map(outline.isExpanded) ?? false
    }

    /// Whether all that the item is under are expanded; false where there is no such item. O(level).
    @inlinable
    public func isVisible(_ identifier: Item.ID) -> Bool {
        node(of: identifier).map { outline.ancestors(of: $0).allSatisfy(outline.isExpanded) } ?? false
    }
}

extension DiffableSectionSnapshot: Equatable {
    /// True where both have equal items in the same order on the same levels, and the same are expanded. O(n).
    @inlinable
    public static func == (a: DiffableSectionSnapshot, b: DiffableSectionSnapshot) -> Bool {
        a.numberOfItems == b.numberOfItems
            && zip(a.outline.walk(), b.outline.walk()).allSatisfy { one, other in
                one.level == other.level
                    && a.outline.isExpanded(one.node) == b.outline.isExpanded(other.node)
                    && a[one.node].identifier == b[other.node].identifier
                    && a[one.node].item == b[other.node].item
            }
    }
}

extension DiffableSectionSnapshot {
    /// What stands at a node that is in use, the root excepted.
    @inlinable
    subscript(node: Outline.Node) -> Entry {
        guard let entry = entries[Int(node)] else { preconditionFailure("node \(node) is vacant") }
        return entry
    }

    @inlinable
    static func hash(of identifier: Item.ID) -> UInt32 {
        UInt32(truncatingIfNeeded: identifier.hashValue)
    }

    @inlinable
    func node(of identifier: Item.ID) -> Outline.Node? {
        numberOfItems == 0 ? nil : node(of: identifier, hash: Self.hash(of: identifier))
    }

    @inlinable
    func node(of identifier: Item.ID, hash: UInt32) -> Outline.Node? {
        let node = index.node(of: hash) { self[$0].identifier == identifier }
        return node == Outline.none ? nil : node
    }

    @inlinable
    func children(of node: Outline.Node) -> [Item] {
        var children: [Item] = []
        var child = outline.links[Int(node)].first
        while child != Outline.none {
            children.append(self[child].item)
            child = outline.links[Int(child)].next
        }
        return children
    }

    /// An outline of these, which have no identifier twice, all roots.
    @inlinable
    init(roots: [Item]) {
        reserve(roots.count)
        for item in roots { _ = addNew(item, under: Outline.root) }
    }

    /// The items under one that are visible where it is expanded and visible itself.
    @inlinable
    func itemsShown(under identifier: Item.ID) -> [Item] {
        guard let node = node(of: identifier) else { return [] }
        return outline.walk(under: node, visibleOnly: true).map { self[$0.node].item }
    }
}
