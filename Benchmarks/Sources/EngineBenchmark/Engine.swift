import Diffable

typealias Snapshot<Item: BenchmarkItem> = DiffableSnapshot<Header, Item>
typealias Difference<Item: BenchmarkItem> = SnapshotDifference<Header, Item>

extension Shape.Section {
    /// Returns new items of the section.
    func minted<Item: BenchmarkItem>(_: Item.Type) -> [Item] {
        items.map { Item(number: $0, content: UInt32(truncatingIfNeeded: $0)) }
    }

    /// Returns new identifiers of the items of the section.
    func mintedIdentifiers<ID: BenchmarkIdentifier>(_: ID.Type) -> [ID] {
        items.map(ID.init(number:))
    }
}

extension DiffableSnapshot where Section == Header, Item: BenchmarkItem {
    /// Makes a snapshot of `sections` that shares no storage with any other.
    init(_ sections: [Shape.Section]) throws {
        self.init()
        for section in sections {
            appendSections([Header(id: section.number)])
            try appendItems(section.minted(Item.self), toSection: section.number)
        }
    }
}

/// Our engine, comparing two snapshots that were built separately.
func engine<Item: BenchmarkItem>(
    comparing shape: Shape, of _: Item.Type, on workload: String
) throws -> Contender {
    let old = try Snapshot<Item>(shape.before)
    let new = try Snapshot<Item>(shape.after)
    // As after a lookup in each; `fresh-…` and `build-diff` measure snapshots that are not hashed.
    try old.validate()
    try new.validate()
    return Contender(
        "Diffable", on: workload, ids: Item.ID.kind,
        prepare: { (old, new) },
        body: { try Difference<Item>(from: $0.0, to: $0.1) },
        check: { snapshots, difference in
            try WrongResult.unless(
                snapshots.0.applying(difference) == snapshots.1,
                "\(workload): applying the difference does not give the new snapshot")
            try WrongResult.unless(
                difference.count == shape.fewestChanges,
                "\(workload): \(difference.count) changes where \(shape.fewestChanges) are enough")
            return difference.count
        })
}
