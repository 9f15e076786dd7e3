import Diffable
import TestSupport
import Testing

/// Inputs for which other engines crash, corrupt data or report too many changes.
@Suite struct WhatBrokeOthersTests {
    @Test("a duplicate within one section is rejected: [(0, [])] to [(0, [1, 1]), (1, [])]")
    func duplicateInSection() throws {
        let old = try Model<PlainIdentifier>([(0, [])]).snapshot()
        let new = try Model<PlainIdentifier>([(0, [1, 1]), (1, [])]).snapshot()
        let paths = [ItemIndexPath(section: 0, item: 0), ItemIndexPath(section: 0, item: 1)]
        for (from, to) in [(old, new), (new, old)] {
            expectDuplicate(
                1, paths, in: "SnapshotDifference",
                #expect(throws: DiffableError.self) { try Difference(from: from, to: to) })
        }
        let said = Difference<PlainIdentifier>(
            sections: .init(inserted: [.init(position: 1, element: Row(1))]),
            items: .init(inserted: [
                .init(position: .init(section: 0, item: 0), element: Row(1)),
                .init(position: .init(section: 0, item: 1), element: Row(1)),
            ]))
        let refusal = #expect(throws: DiffableError.self) { try old.applying(said) }
        expectDuplicate(1, paths, in: "applying", refusal)
    }

    @Test("a duplicate in another section is rejected and named")
    func duplicateAcrossSections() throws {
        var snapshot = try Model<PlainIdentifier>([(0, [1, 2]), (1, [3])]).snapshot()
        let source = try PlainSource(snapshot)
        let before = snapshot
        try snapshot.appendItems([Row(4), Row(2)])
        let error = #expect(throws: DiffableError.self) { try source.apply(snapshot) }
        expectDuplicate(2, [.init(section: 0, item: 1), .init(section: 1, item: 2)], in: "apply", error)
        #expect(error?.description == #"apply: duplicateItem "2" at [0, 1] and [1, 2]"#)
        #expect(source.snapshot() == before)
    }

    @Test("10 edits in 100,000 items are 10 changes")
    func fewEdits() throws {
        var new = try Model<PlainIdentifier>(flat: Array(0..<100_000)).snapshot()
        let old = new
        for number in stride(from: 5_000, to: 25_000, by: 5_000) {
            try new.moveItem(PlainIdentifier(number), afterItem: PlainIdentifier(number * 3))
            try new.insertItems([Row(200_000 + number)], beforeItem: PlainIdentifier(number + 1))
        }
        try new.deleteItems([PlainIdentifier(77), PlainIdentifier(99_999)])
        let difference = try Difference(from: old, to: new)
        #expect(difference.count == 10)
        #expect(difference.items.moved.count == 4)
        #expect(try old.applying(difference) == new)
    }

    @Test("a move from first to last is one change")
    func firstToLast() throws {
        var new = try Model<PlainIdentifier>(flat: Array(0..<100_000)).snapshot()
        let old = new
        try new.moveItem(PlainIdentifier(0), afterItem: PlainIdentifier(99_999))
        let difference = try Difference(from: old, to: new)
        #expect(difference.count == 1)
        #expect(
            difference.items.moved.first
                == .init(
                    id: PlainIdentifier(0), from: .init(section: 0, item: 0), to: .init(section: 0, item: 99_999)))
    }

    @Test("one item inserted before many is one change, and moves no other item")
    func oneInFront() throws {
        let old = try Model<PlainIdentifier>(flat: Array(1..<20_000)).snapshot()
        let new = try Model<PlainIdentifier>(flat: Array(0..<20_000)).snapshot()
        let difference = try Difference(from: old, to: new)
        #expect(difference.count == 1)
        #expect(difference.items.inserted.count == 1)
    }

    @Test("[8, 4, 3, 2] to [1, 7, 9, 2, 8, 11, 10, 3]")
    func trappingPatch() throws {
        let difference = try check(.init(flat: [8, 4, 3, 2]), .init(flat: [1, 7, 9, 2, 8, 11, 10, 3]))
        #expect(difference.items.deleted.map(\.element.id.number) == [4])
        #expect(difference.items.inserted.map(\.element.id.number) == [1, 7, 9, 11, 10])
        #expect(difference.items.moved.count == 1)
    }

