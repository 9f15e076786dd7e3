import Diffable
import TestSupport
import Testing

/// Properties 5 and 6: a snapshot and its index equal a plain array model, and duplicate identifiers are refused.
@Suite struct SnapshotPropertyTests {
    @Test("any sequence of edits leaves the snapshot equal to a plain array model")
    func model() throws {
        try checkEdits(PlainIdentifier.self, cases: 1_000)
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: all hash values equal")
    func clashing() throws {
        try checkEdits(ClashingIdentifier.self, cases: 300)
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: three hash values")
    func crowded() throws {
        try checkEdits(CrowdedIdentifier.self, cases: 300)
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: much deleted, much added")
    func tides() throws {
        try checkProperty(
            "tides", cases: 20, maxSize: 12,
            generate: { random, size in
                var edits = [
                    Edit.appendSections([0, 1]), .appendItems(Array(0..<2_000).shuffled(using: &random), toSection: 0),
                ]
                for _ in 0..<size {
                    edits.append(.keepItems(multiplesOf: random.int(in: 2..<16)))
                    edits += (0..<6).map { _ in Edit.random(size: 2_000, batch: 300, using: &random) }
                }
                return edits
            },
            shrink: shorter,
            property: { edits in try holdModelAgrees(edits, PlainIdentifier.self, checkingEach: false) })
    }

    @Test("any sequence of edits leaves the snapshot equal to a plain array model: thousands of items")
    func thousands() throws {
        try checkProperty(
            "large edits", cases: 6, maxSize: 60,
            generate: { random, size in
                [Edit.appendSections([0, 1, 2])]
                    + (0..<size).map { _ in Edit.random(size: 6_000, batch: 900, using: &random) }
            },
            shrink: shorter,
            property: { edits in try holdModelAgrees(edits, PlainIdentifier.self, checkingEach: false) })
    }

    @Test("threads may look up items of the same new snapshot at the same time")
    func threads() async throws {
        let count = scaled(2_000)
        var snapshot = Snapshot<PlainIdentifier>()
        try snapshot.appendSections([Row(0)])
        try snapshot.appendItems((0..<count).map { Row($0) })
        let built = snapshot
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

    @Test("lookups in a snapshot with a duplicate find the first of both items")
    func firstDuplicate() throws {
        var snapshot = Snapshot<PlainIdentifier>()
        try snapshot.appendSections([Row(0), Row(1)])
        try snapshot.appendItems([Row(1), Row(2), Row(3, content: 5)], toSection: PlainIdentifier(0))
        try snapshot.appendItems([Row(4), Row(3, content: 6)], toSection: PlainIdentifier(1))
        #expect(snapshot.item(for: PlainIdentifier(3)) == Row(3, content: 5))
        #expect(snapshot.indexOfItem(PlainIdentifier(3)) == 2)
        #expect(throws: DiffableError.self) { try snapshot.appendItems([Row(7)]) }
        #expect(snapshot.numberOfItems == 5)
    }

    @Test("sections that take turns in getting items have them in order")
    func turns() throws {
        let count = scaled(5_000)
        var snapshot = Snapshot<PlainIdentifier>()
        var model = Model<PlainIdentifier>()
        for edit in [Edit.appendSections(Array(0..<26))]
            + (0..<count).map({ Edit.appendItems([$0], toSection: $0 * 7 % 26) })
            + [.deleteItems([count / 2]), .moveItem(3, nextTo: count - 4, after: true)]
        {
            try edit.perform(on: &snapshot)
            try edit.perform(on: &model)
        }
        #expect(Model(snapshot) == model)
        try holdIndexIsTrue(of: snapshot)
    }
}

private func checkEdits<ID: TestIdentifier>(_ kind: ID.Type, cases: Int) throws {
    try checkProperty(
        "edits", cases: cases, maxSize: 30,
        generate: { random, size in (0..<size).map { _ in Edit.random(size: 20, batch: 6, using: &random) } },
        shrink: shorter,
        property: { edits in try holdModelAgrees(edits, kind, checkingEach: true) })
}

/// Simpler variants of a sequence of edits: its halves, then without each edit.
func shorter<Edit>(_ edits: [Edit]) -> [[Edit]] {
    [Array(edits.prefix(edits.count / 2)), Array(edits.dropFirst(edits.count / 2))].filter { $0.count < edits.count }
        + edits.indices.map { index in Array(edits[..<index] + edits[(index + 1)...]) }
}

private func holdModelAgrees<ID: TestIdentifier>(_ edits: [Edit], _ kind: ID.Type, checkingEach: Bool) throws {
    var snapshot = Snapshot<ID>()
    var model = Model<ID>()
    for edit in edits {
        let before = snapshot
        let error = try holdSameRefusal(
            of: edit, ID.self, model: { () throws(Refusal) in try edit.perform(on: &model) },
            value: { try edit.perform(on: &snapshot) })
        try verify(error == nil || snapshot == before, "\(edit) threw and changed the snapshot")
        if checkingEach { try holdAgreement(snapshot, model, before: before) }
    }
    try holdAgreement(snapshot, model, before: Snapshot())
}

private func holdAgreement<ID>(_ snapshot: Snapshot<ID>, _ model: Model<ID>, before: Snapshot<ID>) throws {
    let model = model.withMarksInOrder()
    try verify(Model(snapshot) == model, "the model is \(model), the snapshot \(Model(snapshot))")
    try holdIndexIsTrue(of: snapshot)
    try verify(snapshot == (try model.snapshot()), "the value differs from one built by appending")
    let edited = try before.applying(Difference(from: before, to: snapshot))
    try verify(edited == snapshot, "the difference from the snapshot before the edit gives another snapshot")
}
