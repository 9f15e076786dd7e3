/// Holds what is shown now, takes what shall be shown next, and tells its observers what is different.
///
/// The owner makes each next snapshot from its state and applies it; observers redraw from the transaction they are given.
///
/// **One owner.** A data source is not `Sendable`: it lives in the actor, or on the thread, that made it, and the compiler
/// rejects a use from elsewhere. No call waits for a lock, so none can deadlock.
///
/// **In order.** Observers are told within the call that changes something, one after another, each of every change in the
/// order of the calls. An observer may make a change, too: it is told when all observers know of the current one, before the
/// outer call returns. `snapshot()` and the lookups answer for what is being told; every change counts from the one that was
/// made last, told or not. A call that throws changes nothing.
///
/// **Outlines.** A section is an outline from the first section snapshot applied to it on: it shows what is visible of that,
/// and remembers what is hidden. A whole snapshot applied later says what is visible: its items, in its order. They stay
/// under their parents as far as that order allows, and keep what is hidden under them; what it does not have is gone, with
/// what was hidden under it. An item that it adds is a root, or, where it stands between items that stay under one parent,
/// under that parent, too.
public final class DiffableDataSource<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline
    struct Step {
        @usableFromInline let transaction: DiffableTransaction<Section, Item>
        @usableFromInline let result: Presentation<Section, Item>
        @usableFromInline let isReordering: Bool

        @inlinable
        init(
            _ transaction: DiffableTransaction<Section, Item>, to result: Presentation<Section, Item>,
            isReordering: Bool
        ) {
            self.transaction = transaction
            self.result = result
            self.isReordering = isReordering
        }
    }

    /// What decides on items that a viewer wants to move, and learns where they went. Kept as long as the data source, which
    /// they must not keep in turn.
    public var reorderingHandlers = ReorderingHandlers()

    @usableFromInline var shown: Presentation<Section, Item>
    /// What was made last, told or not.
    @usableFromInline var latest: Presentation<Section, Item>
    @usableFromInline var pending: [Step] = []
    @usableFromInline var isTelling = false
    @usableFromInline var observers: [Observer] = []

    /// A data source that shows `snapshot`.
    @inlinable
    public init(_ snapshot: DiffableSnapshot<Section, Item> = .init()) {
        shown = Presentation(snapshot).withoutMarks
        latest = shown
    }

    /// What is shown now, without marks. Edit the copy and apply it, or use `update(_:)`.
    @inlinable
    public func snapshot() -> DiffableSnapshot<Section, Item> { shown.snapshot }

    /// Shows `snapshot`, and tells the observers what is different; nothing, where nothing is.
    ///
    /// The cost is that of `SnapshotDifference(from:to:)`, and O(items) of the outlines that it changes. Where edits have
    /// added about 4√n stretches, what is shown is laid out anew, in O(n); snapshots that were taken before have no history
    /// in common with it any more.
    @inlinable
    public func apply(_ snapshot: DiffableSnapshot<Section, Item>) {
        let difference = SnapshotDifference(from: latest.snapshot, to: snapshot)
        if !difference.isEmpty { advance(to: latest.following(difference, to: snapshot), difference) }
    }

    /// Shows what `difference` leads to, and tells it to the observers as it is; nothing, where it is empty.
    ///
    /// For a receiver of differences: no contents are compared. The cost is that of `DiffableSnapshot.applying(_:)`, and
    /// O(items) of the outlines that it changes.
    ///
    /// - Throws: What `DiffableSnapshot.applying(_:)` throws.
    @inlinable
    public func apply(_ difference: SnapshotDifference<Section, Item>) throws(DiffableError) {
        let snapshot = try latest.snapshot.applying(difference)
        if !difference.isEmpty { advance(to: latest.following(difference, to: snapshot), difference) }
    }

    /// Edits what is shown, and shows the result: `apply(_:)` of an edited `snapshot()`, but that within an observer's call
    /// the edits are made on what was applied last.
    ///
    /// - Throws: What `edit` throws; nothing of it is shown then.
    @inlinable
    public func update<E: Error>(_ edit: (inout DiffableSnapshot<Section, Item>) throws(E) -> Void) throws(E) {
        var snapshot = latest.snapshot
        try edit(&snapshot)
        apply(snapshot)
    }

    /// Shows `snapshot` without comparing: observers are to show everything anew. O(1).
    ///
    /// Where there are outlines, it is compared after all, to keep them, at the cost of applying it.
    @inlinable
    public func applySnapshotUsingReloadData(_ snapshot: DiffableSnapshot<Section, Item>) {
        var result = Presentation(snapshot)
        if !latest.outlines.isEmpty {
            result = latest.following(SnapshotDifference(from: latest.snapshot, to: snapshot), to: snapshot)
        }
        advance(to: result, nil)
    }

    /// Calls `body` with every change from now on, until the observation is cancelled or released.
    public func observe(_ body: @escaping (DiffableTransaction<Section, Item>) -> Void) -> DiffableObservation {
        let observer = Observer(body)
        observers.append(observer)
        return DiffableObservation(cancelling: observer)
    }

    /// Makes a change; tells it, and those that it leads to, unless an outer call does.
    @inlinable
    func advance(
        to final: Presentation<Section, Item>, _ difference: SnapshotDifference<Section, Item>?,
        isReordering: Bool = false
    ) {
        let transaction = DiffableTransaction(from: latest, to: final, difference)
        latest = final.withoutMarks
        latest.snapshot.layOut(carryingOver: latest.snapshot.editLimit)
        let step = Step(transaction, to: latest, isReordering: isReordering)
        if isTelling {
            pending.append(step)
            return
        }
        isTelling = true
        defer { isTelling = false }
        tell(step)
        while !pending.isEmpty { tell(pending.removeFirst()) }
    }

    @inlinable
    func tell(_ step: Step) {
        if step.isReordering { reorderingHandlers.willReorder(step.transaction) }
        shown = step.result
        observers.removeAll { $0.body == nil }
        for observer in observers { observer.body?(step.transaction) }
        if step.isReordering { reorderingHandlers.didReorder(step.transaction) }
    }

    @usableFromInline
    final class Observer: Cancellable {
        @usableFromInline var body: ((DiffableTransaction<Section, Item>) -> Void)?

        init(_ body: @escaping (DiffableTransaction<Section, Item>) -> Void) {
            self.body = body
        }

        @usableFromInline
        func cancel() {
            body = nil
        }
    }
}

