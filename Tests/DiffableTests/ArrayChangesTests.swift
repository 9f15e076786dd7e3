import Diffable
import TestSupport
import Testing

/// Changes between plain arrays, and sections and items that are values or objects.
@Suite struct ArrayChangesTests {
    @Test("the changes between two arrays are those of two snapshots with one section")
    func arrays() throws {
        try checkProperty(
            "arrays", cases: 2_000,
            generate: { random, size in
                var pair = Pair<PlainIdentifier>.random(.flat, size: size, using: &random)
                pair.new.disturb(ModelShape(sections: 1), size: size, using: &random)
                return pair
            },
            shrink: { $0.simpler() },
            property: { pair in
                guard !pair.old.parts.isEmpty, !pair.new.parts.isEmpty else { return }
                let changes = try pair.new.rows.changes(from: pair.old.rows)
                func path(_ index: Int) -> ItemIndexPath { ItemIndexPath(section: 0, item: index) }
                let items = ElementChanges<ItemIndexPath, PlainRow>(
                    deleted: changes.deleted.map { .init(position: path($0.position), element: $0.element) },
                    inserted: changes.inserted.map { .init(position: path($0.position), element: $0.element) },
                    moved: changes.moved.map { .init(id: $0.id, from: path($0.from), to: path($0.to)) },
                    updated: changes.updated.map {
                        .init(from: path($0.from), to: path($0.to), before: $0.before, after: $0.after)
                    })
                let expected = try pair.difference().items
                try verify(items == expected, "\(changes) instead of \(expected)")
            })
    }

    @Test("arrays of values are compared by value, and an array with a duplicate is refused with both positions")
    func values() throws {
        let changes = try ["b", "c", "a", "x"].changes(from: ["a", "b", "c", "d"])
        #expect(changes.deleted.map(\.element.id) == ["d"] && changes.inserted.map(\.element.id) == ["x"])
        #expect(changes.moved == [.init(id: "a", from: 0, to: 2)] && changes.updated.isEmpty)
        #expect(try [Int]().changes(from: []).isEmpty)
        for (old, new) in [([1, 2, 3, 2], [1]), ([], [1, 2, 1, 2])] {
            let error = #expect(throws: DiffableError.self) { try new.changes(from: old) }
            let isOld = new.count == 1
            #expect(error?.code == .duplicateItem && error?.identifier as? Int == (isOld ? 2 : 1))
            #expect(error?.indexPaths.map(\.item) == (isOld ? [1, 3] : [0, 2]))
        }
    }

    @Test("arrays of elements with an identifier are compared by it, also if the elements are hashable")
    func hashableElements() throws {
        struct Person: Identifiable, Hashable, Sendable {
            let id: Int
            var name: String
        }
        let changes = try [Person(id: 1, name: "b")].changes(from: [Person(id: 1, name: "a")])
        #expect(changes.count == 1 && changes.updated.map(\.after.name) == ["b"])
    }

    /// An item that is not `Sendable`.
    private final class Note: Identifiable, Equatable {
        let id: Int
        var text: String

        init(_ id: Int, _ text: String) { (self.id, self.text) = (id, text) }

        static func == (a: Note, b: Note) -> Bool { a.text == b.text }
    }

    @MainActor private final class Owner {
        let source = DiffableDataSource<HashableElement<String>, Note>()
        var steps: [ListStep<HashableElement<String>, Note>] = []
        var observation: DiffableObservation?

        func start() { observation = source.observe { [unowned self] in steps += $0.difference.steps } }
    }

    @Test("objects that are not Sendable are items of a data source on one actor, and new objects update the old ones")
    @MainActor func objects() throws {
        let owner = Owner()
        owner.start()
        let source = owner.source
        let first = Note(1, "a")
        try source.update {
            $0.appendSections(["all"])
            try $0.appendItems([first, Note(2, "b")])
        }
        #expect(source.item(at: ItemIndexPath(section: 0, item: 0)) === first)
        try source.update { try $0.replace(Note(2, "c")) }
        // A mark is for a change of the object itself, which no comparison detects.
        first.text = "d"
        try source.update { try $0.reconfigureItems([1]) }
        try source.update { try $0.moveItem(2, beforeItem: 1) }
        let (top, next) = (ItemIndexPath(section: 0, item: 0), ItemIndexPath(section: 0, item: 1))
        #expect(owner.steps.count == 4)
        #expect(
            owner.steps.suffix(2) == [.updateItem(Note(2, "c"), at: next), .moveItem(from: next, to: top)]
                || owner.steps.last == .moveItem(from: top, to: next))
        #expect(source.snapshot()["all"].map(\.text) == ["c", "d"])
    }
}
