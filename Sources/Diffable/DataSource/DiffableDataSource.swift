/// Stores the current snapshot, and reports the differences of new snapshots to observers.
///
/// The program builds each new snapshot from its state, and applies the snapshot. Observers update their views from the
/// transactions.
///
/// **One actor.** A data source is not `Sendable`: it belongs to the actor or thread that created it, and the compiler rejects
/// other uses. A data source has no locks, so no call can deadlock.
///
/// **In order.** Observers are called before the changing call returns, and get all changes in the order of the calls.
/// An observer may also change the data source. The new change is reported after all observers know the current change,
/// and before the outer call returns. Meanwhile, `snapshot()` and the lookups refer to the change that is being
/// reported. A new change is compared with the last applied snapshot. A call that throws changes nothing.
///
/// **Outlines.** A section becomes an outline when a section snapshot is applied to it. The section then shows the
/// visible items and stores the hidden items. A snapshot that is applied later has only visible items. These items stay
/// under their parents if the new order allows this, and keep their hidden items. Items that are missing from the new
/// snapshot are removed with their hidden items. An added item becomes a sibling of the next item that stayed in order,
/// or else a root.
public final class DiffableDataSource<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    /// A change that observers do not know yet, and the state after it.
    ///
    /// An object, because copying its snapshots copies many references.
    @usableFromInline
    final class PendingChange {
        @usableFromInline let transaction: DiffableTransaction<Section, Item>
        @usableFromInline let result: DataSourceState<Section, Item>
        @usableFromInline let isReordering: Bool

        @inlinable
        init(
            _ transaction: DiffableTransaction<Section, Item>, _ result: DataSourceState<Section, Item>,
            isReordering: Bool
        ) {
            self.transaction = transaction
            self.result = result
            self.isReordering = isReordering
        }
    }

    /// The handlers for items that a user moves. The handlers must not retain the data source.
    public var reorderingHandlers = ReorderingHandlers()
    /// The handlers for items that are expanded or collapsed. The handlers must not retain the data source.
    public var sectionSnapshotHandlers = SectionSnapshotHandlers()

    /// The state after the change that is being reported, or after the last reported change.
    @usableFromInline var shown: DataSourceState<Section, Item>
    /// The state after the last change, even if observers do not know it yet.
    @usableFromInline var latest: DataSourceState<Section, Item>
    /// The changes that observers do not know yet. The first one is being reported.
    @usableFromInline var pending: [PendingChange] = []
    @usableFromInline var observers: [Observer] = []

    /// Creates a data source with an empty snapshot.
    @inlinable
    public init() {
        shown = DataSourceState(.init())
        latest = shown
    }

    /// Creates a data source with a first snapshot. O(n) to hash the items, unless they are hashed
    ///
    /// - Throws: `DiffableError` with `duplicateItem` if two items of the snapshot have the same identifier.
    @inlinable
    public convenience init(_ snapshot: DiffableSnapshot<Section, Item>) throws(DiffableError) {
        self.init()
        try snapshot.checkUniqueness(in: "init")
        shown = DataSourceState(snapshot).withoutMarks
        shown.snapshot.itemTable.adoptIdentities()
        latest = shown
    }

    /// Returns the current snapshot, without marks. Edit this copy and apply the result, or use `update(_:)`.
    @inlinable public func snapshot() -> DiffableSnapshot<Section, Item> { shown.snapshot }

    /// Replaces the current snapshot, and reports the difference unless it is empty.
    ///
    /// Costs as much as `SnapshotDifference(from:to:)`, and O(items) for each outline that changes. After edits have
    /// added about 8√n extents, the data source compacts the storage in O(n). A comparison with a copy from before the
    /// compaction then costs O(n).
    ///
    /// - Throws: `DiffableError` with `duplicateItem` if two items of the snapshot have the same identifier.
    @inlinable
    public func apply(_ snapshot: DiffableSnapshot<Section, Item>) throws(DiffableError) {
        var snapshot = snapshot
        // Compacts once. Otherwise, the comparison and the data source would each compact a copy.
        if latest.snapshot.itemTable.commonSlotCount(with: snapshot.itemTable) == 0 {
            snapshot.compact(ifOver: snapshot.fragmentationLimit)
        }
        let difference = try SnapshotDifference(from: latest.snapshot, to: snapshot, in: "apply")
        if !difference.isEmpty { enqueue(latest.updated(by: difference, to: snapshot), difference) }
    }

    /// Applies a difference to the last applied snapshot, and reports the difference unless it is empty.
    ///
    /// For programs that receive differences. No contents are compared. Costs as much as
    /// `DiffableSnapshot.applying(_:)`, and O(items) for each outline that changes.
    ///
    /// - Throws: The errors of `DiffableSnapshot.applying(_:)`.
    @inlinable
    public func apply(_ difference: SnapshotDifference<Section, Item>) throws(DiffableError) {
        let snapshot = try latest.snapshot.applying(difference)
        if !difference.isEmpty { enqueue(latest.updated(by: difference, to: snapshot), difference) }
    }

    /// Edits the current snapshot, or within an observer the last applied snapshot, and applies the result.
    ///
    /// - Throws: The errors of `edit` and of `apply(_:)`, after which nothing is applied.
    @inlinable
    public func update(_ edit: (inout DiffableSnapshot<Section, Item>) throws -> Void) throws {
        var snapshot = latest.snapshot
        try edit(&snapshot)
        try apply(snapshot)
    }

    /// Replaces the current snapshot without a comparison. Observers reload everything. O(1), or O(n) to hash the items
    /// if they are not hashed, or to compact the storage
    ///
    /// If there are outlines, the snapshots are compared to keep the outlines, which costs as much as `apply(_:)`.
    ///
    /// - Throws: `DiffableError` with `duplicateItem` if two items of the snapshot have the same identifier.
    @inlinable
    public func applySnapshotUsingReloadData(_ snapshot: DiffableSnapshot<Section, Item>) throws(DiffableError) {
        try snapshot.checkUniqueness(in: "applySnapshotUsingReloadData")
        var result = DataSourceState(snapshot)
        if !latest.outlines.isEmpty {
            result = latest.updated(by: SnapshotDifference(fromUnique: latest.snapshot, to: snapshot), to: snapshot)
        }
        enqueue(result, nil)
    }

    /// Calls `body` with every change from now on, until the observation is canceled or released.
    public func observe(_ body: @escaping (DiffableTransaction<Section, Item>) -> Void) -> DiffableObservation {
        let observer = Observer(body)
        observers.append(observer)
        return DiffableObservation { observer.body = nil }
    }

    /// Adds a change to the pending ones. The outermost call then reports all pending changes, also those that
    /// observers make.
    @inlinable
    func enqueue(
        _ final: DataSourceState<Section, Item>, _ difference: SnapshotDifference<Section, Item>?,
        isReordering: Bool = false
    ) {
        let transaction = DiffableTransaction(from: latest, to: final, difference)
        latest = final.withoutMarks
        latest.snapshot.itemTable.adoptIdentities()
        latest.snapshot.compact(ifOver: latest.snapshot.fragmentationLimit)
        pending.append(PendingChange(transaction, latest, isReordering: isReordering))
        guard pending.count == 1 else { return }
        while let change = pending.first {
            report(change)
            pending.removeFirst()
        }
    }

    /// Calls the observers, and the reordering handlers if a user moved an item.
    @inlinable
    func report(_ change: PendingChange) {
        if change.isReordering { reorderingHandlers.willReorder(change.transaction) }
        shown = change.result
        observers.removeAll { $0.body == nil }
        for observer in observers { observer.body?(change.transaction) }
        if change.isReordering { reorderingHandlers.didReorder(change.transaction) }
    }

    @usableFromInline
    final class Observer {
        @usableFromInline var body: ((DiffableTransaction<Section, Item>) -> Void)?

        init(_ body: @escaping (DiffableTransaction<Section, Item>) -> Void) { self.body = body }
    }
}

