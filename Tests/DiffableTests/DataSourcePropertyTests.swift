import Diffable
import DiffableFuzz
import DiffableOutlines
import TestSupport
import Testing

typealias PlainSource = DiffableDataSource<PlainRow, PlainRow>
typealias PlainTransaction = DiffableTransaction<PlainRow, PlainRow>

/// The meaning of each call of a data source, and what observers get, for sequences of random calls.
@Suite struct DataSourcePropertyTests {
    @Test(
        "each call shows what it should or throws, and reports one change that leads there from the previous snapshot")
    func anySequence() throws {
        try checkProperty(
            "data source", cases: 1_200, maxSize: 24,
            generate: { random, size in
                (
                    Model<PlainIdentifier>.random(.sectioned, size: 12, using: &random),
                    (0..<size).map { _ in Call.random(using: &random) }
                )
            },
            shrink: { start, calls in shorter(calls).map { (start, $0) } }, property: holdAlways)
    }

    private func holdAlways(_ start: Model<PlainIdentifier>, _ calls: [Call]) throws {
        let source = try PlainSource(try start.snapshot())
        source.reorderingHandlers.canReorderItem = { _ in true }
        var reported: [PlainTransaction] = []
        let observation = source.observe { reported.append($0) }
        defer { observation.cancel() }
        for call in calls {
            let before = Model(source.snapshot())
            reported = []
            let expected = try call.perform(on: source)
            let after = Model(source.snapshot())
            try verify(after.marks.isEmpty, "marks stay")
            try verify(after.parts == (expected ?? before).parts, "\(call) of \(before) gave \(after)")
            try holdIndexIsTrue(of: source.snapshot())
            let isSilent = expected.map { $0.markedOnly(in: before) == before && !call.usesReloadData } ?? true
            try verify(reported.count == (isSilent ? 0 : 1), "\(call) reported \(reported.count) changes")
            for transaction in reported { try hold(transaction, of: call, before, expected ?? before) }
        }
    }

    private func hold(
        _ transaction: PlainTransaction, of call: Call, _ before: Model<PlainIdentifier>,
        _ expected: Model<PlainIdentifier>
    ) throws {
        try verify(Model(transaction.initialSnapshot) == before, "the initial snapshot is wrong")
        let final = Model(transaction.finalSnapshot)
        let marked = expected.markedOnly(in: before)
        try verify(final == marked, "the final snapshot is \(final), not \(marked)")
        let result = try transaction.initialSnapshot.applying(transaction.difference)
        try verify(result == transaction.finalSnapshot, "the difference leads to \(Model(result))")
        try holdListChanges(of: transaction.difference, from: transaction.initialSnapshot, to: result)
        try verify(transaction.usesReloadData == call.usesReloadData, "usesReloadData is wrong")
        try verify(transaction.animatingDifferences == call.isAnimated, "animatingDifferences is wrong")
    }

    /// A list of each section, with or without duplicates.
    private typealias Lists = [[Int]]

    @Test("a new snapshot is applied exactly if it has no duplicate, whatever is shown, and however it was built")
    func duplicates() throws {
        try checkProperty(
            "duplicates", cases: 2_000, maxSize: 12,
            generate: { random, size in
                var lists = [Array(0..<size), [], Array(size..<size + 3)]
                return (0..<6).map { _ in
                    for _ in 0..<random.int(in: 0..<4) {
                        let section = random.int(in: 0..<lists.count)
                        let place = random.int(in: 0..<lists[section].count + 1)
                        if random.chance(1, in: 2), place < lists[section].count {
                            lists[section].remove(at: place)
                        } else {
                            lists[section].insert(random.int(in: 0..<size + 8), at: place)
                        }
                    }
                    if random.chance(1, in: 2) { lists = Self.withoutDuplicates(lists) }
                    return lists
                }
            },
            shrink: shorter, property: holdRefusalOfDuplicates)
    }

    private static func withoutDuplicates(_ lists: Lists) -> Lists {
        var seen: Set<Int> = []
        return lists.map { $0.filter { seen.insert($0).inserted } }
    }

