import Diffable
import DiffableFuzz
import TestSupport
import Testing

/// A difference leads from one snapshot to the other with the minimum number of moves, also by its steps, and its inverse
/// leads back.
@Suite struct DifferencePropertyTests {
    @Test("a difference applied to the old snapshot gives the new one: contents, sections, items and marks at once")
    func everything() throws {
        try checkDifferences(.everything, PlainIdentifier.self, cases: 4_000)
    }

    @Test(
        "a difference applied to the old snapshot gives the new one, whatever the hash values and bits of identifiers are"
    )
    func identifiers() throws {
        try checkDifferences(.everything, ClashingIdentifier.self, cases: 2_000)
        try checkDifferences(.everything, CrowdedIdentifier.self, cases: 2_000)
        try checkDifferences(.everything, BoxedIdentifier.self, cases: 2_000)
    }

    @Test("a difference applied to the old snapshot gives the new one: hundreds of items")
    func hundreds() throws {
        try checkDifferences(.everything, BoxedIdentifier.self, cases: 10, maxSize: 1_500)
        try checkDifferences(.everything, PlainIdentifier.self, cases: 20, maxSize: 1_500)
    }
}

extension DifferencePropertyTests {
    @Test("items with padding are compared by their values, whatever the bits of the padding are")
    func padding() throws {
        typealias PaddedSnapshot = DiffableSnapshot<Number, PaddedItem>
        typealias Run = (count: Int, changed: Set<Int>, scrambled: Set<Int>)
        func run(_ random: inout SplitMix64, size: Int) -> Run {
            let count = random.int(in: 1..<size + 2)
            func some() -> Set<Int> { Set((0..<random.int(in: 0..<4)).map { _ in random.int(in: 0..<count) }) }
            return (count, some(), some())
        }
        /// The padding is 0, or 255 for some items.
        func snapshot(_ items: [PaddedItem], scrambled: Set<Int> = []) throws -> PaddedSnapshot {
            let (size, stride) = (MemoryLayout<PaddedItem>.size, MemoryLayout<PaddedItem>.stride)
            var items = items
            items.withUnsafeMutableBytes { bytes in
                for index in 0..<bytes.count where index % stride >= size {
                    bytes[index] = scrambled.contains(index / stride) ? 255 : 0
                }
            }
            var snapshot = PaddedSnapshot()
            snapshot.appendSections([Number(id: 0)])
            try snapshot.appendItems(items)
            return snapshot
        }
        try checkProperty("padding", cases: 1_000, maxSize: 60, generate: run) { run in
            let old = (0..<run.count).map { PaddedItem(id: $0, isOn: false) }
            let new = old.map { PaddedItem(id: $0.id, isOn: run.changed.contains($0.id)) }
            let difference = try SnapshotDifference(
                from: snapshot(old), to: snapshot(new, scrambled: run.scrambled))
            try verify(difference.items.updated.map(\.from.item) == run.changed.sorted(), "\(difference.items.updated)")
            try verify(difference.count == run.changed.count, "\(difference)")
        }
    }
}

/// An item with padding: its size is 9 bytes, its stride 16.
private struct PaddedItem: Identifiable, Equatable, Sendable {
    let id: Int
    let isOn: Bool
}

private struct Number: Identifiable, Equatable, Sendable {
    let id: Int
}

extension DifferencePropertyTests {
    @Test("the properties hold between any two versions of a snapshot: few items, many versions")
    func lineage() throws {
        try checkLineages(PlainIdentifier.self, cases: 1_000, items: 14, batch: 4)
    }

    @Test("the properties hold between any two versions of a snapshot: other hash values and bits of identifiers")
    func lineageOfIdentifiers() throws {
        try checkLineages(ClashingIdentifier.self, cases: 300, items: 14, batch: 4)
        try checkLineages(BoxedIdentifier.self, cases: 300, items: 14, batch: 4)
    }

    @Test("the properties hold between any two versions of a snapshot: hundreds of items, few of them edited")
    func largeLineage() throws {
        try checkLineages(PlainIdentifier.self, cases: 60, items: 400, batch: 3)
    }
}

/// A step in a history of versions: a version is copied and edited, or dropped.
private struct Step: CustomStringConvertible {
    let base: Int
    let edits: [Edit]
    let forgets: Bool
    let compared: Int

