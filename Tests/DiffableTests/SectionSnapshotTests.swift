import Diffable
import DiffableOutlines
import FoundationEssentials
import Testing

private typealias Outline = PlainOutline

/// Single cases of section snapshots.
@Suite struct SectionSnapshotTests {
    private func id(_ number: Int) -> PlainIdentifier { PlainIdentifier(number) }

    private func rows(_ numbers: Int...) -> [PlainRow] { numbers.map { PlainRow($0) } }

    @Test("new items are collapsed, and expanded descendants appear again with their parent")
    func expansion() throws {
        var outline = try Outline.example()
        #expect(outline.visibleItems == rows(1, 5))
        try outline.expand([id(3)])
        #expect(outline.visibleItems == rows(1, 5))
        try outline.expand([id(1)])
        #expect(outline.visibleItems == rows(1, 2, 3, 4, 5))
        try outline.collapse([id(1)])
        #expect(outline.visibleItems == rows(1, 5))
        #expect(outline.isExpanded(id(3)) && !outline.isVisible(id(4)))
        #expect(outline.items == rows(1, 2, 3, 4, 5))
    }

    @Test("an item that was expanded, deleted and added again is collapsed")
    func expandedNode() throws {
        var outline = try Outline.example()
        try outline.expand([id(1), id(3)])
        try outline.delete([id(1)])
        try outline.append(rows(1, 2, 3, 4))
        try outline.append(rows(6), to: id(1))
        #expect(outline.visibleItems == rows(5, 1, 2, 3, 4))
    }

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

    @Test("an error names the identifier and the operation, and the value is unchanged")
    func refusals() throws {
        let whole = try Outline.example()
        func expect(
            _ code: DiffableError.Code, _ culprit: Int, in operation: String, _ edit: (inout Outline) throws -> Void
        ) {
            var outline = whole
            let error = #expect(throws: DiffableError.self) { try edit(&outline) }
            #expect(error?.code == code && error?.identifier as? PlainIdentifier == id(culprit))
            #expect(error?.operation == operation)
            #expect(outline == whole)
        }
        var other = Outline()
        try other.append(rows(7, 2))
        expect(.duplicateItem, 6, in: "append") { try $0.append(rows(6, 6)) }
        expect(.duplicateItem, 4, in: "append") { try $0.append(rows(6, 4), to: id(1)) }
        expect(.unknownItem, 9, in: "append") { try $0.append(rows(6), to: id(9)) }
        expect(.duplicateItem, 2, in: "insert") { try $0.insert(rows(6, 2), before: id(5)) }
        expect(.duplicateItem, 2, in: "insert") { try $0.insert(other, after: id(5)) }
        expect(.unknownItem, 9, in: "insert") { try $0.insert(other, before: id(9)) }
        expect(.unknownItem, 9, in: "delete") { try $0.delete([id(1), id(9)]) }
        expect(.unknownItem, 9, in: "replace") { try $0.replace(PlainRow(9)) }
        expect(.duplicateItem, 2, in: "replace") { try $0.replace(childrenOf: id(3), using: other) }
        expect(.unknownItem, 9, in: "replace") { try $0.replace(childrenOf: id(9), using: other) }
        expect(.unknownItem, 9, in: "expand") { try $0.expand([id(1), id(9)]) }
        expect(.unknownItem, 9, in: "collapse") { try $0.collapse([id(9)]) }
        var itself = whole
        try itself.replace(childrenOf: id(1), using: other)
        #expect(itself.items == rows(1, 7, 2, 5))
        expect(.duplicateItem, 1, in: "replace") { try $0.replace(childrenOf: id(1), using: whole) }
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
}
