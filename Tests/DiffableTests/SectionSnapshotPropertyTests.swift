import Diffable
import DiffableOutlines
import FoundationEssentials
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

    @Test("encoded and decoded, a section snapshot is the same")
    func roundTrip() throws {
        try checkProperty(
            "round trip", cases: 400,
            generate: { random, size in Forest<PlainIdentifier>.random(size: size, below: 2 * size, using: &random) },
            property: { forest in
                let snapshot = try forest.snapshot()
                let data = try JSONEncoder().encode(snapshot)
                let decoded = try JSONDecoder().decode(DiffableSectionSnapshot<PlainRow>.self, from: data)
                try verify(decoded == snapshot, "decoded as \(Forest(decoded))")
                try holdAgreement(decoded, forest)
            })
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
