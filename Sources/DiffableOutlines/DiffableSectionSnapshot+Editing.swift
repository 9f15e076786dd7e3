public import Diffable

extension DiffableSectionSnapshot {
    /// Appends collapsed items to the children of `parent`, or to the roots. O(items added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    public mutating func append(_ items: [Item], to parent: Item.ID? = nil) throws(DiffableError) {
        let count = try parent.map { id throws(DiffableError) in try node(id, in: "append").children.count }
        try insert(outline(of: items, in: "append"), into: parent, at: count ?? roots.count, in: "append")
    }

    /// Inserts collapsed items before another item, with the same parent. O(items added + siblings)
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    public mutating func insert(_ items: [Item], before sibling: Item.ID) throws(DiffableError) {
        _ = try node(sibling, in: "insert")
        try insert(outline(of: items, in: "insert"), before: sibling)
    }

    /// Inserts collapsed items after another item and its descendants, with the same parent. O(items added + siblings)
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    public mutating func insert(_ items: [Item], after sibling: Item.ID) throws(DiffableError) {
        _ = try node(sibling, in: "insert")
        try insert(outline(of: items, in: "insert"), after: sibling)
    }

    /// Inserts the items of `snapshot` before an item, with the same parent. Inserted items keep their expansion.
    /// O(items added + siblings)
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    public mutating func insert(_ snapshot: DiffableSectionSnapshot, before sibling: Item.ID) throws(DiffableError) {
        let (parent, index) = try place(of: sibling)
        try insert(snapshot, into: parent, at: index, in: "insert")
    }

    /// Inserts the items of `snapshot` after an item and its descendants, with the same parent. Inserted items keep
    /// their expansion. O(items added + siblings)
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    public mutating func insert(_ snapshot: DiffableSectionSnapshot, after sibling: Item.ID) throws(DiffableError) {
        let (parent, index) = try place(of: sibling)
        try insert(snapshot, into: parent, at: index + 1, in: "insert")
    }

    /// Deletes items with their descendants. An identifier may be given twice. O(items deleted + siblings)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is deleted then.
    public mutating func delete(_ identifiers: [Item.ID]) throws(DiffableError) {
        for id in identifiers { _ = try node(id, in: "delete") }
        let deleted = Set(identifiers)
        for parent in Set(identifiers.map { nodes[$0]?.parent }) {
            changeChildren(of: parent) { $0.removeAll(where: deleted.contains) }
        }
        for step in steps(from: identifiers) { nodes[step.id] = nil }
    }

    /// Deletes all items. O(1), and the cost of releasing the items unless a copy has them
    public mutating func deleteAll() { self = DiffableSectionSnapshot() }

    /// Replaces the item with the same `id`. The position, the descendants and the expansion of the item stay. O(1)
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    public mutating func replace(_ item: Item) throws(DiffableError) {
        _ = try node(item.id, in: "replace")
        nodes[item.id]?.item = item
    }

    /// Replaces the descendants of `parent` with the items of `snapshot`, which keep their expansion. An item may be
    /// among the old and the new descendants. The expansion of the parent stays. O(items deleted + items added)
    ///
    /// - Throws: `DiffableError` with `unknownItem`, or with `duplicateItem` if `snapshot` has an item that stays here. Nothing
    ///   is replaced then.
    public mutating func replace(
        childrenOf parent: Item.ID, using snapshot: DiffableSectionSnapshot
    ) throws(DiffableError) {
        let children = try node(parent, in: "replace").children
        let replaced = Set(steps(from: children).map(\.id))
        for step in snapshot.steps() where contains(step.id) && !replaced.contains(step.id) {
            throw DiffableError(.duplicateItem, step.id, in: "replace")
        }
        try delete(children)
        try insert(snapshot, into: parent, at: 0, in: "replace")
    }

    /// Expands items. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is expanded then.
    public mutating func expand(_ identifiers: [Item.ID]) throws(DiffableError) {
        try setExpanded(identifiers, true, in: "expand")
    }

    /// Collapses items. Descendants keep their expansion. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is collapsed then.
    public mutating func collapse(_ identifiers: [Item.ID]) throws(DiffableError) {
        try setExpanded(identifiers, false, in: "collapse")
    }
}

extension DiffableSectionSnapshot {
    /// Returns an outline of collapsed items without children. Throws `duplicateItem` if this outline has one of them.
    private func outline(of items: [Item], in operation: StaticString) throws(DiffableError) -> Self {
        var outline = Self()
        for item in items {
            if contains(item.id) || outline.contains(item.id) {
                throw DiffableError(.duplicateItem, item.id, in: operation)
            }
            outline.roots.append(item.id)
            outline.nodes[item.id] = Node(item: item)
        }
        return outline
    }

    private func node(_ identifier: Item.ID, in operation: StaticString) throws(DiffableError) -> Node {
        guard let node = nodes[identifier] else { throw DiffableError(.unknownItem, identifier, in: operation) }
        return node
    }

    /// Returns the parent of an item, and the index of the item among the children of the parent.
    private func place(of identifier: Item.ID) throws(DiffableError) -> (parent: Item.ID?, index: Int) {
        let parent = try node(identifier, in: "insert").parent
        let siblings = parent.flatMap { nodes[$0]?.children } ?? roots
        return (parent, siblings.firstIndex(of: identifier) ?? siblings.count)
    }

    /// Inserts all items of an outline, or none if one is a duplicate.
    mutating func insert(
        _ snapshot: DiffableSectionSnapshot, into parent: Item.ID?, at index: Int, in operation: StaticString
    ) throws(DiffableError) {
        for step in snapshot.steps() where contains(step.id) {
            throw DiffableError(.duplicateItem, step.id, in: operation)
        }
        nodes.merge(snapshot.nodes) { current, _ in current }
        for root in snapshot.roots { nodes[root]?.parent = parent }
        changeChildren(of: parent) { $0.insert(contentsOf: snapshot.roots, at: index) }
    }

    /// Changes the children of an item, or the roots.
    private mutating func changeChildren(of parent: Item.ID?, _ change: (inout [Item.ID]) -> Void) {
        guard let parent else { return change(&roots) }
        if nodes[parent] != nil { change(&nodes[parent]!.children) }
    }

    private mutating func setExpanded(
        _ identifiers: [Item.ID], _ isExpanded: Bool, in operation: StaticString
    ) throws(DiffableError) {
        for id in identifiers { _ = try node(id, in: operation) }
        for id in identifiers { nodes[id]?.isExpanded = isExpanded }
    }
}

extension DiffableSectionSnapshot {
    /// Appends values as collapsed items to the children of `parent`, or to the roots.
    public mutating func append<Value>(_ values: [Value], to parent: Value? = nil) throws(DiffableError)
    where Item == HashableElement<Value> {
        try append(values.map { HashableElement(id: $0) }, to: parent)
    }

    /// Inserts values as collapsed items before another item, with the same parent.
    public mutating func insert<Value>(_ values: [Value], before sibling: Value) throws(DiffableError)
    where Item == HashableElement<Value> {
        try insert(values.map { HashableElement(id: $0) }, before: sibling)
    }

    /// Inserts values as collapsed items after another item and its descendants, with the same parent.
    public mutating func insert<Value>(_ values: [Value], after sibling: Value) throws(DiffableError)
    where Item == HashableElement<Value> {
        try insert(values.map { HashableElement(id: $0) }, after: sibling)
    }
}
