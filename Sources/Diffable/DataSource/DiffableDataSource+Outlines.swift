extension DiffableDataSource {
    /// The section's items as an outline, hidden ones included: what was applied to it, as it is now. All are roots where
    /// none was applied; there are none where the section is not shown. O(1) for an outline, O(items) else.
    ///
    /// Edit the copy and apply it.
    @inlinable
    public func snapshot(for section: Section.ID) -> DiffableSectionSnapshot<Item> { shown.outline(of: section) }

    /// Shows the visible items of `snapshot` as the items of one section, and remembers the others.
    ///
    /// Observers are told what is different among the visible items, and, with an empty difference, where hidden ones or the
    /// expansion alone are. O(items) of the outline, each looked for in every other one, and O(p) of the snapshot.
    ///
    /// - Throws: `DiffableError` with `unknownSection`, or with `duplicateItem` where another section has one of the items,
    ///   shown or hidden.
    @inlinable
    public func apply(_ snapshot: DiffableSectionSnapshot<Item>, to section: Section.ID) throws(DiffableError) {
        let change = try latest.showing(snapshot, in: section)
        if change.difference.isEmpty, latest.outline(of: section) == snapshot { return }
        advance(to: change.result, change.difference)
    }

    /// Shows what is under an item; nothing, where it is expanded already. O(p), and O(items that
    /// come into view).
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public func expand(_ identifier: Item.ID) throws(DiffableError) {
        guard let change = try latest.expanding(identifier, true, in: "expand") else { return }
        advance(to: change.result, change.difference)
    }

    /// Hides what is under an item; nothing, where it is collapsed already. O(p), and O(items that
    /// go out of view).
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public func collapse(_ identifier: Item.ID) throws(DiffableError) {
        guard let change = try latest.expanding(identifier, false, in: "collapse") else { return }
        advance(to: change.result, change.difference)
    }
}
