import Diffable
import DiffableOutlines
import FoundationEssentials
import TestSupport
import Testing

private typealias Outline = PlainOutline

/// Single cases of section snapshots.
@Suite struct SectionSnapshotTests {
    private func id(_ number: Int) -> PlainIdentifier { PlainIdentifier(number) }

    private func rows(_ numbers: Int...) -> [PlainRow] { numbers.map { PlainRow($0) } }

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

    @Test("the encoded form is a flat list")
    func encodedForm() throws {
        var outline = Outline()
        try outline.append(rows(1))
        try outline.append(rows(2), to: id(1))
        try outline.expand([id(1)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(outline), as: UTF8.self) == """
                [{"isExpanded":true,"item":{"content":0,"id":{"number":1}},"level":0},\
                {"item":{"content":0,"id":{"number":2}},"level":1}]
                """)
    }

    @Test(
        "a malformed outline is not decoded",
        arguments: [
            "[[1, 0], [1, 0]]", "[[1, 0], [2, 1], [1, 2]]", "[[1, 1]]", "[[1, -1]]", "[[1, 0], [2, 2]]",
            "[[1, 0], [2, 1], [3, 0], [4, 2]]", "[[1, 9223372036854775807]]", "[[1, -9223372036854775808]]",
        ])
    func malformed(_ entries: String) throws {
        let entries = try JSONDecoder().decode([[Int]].self, from: Data(entries.utf8)).map { entry in
            "{\"item\": {\"id\": {\"number\": \(entry[0])}, \"content\": 0}, \"level\": \(entry[1])}"
        }
        let data = Data("[\(entries.joined(separator: ", "))]".utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Outline.self, from: data) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        let isDuplicate = entries.count > Set(entries.map { $0.split(separator: ",").first }).count
        #expect((context.underlyingError as? DiffableError)?.code == (isDuplicate ? .duplicateItem : nil))
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
