extension DiffableSectionSnapshot {
    /// What is under `parent`, as an outline of its own: the children are its roots, or, where `includingParent`, the parent
    /// is. What is expanded is so there, too. Empty where there is no such item. O(of them).
    @inlinable
    public func snapshot(of parent: Item.ID, includingParent: Bool = false) -> DiffableSectionSnapshot {
        var branch = DiffableSectionSnapshot()
        guard let node = node(of: parent) else { return branch }
        var top = Outline.root
        if includingParent {
            top = branch.enter(self[node])
            branch.outline.link(top, under: Outline.root)
            branch.outline.setExpanded(top, outline.isExpanded(node))
        }
        branch.graft(from: self, under: node, onto: top, before: Outline.none)
        return branch
    }

    /// Puts the items of `snapshot` in front of an item, under the same parent, with what is under them. What is expanded
    /// there is so here, too. O(items added), amortised.
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`; nothing is added then.
    @inlinable
    public mutating func insert(
        _ snapshot: DiffableSectionSnapshot, before sibling: Item.ID
    ) throws(DiffableError) {
        try insert(snapshot, nextTo: sibling, after: false)
    }

    /// Puts the items of `snapshot` behind an item and all that is under it, under the same parent, with what is under
    /// them. What is expanded there is so here, too. O(items added), amortised.
    ///
    /// - Throws: `DiffableError` with `duplicateItem` or `unknownItem`; nothing is added then.
    @inlinable
    public mutating func insert(
        _ snapshot: DiffableSectionSnapshot, after sibling: Item.ID
    ) throws(DiffableError) {
        try insert(snapshot, nextTo: sibling, after: true)
    }

    /// Deletes all that is under `parent`, and puts the items of `snapshot` there. An item may be in both. What is expanded
    /// in `snapshot` is so here, too; whether the parent is does not change. O(items deleted and added).
    ///
    /// - Throws: `DiffableError` with `unknownItem`, or with `duplicateItem` where `snapshot` has an item that stays here;
    ///   nothing is replaced then.
    @inlinable
    public mutating func replace(
        childrenOf parent: Item.ID, using snapshot: DiffableSectionSnapshot
    ) throws(DiffableError) {
        let top = try node(of: parent, in: "replace")
        let leaving = Set(outline.walk(under: top).lazy.map(\.node))
        try refuseDuplicates(of: snapshot, in: "replace") { leaving.contains($0) }
        var child = outline.links[Int(top)].first
        while child != Outline.none {
            remove(child)
            child = outline.links[Int(top)].first
        }
        reserve(snapshot.numberOfItems)
        graft(from: snapshot, under: Outline.root, onto: top, before: Outline.none)
    }
}

extension DiffableSectionSnapshot {
    @inlinable
    mutating func insert(
        _ snapshot: DiffableSectionSnapshot, nextTo sibling: Item.ID, after: Bool
    ) throws(DiffableError) {
        let place = try place(nextTo: sibling, after: after)
        try refuseDuplicates(of: snapshot, in: "insert") { _ in false }
        reserve(snapshot.numberOfItems)
        graft(from: snapshot, under: Outline.root, onto: place.parent, before: place.next)
    }

    @inlinable
    func refuseDuplicates(
        of snapshot: DiffableSectionSnapshot, in operation: StaticString, exceptWhere isLeaving: (Outline.Node) -> Bool
    ) throws(DiffableError) {
        for step in snapshot.outline.walk() {
            let entry = snapshot[step.node]
            guard let node = node(of: entry.identifier, hash: entry.hash), !isLeaving(node) else { continue }
            throw DiffableError(.duplicateItem, entry.identifier, in: operation)
        }
    }

    /// Copies what is under a node of `source`, none of which is here, under a node of this.
    @inlinable
    mutating func graft(
        from source: DiffableSectionSnapshot, under branch: Outline.Node, onto top: Outline.Node,
        before next: Outline.Node
    ) {
        // The copies of the node of the last step and of all that it is under.
        var path = [top]
        for step in source.outline.walk(under: branch) {
            let node = enter(source[step.node])
            path.removeSubrange((step.level + 1)...)
            outline.link(node, under: path[step.level], before: step.level == 0 ? next : Outline.none)
            if source.outline.isExpanded(step.node) { outline.setExpanded(node, true) }
            path.append(node)
        }
    }
}
