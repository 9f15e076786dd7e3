import Diffable
import TestSupport
import Testing

/// Items that the user moves.
@Suite struct ReorderingTests {
    private func id(_ number: Int) -> PlainIdentifier { PlainIdentifier(number) }

    private func source(_ sections: [(Int, [Int])]) throws -> PlainSource {
        let source = try PlainSource(try Model<PlainIdentifier>(sections).snapshot())
        source.reorderingHandlers.canReorderItem = { _ in true }
        return source
    }

    private func shown(_ source: PlainSource) -> [[Int]] {
        let snapshot = source.snapshot()
        return snapshot.sectionIdentifiers.map { snapshot.itemIdentifiers(inSection: $0).map(\.number) }
    }

    private func place(_ section: Int, _ item: Int) -> ItemIndexPath { ItemIndexPath(section: section, item: item) }

    @Test("handlers and observers are called in order, with one transaction that is one move")
    func transaction() throws {
        let source = try source([(0, [1, 2, 3]), (1, [4])])
        defer { source.reorderingHandlers = .init() }
        var calls: [String] = []
        var reported: [PlainTransaction] = []
        func note(_ call: String) -> (PlainTransaction) -> Void {
            { transaction in
                reported.append(transaction)
                calls.append("\(call) \(source.snapshot().itemIdentifiers(inSection: PlainIdentifier(1)))")
            }
        }
        source.reorderingHandlers.canReorderItem = { item in
            calls.append("can \(item)")
            return true
        }
        source.reorderingHandlers.willReorder = note("will")
        source.reorderingHandlers.didReorder = note("did")
        let observation = source.observe(note("observe"))
        try source.moveItem(at: place(0, 0), to: place(1, 0))
        #expect(calls == ["can 1", "will [1, 4]", "observe [1, 4]", "did [1, 4]"])
        for transaction in reported {
            #expect(transaction.difference.items.moved == [.init(id: id(1), from: place(0, 0), to: place(1, 0))])
            #expect(transaction.difference.count == 1 && !transaction.usesReloadData)
            #expect(transaction.initialSnapshot.itemIdentifiers.map(\.number) == [1, 2, 3, 4])
            #expect(transaction.finalSnapshot.itemIdentifiers.map(\.number) == [2, 3, 1, 4])
        }
        try source.apply(try Model<PlainIdentifier>([(0, [1])]).snapshot())
        #expect(calls.count == 5 && calls.last == "observe []")
        observation.cancel()
    }

    @Test("no item moves unless the owner allows it, and the error names the item")
    func denied() throws {
        let source = try PlainSource(try Model<PlainIdentifier>([(0, [1, 2])]).snapshot())
        let observation = source.observe { _ in Issue.record("reported a refusal") }
        func expectRefusal() {
            let error = #expect(throws: DiffableError.self) { try source.moveItem(at: place(0, 0), to: place(0, 1)) }
            #expect(error?.code == .reorderingDenied && error?.identifier as? PlainIdentifier == id(1))
            #expect(error?.operation == "moveItem")
        }
        expectRefusal()
        source.reorderingHandlers.canReorderItem = { $0.id.number != 1 }
        expectRefusal()
        #expect(shown(source) == [[1, 2]])
        observation.cancel()
    }

    @Test("an impossible move throws and names the position; a move to the same position does nothing")
    func impossible() throws {
        let source = try source([(0, [1, 2]), (1, [3])])
        source.reorderingHandlers.willReorder = { _ in Issue.record("reported a refusal") }
        let observation = source.observe { _ in Issue.record("reported a refusal") }
        let here = place(0, 0)
        let strays = [
            (here, place(0, 2)), (here, place(1, 2)), (here, place(2, 0)), (here, place(0, -1)), (here, place(-1, 0)),
            (here, place(.max, .max)), (here, place(0, .min)),
        ]
        for (from, to) in strays {
            let error = #expect(throws: DiffableError.self) { try source.moveItem(at: from, to: to) }
            #expect(error?.code == .positionOutOfRange && error?.identifier as? ItemIndexPath == to)
        }
        for from in [place(0, 2), place(2, 0), place(-1, 0), place(0, -1), place(.max, .max)] {
            let error = #expect(throws: DiffableError.self) { try source.moveItem(at: from, to: here) }
            #expect(error?.code == .positionOutOfRange && error?.identifier as? ItemIndexPath == from)
        }
        try source.moveItem(at: here, to: here)
        #expect(shown(source) == [[1, 2], [3]])
        observation.cancel()
    }

    @Test("a move fails if the handler changes the item at the source")
    func handlerChanges() throws {
        let source = try source([(0, [1, 2, 3])])
        defer { source.reorderingHandlers = .init() }
        source.reorderingHandlers.canReorderItem = { item in
            #expect(throws: Never.self) { try source.update { try $0.deleteItems([item.id]) } }
            return true
        }
        let error = #expect(throws: DiffableError.self) { try source.moveItem(at: place(0, 0), to: place(0, 1)) }
        #expect(error?.code == .identifierMismatch && error?.identifier as? PlainIdentifier == id(1))
        #expect(shown(source) == [[2, 3]])
    }

    @Test("a move inside an observer and an apply inside a handler are reported in order")
    func reentrant() throws {
        let source = try source([(0, [1, 2, 3])])
        defer { source.reorderingHandlers = .init() }
        var calls: [String] = []
        source.reorderingHandlers.willReorder = { _ in
            calls.append("will")
            #expect(throws: Never.self) { try source.update { try $0.appendItems([PlainRow(9)]) } }
        }
        source.reorderingHandlers.didReorder = { _ in calls.append("did") }
        let observation = source.observe { transaction in
            calls.append("\(transaction.finalSnapshot.itemIdentifiers)")
            guard calls.count == 1 else { return }
            #expect(transaction.finalSnapshot == source.snapshot())
            #expect(throws: Never.self) { try source.moveItem(at: place(0, 0), to: place(0, 2)) }
            #expect(source.snapshot().itemIdentifiers.map(\.number) == [2, 3, 1, 4])
        }
        try source.update { try $0.appendItems([PlainRow(4)]) }
        #expect(calls == ["[1, 2, 3, 4]", "will", "[2, 3, 1, 4]", "did", "[2, 3, 1, 4, 9]"])
        observation.cancel()
    }
}
