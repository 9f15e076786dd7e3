import Diffable

/// An observable list of identifiable values. Each observer gets the difference after each call.
final class ListModel<Item: Identifiable & Equatable & Sendable> where Item.ID: Sendable {
    /// A plain list has one section.
    enum Section: Identifiable {
        case all
        var id: Self { self }
    }

    private let dataSource = DiffableDataSource<Section, Item>()

    init() throws {
        try dataSource.update { $0.appendSections([.all]) }
    }

    var items: DiffableItems<Item> { dataSource.snapshot().items }

    func add(_ item: Item) throws {
        try dataSource.update { try $0.appendItems([item]) }
    }

    func remove(_ id: Item.ID) throws {
        try dataSource.update { try $0.deleteItems([id]) }
    }

    func update(_ item: Item) throws {
        try dataSource.update { try $0.replace(item) }
    }

    func moveToFront(_ id: Item.ID) throws {
        guard let first = items.first else { return }
        try dataSource.update { try $0.moveItem(id, beforeItem: first.id) }
    }

    func observe(_ body: @escaping (DiffableTransaction<Section, Item>) -> Void) -> DiffableObservation {
        dataSource.observe(body)
    }
}
