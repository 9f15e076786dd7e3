import Diffable
import TestSupport
import Testing

/// The documented costs of a snapshot's operations, counted. They are independent of the number of items, and the same
/// before and after edits and for a copy.
@Suite struct SnapshotCostTests {
    private let maker = CountedMaker()

    /// Snapshots of ten sections, small and large: as built, and edited.
    private func forEachSnapshot(_ body: (CountedSnapshot, Int) throws -> Void) throws {
        for count in [1_000, scaled(100_000)] {
            let built = try maker.snapshot(items: count, sections: 10)
            try body(built, count)
            var edited = built
            for number in stride(from: 0, to: count, by: count / 50) {
                try edited.moveItem(maker.itemID(number), afterItem: maker.itemID(count / 2 + 3))
                try edited.insertItems([maker.item(count + number)], afterItem: maker.itemID(number + 1))
                try edited.deleteItems([maker.itemID(number + 2)])
                try edited.replace(maker.item(number + 5, content: 1))
            }
            try body(edited, count)
        }
    }

    private typealias Edit = (inout CountedSnapshot) throws -> Void

    /// Checks that an edit hashes this number of identifiers, and compares at most the named ones and one more. The
    /// last comparison occurs if the stored parts of two hashes are equal.
    private func expect(
        _ name: String, on snapshot: CountedSnapshot, items: (hashes: Int, named: Int) = (0, 0),
        sections: (hashes: Int, named: Int) = (0, 0), _ edit: Edit
    ) throws {
        var copy = snapshot
        // The first edit is that of a copy, the second that of a snapshot without shared storage.
        for _ in 0..<2 {
            let cost = try maker.cost { try edit(&copy) }
            #expect(cost.items.hashes == items.hashes, "\(name)")
            #expect(cost.items.comparisons <= items.named + 1 && cost.items.contents == 0, "\(name)")
            #expect(cost.sections.hashes == sections.hashes, "\(name)")
            #expect(cost.sections.comparisons <= sections.named + 1 && cost.sections.contents == 0, "\(name)")
        }
    }

    @Test("an edit hashes each named or added item once, and compares each named item once")
    func items() throws {
        try forEachSnapshot { snapshot, count in
            let id = maker.itemID
            var fresh = 10 * count
            func three() -> [CountedRow] {
                fresh += 3
                return (fresh - 3..<fresh).map { maker.item($0) }
            }
            let named = count / 3 + 1
            try expect("append", on: snapshot, items: (3, 0)) { try $0.appendItems(three()) }
            try expect("append to a section", on: snapshot, items: (3, 0), sections: (1, 1)) {
                try $0.appendItems(three(), toSection: maker.sectionID(4))
            }
            try expect("insert before", on: snapshot, items: (4, 1)) {
                try $0.insertItems(three(), beforeItem: id(named))
            }
            try expect("insert after", on: snapshot, items: (4, 1)) {
                try $0.insertItems(three(), afterItem: id(named))
            }
            var gone = named
            try expect("delete", on: snapshot, items: (3, 3)) {
                try $0.deleteItems([id(gone), id(gone + 30), id(gone + 60)])
                gone += 5
            }
            try expect("move before", on: snapshot, items: (2, 2)) { try $0.moveItem(id(named), beforeItem: id(8)) }
            try expect("move after", on: snapshot, items: (2, 2)) { try $0.moveItem(id(named), afterItem: id(9)) }
            // The second comparison finds the new slot among those that were added since the copy.
            try expect("replace", on: snapshot, items: (2, 2)) { try $0.replace(maker.item(named, content: 7)) }
            var remainder = 0
            try expect("remove where", on: snapshot) {
                $0.removeItems { $0.id.number % 3 == remainder }
                remainder += 1
            }
            try expect("delete all", on: snapshot) { $0.deleteAllItems() }
        }
    }

