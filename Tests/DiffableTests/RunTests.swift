import Diffable
import TestSupport
import Testing

@Suite struct RunTests {
    @Test("runs of neighbors are ranges within one section")
    func itemRuns() throws {
        let pair = Pair<PlainIdentifier>(
            old: .init([(0, [1, 2, 3, 4]), (1, [5, 6, 7])]), new: .init([(0, [1, 4]), (1, [7, 20, 21])]))
        let items = try pair.difference().items
        #expect(items.deletedRuns == [range(0, 1, 3), range(1, 0, 2)])
        #expect(items.insertedRuns == [range(1, 1, 3)])
        #expect(items.movedRuns.isEmpty)
    }

    @Test("neighbors that moved together are one run")
    func movedRuns() throws {
        let pair = Pair<PlainIdentifier>(
            old: .init([(0, [1, 2, 3, 4]), (1, [5])]), new: .init([(0, [1]), (1, [5, 2, 3, 4])]))
        let items = try pair.difference().items
        #expect(items.movedRuns.map(\.from) == [range(0, 1, 4)])
        #expect(items.movedRuns.map(\.to) == [range(1, 1, 4)])
    }

    @Test("sections have runs too")
    func sectionRuns() throws {
        let pair = Pair<PlainIdentifier>(
            old: .init([(0, []), (1, []), (2, [])]), new: .init([(2, []), (7, []), (8, [])]))
        let sections = try pair.difference().sections
        #expect(sections.deletedRuns == [0..<2])
        #expect(sections.insertedRuns == [1..<3])
    }

    @Test("runs have exactly the changes that they were made from")
    func runsAreComplete() throws {
        try checkProperty(
            "runs", cases: 1_500,
            generate: { random, size in Pair<PlainIdentifier>.random(.everything, size: size, using: &random) },
            shrink: { $0.simpler() },
            property: { pair in
                let items = try pair.difference().items
                try verify(items.deletedRuns.flatMap(places) == items.deleted.map(\.position), "deleted runs")
                try verify(items.insertedRuns.flatMap(places) == items.inserted.map(\.position), "inserted runs")
                try verify(items.updatedRuns.flatMap(places) == items.updated.map(\.to), "updated runs")
                try verify(items.movedRuns.map(\.from).flatMap(places) == items.moved.map(\.from), "moved runs, from")
                try verify(items.movedRuns.map(\.to).flatMap(places) == items.moved.map(\.to), "moved runs, to")
            })
    }
}

private func range(_ section: Int, _ lower: Int, _ upper: Int) -> Range<ItemIndexPath> {
    ItemIndexPath(section: section, item: lower)..<ItemIndexPath(section: section, item: upper)
}

private func places(_ range: Range<ItemIndexPath>) -> [ItemIndexPath] {
    (range.lowerBound.item..<range.upperBound.item).map {
        ItemIndexPath(section: range.lowerBound.section, item: $0)
    }
}
