import Diffable
import TestSupport
import Testing

/// A snapshot and its index equal a plain array model. Edits accept duplicates, which every check names.
@Suite struct SnapshotPropertyTests {
    @Test("any sequence of edits leaves the snapshot equal to a plain array model, whatever is read between the edits")
    func model() throws {
        try checkEdits(PlainIdentifier.self, cases: 1_000)
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: identifiers with few hash values")
    func clashing() throws {
        try checkEdits(ClashingIdentifier.self, cases: 300)
        try checkEdits(CrowdedIdentifier.self, cases: 300)
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: many sections")
    func manySections() throws {
        let first = Step(edit: .appendSections(Array(6..<20)), takesDuplicates: false, reading: .nothing)
        try checkEdits(PlainIdentifier.self, cases: 200, after: [first])
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: much deleted, much added")
    func tides() throws {
        try checkProperty(
            "tides", cases: 20, maxSize: 12,
            generate: { random, size in
                let all = Array(0..<2_000).shuffled(using: &random)
                var steps = [Edit.appendSections([0, 1]), .appendItems(all, toSection: 0)].map {
                    Step(edit: $0, takesDuplicates: false, reading: .nothing)
                }
                for _ in 0..<size {
                    steps.append(.random(size: 2_000, batch: 300, using: &random))
                    steps[steps.count - 1].edit = .keepItems(multiplesOf: random.int(in: 2..<16))
                    steps += (0..<6).map { _ in Step.random(size: 2_000, batch: 300, using: &random) }
                }
                return steps
            },
            shrink: shorter, property: { steps in try holdModelAgrees(steps, PlainIdentifier.self) })
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: thousands of items")
    func thousands() throws {
        try checkProperty(
            "large edits", cases: 6, maxSize: 60,
            generate: { random, size in
                [Step(edit: .appendSections([0, 1, 2]), takesDuplicates: false, reading: .nothing)]
                    + (0..<size).map { _ in Step.random(size: 6_000, batch: 900, using: &random) }
            },
            shrink: shorter, property: { steps in try holdModelAgrees(steps, PlainIdentifier.self) })
    }

    @Test("threads may look up items of the same new snapshot at the same time")
    func threads() async throws {
        let count = scaled(2_000)
        let built = try Model<PlainIdentifier>(flat: Array(0..<count)).snapshot()
        await withTaskGroup(of: Bool.self) { group in
            for start in 0..<8 {
                group.addTask {
                    var copy = built
                    let isFound = stride(from: start, to: count, by: 8).allSatisfy {
                        copy.indexOfItem(PlainIdentifier($0)) == $0
                    }
                    do { try copy.insertItems([Row(count + start)], beforeItem: PlainIdentifier(0)) } catch {
                        return false
                    }
                    return isFound && copy.indexOfItem(PlainIdentifier(count + start)) == 0
                }
            }
            for await isFound in group { #expect(isFound) }
        }
        #expect(built.numberOfItems == count)
    }

    @Test(
        "views have the elements of arrays at all indices, in slices and in reverse, also after the snapshot is edited")
    func views() throws {
        try checkProperty(
            "views", cases: 400, maxSize: 20,
            generate: { random, size in (0..<size).map { _ in Edit.random(size: 40, batch: 9, using: &random) } },
            shrink: shorter,
            property: { edits in
                var snapshot = Snapshot<PlainIdentifier>()
                for edit in edits { try? edit.perform(on: &snapshot) }
                let model = Model(snapshot)
                var views = [(snapshot.items, model.rows)]
                for part in model.parts where snapshot.indexOfSection(part.header.id).map({ model.parts[$0] }) == part {
                    views.append((snapshot[part.header.id], part.rows))
                }
                try verify(snapshot.sections == model.parts.map(\.header), "the sections differ")
                try verify(snapshot[PlainIdentifier(99)].isEmpty, "an unknown section has items")
                snapshot.deleteAllItems()
                for (view, rows) in views { try holdSameCollection(view, rows) }
            })
    }

    @Test("a snapshot is made of sections with their items, by an initializer or a literal, also of plain values")
    func initializers() throws {
        var built = PlainSnapshot()
        built.appendSections([Row(0), Row(1), Row(2)])
        try built.appendItems([Row(5), Row(6)], toSection: PlainIdentifier(0))
        try built.appendItems([Row(7)])
        #expect(built == PlainSnapshot([(Row(0), [Row(5), Row(6)]), (Row(1), []), (Row(2), [Row(7)])]))
        #expect(built == [Row(0): [Row(5), Row(6)], Row(1): [], Row(2): [Row(7)]])
        #expect(PlainSnapshot() == [:])
        let values = HashableSnapshot([("a", [1, 2]), ("b", [3])])
        #expect(
            values.sections == ["a", "b"] && Array(values["a"]) == [1, 2] && values.items.elementsEqual([1, 2, 3]))
        #expect(values["a"].last == 2 && values["c"].isEmpty)
    }
}

private func holdSameCollection(_ view: DiffableItems<PlainRow>, _ rows: [PlainRow]) throws {
    try verify(Array(view) == rows && view.map(\.id) == rows.map(\.id), "\(Array(view)) instead of \(rows)")
    try verify(view.startIndex == 0 && view.endIndex == rows.count && view.count == rows.count, "count is wrong")
    try verify(view.isEmpty == rows.isEmpty && view.first == rows.first && view.last == rows.last, "the ends differ")
    try verify(view.indices.map { view[$0] } == rows, "the elements at the indices differ")
    try verify(Array(view.reversed()) == rows.reversed(), "the reversed view differs")
    for start in 0...rows.count {
        let (slice, expected) = (view[start...], rows[start...])
        try verify(slice.elementsEqual(expected) && slice.startIndex == start, "the slice from \(start) differs")
        try verify(view.prefix(start).elementsEqual(rows.prefix(start)), "the prefix to \(start) differs")
        try verify(view.suffix(start).reversed().elementsEqual(rows.suffix(start).reversed()), "the suffix differs")
        try verify(view.index(view.endIndex, offsetBy: -start) == rows.count - start, "index(_:offsetBy:) is wrong")
        try verify(view.distance(from: start, to: view.endIndex) == rows.count - start, "distance(from:to:) is wrong")
        try verify(
            view.index(start, offsetBy: 2, limitedBy: rows.count) == (start + 2 > rows.count ? nil : start + 2),
            "limitedBy")
    }
    var iterator = view.makeIterator()
    for row in rows { try verify(iterator.next() == row, "the iterator differs") }
    try verify(iterator.next() == nil && iterator.next() == nil, "the iterator does not end")
}

/// An edit, and a reading before it.
private struct Step: CustomStringConvertible {
    enum Reading: CaseIterable { case nothing, copy, lookup, sectionLookup, validation, difference, everything }

    var edit: Edit
    let takesDuplicates: Bool
    let reading: Reading

    var description: String { "\(reading), \(edit)\(takesDuplicates ? "!" : "")" }

    static func random(size: Int, batch: Int, using random: inout SplitMix64) -> Step {
        Step(
            edit: .random(size: size, batch: batch, using: &random), takesDuplicates: random.chance(1, in: 6),
            reading: Reading.allCases.randomElement(using: &random) ?? .nothing)
    }
}

private func checkEdits<ID: TestIdentifier>(_ kind: ID.Type, cases: Int, after first: [Step] = []) throws {
    try checkProperty(
        "edits", cases: cases, maxSize: 30,
        generate: { random, size in first + (0..<size).map { _ in Step.random(size: 20, batch: 6, using: &random) } },
        shrink: shorter,
        property: { steps in try holdModelAgrees(steps, kind) })
}

/// Simpler variants of a sequence of edits: its halves, then without each edit.
func shorter<Edit>(_ edits: [Edit]) -> [[Edit]] {
    [Array(edits.prefix(edits.count / 2)), Array(edits.dropFirst(edits.count / 2))].filter { $0.count < edits.count }
        + edits.indices.map { index in Array(edits[..<index] + edits[(index + 1)...]) }
}

/// Makes the same edits of a snapshot that is only edited, of one that is also read and copied, and of the model.
private func holdModelAgrees<ID: TestIdentifier>(_ steps: [Step], _ kind: ID.Type) throws {
    var edited = Snapshot<ID>()
    var read = Snapshot<ID>()
    var model = Model<ID>()
    var copies: [(snapshot: Snapshot<ID>, model: Model<ID>)] = []
    for step in steps where step.takesDuplicates || !step.edit.addsDuplicate(to: model) {
        if step.reading == .copy { copies.append((read, model)) }
        try hold(step.reading, of: read, model, since: copies.last?.snapshot ?? Snapshot())
        let modelBefore = model
        let error = try holdSameRefusal(
            of: step.edit, ID.self, model: { () throws(Refusal) in try step.edit.perform(on: &model) },
            value: { try step.edit.perform(on: &read) })
        if error != nil { try verify(Model(read) == modelBefore.withMarksInOrder(), "\(step) changed the snapshot") }
        var other: DiffableError?
        do { try step.edit.perform(on: &edited) } catch let thrown { other = thrown }
        try verify(
            other == error,
            "\(step) threw \(String(describing: error)), but without readings \(String(describing: other))")
    }
    for (snapshot, model) in copies { try verify(Model(snapshot) == model.withMarksInOrder(), "a copy changed") }
    try verify(Model(edited) == model.withMarksInOrder(), "the edits alone give \(Model(edited)), the model \(model)")
    for snapshot in [edited, read] {
        try hold(.everything, of: snapshot, model, since: copies.last?.snapshot ?? Snapshot())
    }
}

/// Reads a snapshot, and compares it with the model.
private func hold<ID>(
    _ reading: Step.Reading, of snapshot: Snapshot<ID>, _ model: Model<ID>, since base: Snapshot<ID>
) throws {
    switch reading {
    case .nothing, .copy: break
    case .lookup: try verify(snapshot.contains(ID(3)) == model.rows.contains { $0.id.number == 3 }, "contains is wrong")
    case .sectionLookup:
        let index = model.parts.firstIndex { $0.header.id.number == 3 }
        try verify(snapshot.indexOfSection(ID(3)) == index, "indexOfSection is wrong")
    case .validation:
        try holdNamesDuplicate(of: model, in: "validate") { () throws(DiffableError) in try snapshot.validate() }
    case .difference: try holdDifference(from: base, to: snapshot)
    case .everything:
        let model = model.withMarksInOrder()
        try verify(Model(snapshot) == model, "the model is \(model), the snapshot \(Model(snapshot))")
        try holdIndexIsTrue(of: snapshot)
        try verify(snapshot == (try model.snapshot()), "the value differs from a new one")
        try holdDifference(from: base, to: snapshot)
    }
}

/// Checks the difference of snapshots that may have duplicates, and that a data source refuses them.
private func holdDifference<ID>(from old: Snapshot<ID>, to new: Snapshot<ID>) throws {
    let (oldModel, newModel) = (Model(old), Model(new))
    let isUnique = oldModel.duplicate == nil
    try holdNamesDuplicate(of: isUnique ? newModel : oldModel, in: "SnapshotDifference") { () throws(DiffableError) in
        _ = try Difference(from: old, to: new)
    }
    guard isUnique else { return }
    let source = try DiffableDataSource(old)
    try holdNamesDuplicate(of: newModel, in: "apply") { () throws(DiffableError) in try source.apply(new) }
    guard newModel.duplicate == nil else {
        return try verify(Model(source.snapshot()).parts == oldModel.parts, "shown")
    }
    let result = try old.applying(Difference(from: old, to: new))
    try verify(Model(result) == newModel.markedOnly(in: oldModel), "the difference gives \(Model(result))")
}
