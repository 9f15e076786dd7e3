import Diffable
import DiffableOutlines
import TestSupport
import Testing

/// A section snapshot equals plain nested arrays, and duplicate identifiers are
/// refused.
@Suite struct SectionSnapshotPropertyTests {
    @Test("any sequence of edits leaves the section snapshot equal to plain nested arrays")
    func model() throws {
        try checkEdits(PlainIdentifier.self, cases: 1_500, maxSize: 30)
    }

    @Test("any sequence of edits leaves the section snapshot equal to plain nested arrays: all hash values equal")
    func clashing() throws {
        try checkEdits(ClashingIdentifier.self, cases: 300, maxSize: 30)
    }

    @Test("any sequence of edits leaves the section snapshot equal to plain nested arrays: long ones")
    func long() throws {
        try checkEdits(PlainIdentifier.self, cases: 20, maxSize: 400)
    }

    private func checkEdits<ID: TestIdentifier>(_ kind: ID.Type, cases: Int, maxSize: Int) throws {
        try checkProperty(
            "outline edits", cases: cases, maxSize: maxSize,
            generate: { random, size in
                let first = OutlineEdit<ID>.append(Array(0..<4), to: nil)
                return [first] + (0..<size).map { _ in OutlineEdit<ID>.random(size: 24, using: &random) }
            },
            shrink: shorter,
            property: { edits in try holdModelAgrees(edits) })
    }

    private func holdModelAgrees<ID>(_ edits: [OutlineEdit<ID>]) throws {
        var snapshot = DiffableSectionSnapshot<Row<ID>>()
        var forest = Forest<ID>()
        for edit in edits {
            let before = snapshot
            let forestBefore = forest
            let error = try holdSameRefusal(
                of: edit, ID.self, model: { () throws(Refusal) in try edit.perform(on: &forest) },
                value: { try edit.perform(on: &snapshot) })
            try verify(error == nil || snapshot == before, "\(edit) threw and changed the snapshot")
            try holdAgreement(snapshot, forest)
            try verify((snapshot == before) == (forest == forestBefore), "after \(edit), == is wrong")
            try verify(Forest(before) == forestBefore, "\(edit) changed a copy")
        }
    }
}