    var description: String { forgets ? "forget \(base)" : "edit \(base) by \(edits), compare with \(compared)" }
}

private func checkLineages<ID: TestIdentifier>(_ kind: ID.Type, cases: Int, items: Int, batch: Int) throws {
    try checkProperty(
        "lineage", cases: cases, maxSize: 14,
        generate: { random, size in
            (0..<size).map { _ in
                Step(
                    base: random.int(in: 0..<64),
                    edits: (0..<random.int(in: 1..<5)).map { _ in .random(size: items, batch: batch, using: &random) },
                    forgets: random.chance(1, in: 5), compared: random.int(in: 0..<64))
            }
        },
        shrink: { steps in steps.indices.map { index in Array(steps[..<index] + steps[(index + 1)...]) } },
        property: { steps in
            var first = Snapshot<ID>()
            first.appendSections([Row(0), Row(1), Row(2)])
            try first.appendItems((0..<items / 2).map { Row($0) }, toSection: ID(1))
            var versions = [first]
            for step in steps {
                let base = step.base % versions.count
                if step.forgets && versions.count > 1 {
                    versions.remove(at: base)
                    continue
                }
                var next = versions[base]
                for edit in step.edits { edit.performIfUnique(on: &next) }
                for other in [base, step.compared % versions.count] {
                    let pair = Pair(old: Model(versions[other]), new: Model(next))
                    try holdDifferenceProperties(pair, from: versions[other], to: next)
                }
                versions.append(next)
            }
        })
}

private func checkDifferences<ID: TestIdentifier>(
    _ shape: ModelShape, _ kind: ID.Type, cases: Int, maxSize: Int = 14
) throws {
    try checkProperty(
        "applying the difference", cases: cases, maxSize: maxSize,
        generate: { random, size in Pair<ID>.random(shape, size: size, using: &random) },
        shrink: { $0.simpler() },
        property: holdDifferenceProperties)
}

private func holdDifferenceProperties<ID>(_ pair: Pair<ID>) throws {
    try holdDifferenceProperties(pair, from: try pair.old.snapshot(), to: try pair.new.snapshot())
}

/// Checks the properties for two snapshots of the pair.
private func holdDifferenceProperties<ID>(_ pair: Pair<ID>, from old: Snapshot<ID>, to new: Snapshot<ID>) throws {
    let difference = try Difference(from: old, to: new)
    let result = try old.applying(difference)
    // The marks of inserted elements are left out, and on the way back those of deleted elements.
    let oldModel = Model(old).markedOnly(in: pair.new)
    let newModel = Model(new).markedOnly(in: pair.old)
    try verify(difference.marks == newModel.marks, "marks are \(difference.marks)")
    try verify(difference.previousMarks == oldModel.marks, "previousMarks are \(difference.previousMarks)")
    try verify(result == (try newModel.snapshot()), "\(difference) gives \(Model(result))")
    try verify(Model(result).parts == pair.new.parts, "the result's lists differ")
    try holdIndexIsTrue(of: result)
    try verify(Model(old) == Model(try pair.old.snapshot()), "the old snapshot changed")

    try verify(difference.isEmpty == (old == new), "isEmpty is \(difference.isEmpty)")
    try verify(Difference(from: old, to: old).isEmpty, "the difference to itself is not empty")
    try verify(
        pair.old.parts.applyingByTheBook(difference) == pair.new.parts, "the documented steps give another result")

    try verify(
        try new.applying(difference.inverse) == oldModel.snapshot(), "the inverse does not lead back")
    try verify(difference.inverse.inverse == difference, "the inverse of the inverse differs")
    try holdIsInverse(Difference(from: new, to: old), of: difference)
    try holdMovesAreMinimal(difference, pair)
    try holdListChanges(of: difference, from: old, to: new)
}

/// Checks that two differences are the same, except for the choice among equally small sets of moves.
private func holdIsInverse<ID>(_ back: Difference<ID>, of difference: Difference<ID>) throws {
    let inverse = difference.inverse
    try verify(back.sections.deleted == inverse.sections.deleted, "other sections are deleted on the way back")
    try verify(back.sections.inserted == inverse.sections.inserted, "other sections are inserted on the way back")
    try verify(back.sections.updated == inverse.sections.updated, "other sections are updated on the way back")
    try verify(back.sections.moved.count == inverse.sections.moved.count, "the numbers of section moves differ")
    try verify(back.items.deleted == inverse.items.deleted, "other items are deleted on the way back")
    try verify(back.items.inserted == inverse.items.inserted, "other items are inserted on the way back")
    try verify(back.items.updated == inverse.items.updated, "other items are updated on the way back")
    try verify(back.items.moved.count == inverse.items.moved.count, "the numbers of item moves differ")
    try verify(
        back.marks == inverse.marks && back.previousMarks == inverse.previousMarks, "marks differ on the way back")
}

