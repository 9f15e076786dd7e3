import Diffable
import FoundationEssentials
import TestSupport
import Testing

/// The documented costs, counted, not timed, for outlines that are too large and deep for recursion.
@Suite struct SectionSnapshotCostTests {
    private typealias CountedOutline = DiffableSectionSnapshot<CountedRow>

    private let tally = Tally()
    private let many = scaled(100_000)

    private func id(_ number: Int) -> CountedID { CountedID(number: number, tally: tally) }

    private func row(_ number: Int) -> CountedRow { CountedRow(id: id(number)) }

    /// An outline of `many` items, each the child of the previous one.
    private func chain() throws -> CountedOutline {
        var chain = CountedOutline()
        try chain.append([row(0)])
        for number in 1..<many { try chain.append([row(number)], to: id(number - 1)) }
        return chain
    }

    /// An outline of 10 roots, with the other items as their children in turn.
    private func hedge() throws -> CountedOutline {
        var hedge = CountedOutline()
        try hedge.append((0..<10).map(row))
        for number in 10..<many { try hedge.append([row(number)], to: id(number % 10)) }
        return hedge
    }

    @Test("appended and inserted items are hashed once each, at any position")
    func appending() throws {
        for make in [chain, hedge] {
            _ = tally.take()
            let outline = try make()
            let cost = tally.take()
            // The parent is looked up too.
            #expect(cost.hashes <= 2 * many && cost.comparisons < many + many / 100 && cost.contents == 0)
            #expect(outline.numberOfItems == many)
        }
        var outline = CountedOutline()
        try outline.append([row(0)])
        _ = tally.take()
        for number in 1..<many { try outline.insert([row(number)], after: id(0)) }
        let cost = tally.take()
        #expect(cost.hashes == 2 * (many - 1) && cost.comparisons < many + many / 100 && cost.contents == 0)
        #expect(outline.items.prefix(3).map(\.id.number) == [0, many - 1, many - 2])
    }

    @Test("a lookup hashes one identifier and compares one, at any depth")
    func lookups() throws {
        let chain = try chain()
        for number in stride(from: 0, to: many, by: 9_973) {
            let id = id(number)
            let lookups: [() -> Void] = [
                { #expect(chain.contains(id)) }, { #expect(chain.item(for: id) != nil) },
                { #expect(chain.index(of: id) == number) }, { #expect(chain.level(of: id) == number) },
                { #expect(chain.parent(of: id)?.id.number == (number == 0 ? nil : number - 1)) },
                { #expect(chain.children(of: id).count == (number == many - 1 ? 0 : 1)) },
                { #expect(!chain.isExpanded(id)) }, { #expect(chain.isVisible(id) == (number == 0)) },
            ]
            for lookup in lookups {
                _ = tally.take()
                lookup()
                let cost = tally.take()
                // There are two comparisons if 32 bits of two hashes are equal.
                #expect(cost.hashes == 1 && (1...2).contains(cost.comparisons) && cost.contents == 0)
            }
        }
    }

    @Test("the lists hash and compare nothing")
    func lists() throws {
        var hedge = try hedge()
        try hedge.expand((0..<10).map(id))
        _ = tally.take()
        #expect(hedge.items.count == many && hedge.visibleItems.count == many && hedge.rootItems.count == 10)
        #expect(tally.take() == (0, 0, 0))
    }

    @Test("deleting and inserting an outline hash and compare only the named items")
    func deleting() throws {
        var hedge = try hedge()
        var small = CountedOutline()
        try small.append((0..<100).map { row(many + $0) })
        try hedge.append([row(-1)], to: id(7))
        _ = tally.take()
        try hedge.replace(childrenOf: id(-1), using: small)
        var cost = tally.take()
        #expect(cost.hashes == 1 && cost.comparisons <= 2)
        #expect(hedge.snapshot(of: id(7)).numberOfItems == many / 10 + 100)
        _ = tally.take()
        try hedge.delete([id(-1)])
        cost = tally.take()
        #expect(cost.hashes == 1 && cost.comparisons <= 2)
        try hedge.delete([id(7)])
        cost = tally.take()
        #expect(cost.hashes == 1 && cost.comparisons <= 2)
        #expect(hedge.numberOfItems == many - many / 10)
    }

    @Test("equal outlines are compared once for each item, different ones up to the first difference")
    func comparing() throws {
        let chain = try chain()
        var other = try self.chain()
        _ = tally.take()
        #expect(chain == other)
        var cost = tally.take()
        #expect(cost.hashes == 0 && cost.comparisons == many && cost.contents == many)
        try other.replace(CountedRow(id: id(10), content: 1))
        _ = tally.take()
        #expect(chain != other)
        cost = tally.take()
        #expect(cost.hashes == 0 && cost.comparisons <= 11 && cost.contents <= 11)
    }

    @Test("editing a copy does not hash shared items")
    func copying() throws {
        let hedge = try hedge()
        var copy = hedge
        _ = tally.take()
        try copy.append([row(many)], to: id(3))
        try copy.expand([id(3)])
        let cost = tally.take()
        #expect(cost.hashes == 3 && cost.comparisons <= 4 && cost.contents == 0)
        #expect(hedge.numberOfItems == many && copy.numberOfItems == many + 1 && !hedge.isExpanded(id(3)))
    }

    @Test("many levels are appended, shown, described, encoded, decoded, copied and released without recursion")
    func deep() throws {
        var chain = DiffableSectionSnapshot<PlainRow>()
        try chain.append([PlainRow(0)])
        for number in 1..<many { try chain.append([PlainRow(number)], to: PlainIdentifier(number - 1)) }
        try chain.expand((0..<many).map { PlainIdentifier($0) })
        #expect(chain.visibleItems.count == many && chain.isVisible(PlainIdentifier(many - 1)))
        let text = chain.visualDescription()
        #expect(text.utf8.count < 100 * many)
        #expect(text.hasSuffix("\(String(repeating: "  ", count: 32))[\(many - 1)] + \(many - 1)"))
        let decoded = try JSONDecoder().decode(
            DiffableSectionSnapshot<PlainRow>.self, from: try JSONEncoder().encode(chain))
        #expect(decoded == chain)
        let branch = chain.snapshot(of: PlainIdentifier(0), includingParent: true)
        #expect(branch == chain)
        var twice = DiffableSectionSnapshot<PlainRow>()
        try twice.append([PlainRow(-1)])
        try twice.replace(childrenOf: PlainIdentifier(-1), using: chain)
        #expect(twice.level(of: PlainIdentifier(many - 1)) == many)
        try twice.delete([PlainIdentifier(0)])
        #expect(twice.numberOfItems == 1)
        chain.deleteAll()
        #expect(chain == DiffableSectionSnapshot())
    }
}
