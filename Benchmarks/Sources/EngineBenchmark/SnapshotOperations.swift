import Diffable

/// Operations on one snapshot with `count` items in one section.
struct SnapshotOperations<Item: BenchmarkItem> {
    /// The names of the operations, for the report and `--only`.
    static var names: [String] {
        ["build", "build-each", "group-26", "group-1k", "build-diff", "fresh-move", "fresh-insert", "insert", "delete"]
    }

    private let section: Shape.Section
    private let count: Int

    init(count: Int) {
        self.count = count
        section = Shape.Section(number: 0, items: Array(0..<count))
    }

    func contenders(for name: String) throws -> [Contender] {
        switch name {
        case "build": build()
        case "build-each": buildOneByOne()
        case "group-26": group(into: 26, on: name)
        case "group-1k": group(into: 1_000, on: name)
        case "build-diff": try buildAndCompare()
        case "fresh-move": try compareNew(.firstToLast(count: count), on: name)
        case "fresh-insert":
            try compareNew(.touched(count: count, deleted: 0, inserted: 10, moved: 0, seed: 14), on: name)
        case "insert": try insertBeforeMiddle()
        case "delete": try deleteMany()
        default: []
        }
    }

    /// Appends all items in one call, beside a `Dictionary` with their identifiers.
    private func build() -> [Contender] {
        let items = section.minted(Item.self)
        let ids = section.mintedIdentifiers(Item.ID.self)
        return [
            contender("Diffable", on: "build", prepare: {}) { _ in
                var snapshot = Snapshot<Item>()
                snapshot.appendSections([Header(id: 0)])
                try snapshot.appendItems(items)
                return snapshot
            } check: {
                $0.items.elementsEqual(items)
            },
            contender("Array", on: "build", prepare: {}) { _ in
                var list: [Item] = []
                list.append(contentsOf: items)
                list.append(items[0])
                return list
            } check: {
                $0.count == items.count + 1
            },
            contender("Dictionary", on: "build", prepare: {}) { _ in
                var places: [Item.ID: Int] = [:]
                for (place, id) in ids.enumerated() { places[id] = place }
                return places
            } check: {
                $0.count == ids.count
            },
        ]
    }

    private func buildOneByOne() -> [Contender] {
        let items = section.minted(Item.self)
        return [
            contender("Diffable", on: "build-each", prepare: {}) { _ in
                var snapshot = Snapshot<Item>()
                snapshot.appendSections([Header(id: 0)])
                for item in items { try snapshot.appendItems([item]) }
                return snapshot
            } check: {
                $0.items.elementsEqual(items)
            },
            contender("Array", on: "build-each", prepare: {}) { _ in
                var list: [Item] = []
                for item in items { list.append(contentsOf: [item]) }
                return list
            } check: {
                $0 == items
            },
        ]
    }

    /// Appends each item to another section than the previous one.
    private func group(into sections: Int, on workload: String) -> [Contender] {
        let items = section.minted(Item.self)
        let grouped = Dictionary(grouping: items.indices, by: { $0 % sections }).mapValues { $0.map { items[$0] } }
        return [
            contender("Diffable", on: workload, prepare: {}) { _ in
                var snapshot = Snapshot<Item>()
                snapshot.appendSections((0..<sections).map { Header(id: $0) })
                for (index, item) in items.enumerated() {
                    try snapshot.appendItems([item], toSection: index % sections)
                }
                return snapshot
            } check: { snapshot in
                grouped.allSatisfy { snapshot[$0.key].elementsEqual($0.value) }
            },
            contender("Dictionary", on: workload, prepare: {}) { _ in
                var lists: [Int: [Item]] = [:]
                for (index, item) in items.enumerated() { lists[index % sections, default: []] += [item] }
                return lists
            } check: {
                $0 == grouped
            },
        ]
    }

    /// Builds and compares the two snapshots of a2. The time includes everything that is prepared while building.
    private func buildAndCompare() throws -> [Contender] {
        let shape = Workload.a2(divisor: 100_000 / count)
        let old = shape.before[0].minted(Item.self)
        let new = shape.after[0].minted(Item.self)
        return [
            Contender(
                "Diffable", on: "build-diff", ids: Item.ID.kind, prepare: {},
                body: { _ in
                    let snapshots = try [old, new].map { items in
                        var snapshot = Snapshot<Item>()
                        snapshot.appendSections([Header(id: 0)])
                        try snapshot.appendItems(items)
                        return snapshot
                    }
                    return (snapshots, try Difference<Item>(from: snapshots[0], to: snapshots[1]))
                },
                check: { _, output in
                    try WrongResult.unless(output.1.count == shape.fewestChanges, "build-diff: wrong changes")
                    return output.1.count
                })
        ]
    }

    /// Compares two snapshots in which nothing was looked up before.
    private func compareNew(_ shape: Shape, on workload: String) throws -> [Contender] {
        [
            Contender("Diffable", on: workload, ids: Item.ID.kind) {
                (try Snapshot<Item>(shape.before), try Snapshot<Item>(shape.after))
            } body: {
                try Difference<Item>(from: $0.0, to: $0.1)
            } check: { _, difference in
                try WrongResult.unless(difference.count == shape.fewestChanges, "\(workload): wrong changes")
                return difference.count
            }
        ]
    }

    /// Makes the first insertion into a copy of a shown snapshot, which includes the cost of the shared storage.
    private func insertBeforeMiddle() throws -> [Contender] {
        let original = try DiffableDataSource(Snapshot<Item>([section])).snapshot()
        let ids = section.mintedIdentifiers(Item.ID.self)
        let middle = ids[count / 2]
        let item = Item(number: count, content: 0)
        return [
            contender("Diffable", on: "insert", prepare: { original }) { copy in
                try copy.insertItems([item], beforeItem: middle)
                return copy
            } check: {
                $0.indexOfItem(item.id) == count / 2 && original.numberOfItems == count
            },
            contender("stdlib", on: "insert", prepare: { ids }) { copy in
                copy.insert(item.id, at: copy.firstIndex(of: middle)!)
                return copy
            } check: {
                $0[count / 2] == item.id
            },
        ]
    }

    /// Deletes a twentieth of the items of a copy in one call.
    private func deleteMany() throws -> [Contender] {
        let original = try Snapshot<Item>([section])
        let ids = section.mintedIdentifiers(Item.ID.self)
        var random = SplitMix64(seed: 6)
        let deleted = Shape.distinct(count / 20, below: count, using: &random).map(Item.ID.init(number:))
        let rest = ids.filter { [deleted = Set(deleted)] id in !deleted.contains(id) }
        return [
            contender("Diffable", on: "delete", prepare: { original }) { copy in
                try copy.deleteItems(deleted)
                return copy
            } check: {
                $0.itemIdentifiers == rest
            },
            contender("stdlib", on: "delete", prepare: { ids }) { copy in
                let deleted = Set(deleted)
                copy.removeAll { deleted.contains($0) }
                return copy
            } check: {
                $0 == rest
            },
        ]
    }

    private func contender<Input, Output>(
        _ engine: String, on workload: String, prepare: @escaping () -> Input,
        _ body: @escaping (inout Input) throws -> Output, check: @escaping (Output) -> Bool
    ) -> Contender {
        Contender(engine, on: workload, ids: Item.ID.kind, prepare: prepare, body: body) { _, output in
            try WrongResult.unless(check(output), "\(workload), \(engine): wrong result")
            return nil
        }
    }
}
