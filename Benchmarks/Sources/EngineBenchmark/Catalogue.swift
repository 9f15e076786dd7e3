import FoundationEssentials

/// Everything that can be measured, by name and kind of identifier.
enum Catalogue {
    static let comparisons = Workload.all.map(\.name)
    static let operations =
        SnapshotOperations<Entry>.names + Updates<Entry>.names + SmallUpdates<Entry>.names + Lookups<Entry>.names + [
            "edits"
        ]
        + Applications<Entry>.names
    static let limits = "limits"
    /// The names in the order of the report.
    static let names = comparisons + operations + [limits]
    static let kinds = [UUID.kind, Bits.kind, Entry.ID.kind]

    /// Returns the contenders for `name` with this kind of identifier; empty if this pair is not measured. A divisor
    /// makes every list smaller.
    static func contenders(for name: String, kind: String, divisor: Int) throws -> [Contender] {
        if let workload = Workload.all.first(where: { $0.name == name }) {
            return try comparison(workload, kind: kind, divisor: divisor)
        }
        let count = 100_000 / divisor
        switch (name, kind) {
        case (limits, UUID.kind): return Limits<UUID>(count: count).all
        case (limits, Bits.kind): return Limits<Bits>(count: count).all
        case (limits, _): return Limits<Entry.ID>(count: count).general
        case (_, UUID.kind): return try operation(name, on: Row<UUID>.self, count: count)
        case (_, Bits.kind): return try operation(name, on: Row<Bits>.self, count: count)
        default: return try operation(name, on: Entry.self, count: count)
        }
    }

    private static func comparison(_ workload: Workload, kind: String, divisor: Int) throws -> [Contender] {
        let shape = workload.shape(divisor)
        return switch (workload.name, kind) {
        case ("i", Entry.ID.kind): try comparison(of: Entry.self, shape, workload)
        case ("i", _), (_, Entry.ID.kind): []
        case (_, UUID.kind): try comparison(of: Row<UUID>.self, shape, workload)
        default: try comparison(of: Row<Bits>.self, shape, workload)
        }
    }

    private static func comparison<Item: BenchmarkItem>(
        of _: Item.Type, _ shape: Shape, _ workload: Workload
    ) throws -> [Contender] {
        [
            try engine(comparing: shape, of: Item.self, on: workload.name),
            standardLibrary(comparing: shape, ids: Item.ID.self, on: workload.name),
            byHand(comparing: shape, ids: Item.ID.self, on: workload.name),
        ].compactMap(\.self)
    }

    private static func operation<Item: BenchmarkItem>(
        _ name: String, on _: Item.Type, count: Int
    ) throws -> [Contender] {
        if name == "edits" { return [try EditingSession<Item>(count: count).contender] }
        return try SnapshotOperations<Item>(count: count).contenders(for: name)
            + Updates<Item>(count: count).contenders(for: name)
            + SmallUpdates<Item>().contenders(for: name)
            + Lookups<Item>(count: count).contenders(for: name)
            + Applications<Item>(count: count).contenders(for: name)
    }
}
