import Diffable
import TestSupport

typealias PlainSource = DiffableDataSource<PlainRow, PlainRow>
typealias PlainTransaction = DiffableTransaction<PlainRow, PlainRow>
typealias PlainOutline = DiffableSectionSnapshot<PlainRow>
typealias PlainForest = Forest<PlainIdentifier>

/// One call of a data source. Its arguments are made from the shown snapshot with a seed.
enum SourceStep {
    case apply(seed: UInt64)
    case applyDifference(seed: UInt64)
    case reload(seed: UInt64)
    case outline(PlainForest, to: Int)
    case edit(OutlineEdit<PlainIdentifier>, in: Int)
    case expand(Int)
    case collapse(Int)
    case move(seed: UInt64)
}

extension SourceStep {
    static func random(using random: inout SplitMix64) -> SourceStep {
        switch random.int(in: 0..<20) {
        case 0..<5: .apply(seed: random.next())
        case 5..<7: .applyDifference(seed: random.next())
        case 7: .reload(seed: random.next())
        case 8..<11:
            .outline(
                .random(size: random.int(in: 0..<10), below: 24, using: &random), to: random.int(in: 0..<5))
        case 11..<13: .edit(.random(size: 24, using: &random), in: random.int(in: 0..<4))
        case 13..<16: .expand(random.int(in: 0..<24))
        case 16: .collapse(random.int(in: 0..<24))
        default: .move(seed: random.next())
        }
    }

    /// A snapshot that differs by a few edits. New items have any number below 24, including those of hidden items.
    static func next(of snapshot: PlainSnapshot, seed: UInt64) -> Model<PlainIdentifier> {
        var random = SplitMix64(seed: seed)
        var model = Model(snapshot)
        for _ in 0..<random.int(in: 0..<4) { model.disturb(.everything, size: 12, using: &random) }
        for _ in 0..<random.int(in: 0..<3) {
            let row = PlainRow(random.int(in: 0..<24))
            guard let part = model.parts.indices.randomElement(using: &random), !model.rows.contains(row) else {
                continue
            }
            guard !model.rows.contains(where: { $0.id == row.id }) else { continue }
            model.parts[part].rows.insert(row, at: random.int(in: 0..<model.parts[part].rows.count + 1))
        }
        model.mark(.everything, using: &random)
        return model
    }

    /// A move, usually a legal one.
    static func move(of snapshot: PlainSnapshot, seed: UInt64) -> (from: ItemIndexPath, to: ItemIndexPath) {
        var random = SplitMix64(seed: seed)
        func position() -> ItemIndexPath {
            let section = random.int(in: 0..<max(1, snapshot.numberOfSections))
            let count = snapshot.sections.isEmpty ? 0 : snapshot.items(inSection: snapshot.sections[section].id).count
            return ItemIndexPath(section: section, item: random.int(in: 0..<count + 1))
        }
        return (position(), position())
    }
}

/// Calls of a data source that shows `start` first.
struct SourceSequence {
    var start: Model<PlainIdentifier>
    var steps: [SourceStep]

    static func random(using random: inout SplitMix64, size: Int) -> SourceSequence {
        SourceSequence(
            start: .random(.sectioned, size: 12, using: &random),
            steps: (0..<size).map { _ in SourceStep.random(using: &random) })
    }

    func shorter() -> [SourceSequence] {
        DiffableTests.shorter(steps).map { SourceSequence(start: start, steps: $0) }
    }
}

/// All shown and hidden items of a data source.
struct Scene: Equatable {
    var snapshot: PlainSnapshot
    var forests: [PlainIdentifier: PlainForest]

    init(_ source: PlainSource) {
        snapshot = source.snapshot()
        forests = [:]
        for section in snapshot.sectionIdentifiers { forests[section] = Forest(source.snapshot(for: section)) }
    }

    /// The section that has this item, shown or hidden.
    func section(of id: PlainIdentifier) -> PlainIdentifier? {
        forests.first { $0.value.path(to: id.number) != nil }?.key
    }

    /// The parent of the item.
    func parent(of id: PlainIdentifier) -> PlainIdentifier? { ancestors(of: id).first }

    /// The ancestors of the item, the nearest first.
    func ancestors(of id: PlainIdentifier) -> [PlainIdentifier] {
        guard let forest = section(of: id).flatMap({ forests[$0] }), let path = forest.path(to: id.number) else {
            return []
        }
        return path.indices.dropFirst().reversed().map { forest[path[..<$0]].row.id }
    }

    func branch(_ id: PlainIdentifier) -> PlainForest.Branch? {
        section(of: id).flatMap { forests[$0]?.branch(id.number) }
    }

    /// The hidden items.
    var hidden: [PlainIdentifier] {
        forests.values.flatMap { Set($0.rows.map(\.id)).subtracting($0.visibleRows.map(\.id)) }
    }
}
