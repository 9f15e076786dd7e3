/// Stores the current snapshot, and reports the differences of new snapshots to observers.
///
/// The program builds each new snapshot from its state, and applies the snapshot. Observers update their views from the
/// transactions.
///
/// **One actor.** A data source is not `Sendable`: it belongs to the actor or thread that created it, and the compiler rejects
/// other uses. A data source has no locks, so no call can deadlock. Sections and items need not be `Sendable`.
///
/// **In order.** Observers are called before the changing call returns, and get all changes in the order of the calls.
/// An observer may also change the data source. The new change is reported after all observers know the current change,
/// and before the outer call returns. A call that throws changes nothing.
///
/// **The newest snapshot.** `snapshot()` and the lookups refer to the last applied snapshot, also within an observer. So
/// two observers that edit `snapshot()` and apply the result, or call `update(_:)`, both succeed. A snapshot that an
/// observer edits from `transaction.finalSnapshot` is refused with `staleSnapshot` if another observer has already
/// applied a change. A view uses the index paths and the snapshots of the transaction.
public final class DiffableDataSource<Section: Identifiable & Equatable, Item: Identifiable & Equatable>
where Section.ID: Sendable, Item.ID: Sendable {
    /// A change of the data source.
    public typealias Transaction = DiffableTransaction<Section, Item>

    /// The handlers for items that a user moves. The handlers must not retain the data source.
    public var reorderingHandlers = ReorderingHandlers()

    /// The last applied snapshot, without marks.
    @usableFromInline var latest: DiffableSnapshot<Section, Item>
    /// The changes that observers do not know yet. The first one is being reported.
    @usableFromInline var pending: [Transaction] = []
    @usableFromInline var observers: [Observer] = []

    /// Creates a data source with an empty snapshot.
    public init() {
        latest = DiffableSnapshot()
        latest.revision = uniqueNumber()
    }

    /// Creates a data source with a first snapshot. O(n) to hash the items, unless they are hashed
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `duplicateItem` if two sections or two items of the snapshot
    ///   have the same identifier.
    public init(_ snapshot: DiffableSnapshot<Section, Item>) throws(DiffableError) {
        try snapshot.validate(in: "init")
        latest = snapshot
        latest.clearMarks()
        latest.revision = uniqueNumber()
    }

    /// Returns the current snapshot, without marks. Edit this copy and apply the result, or use `update(_:)`.
    @inlinable public func snapshot() -> DiffableSnapshot<Section, Item> { latest }

    /// Replaces the current snapshot, and reports the difference unless it is empty.
    ///
    /// Costs as much as `SnapshotDifference(from:to:)`. After edits have added about 8√n extents, the data source compacts
    /// the storage in O(n). A comparison with a copy from before the compaction then costs O(n).
    ///
    /// `animatingDifferences` is a hint for observers: `DiffableTransaction.animatingDifferences`.
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `duplicateItem` if two sections or two items of the snapshot
    ///   have the same identifier; with `staleSnapshot` if an observer has edited the snapshot from one that another
    ///   observer has replaced since.
    @inlinable
    public func apply(
        _ snapshot: DiffableSnapshot<Section, Item>, animatingDifferences: Bool = true
    ) throws(DiffableError) {
        if !pending.isEmpty { try refuseStale(snapshot, in: "apply") }
        var snapshot = snapshot
        // Compacts once. Otherwise, the comparison and the data source would each compact a copy.
        if latest.itemTable.sharedSlotCount(with: snapshot.itemTable) == 0 {
            snapshot.compact(ifOver: snapshot.fragmentationLimit)
        }
        let difference = try SnapshotDifference(fromUnique: latest, to: snapshot, in: "apply")
        if !difference.isEmpty { report(snapshot, difference, animatingDifferences) }
    }

    /// Applies a difference to the current snapshot, and reports the difference unless it is empty.
    ///
    /// For programs that receive differences. No contents are compared. Costs as much as `DiffableSnapshot.applying(_:)`.
    ///
    /// - Throws: The errors of `DiffableSnapshot.applying(_:)`.
    @inlinable
    public func apply(
        _ difference: SnapshotDifference<Section, Item>, animatingDifferences: Bool = true
    ) throws(DiffableError) {
        let snapshot = try latest.applying(difference)
        if !difference.isEmpty { report(snapshot, difference, animatingDifferences) }
    }

    /// Edits the current snapshot, and applies the result.
    ///
    /// - Throws: The errors of `edit` and of `apply(_:)`, after which nothing is applied.
    @inlinable
    public func update(
        animatingDifferences: Bool = true, _ edit: (inout DiffableSnapshot<Section, Item>) throws -> Void
    ) throws {
        var snapshot = latest
        try edit(&snapshot)
        try apply(snapshot, animatingDifferences: animatingDifferences)
    }

    /// Replaces the current snapshot without a comparison. Observers reload everything. O(n) to hash the items, unless they
    /// are hashed
    ///
    /// - Throws: The errors of `apply(_:)`.
    public func applySnapshotUsingReloadData(_ snapshot: DiffableSnapshot<Section, Item>) throws(DiffableError) {
        try refuseStale(snapshot, in: "applySnapshotUsingReloadData")
        try snapshot.validate(in: "applySnapshotUsingReloadData")
        report(snapshot, nil, false)
    }

    /// Calls `body` with every change from now on, until the observation is canceled or released.
    public func observe(_ body: @escaping (Transaction) -> Void) -> DiffableObservation {
        let observer = Observer(since: latest.revision, body)
        observers.append(observer)
        return DiffableObservation { observer.body = nil }
    }

    /// Throws if an observer applies a snapshot that was not edited from the newest one. A revision of 0 is that of a
    /// snapshot that was not edited from one of a data source.
    @usableFromInline
    func refuseStale(
        _ snapshot: DiffableSnapshot<Section, Item>, in operation: StaticString
    ) throws(DiffableError) {
        guard let reported = pending.first, snapshot.revision != 0, snapshot.revision != latest.revision,
            reported.finalSnapshot.revision != latest.revision
        else { return }
        throw DiffableError(.staleSnapshot, in: operation)
    }

    /// Makes a snapshot the current one, and reports the change. Within an observer, the outermost call reports the change
    /// later.
    @inlinable
    func report(
        _ snapshot: DiffableSnapshot<Section, Item>, _ difference: SnapshotDifference<Section, Item>?,
        _ animatingDifferences: Bool, isReordering: Bool = false
    ) {
        var final = snapshot
        // A duplicate was deleted: the snapshot is unique.
        if final.itemTable.isHashed, final.itemTable.mayHaveDuplicates { final.compact() }
        final.compact(ifOver: final.fragmentationLimit)
        final.revision = uniqueNumber()
        // An inserted element has no mark.
        if final.marked != nil { final.keepMarks(difference?.marks ?? final.marks(remainingFrom: latest)) }
        let transaction = Transaction(
            .init(latest, final, difference, animatingDifferences, isReordering: isReordering))
        latest = final
        latest.clearMarks()
        pending.append(transaction)
        if pending.count == 1 { reportPending() }
    }

    /// Calls the observers, and the reordering handlers if a user moved an item.
    @inlinable
    func reportPending() {
        while !pending.isEmpty {
            let transaction = pending[0]
            if transaction.isReordering { reorderingHandlers.willReorder(transaction) }
            observers.removeAll { $0.body == nil }
            let revision = transaction.finalSnapshot.revision
            for observer in observers where observer.start < revision { observer.body?(transaction) }
            if transaction.isReordering { reorderingHandlers.didReorder(transaction) }
            pending.removeFirst()
        }
    }

    @usableFromInline
    final class Observer {
        /// Nil after the end of the observation.
        @usableFromInline var body: ((Transaction) -> Void)?
        /// Called when the data source no longer has the observer.
        var end: () -> Void = {}

        /// The revision of the current snapshot when the observation began. Earlier changes are not reported.
        @usableFromInline let start: UInt64

        init(since start: UInt64, _ body: @escaping (Transaction) -> Void) { (self.start, self.body) = (start, body) }

        deinit { end() }
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

extension DiffableDataSource where Section: Sendable, Item: Sendable {
    /// The changes from now on, for `for await`. The sequence ends with the data source.
    ///
    /// A change is buffered until the loop gets to it. So the loop may see a change after newer ones were applied; use the
    /// snapshots of the transaction.
    public var transactions: AsyncStream<Transaction> {
        let (stream, continuation) = AsyncStream.makeStream(of: Transaction.self)
        let observer = Observer(since: latest.revision) { _ in }
        observer.body = { [weak observer] transaction in
            if case .terminated = continuation.yield(transaction) { observer?.body = nil }
        }
        observer.end = { continuation.finish() }
        observers.append(observer)
        return stream
    }
}

extension DiffableDataSource {
    /// Returns the identifier of the item at an index path; nil if there is none. O(log p)
    @inlinable
    public func itemIdentifier(for indexPath: ItemIndexPath) -> Item.ID? { latest.itemIdentifier(at: indexPath) }

    /// Returns the item at an index path; nil if there is none. O(log p)
    @inlinable public func item(at indexPath: ItemIndexPath) -> Item? { latest.item(at: indexPath) }

    /// Returns the index path of an item; nil if the item is not shown. O(log p), or O(n) to hash the items in the first
    /// call after a new snapshot
    @inlinable
    public func indexPath(for itemIdentifier: Item.ID) -> ItemIndexPath? { latest.indexPath(for: itemIdentifier) }

    /// Returns the identifier of the section at an index; nil if there is none.
    public func sectionIdentifier(for index: Int) -> Section.ID? {
        latest.sections.indices.contains(index) ? latest.sections[index].id : nil
    }

    /// Returns the index of a section; nil if the section is not shown.
    public func index(for sectionIdentifier: Section.ID) -> Int? { latest.indexOfSection(sectionIdentifier) }
}

extension DiffableDataSource {
    /// The functions that control how a user moves items.
    public struct ReorderingHandlers {
        /// Returns true if a user may move an item. Returns false by default.
        public var canReorderItem: (Item) -> Bool = { _ in false }
        /// Called before the observers are called.
        public var willReorder: (Transaction) -> Void = { _ in }
        /// Called after the observers were called. Store the new order here.
        public var didReorder: (Transaction) -> Void = { _ in }

        /// Creates handlers that allow no moves.
        public init() {}
    }

    /// Moves an item for a user, within its section or to another. Does nothing if both index paths are equal. Calls the
    /// handlers and the observers. The difference of the transaction has one move.
    ///
    /// Both index paths refer to the current snapshot. `destination` is the index path of the item after the move. Costs as
    /// much as `DiffableSnapshot.applying(_:)`; no contents are compared.
    ///
    /// - Throws: `DiffableError` with `positionOutOfRange` if there is no item at `source`, or `destination` is out of
    ///   range; `reorderingDenied` if `canReorderItem` returns false; `identifierMismatch` if `canReorderItem` has changed
    ///   the item at `source`.
    public func moveItem(at source: ItemIndexPath, to destination: ItemIndexPath) throws(DiffableError) {
        guard let item = latest.item(at: source) else {
            throw DiffableError(.positionOutOfRange, source, in: "moveItem")
        }
        guard reorderingHandlers.canReorderItem(item) else {
            throw DiffableError(.reorderingDenied, item.id, in: "moveItem")
        }
        // The handler may have made changes.
        guard latest.item(at: source)?.id == item.id else {
            throw DiffableError(.identifierMismatch, item.id, in: "moveItem")
        }
        let sections = 0..<latest.numberOfSections
        guard sections.contains(destination.section), destination.item >= 0,
            destination.item
                < latest[section: destination.section].count + (source.section == destination.section ? 0 : 1)
        else { throw DiffableError(.positionOutOfRange, destination, in: "moveItem") }
        if source == destination { return }
        let move = ElementChanges<ItemIndexPath, Item>.Move(id: item.id, from: source, to: destination)
        let difference = SnapshotDifference<Section, Item>(items: .init(moved: [move]))
        report(try latest.applying(difference), difference, true, isReordering: true)
    }
}