    private func holdRefusalOfDuplicates(_ versions: [Lists]) throws {
        let source = PlainSource()
        for (number, lists) in versions.enumerated() {
            let model = Model<PlainIdentifier>(Array(lists.enumerated()))
            var next = PlainSnapshot()
            // The sections take turns in every second version.
            next.appendSections(model.parts.map(\.header))
            let places =
                number % 2 == 0 ? model.places : model.places.sorted { ($0.item, $0.section) < ($1.item, $1.section) }
            for place in places { try next.appendItems([model[place]], toSection: PlainIdentifier(place.section)) }
            let shown = source.snapshot()
            try holdNamesDuplicate(of: model, in: "apply") { () throws(DiffableError) in try source.apply(next) }
            try verify(source.snapshot() == (model.duplicate == nil ? next : shown), "\(lists) is shown, or not")
            // The program's own snapshot stays usable.
            try next.appendItems([Row(100 + number)] + model.rows.prefix(1), toSection: PlainIdentifier(0))
            try holdNamesDuplicate(of: Model(next), in: "apply") { () throws(DiffableError) in try source.apply(next) }
            try source.snapshot().validate()
        }
    }

    @Test(
        "changes of two observers are all shown; what would undo another's change is stale; all see each change in order"
    )
    func observers() throws {
        try checkProperty(
            "observers", cases: 1_000, maxSize: 12,
            generate: { random, size in
                (0..<size).map { _ in Reaction.allCases.randomElement(using: &random) ?? .none }
            },
            shrink: shorter, property: holdObservers)
    }

    /// How an observer that is called answers a change.
    private enum Reaction: CaseIterable { case none, update, snapshot, finalSnapshot, initialSnapshot, new }

    private func holdObservers(_ reactions: [Reaction]) throws {
        let source = try PlainSource(try Model<PlainIdentifier>(flat: [0]).snapshot())
        var rest = reactions[...]
        var added: Set<Int> = [0]
        var problems: [String] = []
        var seen: [[PlainSnapshot]] = [[], []]
        var changes = 1
        func react(_ transaction: PlainTransaction, number reported: Int) throws {
            guard let reaction = rest.popFirst() else { return }
            let number = reactions.count - rest.count
            func adding(to snapshot: PlainSnapshot) throws -> PlainSnapshot {
                var next = snapshot
                try next.insertItems([Row(number)], afterItem: PlainIdentifier(0))
                return next
            }
            let shown = source.snapshot()
            defer { if source.snapshot() != shown { changes += 1 } }
            switch reaction {
            case .none: return
            case .update: try source.update { $0 = try adding(to: $0) }
            case .snapshot: try source.apply(adding(to: source.snapshot()))
            case .new:
                added = []
                try source.apply(Model<PlainIdentifier>(flat: [0]).snapshot())
                return
            case .finalSnapshot, .initialSnapshot:
                // Only a change since the reported one makes these snapshots stale.
                let isNewest = changes == reported
                let base = reaction == .finalSnapshot ? transaction.finalSnapshot : transaction.initialSnapshot
                do {
                    try source.apply(adding(to: base))
                    try verify(isNewest, "\(reaction) undoes a change")
                    if reaction == .initialSnapshot { added = Set(base.itemIdentifiers.map(\.number)) }
                } catch let error as DiffableError {
                    try verify(!isNewest && error.code == .staleSnapshot, "\(reaction) is refused: \(error)")
                    try verify(source.snapshot() == shown, "a stale snapshot changed something")
                    return
                }
            }
            added.insert(number)
            try verify(source.indexPath(for: PlainIdentifier(number))?.item == 1, "lookups are of an older snapshot")
        }
        let observations = (0..<2).map { index in
            source.observe { transaction in
                seen[index].append(transaction.finalSnapshot)
                do { try react(transaction, number: seen[index].count) } catch { problems.append("\(error)") }
            }
        }
        defer { for observation in observations { observation.cancel() } }
        try source.update { try $0.replace(Row(0, content: 1)) }
        try verify(problems.isEmpty, "\(problems)")
        try verify(
            Set(source.snapshot().itemIdentifiers.map(\.number)).union([0]) == added.union([0]), "\(source.snapshot())")
        try verify(seen[0] == seen[1] && seen[0].last == source.snapshot(), "the observers saw \(seen)")
    }
}

/// One call of a data source. Its arguments are made from the shown snapshot with a seed.
private enum Call {
    case apply(seed: UInt64, animated: Bool)
    case applyDifference(seed: UInt64, animated: Bool)
    case update(seed: UInt64, animated: Bool)
    case reload(seed: UInt64)
    case outline(PlainForest, to: Int, animated: Bool)
    case move(seed: UInt64)

