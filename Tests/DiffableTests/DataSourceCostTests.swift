import Diffable
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
        #expect(cost.items.hashes == 1 && cost.items.comparisons <= 4 && cost.items.contents == 0)
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

    @Test("showing an outline costs its items; expanding and collapsing cost the items that appear or disappear")
    func outlines() throws {
        let source = try source()
        let size = 1_000
        var outline = DiffableSectionSnapshot<CountedRow>()
        try outline.append((0..<size).map { maker.item(many + $0) })
        try outline.append((size..<2 * size).map { maker.item(many + $0) }, to: maker.itemID(many + 3))
        try source.update { snapshot throws(DiffableError) in
            try snapshot.appendSections([maker.section(10)])
        }
        let section = maker.sectionID(10)
        var cost = try maker.cost { try source.apply(outline, to: section) }
        #expect(cost.items.hashes <= 8 * size && cost.items.comparisons <= 8 * size && cost.items.contents <= 2 * size)
        let parent = maker.itemID(many + 3)
        for change in [source.expand, source.collapse] {
            cost = try maker.cost { try change(parent) }
            #expect(cost.items.hashes <= 2 * size && cost.items.comparisons <= 2 * size && cost.items.contents == 0)
            cost = try maker.cost { try change(parent) }
            #expect(cost.items.hashes <= 4 && cost.items.comparisons <= 8 && cost.items.contents == 0)
        }
        cost = maker.cost { #expect(source.snapshot(for: section).numberOfItems == 2 * size) }
        #expect(cost.items == (0, 0, 0) && cost.sections.hashes == 1)
    }

    @Test("showing hidden items of an outline costs its items, even if many items have hidden ones")
    func revealing() throws {
        let size = 1_000
        let source = try CountedSource(try maker.snapshot(items: 0))
        var outline = DiffableSectionSnapshot<CountedRow>()
        // Each of the first items has one child, and the last has many.
        try outline.append((0...size).map { maker.item($0) })
        for number in 0..<size { try outline.append([maker.item(2 * size + number)], to: maker.itemID(number)) }
        let hidden = (0..<size).map { maker.item(4 * size + $0) }
        try outline.append(hidden, to: maker.itemID(size))
        try source.apply(outline, to: maker.sectionID(0))
        let cost = try maker.cost {
            try source.update { snapshot throws(DiffableError) in
                try snapshot.appendItems(hidden, toSection: maker.sectionID(0))
            }
        }
        #expect(cost.items.hashes <= 40 * size && cost.items.comparisons <= 40 * size, "\(cost.items)")
        #expect(source.snapshot(for: maker.sectionID(0)).visibleItems.count == 2 * size + 1)
    }

    @Test("section transactions cost only the sections with changes")
    func sectionTransactions() throws {
        let source = try CountedSource(try maker.snapshot(items: many, sections: 1_000))
        var transactions: [DiffableTransaction<CountedRow, CountedRow>] = []
        let observation = source.observe { transactions.append($0) }
        try source.update { snapshot throws(DiffableError) in
            try snapshot.moveItem(maker.itemID(5), afterItem: maker.itemID(many / 2))
        }
        let cost = maker.cost { #expect(transactions[0].sectionTransactions.count == 2) }
        let items = 4 * many / 1_000
        #expect(cost.items.hashes <= 2 * items && cost.items.comparisons <= items && cost.items.contents <= items)
        #expect(cost.sections.contents == 0)
        observation.cancel()
    }
}
