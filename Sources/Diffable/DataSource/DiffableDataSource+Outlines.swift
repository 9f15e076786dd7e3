extension DiffableDataSource {
    /// Returns the items of a section as an outline, with hidden items. If no section snapshot was applied to it, all items
    /// are roots. Empty if there is no such section. O(1) for an outline, otherwise O(items).
    ///
    /// Edit the copy and apply it.
    @inlinable
    public func snapshot(for section: Section.ID) -> DiffableSectionSnapshot<Item> { shown.outline(of: section) }

    /// Shows the visible items of a section snapshot as the items of one section, and remembers the hidden ones.
    ///
    /// Observers get the difference of the visible items. It is empty if only hidden items or the expansion have changed.
    /// O(items of the outline × outlines) and O(p).
    ///
    /// - Throws: `DiffableError` with `unknownSection`, or with `duplicateItem` if another section has one of the items,
    ///   visible or hidden.
    @inlinable
    public func apply(_ snapshot: DiffableSectionSnapshot<Item>, to section: Section.ID) throws(DiffableError) {
        let change = try latest.showing(snapshot, in: section)
        if change.difference.isEmpty, latest.outline(of: section) == snapshot { return }
        advance(to: change.result, change.difference)
    }

    /// Expands an item. Does nothing if it is expanded already. O(p + items that become visible)
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public func expand(_ identifier: Item.ID) throws(DiffableError) {
        guard let change = try latest.expanding(identifier, true, in: "expand") else { return }
        advance(to: change.result, change.difference)
    }

    /// Collapses an item. Does nothing if it is collapsed already. O(p + items that become hidden)
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public func collapse(_ identifier: Item.ID) throws(DiffableError) {
        guard let change = try latest.expanding(identifier, false, in: "collapse") else { return }
        advance(to: change.result, change.difference)
    }
}