    static func random(using random: inout SplitMix64) -> Call {
        let isAnimated = random.chance(1, in: 2)
        switch random.int(in: 0..<20) {
        case 0..<5: return .apply(seed: random.next(), animated: isAnimated)
        case 5..<8: return .applyDifference(seed: random.next(), animated: isAnimated)
        case 8..<11: return .update(seed: random.next(), animated: isAnimated)
        case 11: return .reload(seed: random.next())
        case 12..<16:
            let forest = PlainForest.random(size: random.int(in: 0..<10), below: 24, using: &random)
            return .outline(forest, to: random.int(in: 0..<5), animated: isAnimated)
        default: return .move(seed: random.next())
        }
    }

    var usesReloadData: Bool { if case .reload = self { true } else { false } }

    var isAnimated: Bool {
        switch self {
        case .apply(_, let isAnimated), .applyDifference(_, let isAnimated), .update(_, let isAnimated),
            .outline(_, _, let isAnimated):
            isAnimated
        case .reload: false
        case .move: true
        }
    }

    /// Returns the expected snapshot; nil if the call threw the expected error.
    func perform(on source: PlainSource) throws -> Model<PlainIdentifier>? {
        let shown = Model(source.snapshot())
        switch self {
        case .apply(let seed, let isAnimated):
            let next = next(after: shown, seed)
            try source.apply(next.snapshot(), animatingDifferences: isAnimated)
            return next
        case .applyDifference(let seed, let isAnimated):
            let next = next(after: shown, seed)
            let difference = try SnapshotDifference(from: source.snapshot(), to: next.snapshot())
            try source.apply(difference, animatingDifferences: isAnimated)
            return next
        case .update(let seed, let isAnimated):
            var next = Model(source.snapshot())
            var random = SplitMix64(seed: seed)
            try source.update(animatingDifferences: isAnimated) { snapshot in
                for _ in 0..<random.int(in: 1..<6) {
                    Edit.random(size: 24, batch: 3, using: &random).performIfUnique(on: &snapshot)
                }
                next = Model(snapshot)
            }
            return next
        case .reload(let seed):
            let next = next(after: shown, seed)
            try source.applySnapshotUsingReloadData(next.snapshot())
            return next
        case .outline(let forest, let section, let isAnimated):
            var next = shown
            let index = shown.parts.firstIndex { $0.header.id.number == section }
            if let index { next.parts[index].rows = forest.visibleRows }
            let outline = try forest.snapshot()
            do throws(DiffableError) {
                try source.apply(outline, to: PlainIdentifier(section), animatingDifferences: isAnimated)
            } catch {
                let expected =
                    index == nil
                    ? (DiffableError.Code.unknownSection, PlainIdentifier(section))
                    : next.duplicate.map { ($0.code, $0.id) }
                try verify(error.code == expected?.0 && error.identifier as? PlainIdentifier == expected?.1, "\(error)")
                return nil
            }
            try verify(index != nil && next.duplicate == nil, "\(forest) was accepted in \(section) of \(shown)")
            return next
        case .move(let seed):
            var random = SplitMix64(seed: seed)
            let (from, to) = (place(in: shown, &random), place(in: shown, &random))
            var next = shown
            var isLegal = shown.places.contains(from)
            if isLegal {
                let row = next.parts[from.section].rows.remove(at: from.item)
                isLegal = next.parts.indices.contains(to.section) && to.item <= next.parts[to.section].rows.count
                if isLegal { next.parts[to.section].rows.insert(row, at: to.item) }
            }
            do throws(DiffableError) {
                try source.moveItem(at: from, to: to)
            } catch {
                try verify(error.code == .positionOutOfRange && !isLegal, "\(from) to \(to): \(error)")
                return nil
            }
            try verify(isLegal, "the move from \(from) to \(to) was accepted")
            return next
        }
    }

    /// A model that differs by a few edits, with marks.
    private func next(after model: Model<PlainIdentifier>, _ seed: UInt64) -> Model<PlainIdentifier> {
        var random = SplitMix64(seed: seed)
        var next = model
        for _ in 0..<random.int(in: 0..<4) { next.disturb(.everything, size: 12, using: &random) }
        next.mark(.everything, using: &random)
        return next
    }

    /// A place, usually of an item.
    private func place(in model: Model<PlainIdentifier>, _ random: inout SplitMix64) -> ItemIndexPath {
        let section = random.int(in: 0..<max(1, model.parts.count))
        let count = model.parts.isEmpty ? 0 : model.parts[section].rows.count
        return ItemIndexPath(section: section, item: random.int(in: 0..<count + 1))
    }
}
