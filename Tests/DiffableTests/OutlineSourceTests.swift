import Diffable
import TestSupport
import Testing

/// Outlines in the sections of a data source, one case at a time.
@Suite struct OutlineSourceTests {
    private func id(_ number: Int) -> PlainIdentifier { PlainIdentifier(number) }

    /// Section 0 has 1 with 2 and 3 under it, 4 under 3, and 5; 1 is expanded. Section 1 has 8 and 9.
    private func source() throws -> PlainSource {
        let source = try PlainSource(try Model<PlainIdentifier>([(0, []), (1, [8, 9])]).snapshot())
        var outline = try PlainOutline.example()
        try outline.expand([id(1)])
        try source.apply(outline, to: id(0))
        return source
    }

    private func shown(_ source: PlainSource) -> [[Int]] {
        let snapshot = source.snapshot()
        return snapshot.sectionIdentifiers.map { snapshot.itemIdentifiers(inSection: $0).map(\.number) }
    }

    private func outline(_ source: PlainSource, _ section: Int = 0) -> String {
        "\(Forest(source.snapshot(for: id(section))))"
    }

    @Test("a section shows the visible items of its outline and remembers the hidden ones")
    func shows() throws {
        let source = try source()
        #expect(shown(source) == [[1, 2, 3, 5], [8, 9]])
        #expect(outline(source) == "[1-[2, 3[4]], 5]")
        #expect(outline(source, 1) == "[8, 9]")
        #expect(source.snapshot(for: id(7)) == PlainOutline())
    }

    @Test("expanding reports the items that appear, collapsing those that disappear, each once")
    func expanding() throws {
        let source = try source()
        var reported: [PlainTransaction] = []
        let observation = source.observe { reported.append($0) }
        try source.expand(id(3))
        try source.expand(id(3))
        #expect(shown(source) == [[1, 2, 3, 4, 5], [8, 9]])
        try source.collapse(id(1))
        try source.collapse(id(1))
        #expect(shown(source) == [[1, 5], [8, 9]])
        try source.expand(id(1))
        #expect(shown(source) == [[1, 2, 3, 4, 5], [8, 9]])
        let changes = reported.map(\.difference.items)
        #expect(changes.map { $0.inserted.map(\.element.id.number) } == [[4], [], [2, 3, 4]])
        #expect(changes.map { $0.deleted.map(\.element.id.number) } == [[], [2, 3, 4], []])
        #expect(changes.map(\.count) == [1, 3, 3])
        let error = #expect(throws: DiffableError.self) { try source.expand(id(77)) }
        #expect(error?.code == .unknownItem && error?.operation == "expand")
        observation.cancel()
    }

    @Test("a change of hidden items is reported with an empty difference")
    func hiddenChange() throws {
        let source = try source()
        var reported: [PlainTransaction] = []
        let observation = source.observe { reported.append($0) }
        var outline = source.snapshot(for: id(0))
        try source.apply(outline, to: id(0))
        #expect(reported.isEmpty)
        try outline.append([PlainRow(6)], to: id(5))
        try source.apply(outline, to: id(0))
        #expect(reported.map(\.difference.isEmpty) == [true])
        #expect(reported.first?.sectionTransactions.map(\.finalSnapshot) == [outline])
        try source.expand(id(8))
        #expect(reported.count == 2)
        #expect(source.snapshot(for: id(1)).isExpanded(id(8)))
        observation.cancel()
    }

    @Test("an outline with an item of another section is rejected, even if the item is hidden")
    func duplicates() throws {
        let source = try source()
        func expectRefusal(_ outline: PlainOutline, to section: Int, _ code: DiffableError.Code, _ culprit: Int) throws
        {
            let before = Scene(source)
            let error = #expect(throws: DiffableError.self) { try source.apply(outline, to: id(section)) }
            #expect(error?.code == code && error?.identifier as? PlainIdentifier == id(culprit))
            #expect(error?.operation == "apply")
            #expect(Scene(source) == before)
        }
        var outline = PlainOutline()
        try outline.append([PlainRow(6)])
        try expectRefusal(outline, to: 7, .unknownSection, 7)
        try outline.append([PlainRow(8)], to: id(6))
        try expectRefusal(outline, to: 0, .duplicateItem, 8)
        try outline.delete([id(8)])
        try outline.append([PlainRow(4)], to: id(6))
        try expectRefusal(outline, to: 1, .duplicateItem, 4)
    }

