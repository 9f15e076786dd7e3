extension DiffableSectionSnapshot {
    /// Returns the descendants of `parent` as an outline. If `includingParent` is true, the parent is the root of this
    /// outline. Otherwise the children of the parent are its roots. Items keep their expansion. Empty if there is no
    /// such item. O(items returned)
    @inlinable
    public func snapshot(of parent: Item.ID, includingParent: Bool = false) -> DiffableSectionSnapshot {
        var branch = DiffableSectionSnapshot()
        guard let node = node(of: parent) else { return branch }
        var top = Outline.root
        if includingParent {
            branch.reserve(1)
            top = branch.makeNode(for: self[node])
            branch.outline.link(top, under: Outline.root)
            branch.outline.setExpanded(top, outline.isExpanded(node))
        }
        branch.graft(from: self, under: node, onto: top, before: Outline.none)
        return branch
    }

    /// Inserts the items of `snapshot` before an item, with the same parent. Inserted items keep their expansion.
    /// O(items added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insert(_ snapshot: DiffableSectionSnapshot, before sibling: Item.ID) throws(DiffableError) {
        try insert(snapshot, nextTo: sibling, after: false)
    }

    /// Inserts the items of `snapshot` after an item and its descendants, with the same parent. Inserted items keep
    /// their expansion. O(items added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`. Nothing is added then.
    @inlinable
    public mutating func insert(_ snapshot: DiffableSectionSnapshot, after sibling: Item.ID) throws(DiffableError) {
        try insert(snapshot, nextTo: sibling, after: true)
    }

    /// Replaces the descendants of `parent` with the items of `snapshot`, which keep their expansion. An item may be
    /// among the old and the new descendants. The expansion of the parent stays. O(items deleted + items added)
    ///
    /// - Throws: `DiffableError` with `unknownItem`, or with `duplicateItem` if `snapshot` has an item that stays here. Nothing
    ///   is replaced then.
    @inlinable
    public mutating func replace(
        childrenOf parent: Item.ID, using snapshot: DiffableSectionSnapshot
    ) throws(DiffableError) {
        let top = try node(of: parent, in: "replace")
        let replaced = Set(outline.walk(under: top).lazy.map { $0.node })
        try refuseDuplicates(of: snapshot, in: "replace") { replaced.contains($0) }
        while outline.links[Int(top)].first != Outline.none { remove(outline.links[Int(top)].first) }
        reserve(snapshot.numberOfItems)
        graft(from: snapshot, under: Outline.root, onto: top, before: Outline.none)
    }
}

extension DiffableSectionSnapshot {
    @inlinable
    mutating func insert(
        _ snapshot: DiffableSectionSnapshot, nextTo sibling: Item.ID, after: Bool
    ) throws(DiffableError) {
        let insertionPoint = try insertionPoint(nextTo: sibling, after: after)
        try refuseDuplicates(of: snapshot, in: "insert") { _ in false }
        reserve(snapshot.numberOfItems)
        graft(from: snapshot, under: Outline.root, onto: insertionPoint.parent, before: insertionPoint.next)
    }

    /// Throws `duplicateItem` if this snapshot has an item of `snapshot`, except in nodes that are being replaced.
    @inlinable
    func refuseDuplicates(
        of snapshot: DiffableSectionSnapshot, in operation: StaticString, exceptWhere isReplaced: (Outline.Node) -> Bool
    ) throws(DiffableError) {
        for step in snapshot.outline.walk() {
            let entry = snapshot[step.node]
            guard let node = node(of: entry.identifier, hash: entry.hash), !isReplaced(node) else { continue }
            throw DiffableError(.duplicateItem, entry.identifier, in: operation)
        }
    }

    /// Copies the descendants of the node `branch` of `source` to new descendants of `top`, before its child `next`.
    /// The identifiers of these descendants must be new.
    @inlinable
    mutating func graft(
        from source: DiffableSectionSnapshot, under branch: Outline.Node, onto top: Outline.Node,
        before next: Outline.Node
    ) {
        // The path from `top` to the last copied node.
        var path = [top]
        for step in source.outline.walk(under: branch) {
            reserve(1)
            let node = makeNode(for: source[step.node])
            path.removeSubrange((step.level + 1)...)
            outline.link(node, under: path[step.level], before: step.level == 0 ? next : Outline.none)
            if source.outline.isExpanded(step.node) { outline.setExpanded(node, true) }
            path.append(node)
        }
    }
}
