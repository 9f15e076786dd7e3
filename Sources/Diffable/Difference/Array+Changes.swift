/// The only section of a plain array.
private struct SoleSection: Identifiable, Equatable {
    var id: Int { 0 }
}

extension Array where Element: Identifiable & Equatable, Element.ID: Sendable {
    /// Returns the changes from another array to this one: deletions, insertions, as few moves as possible, and updates.
    ///
    /// Costs as much as `SnapshotDifference(from:to:)`.
    ///
    /// - Throws: `DiffableError` with `duplicateItem` if two elements of an array have the same identifier.
    public func changes(from old: [Element]) throws(DiffableError) -> ElementChanges<Int, Element> {
        let items = try SnapshotDifference(
            from: DiffableSnapshot([(SoleSection(), old)]), to: DiffableSnapshot([(SoleSection(), self)])
        ).items
        return ElementChanges(
            deleted: items.deleted.map { .init(position: $0.position.item, element: $0.element) },
            inserted: items.inserted.map { .init(position: $0.position.item, element: $0.element) },
            moved: items.moved.map { .init(id: $0.id, from: $0.from.item, to: $0.to.item) },
            updated: items.updated.map {
                .init(from: $0.from.item, to: $0.to.item, before: $0.before, after: $0.after)
            })
    }
}

extension Array where Element: Hashable & Sendable {
    /// Returns the changes from another array of values to this one. The `id` of each element is the value.
    ///
    /// Elements that are `Identifiable`, too, are compared by their `id` instead.
    ///
    /// - Throws: `DiffableError` with `duplicateItem` if an array has a value twice.
    @_disfavoredOverload
    public func changes(from old: [Element]) throws(DiffableError) -> ElementChanges<Int, HashableElement<Element>> {
        try map { HashableElement(id: $0) }.changes(from: old.map { HashableElement(id: $0) })
    }
}