@available(*, unavailable, message: "a data source belongs to the one actor or thread that made it")
extension DiffableDataSource: Sendable {}

extension DiffableDataSource {
    /// The identifier of the item that is shown there. O(log p), as for a snapshot.
    @inlinable
    public func itemIdentifier(for indexPath: ItemIndexPath) -> Item.ID? {
        shown.snapshot.itemIdentifier(at: indexPath)
    }

    /// The item that is shown there. O(log p).
    @inlinable
    public func item(at indexPath: ItemIndexPath) -> Item? { shown.snapshot.item(at: indexPath) }

    /// Where the item is shown; nil where it is not. O(log p).
    @inlinable
    public func indexPath(for itemIdentifier: Item.ID) -> ItemIndexPath? {
        shown.snapshot.indexPath(for: itemIdentifier)
    }

    /// The identifier of the section with this index; nil where there is none.
    @inlinable
    public func sectionIdentifier(for index: Int) -> Section.ID? {
        let table = shown.snapshot.sectionTable
        return (0..<table.count).contains(index) ? table.identifier(of: index) : nil
    }

    /// The index of the section; nil where it is not shown.
    @inlinable
    public func index(for sectionIdentifier: Section.ID) -> Int? { shown.snapshot.indexOfSection(sectionIdentifier) }
}
