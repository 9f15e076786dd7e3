import Diffable

/// A list of anything that has an identity. Whoever observes it is told what is different after each call.
final class ListModel<Item: Identifiable & Equatable & Sendable> where Item.ID: Sendable {
    /// A plain list has one section.
    enum Section: Identifiable {
        case all
        var id: Self { self }
    }

    private let dataSource = DiffableDataSource<Section, Item>()

    init() throws {
        try edit { try $0.appendSections([.all]) }
    }

    var items: [Item] { dataSource.snapshot().items }

    func add(_ item: Item) throws {
        try edit { try $0.appendItems([item]) }
    }

    func remove(_ id: Item.ID) throws {
        try edit { try $0.deleteItems([id]) }
    }

    func update(_ item: Item) throws {
        try edit { try $0.replace(item) }
    }

    func moveToFront(_ id: Item.ID) throws {
        guard let first = items.first else { return }
        try edit { try $0.moveItem(id, beforeItem: first.id) }
    }

    func observe(_ body: @escaping (DiffableDataSource<Section, Item>.Change) -> Void) -> DiffableObservation {
        dataSource.observe(body)
    }

    /// Nothing is applied where the edit throws, so a list is never half changed.
    private func edit(_ body: (inout DiffableSnapshot<Section, Item>) throws -> Void) throws {
        var snapshot = dataSource.snapshot()
        try body(&snapshot)
        dataSource.apply(snapshot)
    }
}
