import Diffable
import DiffableOutlines
import TestSupport
import Testing

/// Outlines that are shown in the sections of a data source. `DataSourcePropertyTests` has random ones.
@Suite struct OutlineSourceTests {
    private func id(_ number: Int) -> PlainIdentifier { PlainIdentifier(number) }

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
