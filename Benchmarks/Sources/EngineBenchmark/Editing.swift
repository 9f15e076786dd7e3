import Diffable

/// Ten edits of the items that a data source of `count` items shows, applied. An observer keeps the difference.
///
/// Each run edits the result of the previous one, as in a program.
final class EditingSession<Item: BenchmarkItem> {
    private let start: [Shape.Section]
    private let source: DiffableDataSource<Header, Item>
    private var observation: DiffableObservation?
    private var transaction: DiffableTransaction<Header, Item>?
    private var live: [Int]
    private var fresh: Int
    private var random = SplitMix64(seed: 8)

    init(count: Int) throws {
        start = [Shape.Section(number: 0, items: Array(0..<count))]
        live = Array(0..<count)
        fresh = count
        source = try DiffableDataSource(try Snapshot<Item>(start))
        observation = source.observe { [weak self] in self?.transaction = $0 }
    }

    var contender: Contender {
        Contender("Diffable", on: "edits", ids: Item.ID.kind, prepare: nextScript, body: perform, check: check)
            .repeated(atLeast: 1_500)
    }

    private func nextScript() -> EditScript<Item> {
        transaction = nil
        return EditScript(of: &live, fresh: &fresh, using: &random)
    }

    private func perform(_ script: inout EditScript<Item>) throws {
        var snapshot = source.snapshot()
        try script.perform(on: &snapshot)
        try source.apply(snapshot)
    }

    /// Valid only for the first script, which began with `start`.
    private func check(_ script: EditScript<Item>, _: Void) throws -> Int? {
        let old = try Snapshot<Item>(start)
        var new = old
        try script.perform(on: &new)
        guard let difference = transaction?.difference else {
            throw WrongResult(description: "edits: no change was reported")
        }
        try WrongResult.unless(source.snapshot() == new, "edits: the shown snapshot is not the applied one")
        try WrongResult.unless(try old.applying(difference) == new, "edits: the difference leads to another snapshot")
        try WrongResult.unless(difference.count == EditScript<Item>.count, "edits: \(difference.count) changes")
        return difference.count
    }
}

/// Differences applied to a snapshot of `count` items: one of ten edits, and that of a2.
struct Applications<Item: BenchmarkItem> {
    /// The names of the differences, for the report and `--only`.
    static var names: [String] { ["apply", "apply-a2"] }

    let count: Int

    func contenders(for name: String) throws -> [Contender] {
        let shape = Workload.a2(divisor: 100_000 / count)
        let old = try Snapshot<Item>(shape.before)
        switch name {
        case "apply":
            var (live, fresh, random) = (shape.before[0].items, count, SplitMix64(seed: 9))
            var new = try Snapshot<Item>(shape.before)
            try EditScript<Item>(of: &live, fresh: &fresh, using: &random).perform(on: &new)
            return [try applying(name, old, new), applyingToArray(old.itemIdentifiers, new.itemIdentifiers)]
        case "apply-a2": return [try applying(name, old, try Snapshot<Item>(shape.after))]
        default: return []
        }
    }

    private func applying(_ name: String, _ old: Snapshot<Item>, _ new: Snapshot<Item>) throws -> Contender {
        let difference = try Difference<Item>(from: old, to: new)
        return Contender("Diffable", on: name, ids: Item.ID.kind, prepare: { old }) { snapshot in
            try snapshot.applying(difference)
        } check: { _, result in
            try WrongResult.unless(result == new, "\(name): wrong result")
            return difference.count
        }
    }

    /// Only for ten edits: for a2, the standard library takes seconds to compute the difference.
    private func applyingToArray(_ old: [Item.ID], _ new: [Item.ID]) -> Contender {
        let difference = new.difference(from: old)
        return Contender("stdlib", on: "apply", ids: Item.ID.kind, prepare: { old }) { ids in
            ids.applying(difference)
        } check: { _, result in
            try WrongResult.unless(result == new, "apply, stdlib: wrong result")
            return difference.count
        }
    }
}
