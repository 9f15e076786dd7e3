import Diffable
import DiffableOutlines
import TestSupport
import Testing

private typealias Outline = PlainOutline

/// Single cases of section snapshots.
@Suite struct SectionSnapshotTests {
    private func id(_ number: Int) -> PlainIdentifier { PlainIdentifier(number) }

    @Test("lookups of an unknown item return nothing")
    func unknown() throws {
        let outline = try Outline.example()
        let stray = id(9)
        #expect(!outline.contains(stray) && outline.item(for: stray) == nil && outline.index(of: stray) == nil)
        #expect(outline.level(of: stray) == nil && outline.parent(of: stray) == nil)
        #expect(outline.children(of: stray).isEmpty && !outline.isExpanded(stray) && !outline.isVisible(stray))
        #expect(outline.snapshot(of: stray, includingParent: true) == Outline())
    }

    @Test("the description shows levels and expansion")
    func description() throws {
        var outline = try Outline.example()
        try outline.expand([id(1)])
        #expect(outline.visualDescription() == "+ 1\n  * 2\n  - 3\n    * 4\n* 5")
        #expect("\(outline)" == outline.visualDescription())
        #expect(Outline().visualDescription() == "")
    }

    @Test("the description has no control characters of identifiers")
    func hostileDescription() throws {
        struct Named: Identifiable, Equatable {
            let id: String
        }
        var outline = DiffableSectionSnapshot<Named>()
        try outline.append([Named(id: "a\u{1B}[2J\n\u{9B}31mb"), Named(id: "c")])
        let text = outline.visualDescription()
        #expect(text.split(separator: "\n").count == 2)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value < 0x7F) })
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
