import Diffable

/// Lists as long as those of most programs, built from the state and applied, a hundred times in each run.
struct SmallUpdates<Item: BenchmarkItem> {
    /// The names of the updates, for the report and `--only`: the number of items, and the change.
    static var names: [String] {
        counts.flatMap { count in ["same", "insert", "move", "shuffle", "replace"].map { "\(count)-\($0)" } }
    }

    private static var counts: [Int] { [10, 100, 300, 1_000] }
    private static var repetitions: Int { 100 }

    func contenders(for name: String) throws -> [Contender] {
        let parts = name.split(separator: "-")
        guard Self.names.contains(name), let count = Int(parts[0]), let shape = shape(count, String(parts[1]))
        else { return [] }
        let (old, new) = (shape.before[0].minted(Item.self), shape.after[0].minted(Item.self))
        let (oldIDs, newIDs) = (old.map(\.id), new.map(\.id))
        let ours = Contender(
            "Diffable", on: name, ids: Item.ID.kind,
            prepare: {
                try (0..<Self.repetitions).map { _ in try DiffableDataSource(Self.snapshot(of: old)) }
            },
            body: { sources in for source in sources { try source.apply(Self.snapshot(of: new)) } },
            check: { sources, _ in
                try WrongResult.unless(
                    sources.allSatisfy { $0.snapshot().items.elementsEqual(new) }, "\(name): wrong snapshot")
                return nil
            })
        if parts[1] == "replace" || parts[1] == "shuffle" && count > 10 { return [ours] }
        let theirs = Contender("stdlib", on: name, ids: Item.ID.kind, prepare: { (oldIDs, newIDs) }) { lists in
            (0..<Self.repetitions).map { _ in
                let difference = Array(lists.1).difference(from: lists.0)
                return parts[1] == "move" ? difference.inferringMoves() : difference
            }
        } check: { lists, differences in
            try WrongResult.unless(lists.0.applying(differences[0]) == lists.1, "\(name), stdlib: wrong result")
            return nil
        }
        return [ours, theirs]
    }

    private func shape(_ count: Int, _ change: String) -> Shape? {
        switch change {
        case "same": .equal(count: count)
        case "insert": .touched(count: count, deleted: 0, inserted: 1, moved: 0, seed: 11)
        case "move": .touched(count: count, deleted: 0, inserted: 0, moved: 1, seed: 12)
        case "shuffle": .shuffled(count: count, seed: 13)
        case "replace": .replaced(count: count)
        default: nil
        }
    }

    private static func snapshot(of items: [Item]) throws -> Snapshot<Item> {
        var snapshot = Snapshot<Item>()
        snapshot.appendSections([Header(id: 0)])
        try snapshot.appendItems(items)
        return snapshot
    }
}