    @Test("an item moves from an old section into a new one")
    func intoNewSection() throws {
        let difference = try check(.init([(0, [1, 2])]), .init([(1, [2]), (0, [1])]))
        #expect(difference.sections.inserted.map(\.position) == [0])
        #expect(
            difference.items.moved
                == [
                    .init(
                        id: PlainIdentifier(2), from: .init(section: 0, item: 1), to: .init(section: 0, item: 0))
                ])
        #expect(difference.count == 2)
    }

    @Test("an item moves out of a deleted section")
    func outOfDeletedSection() throws {
        let difference = try check(.init([(0, [1]), (1, [2, 3])]), .init([(0, [3, 1])]))
        #expect(difference.sections.deleted.map(\.position) == [1])
        #expect(difference.items.deleted.map(\.element.id.number) == [2])
        #expect(difference.items.moved.map(\.id.number) == [3])
    }

    @Test("a section is updated while its row moves")
    func updatedWhileRowMoves() throws {
        var new = Model<PlainIdentifier>([(0, [2, 3, 1])])
        new.parts[0].header.content = 5
        let difference = try check(.init([(0, [1, 2, 3])]), new)
        #expect(difference.sections.updated.map(\.after.content) == [5])
        #expect(difference.items.moved.map(\.id.number) == [1])
        #expect(difference.count == 2)
    }

    @Test("a section moves while it gains items")
    func movedWhileGaining() throws {
        let difference = try check(
            .init([(0, [1]), (1, [2]), (2, [3, 4])]), .init([(2, [3, 9, 4]), (0, [1]), (1, [2])]))
        #expect(difference.sections.moved == [.init(id: PlainIdentifier(2), from: 2, to: 0)])
        #expect(difference.items.inserted.map(\.position) == [.init(section: 0, item: 1)])
        #expect(difference.items.moved.isEmpty)
        #expect(difference.count == 2)
    }

    @Test("delete and move of the same index, for items and for sections")
    func deleteAndMoveOfSameIndex() throws {
        let items = try check(.init(flat: [1, 2, 3]), .init(flat: [3, 2]))
        #expect(items.count == 2)
        let sections = try check(.init([(1, [1]), (2, [2]), (3, [3])]), .init([(3, [3]), (2, [2])]))
        #expect(sections.sections.count == 2)
    }

    @Test("a new section takes the position of a section that moves")
    func moveOfInsertedSection() throws {
        let difference = try check(.init([(0, [1]), (1, [2])]), .init([(1, [2]), (5, [1]), (0, [])]))
        #expect(difference.sections.inserted.map(\.position) == [1])
        #expect(difference.sections.moved.count == 1)
        #expect(difference.items.moved.map(\.id.number) == [1])
    }

    @Test("equal hash values with different identifiers are different items")
    func equalHashes() throws {
        let old = try Model<ClashingIdentifier>(flat: [1, 2, 3]).snapshot()
        let new = try Model<ClashingIdentifier>(flat: [4, 3, 1]).snapshot()
        let difference = try Difference(from: old, to: new)
        #expect(difference.items.deleted.map(\.element.id.number) == [2])
        #expect(difference.items.inserted.map(\.element.id.number) == [4])
        #expect(try old.applying(difference) == new)
    }

    @Test("equal identifiers with different content are an update, without a mark")
    func changedContent() throws {
        var new = Model<PlainIdentifier>([(0, [1, 2])])
        new.parts[0].rows[1].content = 7
        let difference = try check(.init([(0, [1, 2])]), new)
        #expect(difference.count == 1)
        #expect(difference.items.updated.first?.before.content == 0)
        #expect(difference.items.updated.first?.after.content == 7)
    }

    @Test("an item is updated while it moves to another section")
    func updatedWhileMoving() throws {
        var new = Model<PlainIdentifier>([(0, []), (1, [2, 1])])
        new.parts[1].rows[1].content = 7
        let difference = try check(.init([(0, [1]), (1, [2])]), new)
        #expect(difference.items.moved.count == 1)
        #expect(difference.items.updated.map(\.to) == [.init(section: 1, item: 1)])
    }

    /// Checks both directions, with the properties that tests of single cases rely on.
    private func check(
        _ old: Model<PlainIdentifier>, _ new: Model<PlainIdentifier>
    ) throws -> Difference<PlainIdentifier> {
        let pair = Pair(old: old, new: new)
        let difference = try pair.difference()
        #expect(try old.snapshot().applying(difference) == new.snapshot())
        #expect(try new.snapshot().applying(difference.inverse) == old.snapshot())
        #expect(old.parts.applyingByTheBook(difference) == new.parts)
        return difference
    }

    private func expectDuplicate(
        _ number: Int, _ paths: [ItemIndexPath], in operation: String, _ error: DiffableError?
    ) {
        #expect(error?.code == .duplicateItem && error?.indexPaths == paths)
        #expect(error?.identifier as? PlainIdentifier == PlainIdentifier(number))
        #expect(error?.operation == operation)
    }
}