/// An observation of a data source, which ends when this object is released.
public final class DiffableObservation {
    private let end: () -> Void

    init(end: @escaping () -> Void) { self.end = end }

    deinit { end() }

    /// Ends the observation. The closure is not called again, even for a change that is being reported.
    public func cancel() { end() }
}

@available(*, unavailable, message: "a data source belongs to the actor or thread that created it")
extension DiffableDataSource: Sendable {}

extension DiffableDataSource {
    /// Returns the identifier of the item at an index path; nil if there is none. O(log p)
    @inlinable
    public func itemIdentifier(for indexPath: ItemIndexPath) -> Item.ID? {
        shown.snapshot.itemIdentifier(at: indexPath)
    }

    /// Returns the item at an index path; nil if there is none. O(log p)
    @inlinable public func item(at indexPath: ItemIndexPath) -> Item? { shown.snapshot.item(at: indexPath) }

    /// Returns the index path of an item; nil if the item is not shown. O(log p), or O(n) to hash the items in the first
    /// call after a new snapshot
    @inlinable
    public func indexPath(for itemIdentifier: Item.ID) -> ItemIndexPath? {
        let path = shown.snapshot.indexPath(for: itemIdentifier)
        shown.snapshot.itemTable.adoptIdentities()
        return path
    }

