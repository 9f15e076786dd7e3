extension DiffableDataSource {
    /// The functions that control how a user moves items.
    public struct ReorderingHandlers {
        /// Returns whether a user may move an item. If it is not set, no item may be moved.
        public var canReorderItem: (Item) -> Bool = { _ in false }
        /// Called before an item is moved and the observers are called.
        public var willReorder: (DiffableTransaction<Section, Item>) -> Void = { _ in }
        /// Called after an item was moved and the observers were called. Store the new order here.
        public var didReorder: (DiffableTransaction<Section, Item>) -> Void = { _ in }

        /// Creates handlers that allow no moves.
        public init() {}
    }

    /// Moves an item for a user, with the visible items under it, within its section or to another. Does nothing if it is
    /// there already. The handlers and the observers are called; the difference of the transaction has these moves.
    ///
    /// Both index paths refer to the last applied snapshot. `destination` is the index path of the item after the move. In an
    /// outline, the item gets a parent as if a snapshot with the new order was applied. No contents are compared: O(p) for
    /// each moved item, and O(items) for the outlines of both sections.
    ///
    /// - Throws: `DiffableError` with `positionOutOfRange` if there is no such item or place; `reorderingDenied` if
    ///   `canReorderItem` returns false; `identifierMismatch` if `canReorderItem` has changed the item at `source`.
    @inlinable
    public func moveItem(at source: ItemIndexPath, to destination: ItemIndexPath) throws(DiffableError) {
        guard let item = latest.snapshot.item(at: source) else {
            throw DiffableError(.positionOutOfRange, source, in: "moveItem")
        }
        guard reorderingHandlers.canReorderItem(item) else {
            throw DiffableError(.reorderingDenied, item.id, in: "moveItem")
        }
        // The handler may have made changes.
        guard latest.snapshot.item(at: source)?.id == item.id else {
            throw DiffableError(.identifierMismatch, item.id, in: "moveItem")
        }
        guard let change = try latest.moving(item, from: source, to: destination) else { return }
        advance(to: change.result, change.difference, isReordering: true)
    }
}