    @Test("an edit of sections hashes and compares each section a few times at most, and accesses no items")
    func sections() throws {
        let id = maker.sectionID
        for size in [10, 1_000] {
            var snapshot = try maker.snapshot(items: 10_000, sections: size)
            let two = [maker.section(size), maker.section(size + 1)]
            let more = [maker.section(size + 2), maker.section(size + 3)]
            let edits: [(inout CountedSnapshot) throws -> Void] = [
                { $0.appendSections(two) }, { try $0.insertSections(more, afterSection: id(3)) },
                { try $0.moveSection(id(7), beforeSection: id(2)) }, { try $0.moveSection(id(1), afterSection: id(5)) },
                { try $0.replaceSection(maker.section(4, content: 1)) }, { try $0.deleteSections([id(0), id(4)]) },
            ]
            for (index, edit) in edits.enumerated() {
                let cost = try maker.cost { try edit(&snapshot) }
                #expect(cost.items == (0, 0, 0) && cost.sections.contents == 0)
                #expect(cost.sections.hashes <= (index == 0 ? 2 : size + 8), "edit \(index)")
                #expect(cost.sections.comparisons <= 16, "edit \(index)")
            }
        }
    }

    @Test("an edit that throws hashes and compares no more than one that does not")
    func refusals() throws {
        try forEachSnapshot { snapshot, count in
            let neighbour = maker.itemID(count / 3 + 1)
            let unknown = maker.itemID(-1)
            try expect("delete what is not there", on: snapshot, items: (2, 1)) { snapshot in
                #expect(throws: DiffableError.self) { try snapshot.deleteItems([neighbour, unknown]) }
            }
            try expect("insert next to what is not there", on: snapshot, items: (1, 0)) { snapshot in
                #expect(throws: DiffableError.self) { try snapshot.insertItems([maker.item(-2)], afterItem: unknown) }
            }
        }
    }

    @Test(
        "a lookup by identifier hashes one and compares at most one; a lookup by position does neither")
    func lookups() throws {
        try forEachSnapshot { snapshot, count in
            for (number, isThere) in [(count / 3 + 1, true), (-1, false)] {
                let id = maker.itemID(number)
                let lookups: [() -> Bool] = [
                    { snapshot.contains(id) }, { snapshot.item(for: id) != nil },
                    { snapshot.sectionIdentifier(containingItem: id) != nil }, { snapshot.indexOfItem(id) != nil },
                    { snapshot.indexPath(for: id) != nil },
                ]
                for lookup in lookups {
                    let cost = maker.cost { #expect(lookup() == isThere) }
                    #expect(cost.items.hashes == 1 && cost.items.contents == 0 && cost.sections == (0, 0, 0))
                    #expect((0...1).contains(cost.items.comparisons - (isThere ? 1 : 0)))
                }
            }
            let cost = maker.cost {
                let place = ItemIndexPath(section: 5, item: 17)
                #expect(snapshot.item(at: place)?.id.number == snapshot.itemIdentifier(at: place)?.number)
            }
            #expect(cost.items == (0, 0, 0) && cost.sections == (0, 0, 0))
        }
    }

    @Test("a lookup of a section hashes and compares one identifier, and accesses no items")
    func sectionLookups() throws {
        try forEachSnapshot { snapshot, count in
            let id = maker.sectionID(4)
            let lookups: [() -> Bool] = [
                { snapshot.containsSection(id) }, { snapshot.section(for: id) != nil },
                { snapshot.indexOfSection(id) == 4 }, { snapshot.numberOfItems(inSection: id) >= count / 10 - 10 },
                { !snapshot[id].isEmpty }, { !snapshot.itemIdentifiers(inSection: id).isEmpty },
            ]
            for lookup in lookups {
                let cost = maker.cost { #expect(lookup()) }
                #expect(cost.sections.hashes == 1 && (1...2).contains(cost.sections.comparisons))
                #expect(cost.sections.contents == 0 && cost.items == (0, 0, 0))
            }
        }
    }

    @Test("lists and numbers hash and compare nothing")
    func lists() throws {
        try forEachSnapshot { snapshot, _ in
            let cost = maker.cost {
                #expect(snapshot.items.count == snapshot.numberOfItems)
                #expect(snapshot.itemIdentifiers.count == snapshot.numberOfItems)
                #expect(snapshot.sections.count == snapshot.numberOfSections)
                #expect(snapshot.sectionIdentifiers.count == snapshot.numberOfSections)
            }
            #expect(cost.items == (0, 0, 0) && cost.sections == (0, 0, 0))
        }
    }
}