    /// Returns the identifier of the section at an index; nil if there is none.
    @inlinable
    public func sectionIdentifier(for index: Int) -> Section.ID? {
        let table = shown.snapshot.sectionTable
        return (0..<table.count).contains(index) ? table.identifier(of: index) : nil
    }

    /// Returns the index of a section; nil if the section is not shown.
    @inlinable
    public func index(for sectionIdentifier: Section.ID) -> Int? { shown.snapshot.indexOfSection(sectionIdentifier) }
}

extension DiffableDataSource {
    /// Returns the items of a section as an outline, with hidden items. If the section has no outline, all items are
    /// roots. Empty if there is no such section. O(1) for an outline, otherwise O(items).
    ///
    /// Edit this copy and apply the result.
    @inlinable
    public func snapshot(for section: Section.ID) -> DiffableSectionSnapshot<Item> { shown.outline(of: section) }

    /// Shows the visible items of a section snapshot as the items of one section, and stores the hidden items.
    ///
    /// Observers get the difference of the visible items. This difference is empty if only hidden items or the
    /// expansion of items without children changed. O(items of the outline × outlines), and the cost of
    /// `DiffableSnapshot.applying(_:)`.
    ///
    /// A missing section is appended to the other sections if sections have only an identifier, such as `Hashable` values or
    /// types with `var id: Self`.
    ///
    /// - Throws: `DiffableError` with `unknownSection`, or with `duplicateItem` if another section has one of the items,
    ///   visible or hidden.
    @inlinable
    public func apply(_ snapshot: DiffableSectionSnapshot<Item>, to section: Section.ID) throws(DiffableError) {
        if !latest.snapshot.containsSection(section), let new = Section.withOnly(identifier: section) {
            return try apply(snapshot, toSection: new)
        }
        let change = try latest.showing(snapshot, in: section)
        if change.difference.isEmpty, latest.outline(of: section) == snapshot { return }
        enqueue(change.result, change.difference)
    }

    /// Shows a section snapshot in a section, like ``apply(_:to:)``. The section is appended to the other sections if it is
    /// missing, and replaced if its content differs.
    ///
    /// Observers get one transaction. If the section is new or changed, the whole snapshots are compared.
    ///
    /// - Throws: `DiffableError` with `duplicateItem` if another section has one of the items, visible or hidden.
    @inlinable
    public func apply(
        _ snapshot: DiffableSectionSnapshot<Item>, toSection section: Section
    ) throws(DiffableError) {
        let before = latest
        let old = before.snapshot.section(for: section.id)
        if old == section { return try apply(snapshot, to: section.id) }
        var state = before
        if old == nil {
            try state.snapshot.appendSections([section])
        } else {
            try state.snapshot.replaceSection(section)
        }
        let result = try state.showing(snapshot, in: section.id).result
        enqueue(result, SnapshotDifference(fromUnique: before.snapshot, to: result.snapshot))
    }

