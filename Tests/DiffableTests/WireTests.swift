import Diffable
import FoundationEssentials
import TestSupport
import Testing

/// Encoded differences and patches, and differences that are malformed or belong to another snapshot.
@Suite struct WireTests {
    private func recoded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test("a snapshot, a difference in any order and a patch are the same after encoding, decoding and applying")
    func roundTrip() throws {
        try checkProperty(
            "encode and decode", cases: 1_000,
            generate: { random, size in Pair<PlainIdentifier>.random(.everything, size: size, using: &random) },
            shrink: { $0.simpler() }
        ) { pair in
            let snapshot = try pair.new.snapshot()
            let decoded = try recoded(snapshot)
            try verify(decoded == snapshot, "the snapshot is decoded as \(decoded)")
            try holdIndexIsTrue(of: decoded)
            let difference = try pair.difference()
            try verify(try recoded(difference) == difference, "another difference is decoded")
            let shuffled = Difference(
                sections: difference.sections.reversed(), items: difference.items.reversed(), marks: difference.marks,
                previousMarks: difference.previousMarks)
            try verify(shuffled == difference, "another order gives \(shuffled)")
            let patch = SnapshotPatch(difference)
            try verify(try recoded(patch) == patch, "another patch is decoded")
            let again = try Difference(patch, from: pair.old.snapshot())
            try verify(again == difference, "the patch gives \(again)")
        }
    }

    @Test(
        "a snapshot with a duplicate or a mark of an unknown identifier is not decoded, and the error names it",
        arguments: [
            (#"{"sections":[{"section":S0,"items":[S1,S1]}]}"#, DiffableError.Code.duplicateItem),
            (#"{"sections":[{"section":S0,"items":[S1]},{"section":S2,"items":[S1]}]}"#, .duplicateItem),
            (#"{"sections":[{"section":S1,"items":[]},{"section":S1,"items":[]}]}"#, .duplicateSection),
            (
                #"{"sections":[],"marks":{"reloadedSections":[],"reloadedItems":[I1],"reconfiguredItems":[]}}"#,
                .unknownItem
            ),
        ])
    func corruptSnapshot(json: String, code: DiffableError.Code) throws {
        var json = json
        for number in 0..<3 {
            json = json.replacing("S\(number)", with: #"{"id":{"number":\#(number)},"content":0}"#)
            json = json.replacing("I\(number)", with: #"{"number":\#(number)}"#)
        }
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PlainSnapshot.self, from: Data(json.utf8))
        }
        guard case .dataCorrupted(let context) = error, let cause = context.underlyingError as? DiffableError else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause.code == code)
        #expect(cause.identifier as? PlainIdentifier == PlainIdentifier(1))
        #expect(cause.indexPaths.count == (code == .duplicateItem ? 2 : 0))
        #expect(cause.sectionIndices == (code == .duplicateSection ? [0, 1] : []))
    }

    @Test(
        "a malformed difference is refused with an error code for its problem",
        arguments: [
            (Changes(deleted: [(0, 9, 1)]), DiffableError.Code.positionOutOfRange),
            (Changes(deleted: [(7, 0, 1)]), .positionOutOfRange),
            (Changes(deleted: [(-1, 0, 1)]), .positionOutOfRange),
            (Changes(deleted: [(0, .min, 1)]), .positionOutOfRange),
            (Changes(deleted: [(0, 0, 2)]), .identifierMismatch),
            (Changes(deleted: [(0, 0, 1), (0, 0, 1)]), .conflictingChanges),
            (Changes(inserted: [(0, 0, 2)]), .duplicateItem),
            (Changes(inserted: [(0, 0, 8), (1, 0, 8)]), .duplicateItem),
            (Changes(inserted: [(0, 5, 8)]), .positionOutOfRange),
            (Changes(inserted: [(2, 0, 8)]), .positionOutOfRange),
            (Changes(inserted: [(-1, 0, 8)]), .positionOutOfRange),
            (Changes(inserted: [(0, .max, 8)]), .positionOutOfRange),
            (Changes(inserted: [(0, 1, 8), (0, 1, 9)]), .positionTaken),
            (Changes(deleted: [(0, 0, 1)], moved: [(1, 0, 0, 1, 0)]), .conflictingChanges),
            (Changes(moved: [(1, 0, 0, 1, 0), (1, 0, 0, 0, 2)]), .conflictingChanges),
            (Changes(moved: [(2, 0, 0, 1, 0)]), .identifierMismatch),
            (Changes(updated: [(2, 0, 0, 0)]), .identifierMismatch),
            (Changes(updated: [(1, 0, 0, 1)]), .identifierMismatch),
            (Changes(updated: [(1, 0, 3, 0)]), .positionOutOfRange),
            (Changes(updated: [(1, 0, 0, 3)]), .positionOutOfRange),
            (Changes(updated: [(1, 0, 0, 0), (1, 0, 0, 0)]), .conflictingChanges),
            (Changes(deleted: [(0, 0, 1)], updated: [(1, 0, 0, 0)]), .identifierMismatch),
        ])
    func refusal(changes: Changes, code: DiffableError.Code) throws {
        let snapshot = try Model<PlainIdentifier>([(0, [1, 2, 3]), (1, [4])]).snapshot()
        let error = #expect(throws: DiffableError.self) { try snapshot.applying(changes.difference) }
        #expect(error?.code == code)
        #expect(snapshot.itemIdentifiers.map(\.number) == [1, 2, 3, 4])
    }

    @Test("an update cannot change an identifier")
    func updateOfIdentifier() throws {
        let snapshot = try Model<PlainIdentifier>(flat: [1, 2]).snapshot()
        let place = ItemIndexPath(section: 0, item: 0)
        for (before, after) in [(1, 9), (9, 1), (2, 2)] {
            let difference = Difference<PlainIdentifier>(
                items: .init(updated: [.init(from: place, to: place, before: Row(before), after: Row(after))]))
            let error = #expect(throws: DiffableError.self) { try snapshot.applying(difference) }
            #expect(error?.code == .identifierMismatch)
        }
    }

    @Test("a mark of an unknown identifier is rejected")
    func strayMarks() throws {
        let snapshot = try Model<PlainIdentifier>(flat: [1, 2]).snapshot()
        let gone = [PlainIdentifier(9)]
        for (marks, code) in [
            (SnapshotMarks(reloadedSections: gone, reloadedItems: []), DiffableError.Code.unknownSection),
            (SnapshotMarks(reloadedItems: gone), .unknownItem), (SnapshotMarks(reconfiguredItems: gone), .unknownItem),
        ] {
            let error = #expect(throws: DiffableError.self) {
                try snapshot.applying(Difference<PlainIdentifier>(marks: marks))
            }
            #expect(error?.code == code)
        }
    }

    @Test("a section with items cannot be deleted")
    func sectionNotEmpty() throws {
        let snapshot = try Model<PlainIdentifier>([(0, [1]), (1, [4])]).snapshot()
        let difference = Difference<PlainIdentifier>(
            sections: .init(deleted: [.init(position: 1, element: Row(1))]))
        let error = #expect(throws: DiffableError.self) { try snapshot.applying(difference) }
        #expect(error?.code == .sectionNotEmpty)
        #expect(error?.identifier as? PlainIdentifier == PlainIdentifier(1))
    }

    @Test("a patch with an unknown identifier is rejected")
    func badPatch() throws {
        let snapshot = try Model<PlainIdentifier>([(0, [1, 2, 3]), (1, [4])]).snapshot()
        func code(_ items: ElementPatch<ItemIndexPath, PlainRow>) -> DiffableError.Code? {
            do {
                _ = try SnapshotDifference(SnapshotPatch(items: items), from: snapshot)
                return nil
            } catch { return error.code }
        }
        let here = PlainIdentifier(1)
        let gone = PlainIdentifier(9)
        #expect(code(.init(deleted: [gone])) == .unknownItem)
        #expect(code(.init(moved: [.init(id: gone, to: .init(section: 0, item: 0))])) == .unknownItem)
        #expect(code(.init(updated: [Row(9)])) == .unknownItem)
        #expect(code(.init(deleted: [here, here])) == .conflictingChanges)
        #expect(code(.init(deleted: [here], updated: [Row(1)])) == .conflictingChanges)
        #expect(code(.init(updated: [Row(1), Row(1, content: 2)])) == .conflictingChanges)
        #expect(code(.init(moved: [.init(id: here, to: .init(section: 0, item: 3))])) == .positionOutOfRange)
        #expect(code(.init(inserted: [.init(position: .init(section: 0, item: 0), element: Row(4))])) == .duplicateItem)
        #expect(code(.init(deleted: [here], updated: [Row(4, content: 2)])) == nil)
    }

    @Test("an error's description is one line of printable ASCII for any identifier")
    func errorText() throws {
        struct Hostile: Identifiable, Equatable { let id: String }
        var snapshot = DiffableSnapshot<Hostile, Hostile>()
        let error = #expect(throws: DiffableError.self) {
            try snapshot.deleteItems(["\u{1B}]52;c;AAAA\u{07}\u{202E}\u{9B}\n"])
        }
        let text = try #require(error?.description)
        #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(text.hasPrefix("deleteItems: unknownItem \""))
        var plain = try Model<PlainIdentifier>([(0, [1, 2]), (1, [3])]).snapshot()
        try plain.appendItems([Row(4), Row(2)])
        let duplicate = #expect(throws: DiffableError.self) { try PlainSource().apply(plain) }
        #expect(duplicate?.description == #"apply: duplicateItem "2" at [0, 1] and [1, 2]"#)
    }
}

