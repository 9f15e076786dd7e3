import Diffable
import TestSupport
import Testing

/// The documented costs of marks and of `==`, counted.
@Suite struct MarkAndEqualityCostTests {
    private let maker = CountedMaker()
    private let many = scaled(100_000)

    @Test(
        "setting and reading marks and deleting marked elements cost the marks, for any snapshot size",
        arguments: [1_000, scaled(100_000)])
    func marks(count: Int) throws {
        var snapshot = try maker.snapshot(items: count, sections: 10)
        let marked = (0..<100).map { maker.itemID($0) }
        let sections = (0..<5).map { maker.sectionID($0) }
        // A mark is looked up, inserted into a set, possibly rehashed when the set grows, and looked up in the other
        // set. The standard library's sets probe linearly from a random seed, so the comparisons vary: 250 to 530 for
        // 100 marks in 300 runs.
        let each = (hashes: 6, comparisons: 10)
        let edits: [(inout CountedSnapshot) throws -> Void] = [
            { try $0.reloadItems(marked) }, { try $0.reconfigureItems(marked.reversed()) },
            { try $0.reloadSections(sections) },
            { snapshot in
                #expect(snapshot.reloadedItemIdentifiers.count == marked.count)
                #expect(snapshot.reconfiguredItemIdentifiers.isEmpty)
                #expect(snapshot.reloadedSectionIdentifiers.count == sections.count)
            },
            { #expect(!$0.marks.isEmpty) }, { try $0.deleteItems(marked) },
        ]
        for edit in edits {
            let cost = try maker.cost { try edit(&snapshot) }
            #expect(cost.items.hashes <= each.hashes * marked.count)
            #expect(cost.items.comparisons <= each.comparisons * marked.count)
            #expect(cost.sections.hashes <= each.hashes * sections.count)
            #expect(cost.sections.comparisons <= each.comparisons * sections.count)
            #expect(cost.items.contents == 0 && cost.sections.contents == 0)
        }
        #expect(snapshot.marks == SnapshotMarks(reloadedSections: sections))
    }

    @Test("deleting a section looks up only its own items in the marks, and only if items are marked")
    func deletingMarked() throws {
        var snapshot = try maker.snapshot(items: many, sections: 1_000)
        try snapshot.reloadItems([maker.itemID(0), maker.itemID(many - 1)])
        let cost = try maker.cost { try snapshot.deleteSections([maker.sectionID(0)]) }
        #expect(cost.items.hashes <= 2 * many / 1_000 && cost.items.contents == 0)
        #expect(snapshot.reloadedItemIdentifiers.map(\.number) == [many - 1])
    }

    @Test("comparing a snapshot with its copy accesses no elements")
    func copies() throws {
        var snapshot = try maker.snapshot(items: many, sections: 10)
        try snapshot.moveItem(maker.itemID(7), afterItem: maker.itemID(70))
        try snapshot.reloadItems([maker.itemID(1)])
        let copy = snapshot
        let cost = maker.cost { #expect(copy == snapshot) }
        #expect(cost.items == (0, 0, 0) && cost.sections == (0, 0, 0))
    }

    @Test("equal snapshots are compared once for each element, different ones up to the first difference")
    func comparing() throws {
        let snapshot = try maker.snapshot(items: many, sections: 10)
        var other = try maker.snapshot(items: many, sections: 10)
        var cost = maker.cost { #expect(snapshot == other) }
        #expect(cost.items == (0, many, many) && cost.sections == (0, 10, 10))
        try other.replace(maker.item(10, content: 1))
        cost = maker.cost { #expect(snapshot != other) }
        #expect(cost.items == (0, 11, 11))
        try other.moveItem(maker.itemID(20), afterItem: maker.itemID(21))
        cost = maker.cost { #expect(snapshot != other) }
        #expect(cost.items == (0, 11, 11))
        try other.deleteItems([maker.itemID(20)])
        cost = maker.cost { #expect(snapshot != other) }
        #expect(cost.items == (0, 0, 0) && cost.sections == (0, 0, 0))
    }
}