    /// Expands an item, unless it is expanded or `shouldExpandItem` returns false.
    ///
    /// O(p + items that become visible), and O(items of the section) if the section has no outline. If
    /// `snapshotForExpandingParent` is set, as much as `apply(_:to:)`.
    ///
    /// - Throws: `DiffableError` with `unknownItem`, or with `duplicateItem` if `snapshotForExpandingParent` returns an
    ///   item that is elsewhere. Changes that the handlers have made stay.
    @inlinable
    public func expand(_ identifier: Item.ID) throws(DiffableError) {
        let (item, outline, _) = try latest.outlineItem(identifier, in: "expand")
        guard !outline.isExpanded(identifier), sectionSnapshotHandlers.shouldExpandItem(item) else { return }
        sectionSnapshotHandlers.willExpandItem(item)
        guard let newChildren = sectionSnapshotHandlers.snapshotForExpandingParent else {
            return try setExpanded(identifier, true, in: "expand")
        }
        // The handlers may have made changes.
        let current = try latest.outlineItem(identifier, in: "expand")
        let children = newChildren(current.item, current.outline.snapshot(of: identifier))
        var (_, changed, section) = try latest.outlineItem(identifier, in: "expand")
        try changed.replace(childrenOf: identifier, using: children)
        try changed.expand([identifier])
        try apply(changed, to: section)
    }

    /// Collapses an item, unless it is collapsed or `shouldCollapseItem` returns false.
    ///
    /// O(p log p + items that become hidden), and O(items of the section) if the section has no outline.
    ///
    /// - Throws: `DiffableError` with `unknownItem`.
    @inlinable
    public func collapse(_ identifier: Item.ID) throws(DiffableError) {
        let (item, outline, _) = try latest.outlineItem(identifier, in: "collapse")
        guard outline.isExpanded(identifier), sectionSnapshotHandlers.shouldCollapseItem(item) else { return }
        sectionSnapshotHandlers.willCollapseItem(item)
        try setExpanded(identifier, false, in: "collapse")
    }

    @inlinable
    func setExpanded(
        _ identifier: Item.ID, _ isExpanded: Bool, in operation: StaticString
    ) throws(DiffableError) {
        guard let change = try latest.settingExpanded(identifier, isExpanded, in: operation) else { return }
        enqueue(change.result, change.difference)
    }
}

extension DiffableDataSource {
    /// The functions that control how items of outlines expand and collapse.
    public struct SectionSnapshotHandlers {
        /// Returns true if an item may be expanded. Returns true by default.
        public var shouldExpandItem: (Item) -> Bool = { _ in true }
        /// Called before an item is expanded.
        public var willExpandItem: (Item) -> Void = { _ in }
        /// Returns true if an item may be collapsed. Returns true by default.
        public var shouldCollapseItem: (Item) -> Bool = { _ in true }
        /// Called before an item is collapsed.
        public var willCollapseItem: (Item) -> Void = { _ in }
        /// Returns the descendants of an item that is being expanded, from the item and its current descendants. With
        /// this function, a program can load children when they are needed. Nil by default: the descendants stay.
        public var snapshotForExpandingParent: ((Item, DiffableSectionSnapshot<Item>) -> DiffableSectionSnapshot<Item>)?

        /// Creates handlers that allow everything.
        public init() {}
    }
}

extension DiffableDataSource {
    /// The functions that control how a user moves items.
    public struct ReorderingHandlers {
        /// Returns true if a user may move an item. Returns false by default.
        public var canReorderItem: (Item) -> Bool = { _ in false }
        /// Called before an item is moved and the observers are called.
        public var willReorder: (DiffableTransaction<Section, Item>) -> Void = { _ in }
        /// Called after an item was moved and the observers were called. Store the new order here.
        public var didReorder: (DiffableTransaction<Section, Item>) -> Void = { _ in }

        /// Creates handlers that allow no moves.
        public init() {}
    }

    /// Moves an item for a user, with its visible descendants, within its section or to another. Does nothing if both
    /// index paths are equal. Calls the handlers and the observers. The difference of the transaction has the moves.
    ///
    /// Both index paths refer to the last applied snapshot. `destination` is the index path of the item after the move.
    /// In an outline, the item gets a parent as if a snapshot with the new order was applied. No contents are compared.
    ///
    /// Costs as much as `DiffableSnapshot.applying(_:)`, and O(items) for the outlines of both sections.
    ///
    /// - Throws: `DiffableError` with `positionOutOfRange` if there is no item at `source`, or `destination` is out of
    ///   range; `reorderingDenied` if `canReorderItem` returns false; `identifierMismatch` if `canReorderItem` has changed
    ///   the item at `source`.
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
        enqueue(change.result, change.difference, isReordering: true)
    }
}
