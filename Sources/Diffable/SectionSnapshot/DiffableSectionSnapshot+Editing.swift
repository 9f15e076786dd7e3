extension DiffableSectionSnapshot {
    /// Appends collapsed items to the children of `parent`, or to the roots. O(items added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func append(_ items: [Item], to parent: Item.ID? = nil) throws(DiffableError) {
        var node = Outline.root
        if let parent { node = try self.node(of: parent, in: "append") }
        try add(items, under: node, before: Outline.none, in: "append")
    }

    /// Inserts collapsed items before another item, with the same parent. O(items added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insert(_ items: [Item], before sibling: Item.ID) throws(DiffableError) {
        let insertionPoint = try insertionPoint(nextTo: sibling, after: false)
        try add(items, under: insertionPoint.parent, before: insertionPoint.next, in: "insert")
    }

    /// Inserts collapsed items after another item and its descendants, with the same parent. O(items added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insert(_ items: [Item], after sibling: Item.ID) throws(DiffableError) {
        let insertionPoint = try insertionPoint(nextTo: sibling, after: true)
        try add(items, under: insertionPoint.parent, before: insertionPoint.next, in: "insert")
    }

    /// Deletes items with their descendants. An identifier may be given twice. O(items deleted)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is deleted then.
    @inlinable
    public mutating func delete(_ identifiers: [Item.ID]) throws(DiffableError) {
        // A node without an entry was already deleted.
        for node in try nodes(of: identifiers, in: "delete") where entries[Int(node)] != nil { remove(node) }
    }

    /// Deletes all items. O(1), and the cost of releasing the items unless a copy has them
    @inlinable public mutating func deleteAll() { self = DiffableSectionSnapshot() }

    /// Replaces the item with the same `id`. The position, the descendants and the expansion of the item stay. O(1)
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public mutating func replace(_ item: Item) throws(DiffableError) {
        entries[Int(try node(of: item.id, in: "replace"))]?.item = item
    }

    /// Expands items. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is expanded then.
    @inlinable
    public mutating func expand(_ identifiers: [Item.ID]) throws(DiffableError) {
        for node in try nodes(of: identifiers, in: "expand") { outline.setExpanded(node, true) }
    }

    /// Collapses items. Descendants keep their expansion. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is collapsed then.
    @inlinable
    public mutating func collapse(_ identifiers: [Item.ID]) throws(DiffableError) {
        for node in try nodes(of: identifiers, in: "collapse") { outline.setExpanded(node, false) }
    }
}

extension DiffableSectionSnapshot {
    /// Returns the node of an item. Throws `unknownItem` if there is no such item.
    @inlinable
    func node(of identifier: Item.ID, in operation: StaticString) throws(DiffableError) -> Outline.Node {
        guard let node = node(of: identifier) else { throw DiffableError(.unknownItem, identifier, in: operation) }
        return node
    }

    @inlinable
    func nodes(of identifiers: [Item.ID], in operation: StaticString) throws(DiffableError) -> [Outline.Node] {
        try identifiers.map { identifier throws(DiffableError) in try node(of: identifier, in: operation) }
    }

    /// Returns the parent and the next sibling for a new node before or after `sibling`.
    @inlinable
    func insertionPoint(
        nextTo sibling: Item.ID, after: Bool
    ) throws(DiffableError) -> (parent: Outline.Node, next: Outline.Node) {
        let node = try node(of: sibling, in: "insert")
        let links = outline.links[Int(node)]
        return (links.parent, after ? links.next : node)
    }

    /// Inserts all of `items`, or none if one is a duplicate.
    @inlinable
    mutating func add(
        _ items: [Item], under parent: Outline.Node, before next: Outline.Node, in operation: StaticString
    ) throws(DiffableError) {
        reserve(items.count)
        var added: [Outline.Node] = []
        added.reserveCapacity(items.count)
        for item in items {
            let identifier = item.id
            let hash = Self.hash(of: identifier)
            guard node(of: identifier, hash: hash) == nil else {
                added.forEach { remove($0) }
                throw DiffableError(.duplicateItem, identifier, in: operation)
            }
            let node = makeNode(for: Entry(item, identifier: identifier, hash: hash))
            outline.link(node, under: parent, before: next)
            added.append(node)
        }
    }

    /// Makes room for more items.
    @inlinable
    mutating func reserve(_ additional: Int) {
        index.reserve(additional, slots: entries.count + additional) { [entries] in entries[Int($0)]?.hash ?? 0 }
        // `reserveCapacity` allocates the exact size. For small additions, `append` doubles the arrays instead.
        guard additional > entries.count else { return }
        entries.reserveCapacity(entries.count + additional)
        outline.reserve(additional)
    }

    /// Replaces the content of an item if it exists.
    @inlinable
    mutating func replaceIfPresent(_ item: Item) {
        if let node = node(of: item.id) { entries[Int(node)]?.item = item }
    }

    /// Appends an item, which must be new, to the children of a node. Returns the node of the item.
    @inlinable
    mutating func addNew(_ item: Item, under parent: Outline.Node) -> Outline.Node {
        let identifier = item.id
        reserve(1)
        let node = makeNode(for: Entry(item, identifier: identifier, hash: Self.hash(of: identifier)))
        outline.link(node, under: parent)
        return node
    }

    /// Makes an unlinked node for an item, which must be new. There must be room.
    @inlinable
    mutating func makeNode(for entry: Entry) -> Outline.Node {
        let node = outline.allocateNode()
        if Int(node) == entries.count { entries.append(entry) } else { entries[Int(node)] = entry }
        index.insertNew(node, hash: entry.hash)
        return node
    }

    /// Deletes the item at a node with its descendants.
    @inlinable
    mutating func remove(_ top: Outline.Node) {
        let nodes = [top] + outline.walk(under: top).map { $0.node }
        outline.unlink(top)
        nodes.forEach { removeEntry($0) }
    }

    /// Deletes the item at an unlinked node, and releases the node.
    @inlinable
    mutating func removeEntry(_ node: Outline.Node) {
        index.remove(node) { [entries] in entries[Int($0)]?.hash ?? 0 }
        entries[Int(node)] = nil
        outline.release(node)
    }
}
