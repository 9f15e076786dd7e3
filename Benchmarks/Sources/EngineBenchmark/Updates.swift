import Diffable

/// New snapshots that a program builds from its state and applies to a data source of `count` items.
struct Updates<Item: BenchmarkItem> {
    /// The names of the updates, for the report and `--only`.
    static var names: [String] { ["update-g", "update-e2", "update-e3"] }

    let count: Int

    func contenders(for name: String) throws -> [Contender] {
        guard Self.names.contains(name), let workload = Workload.all.first(where: { name == "update-\($0.name)" })
        else {
            return []
        }
        let shape = workload.shape(100_000 / count)
        let before = shape.before.map { (Header(id: $0.number), $0.minted(Item.self)) }
        let after = shape.after.map { (Header(id: $0.number), $0.minted(Item.self)) }
        let shown = try Self.snapshot(of: before)
        return [
            Contender("Diffable", on: name, ids: Item.ID.kind, prepare: { try Self.source(showing: shown) }) { source in
                try source.apply(try Self.snapshot(of: after))
            } check: { source, _ in
                try WrongResult.unless(source.snapshot() == Self.snapshot(of: after), "\(name): wrong snapshot")
                return nil
            },
            Contender("Array ==", on: name, ids: Item.ID.kind, prepare: { before.map(\.1) }) { shown in
                var lists: [[Item]] = []
                for (_, items) in after {
                    lists.append([])
                    lists[lists.count - 1] += items
                }
                return lists == shown
            } check: { _, isEqual in
                try WrongResult.unless(isEqual == (name != "update-e2"), "\(name), arrays: wrong answer")
                return nil
            },
        ]
    }

    private static func snapshot(of sections: [(Header, [Item])]) throws -> Snapshot<Item> {
        var snapshot = Snapshot<Item>()
        for (header, items) in sections {
            snapshot.appendSections([header])
            try snapshot.appendItems(items)
        }
        return snapshot
    }

    /// Returns a data source with a snapshot that was applied to it.
    private static func source(showing snapshot: Snapshot<Item>) throws -> DiffableDataSource<Header, Item> {
        let source = DiffableDataSource<Header, Item>()
        try source.apply(snapshot)
        return source
    }
}
