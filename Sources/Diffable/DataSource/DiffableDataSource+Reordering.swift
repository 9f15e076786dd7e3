extension DiffableDataSource {
    /// What decides on items that a viewer wants to move, and learns where they went.
    public struct ReorderingHandlers {
        /// Whether a viewer may move this item. No item, until this is set: who sets it keeps the new order, too.
        public var canReorderItem: (Item) -> Bool = { _ in false }
        /// Called when an item is about to move, before the observers are told.
        public var willReorder: (DiffableTransaction<Section, Item>) -> Void = { _ in }
        /// Called when an item has moved and the observers know of it: the place to keep the new order.
        public var didReorder: (DiffableTransaction<Section, Item>) -> Void = { _ in }

        /// Handlers that let no item move.
        public init() {}
    }

    /// Moves an item for a viewer, with what is visible under it, within its section or to another; nothing, where it stands
    /// there already. The handlers are called, and the observers told, with a transaction whose difference is these moves.
    ///
    /// Both positions are in what was applied last. `destination` counts without the items that move, so that the item stands
    /// there afterwards; in an outline it comes under the item that such a place belongs to, as with a whole snapshot. No
    /// contents are compared: O(p) for each item that moves, and O(items) of the outlines concerned.
    ///
    /// - Throws: `DiffableError` with `positionOutOfRange` and the position where there is no item, or no such place;
    ///   `reorderingDenied` where `canReorderItem` says so; `identifierMismatch` where it changed what stands at `source`.
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
        guard let change = try latest.moving(from: source, to: destination) else { return }
        advance(to: change.result, change.difference, isReordering: true)
    }
}
