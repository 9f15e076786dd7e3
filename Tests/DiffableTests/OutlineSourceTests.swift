import Diffable
import DiffableOutlines
import TestSupport
import Testing

/// Outlines that are shown in the sections of a data source. `DataSourcePropertyTests` has random ones.
@Suite struct OutlineSourceTests {
    private func id(_ number: Int) -> PlainIdentifier { PlainIdentifier(number) }

    @Test("a section shows the visible items of an outline, and each call reports the items that appear or disappear")
    func shows() throws {
        let source = try PlainSource(try Model<PlainIdentifier>([(0, [1, 7]), (1, [8, 9])]).snapshot())
        var reported: [PlainTransaction] = []
        let observation = source.observe { reported.append($0) }
        var outline = try PlainOutline.example()
        for change in [
            {}, { try outline.expand([id(1)]) }, { try outline.collapse([id(3)]) }, { try outline.delete([id(5)]) },
        ] {
            try change()
            try source.apply(outline, to: id(0))
            #expect(source.snapshot().itemIdentifiers == outline.visibleItems.map(\.id) + [id(8), id(9)])
        }
        #expect(reported.map(\.difference.count) == [2, 2, 1])
        #expect(reported.map { $0.difference.items.inserted.map(\.element.id.number) } == [[5], [2, 3], []])
        observation.cancel()
    }

    @Test(
        "an unknown section or an item of another section is refused, and nothing changes; hidden items may be anywhere"
    )
    func refusals() throws {
        let shown = try Model<PlainIdentifier>([(0, [1]), (1, [8, 4])]).snapshot()
        let source = try PlainSource(shown)
        var outline = try PlainOutline.example()
        let unknown = #expect(throws: DiffableError.self) { try source.apply(outline, to: id(7)) }
        #expect(unknown?.code == .unknownSection && unknown?.identifier as? PlainIdentifier == id(7))
        try source.apply(outline, to: id(0))
        try outline.expand([id(1), id(3)])
        let before = source.snapshot()
        let duplicate = #expect(throws: DiffableError.self) { try source.apply(outline, to: id(0)) }
        #expect(duplicate?.code == .duplicateItem && duplicate?.identifier as? PlainIdentifier == id(4))
        #expect(duplicate?.indexPaths == [.init(section: 0, item: 3), .init(section: 1, item: 1)])
        #expect(source.snapshot() == before)
    }

    @Test("only the items of the section are replaced, also in a snapshot with duplicates")
    func replacing() throws {
        var snapshot = try Model<PlainIdentifier>([(0, [2, 1]), (1, [1, 3, 3]), (2, [3])]).snapshot()
        try snapshot.replaceItems(inSection: id(1), with: PlainOutline.example().visibleItems)
        #expect(Model(snapshot) == Model([(0, [2, 1]), (1, [1, 5]), (2, [3])]))
        let error = #expect(throws: DiffableError.self) { try snapshot.replaceItems(inSection: id(9), with: []) }
        #expect(error?.code == .unknownSection)
    }

    @Test("naming all items of a deep outline deletes each once")
    func deletingAll() throws {
        let many = scaled(100_000)
        var chain = PlainOutline()
        try chain.append([PlainRow(0)])
        for number in 1..<many { try chain.append([PlainRow(number)], to: id(number - 1)) }
        try chain.delete((0..<many).map { id($0) })
        #expect(chain == PlainOutline())
    }
}