    @Test("applying a snapshot keeps the outline and hidden items of items that stay")
    func wholeSnapshot() throws {
        let source = try source()
        try source.update {
            try $0.insertItems([PlainRow(6)], afterItem: id(2))
            try $0.insertItems([PlainRow(7)], beforeItem: id(5))
            try $0.replace(PlainRow(3, content: 1))
            try $0.deleteItems([id(9)])
        }
        #expect(outline(source) == "[1-[2, 6, 3'1[4]], 7, 5]")
        try source.update { try $0.deleteItems([id(1)]) }
        #expect(outline(source) == "[2, 6, 3'1[4], 7, 5]")
        try source.update { try $0.moveItem(id(3), afterItem: id(8)) }
        #expect(outline(source) == "[2, 6, 7, 5]")
        #expect(outline(source, 1) == "[8, 3'1[4]]")
        try source.update { try $0.deleteItems([id(3)]) }
        #expect(outline(source, 1) == "[8]")
    }

    @Test("a hidden item that an applied snapshot has is visible at its position")
    func revealed() throws {
        let source = try source()
        try source.update { try $0.appendItems([PlainRow(4)], toSection: id(1)) }
        #expect(outline(source) == "[1-[2, 3], 5]")
        #expect(outline(source, 1) == "[8, 9, 4]")
        try source.expand(id(3))
        #expect(shown(source) == [[1, 2, 3, 5], [8, 9, 4]])
    }

    @Test("reload data keeps outlines; a removed section loses its outline")
    func reload() throws {
        let source = try source()
        var next = source.snapshot()
        try next.deleteItems([id(5)])
        try source.applySnapshotUsingReloadData(next)
        #expect(outline(source) == "[1-[2, 3[4]]]")
        try source.update { try $0.deleteSections([id(0)]) }
        try source.update { try $0.appendSections([PlainRow(0)]) }
        #expect(outline(source) == "[]")
    }

    @Test(
        "changes of outlines inside an observer refer to the last applied snapshot, and are reported in order"
    )
    func reentrant() throws {
        let source = try source()
        var seen: [[Int]] = []
        let observation = source.observe { transaction in
            seen.append(source.snapshot().itemIdentifiers(inSection: id(0)).map(\.number))
            #expect(Model(transaction.finalSnapshot) == Model(source.snapshot()))
            guard seen.count == 1 else { return }
            #expect(throws: Never.self) {
                try source.collapse(id(1))
                try source.update { try $0.insertItems([PlainRow(6)], afterItem: id(1)) }
                try source.expand(id(1))
            }
            #expect(throws: DiffableError.self) { try source.update { try $0.deleteItems([id(77)]) } }
            #expect(source.snapshot().numberOfItems == 7)
        }
        try source.expand(id(3))
        #expect(seen == [[1, 2, 3, 4, 5], [1, 5], [1, 6, 5], [1, 2, 3, 4, 6, 5]])
        observation.cancel()
    }

    @Test("children that a handler adds before an item expands are passed to the handler that provides the children")
    func changingHandlers() throws {
        let source = try source()
        defer { source.sectionSnapshotHandlers = .init() }
        source.sectionSnapshotHandlers.willExpandItem = { [unowned source] item in
            var outline = source.snapshot(for: id(0))
            try? outline.append([PlainRow(7)], to: item.id)
            try? source.apply(outline, to: id(0))
        }
        source.sectionSnapshotHandlers.snapshotForExpandingParent = { $1 }
        try source.collapse(id(1))
        try source.expand(id(1))
        #expect(source.snapshot(for: id(0)).children(of: id(1)).map(\.id.number) == [2, 3, 7])
    }

    @Test("an update that throws changes nothing and is not reported")
    func update() throws {
        struct Stop: Error {}
        let source = try source()
        let before = Scene(source)
        let observation = source.observe { _ in Issue.record("reported no change") }
        #expect(throws: Stop.self) {
            try source.update { snapshot in
                snapshot.deleteAllItems()
                throw Stop()
            }
        }
        try source.update { _ in }
        #expect(Scene(source) == before)
        observation.cancel()
    }

    @Test("expanding and collapsing compare no contents, and hash only the items that appear or disappear")
    func cost() throws {
        let tally = Tally()
        func row(_ number: Int) -> CountedRow { CountedRow(id: CountedID(number: number, tally: tally)) }
        let source = DiffableDataSource<PlainRow, CountedRow>()
        try source.update { try $0.appendSections([PlainRow(0), PlainRow(1)]) }
        try source.update { try $0.appendItems((100_000..<200_000).map(row), toSection: id(1)) }
        var outline = DiffableSectionSnapshot<CountedRow>()
        try outline.append((0..<10_000).map(row))
        try outline.append((10_000..<10_010).map(row), to: row(5_000).id)
        _ = tally.take()
        try source.apply(outline, to: id(0))
        var cost = tally.take()
        #expect(cost.hashes < 100_000 && cost.contents == 0)
        try source.expand(row(5_000).id)
        cost = tally.take()
        #expect(cost.hashes < 100 && cost.comparisons < 100 && cost.contents == 0)
        try source.collapse(row(5_000).id)
        cost = tally.take()
        #expect(cost.hashes < 100 && cost.comparisons < 100 && cost.contents == 0)
    }
}