/// Counts the necessary moves with a separate algorithm.
private func holdMovesAreMinimal<ID>(_ difference: Difference<ID>, _ pair: Pair<ID>) throws {
    let oldHeaders = pair.old.parts.map(\.header.id)
    let newHeaders = pair.new.parts.map(\.header.id)
    let sectionMoves = fewestMoves(from: oldHeaders, to: newHeaders)
    try verify(difference.sections.moved.count == sectionMoves, "sections move more often than \(sectionMoves) times")

    var itemMoves = 0
    for part in pair.new.parts {
        let before = pair.old.parts.first { $0.header.id == part.header.id }?.rows.map(\.id) ?? []
        itemMoves += fewestMoves(from: before, to: part.rows.map(\.id))
        let here = Set(before)
        let elsewhere = Set(pair.old.rows.map(\.id)).subtracting(here)
        itemMoves += part.rows.count { elsewhere.contains($0.id) }
    }
    try verify(
        difference.items.moved.count == itemMoves, "items move \(difference.items.moved.count), not \(itemMoves)")
}

/// The minimum number of moves among the elements of both lists: all but the longest common subsequence.
///
/// The textbook algorithm, quadratic in the common elements.
private func fewestMoves<ID: Hashable>(from old: [ID], to new: [ID]) -> Int {
    let kept = Set(old).intersection(new)
    let old = old.filter(kept.contains)
    let new = new.filter(kept.contains)
    var row = Array(repeating: 0, count: new.count + 1)
    for element in old {
        var diagonal = 0
        for (index, other) in new.enumerated() {
            let above = row[index + 1]
            row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
            diagonal = above
        }
    }
    return old.count - (row.last ?? 0)
}

extension Array {
    /// Follows the documented steps of `SnapshotDifference`, as a client in another language would. It uses only
    /// positions and looks up no identifiers.
    func applyingByTheBook<ID>(_ difference: Difference<ID>) -> [Model<ID>.Part] where Element == Model<ID>.Part {
        let sectionsOut = Set(difference.sections.deleted.map(\.position) + difference.sections.moved.map(\.from))
        let itemsOut = Set(difference.items.deleted.map(\.position) + difference.items.moved.map(\.from))
        let emptied = enumerated().map { section, part in
            let rows = part.rows.enumerated().filter { item, _ in
                !itemsOut.contains(ItemIndexPath(section: section, item: item))
            }
            return Model<ID>.Part(header: part.header, rows: rows.map(\.element))
        }
        var parts = fill(
            emptied.enumerated().filter { !sectionsOut.contains($0.offset) }.map(\.element),
            difference.sections.inserted.map { ($0.position, .init(header: $0.element, rows: [])) }
                + difference.sections.moved.map { ($0.to, emptied[$0.from]) })
        let arrivals =
            difference.items.inserted.map { ($0.position, $0.element) }
            + difference.items.moved.map { ($0.to, self[$0.from.section].rows[$0.from.item]) }
        for index in parts.indices {
            let own = arrivals.filter { $0.0.section == index }.map { ($0.0.item, $0.1) }
            parts[index].rows = fill(parts[index].rows, own)
        }
        for update in difference.sections.updated { parts[update.to].header = update.after }
        for update in difference.items.updated { parts[update.to.section].rows[update.to.item] = update.after }
        return parts
    }
}

private func fill<Element>(_ stayed: [Element], _ arrivals: [(index: Int, element: Element)]) -> [Element] {
    var result: [Element] = []
    var rest = stayed[...]
    var arrivals = arrivals.sorted { $0.index < $1.index }[...]
    while !rest.isEmpty || !arrivals.isEmpty {
        if let next = arrivals.first, next.index == result.count || rest.isEmpty {
            result.append(next.element)
            arrivals = arrivals.dropFirst()
        } else {
            result.append(rest.removeFirst())
        }
    }
    return result
}
