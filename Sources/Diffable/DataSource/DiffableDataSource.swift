/// Holds what is shown now, takes what shall be shown next, and tells its observers what is different.
///
/// The owner makes each next snapshot from its state and applies it; observers redraw from the change they are given.
///
/// **One owner.** A data source is not `Sendable`: it lives in the actor, or on the thread, that made it, and the compiler
/// rejects a use from elsewhere. No call waits for a lock, so none can deadlock.
///
/// **In order.** Observers are told within the call to `apply`, one after another, each of every change in the order of the
/// calls. An observer may call `apply` again: that change is made and told when all observers know of the current one, before
/// the outer call returns, against the snapshot that was applied last.
public final class DiffableDataSource<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
> where Section.ID: Sendable, Item.ID: Sendable {
    /// What is told to observers.
    public struct Change: Sendable {
        /// What is different from the snapshot before; nil where the snapshot was applied using reload data.
        public let difference: SnapshotDifference<Section, Item>?
        /// What shall be shown now, with the marks that were on it.
        public let snapshot: DiffableSnapshot<Section, Item>
    }

    private enum Delivery {
        case compared, reloaded
        case known(SnapshotDifference<Section, Item>)
    }

    private var current: DiffableSnapshot<Section, Item>
    private var pending: [(snapshot: DiffableSnapshot<Section, Item>, delivery: Delivery)] = []
    private var isDelivering = false
    private var observers: [Observer] = []

    /// A data source that shows `snapshot`.
    public init(_ snapshot: DiffableSnapshot<Section, Item> = .init()) {
        current = snapshot
        current.clearMarks()
    }

    /// What is shown now, without marks. Edit the copy and apply it.
    ///
    /// Within an observer's call this is the snapshot that is being told.
    public func snapshot() -> DiffableSnapshot<Section, Item> { current }

    /// Shows `snapshot`, and tells the observers what is different; nothing, where nothing is.
    ///
    /// The cost is that of `SnapshotDifference(from:to:)`.
    public func apply(_ snapshot: DiffableSnapshot<Section, Item>) {
        enqueue(snapshot, .compared)
    }

    /// Shows what `difference` leads to, and tells it to the observers as it is; nothing, where it is empty.
    ///
    /// For a receiver of differences: nothing is compared. Within an observer's call the difference counts from what was
    /// applied last, told or not.
    ///
    /// - Throws: What `DiffableSnapshot.applying(_:)` throws; the data source is as it was then.
    public func apply(_ difference: SnapshotDifference<Section, Item>) throws(DiffableError) {
        let base = pending.last?.snapshot ?? current
        enqueue(try base.applying(difference), .known(difference))
    }

    /// Shows `snapshot` without comparing: observers are to show everything anew.
    public func applySnapshotUsingReloadData(_ snapshot: DiffableSnapshot<Section, Item>) {
        enqueue(snapshot, .reloaded)
    }

    /// Calls `body` with every change from now on, until the observation is cancelled or released.
    public func observe(_ body: @escaping (Change) -> Void) -> DiffableObservation {
        let observer = Observer(body)
        observers.append(observer)
        return DiffableObservation(cancelling: observer)
    }

    private func enqueue(_ snapshot: DiffableSnapshot<Section, Item>, _ delivery: Delivery) {
        pending.append((snapshot, delivery))
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !pending.isEmpty {
            let next = pending.removeFirst()
            if let change = advance(to: next.snapshot, next.delivery) { tell(change) }
        }
    }

    private func advance(to snapshot: DiffableSnapshot<Section, Item>, _ delivery: Delivery) -> Change? {
        let difference: SnapshotDifference<Section, Item>? =
            switch delivery {
            case .compared: SnapshotDifference(from: current, to: snapshot)
            case .known(let difference): difference
            case .reloaded: nil
            }
        current = snapshot
        current.clearMarks()
        return difference?.isEmpty == true ? nil : Change(difference: difference, snapshot: snapshot)
    }

    private func tell(_ change: Change) {
        observers.removeAll { $0.body == nil }
        for observer in observers { observer.body?(change) }
    }

    private final class Observer: Cancellable {
        var body: ((Change) -> Void)?

        init(_ body: @escaping (Change) -> Void) {
            self.body = body
        }

        func cancel() {
            body = nil
        }
    }
}

@available(*, unavailable, message: "a data source belongs to the one actor or thread that made it")
extension DiffableDataSource: Sendable {}

extension DiffableDataSource {
    /// The identifier of the item that is shown there. A position.
    public func itemIdentifier(for indexPath: ItemIndexPath) -> Item.ID? {
        current.itemSlot(at: indexPath).map(current.itemTable.identifier(of:))
    }

    /// The item that is shown there. A position.
    public func item(at indexPath: ItemIndexPath) -> Item? { current.item(at: indexPath) }

    /// Where the item is shown; nil where it is not. A position.
    public func indexPath(for itemIdentifier: Item.ID) -> ItemIndexPath? { current.indexPath(for: itemIdentifier) }

    /// The identifier of the section with this index; nil where there is none.
    public func sectionIdentifier(for index: Int) -> Section.ID? {
        let sections = current.arrangement.sections
        return sections.indices.contains(index) ? current.sectionTable.identifier(of: sections[index]) : nil
    }

    /// The index of the section; nil where it is not shown. O(sections).
    public func index(for sectionIdentifier: Section.ID) -> Int? { current.indexOfSection(sectionIdentifier) }
}
