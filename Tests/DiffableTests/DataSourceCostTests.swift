import Diffable
import DiffableOutlines
import TestSupport
import Testing

/// The documented costs of data sources, counted. They depend on the change, not on the number of shown items.
@Suite struct DataSourceCostTests {
    private typealias CountedSource = DiffableDataSource<CountedRow, CountedRow>

    private let maker = CountedMaker()
    private let many = scaled(100_000)

    /// A source with ten sections.
    private func source() throws -> CountedSource {
        try CountedSource(try maker.snapshot(items: many, sections: 10))
    }

    @Test("an update costs its edits, also after many updates")
    func updates() throws {
        let source = try source()
        let updates = scaled(10_000)
        var comparisons = 0
        for number in 0..<updates {
            let cost = try maker.cost {
                try source.update { snapshot throws(DiffableError) in
                    try snapshot.insertItems([maker.item(many + number)], beforeItem: maker.itemID(number * 7))
                }
            }
            // There are a few more if the stored parts of two hashes are equal.
            #expect(cost.items.hashes == 2 && cost.items.comparisons <= 16 && cost.items.contents == 0)
            #expect(cost.sections == (0, 0, 0))
            comparisons += cost.items.comparisons
        }
        #expect(comparisons <= 3 * updates + 100)
        #expect(source.snapshot().numberOfItems == many + updates)
    }

    @Test("applying and reporting a difference compares no contents")
    func differences() throws {
        let source = try source()
        var next = source.snapshot()
        try next.appendItems([maker.item(many)])
        try next.replace(maker.item(3, content: 1))
        let difference = try SnapshotDifference(from: source.snapshot(), to: next)
        var reported = 0
        let observation = source.observe { reported += $0.difference.count + $0.difference.items.inserted.count }
        let cost = try maker.cost { try source.apply(difference) }
        #expect(cost.items.hashes <= 2 && cost.items.comparisons <= 6 && cost.items.contents == 0)
        #expect(cost.sections == (0, 0, 0))
        #expect(reported == 3)
        observation.cancel()
    }

    @Test("reload data compares nothing")
    func reloadData() throws {
        let source = try source()
        let next = try maker.snapshot(Array((0..<many).reversed()), sections: 10, content: 1)
        let cost = try maker.cost { try source.applySnapshotUsingReloadData(next) }
        #expect(cost.items == (0, 0, 0) && cost.sections == (0, 0, 0))
        #expect(source.snapshot() == next)
    }

    @Test("a lookup hashes one identifier and compares one, or none")
    func lookups() throws {
        let source = try source()
        let place = ItemIndexPath(section: 3, item: 3)
        let id = maker.itemID(many - 1)
        let section = maker.sectionID(6)
        var cost = maker.cost {
            #expect(source.item(at: place) != nil && source.itemIdentifier(for: place) != nil)
            #expect(source.sectionIdentifier(for: 6) != nil && source.snapshot().numberOfItems == many)
        }
        #expect(cost.items == (0, 0, 0) && cost.sections == (0, 0, 0))
        cost = maker.cost { #expect(source.indexPath(for: id) == ItemIndexPath(section: 9, item: many / 10 - 1)) }
        #expect(cost.items.hashes == 1 && (1...2).contains(cost.items.comparisons) && cost.sections == (0, 0, 0))
        cost = maker.cost { #expect(source.index(for: section) == 6) }
        #expect(cost.sections.hashes == 1 && (1...2).contains(cost.sections.comparisons) && cost.items == (0, 0, 0))
    }

    @Test("moving an item looks up only this item")
    func reordering() throws {
        let source = try source()
        source.reorderingHandlers.canReorderItem = { _ in true }
        let cost = try maker.cost {
            try source.moveItem(at: ItemIndexPath(section: 0, item: 5), to: ItemIndexPath(section: 8, item: 500))
        }
        #expect(cost.items.hashes <= 6 && cost.items.comparisons <= 9 && cost.items.contents == 0)
        #expect(cost.sections.contents == 0)
        #expect(source.item(at: ItemIndexPath(section: 8, item: 500))?.id.number == 5)
    }

    @Test("showing an outline costs the items of its section, for any number of items in other sections")
    func outlines() throws {
        let source = try source()
        let size = 1_000
        var outline = DiffableSectionSnapshot<CountedRow>()
        try outline.append((0..<size).map { maker.item(many + $0) })
        try outline.append((size..<2 * size).map { maker.item(many + $0) }, to: maker.itemID(many + 3))
        try source.update { $0.appendSections([maker.section(10)]) }
        for change in [
            {}, { try outline.expand([maker.itemID(many + 3)]) }, { try outline.collapse([maker.itemID(many + 3)]) },
        ] {
            try change()
            let cost = try maker.cost { try source.apply(outline, to: maker.sectionID(10)) }
            #expect(cost.items.hashes <= 12 * size && cost.items.comparisons <= 12 * size, "\(cost.items)")
            #expect(cost.items.contents <= 2 * size)
            #expect(source.snapshot().numberOfItems == many + outline.visibleItems.count)
        }
    }
}
