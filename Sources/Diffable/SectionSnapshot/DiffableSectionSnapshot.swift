/// The items of one section as an outline: an item can have child items, and is expanded or collapsed.
///
/// As in a `DiffableSnapshot`, two items with equal `id` are *the same*. If they are also equal by `==`, they are
/// *unchanged*. Identifiers are unique on all levels. A method that would break this rule, or gets an unknown
/// identifier, throws a `DiffableError` with the identifier. The value is then unchanged. Methods take identifiers and
/// return items.
///
/// The *descendants* of an item are its children, their children, and so on. A new item is collapsed. An item can be expanded
/// before it has children. An item is *visible* if all its ancestors are expanded.
///
/// A section snapshot is a value. Copies share their storage until the first edit, which copies it in O(n) without
/// hashing. If the first edit only expands or collapses items, it copies one bit for each item.
///
/// Costs are stated for `n` items. Finding an identifier takes one hash and one comparison on average. There is no recursion:
/// only memory limits the depth of an outline.
public struct DiffableSectionSnapshot<Item: Identifiable & Equatable & Sendable>: Sendable where Item.ID: Sendable {
    /// The item at a node, with its identifier and hash. Computing an identifier may be costly.
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
    /// Finds the node of an identifier. Nodes are the slots of this index.
    @usableFromInline var index = IdentityIndex()
    /// By node: the item; nil for the root and for free nodes.
    @usableFromInline var entries: ContiguousArray<Entry?> = [nil]

    /// Creates an empty section snapshot.
    @inlinable public init() {}
}

extension DiffableSectionSnapshot {
    /// The number of items, visible or not.
    @inlinable public var numberOfItems: Int { index.count }

    /// All items, each before its descendants. O(n)
    @inlinable public var items: [Item] {
        var items: [Item] = []
        items.reserveCapacity(numberOfItems)
        for step in outline.walk() { items.append(self[step.node].item) }
        return items
    }

    /// The items without a parent, in order. O(items returned)
    @inlinable public var rootItems: [Item] { children(of: Outline.root) }

    /// The visible items, each before its descendants. O(items returned)
    @inlinable public var visibleItems: [Item] { outline.walk(visibleOnly: true).map { self[$0.node].item } }

    /// Returns true if an item has this identifier.
    @inlinable public func contains(_ identifier: Item.ID) -> Bool { node(of: identifier) != nil }

    /// Returns the item with this identifier; nil if there is none.
    @inlinable public func item(for identifier: Item.ID) -> Item? { node(of: identifier).map { self[$0].item } }

    /// Returns the index of an item among all items; nil if there is no such item. O(index), after one lookup
    @inlinable
    public func index(of identifier: Item.ID) -> Int? {
        guard let node = node(of: identifier) else { return nil }
        return outline.walk().enumerated().first { $0.element.node == node }?.offset
    }

    /// Returns the parent of an item; nil for a root, or if there is no such item.
    @inlinable
    public func parent(of identifier: Item.ID) -> Item? {
        guard let node = node(of: identifier) else { return nil }
        let parent = outline.links[Int(node)].parent
        return parent == Outline.root ? nil : self[parent].item
    }

    /// Returns the children of an item in order; empty if there is no such item. O(items returned)
    @inlinable
    public func children(of identifier: Item.ID) -> [Item] { node(of: identifier).map { children(of: $0) } ?? [] }

    /// Returns the number of ancestors of an item: 0 for a root. Nil if there is no such item. O(level)
    @inlinable
    public func level(of identifier: Item.ID) -> Int? {
        node(of: identifier).map { node in outline.ancestors(of: node).reduce(0) { count, _ in count + 1 } }
    }

    /// Returns true if an item is expanded; false if there is no such item.
    @inlinable
    public func isExpanded(_ identifier: Item.ID) -> Bool { node(of: identifier).map(outline.isExpanded) ?? false }

    /// Returns true if an item is visible; false if there is no such item. O(level)
    @inlinable
    public func isVisible(_ identifier: Item.ID) -> Bool {
        node(of: identifier).map { outline.ancestors(of: $0).allSatisfy(outline.isExpanded) } ?? false
    }
}

extension DiffableSectionSnapshot: Equatable {
    /// Returns true if both have equal items in the same order, on the same levels and with the same expansion.
    ///
    /// O(n), with at most one comparison of each identifier and content, also for copies. O(1) if the numbers of items
    /// differ
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

extension DiffableSectionSnapshot: CustomStringConvertible {
    /// The same as `visualDescription()`.
    public var description: String { visualDescription() }

    /// Returns the identifiers of all items in lines that are indented by level. A symbol precedes each identifier: `+`
    /// for an expanded item, `-` for a collapsed item with children, and `*` for a collapsed item without children.
    ///
    /// The text is printable ASCII. From level 32 on, lines have the level in brackets and no deeper indentation. So
    /// the length of the text is O(n).
    public func visualDescription() -> String {
        outline.walk().map { step in
            let indentation = String(repeating: "  ", count: min(step.level, 32))
            let level = step.level < 32 ? "" : "[\(step.level)] "
            let name = "\(self[step.node].identifier)".unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return "\(indentation)\(level)\(symbol(of: step.node)) \(name)"
        }.joined(separator: "\n")
    }

    /// Returns the symbol of `visualDescription()`.
    private func symbol(of node: Outline.Node) -> String {
        if outline.isExpanded(node) { return "+" }
        return outline.links[Int(node)].first == Outline.none ? "*" : "-"
    }
}

extension DiffableSectionSnapshot {
    /// The entry of a node that is in use and not the root.
    @inlinable
    subscript(node: Outline.Node) -> Entry {
        guard let entry = entries[Int(node)] else { preconditionFailure("node \(node) is free") }
        return entry
    }

    @inlinable static func hash(of identifier: Item.ID) -> UInt32 { UInt32(truncatingIfNeeded: identifier.hashValue) }

    /// Returns the node of an item; nil if there is no such item.
    @inlinable
    func node(of identifier: Item.ID) -> Outline.Node? {
        numberOfItems == 0 ? nil : node(of: identifier, hash: Self.hash(of: identifier))
    }

    @inlinable
    func node(of identifier: Item.ID, hash: UInt32) -> Outline.Node? {
        index.slot(of: hash) { self[$0].identifier == identifier }
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

    /// Creates an outline in which all items are roots. The identifiers must be unique.
    @inlinable
    init(roots: [Item]) {
        reserve(roots.count)
        for item in roots { _ = addNew(item, under: Outline.root) }
    }

    /// Returns the descendants of an item that are visible if the item itself is visible and expanded.
    @inlinable
    func itemsShown(under identifier: Item.ID) -> [Item] {
        guard let node = node(of: identifier) else { return [] }
        return outline.walk(under: node, visibleOnly: true).map { self[$0.node].item }
    }
}
