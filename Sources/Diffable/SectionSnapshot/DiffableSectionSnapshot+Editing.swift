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
        let place = try place(nextTo: sibling, after: false)
        try add(items, under: place.parent, before: place.next, in: "insert")
    }

    /// Inserts collapsed items after another item and its descendants, with the same parent. O(items added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insert(_ items: [Item], after sibling: Item.ID) throws(DiffableError) {
        let place = try place(nextTo: sibling, after: true)
        try add(items, under: place.parent, before: place.next, in: "insert")
    }

    /// Deletes items with their descendants. An identifier may be given twice. O(items deleted)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is deleted then.
    @inlinable
    public mutating func delete(_ identifiers: [Item.ID]) throws(DiffableError) {
        // A node without an entry was a descendant of an earlier one.
        for node in try nodes(of: identifiers, in: "delete") where entries[Int(node)] != nil { remove(node) }
    }

    /// Deletes all items.
    @inlinable public mutating func deleteAll() { self = DiffableSectionSnapshot() }

    /// Replaces the item with the same `id`. Its position and its descendants stay.
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

    /// Collapses items. Their descendants keep their expansion. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is collapsed then.
    @inlinable
    public mutating func collapse(_ identifiers: [Item.ID]) throws(DiffableError) {
        for node in try nodes(of: identifiers, in: "collapse") { outline.setExpanded(node, false) }
    }
}

extension DiffableSectionSnapshot {
    @inlinable
    func node(of identifier: Item.ID, in operation: StaticString) throws(DiffableError) -> Outline.Node {
        guard let node = node(of: identifier) else { throw DiffableError(.unknownItem, identifier, in: operation) }
        return node
    }

    @inlinable
    func nodes(of identifiers: [Item.ID], in operation: StaticString) throws(DiffableError) -> [Outline.Node] {
        try identifiers.map { identifier throws(DiffableError) in try node(of: identifier, in: operation) }
    }

    /// Returns the parent and the next sibling of a new node next to `sibling`.
    @inlinable
    func place(
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
            let node = enter(Entry(item, identifier: identifier, hash: hash))
            outline.link(node, under: parent, before: next)
            added.append(node)
        }
    }

    /// Makes room for more items.
    @inlinable
    mutating func reserve(_ additional: Int) {
        index.reserve(additional, slots: entries.count + additional) { [entries] in entries[Int($0)]?.hash ?? 0 }
        // Arrays grow by doubling when asked for one more, and to the exact size when asked for many.
        guard additional > entries.count else { return }
        entries.reserveCapacity(entries.count + additional)
        outline.reserve(additional)
    }

    /// Replaces the content of an item if it exists.
    @inlinable
    mutating func refresh(_ item: Item) {
        if let node = node(of: item.id) { entries[Int(node)]?.item = item }
    }

    /// Appends an item, which must be new, to the children of a node.
    @inlinable
    mutating func addNew(_ item: Item, under parent: Outline.Node) -> Outline.Node {
        let identifier = item.id
        reserve(1)
        let node = enter(Entry(item, identifier: identifier, hash: Self.hash(of: identifier)))
        outline.link(node, under: parent)
        return node
    }

    /// Returns a new node for an item, which must be new. There must be room.
    @inlinable
    mutating func enter(_ entry: Entry) -> Outline.Node {
        let node = outline.takeNode()
        if Int(node) == entries.count { entries.append(entry) } else { entries[Int(node)] = entry }
        index.insertNew(node, hash: entry.hash)
        return node
    }

    /// Deletes an item with its descendants.
    @inlinable
    mutating func remove(_ top: Outline.Node) {
        let nodes = [top] + outline.walk(under: top).map { $0.node }
        outline.cut(top)
        nodes.forEach { forget($0) }
    }

    @inlinable
    mutating func forget(_ node: Outline.Node) {
        index.remove(node) { [entries] in entries[Int($0)]?.hash ?? 0 }
        entries[Int(node)] = nil
        outline.release(node)
    }
}