/// A short form of item changes: (section, item, number), moved (number, from section, item, to section, item), updated
/// (number, section, from item, to item).
struct Changes: Sendable {
    var deleted: [(Int, Int, Int)] = []
    var inserted: [(Int, Int, Int)] = []
    var moved: [(Int, Int, Int, Int, Int)] = []
    var updated: [(Int, Int, Int, Int)] = []

    var difference: Difference<PlainIdentifier> {
        func placements(_ list: [(Int, Int, Int)]) -> [ElementChanges<ItemIndexPath, PlainRow>.Placement] {
            list.map { .init(position: ItemIndexPath(section: $0, item: $1), element: Row($2)) }
        }
        let moves = moved.map { id, fromSection, from, toSection, to in
            ElementChanges<ItemIndexPath, PlainRow>.Move(
                id: PlainIdentifier(id), from: ItemIndexPath(section: fromSection, item: from),
                to: ItemIndexPath(section: toSection, item: to))
        }
        let updates = updated.map { id, section, from, to in
            ElementChanges<ItemIndexPath, PlainRow>.Update(
                from: ItemIndexPath(section: section, item: from), to: ItemIndexPath(section: section, item: to),
                before: Row(id), after: Row(id, content: 1))
        }
        return Difference(
            items: .init(
                deleted: placements(deleted), inserted: placements(inserted), moved: moves, updated: updates))
    }
}

extension Pair {
    func difference() throws -> Difference<ID> {
        try Difference(from: try old.snapshot(), to: try new.snapshot())
    }
}

extension ElementChanges {
    fileprivate func reversed() -> ElementChanges {
        ElementChanges(
            deleted: deleted.reversed(), inserted: inserted.reversed(), moved: moved.reversed(),
            updated: updated.reversed())
    }
}
