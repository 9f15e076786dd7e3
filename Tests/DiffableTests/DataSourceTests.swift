import Diffable
import DiffableOutlines
import TestSupport
import Testing

private typealias DataSource = PlainSource
private typealias Transaction = PlainTransaction

// The compiler chooses between these two overloads.
private func isSendable<Value>(_: Value.Type) -> Bool { false }
private func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }

@Suite struct DataSourceTests {
    private func snapshot(_ items: [Int]) throws -> PlainSnapshot {
        try Model<PlainIdentifier>(flat: items).snapshot()
    }

    private func numbers(_ snapshot: PlainSnapshot) -> [Int] { snapshot.itemIdentifiers.map(\.number) }

    @Test("applies from inside an observer need no deeper stack than one")
    func noRecursion() throws {
        let source = try DataSource(try snapshot([0]))
        var count = 0
        let expected = scaled(20_000)
        let observation = source.observe { transaction in
            count += 1
            guard count < expected else { return }
            var next = transaction.finalSnapshot
            #expect(throws: Never.self) {
                try next.replace(PlainRow(0, content: count))
                try source.apply(next)
            }
        }
        try source.apply(try snapshot([1, 0]))
        #expect(count == expected)
        observation.cancel()
    }

    @Test("a difference applied inside an observer refers to the last applied snapshot")
    func appliesDifferencesWithinCall() throws {
        let source = try DataSource(try snapshot([1]))
        let steps = try [[1, 2], [1, 2, 3], [3, 1]].map(snapshot)
        var seen: [[Int]] = []
        let observation = source.observe { transaction in
            seen.append(transaction.finalSnapshot.itemIdentifiers.map(\.number))
            guard seen.count == 1 else { return }
            #expect(throws: Never.self) {
                try source.apply(SnapshotDifference(from: steps[0], to: steps[1]))
                try source.apply(SnapshotDifference(from: steps[1], to: steps[2]))
            }
        }
        try source.apply(steps[0])
        #expect(seen == [[1, 2], [1, 2, 3], [3, 1]])
        observation.cancel()
    }

    @Test("an observer that begins while changes are reported gets only changes that snapshot() did not have")
    func beginsWithinReport() throws {
        let source = HashableDataSource<Int, String>()
        var counts: [Int] = []
        var late: DiffableObservation?
        let first = source.observe { _ in
            guard late == nil else { return }
            #expect(throws: Never.self) { try source.update { try $0.appendItems(["b"]) } }
            late = source.observe { counts.append($0.finalSnapshot.numberOfItems) }
        }
        try source.apply(HashableSnapshot([(0, ["a"])]))
        #expect(counts.isEmpty)
        try source.update { try $0.appendItems(["c"]) }
        #expect(counts == [3])
        first.cancel()
    }

    @Test("each sequence of transactions has all later changes, and ends with the data source")
    func transactions() async throws {
        var source: DataSource? = try DataSource(try snapshot([1]))
        func read(_ stream: AsyncStream<Transaction>?, limit: Int = .max) throws -> Reader {
            let reader = Reader()
            Task { [stream = try #require(stream)] in
                for await transaction in stream {
                    await reader.add(transaction.finalSnapshot.itemIdentifiers.map(\.number))
                    if await reader.seen.count == limit { break }
                }
                await reader.end()
            }
            return reader
        }
        let (first, short) = (try read(source?.transactions), try read(source?.transactions, limit: 1))
        try source?.apply(try snapshot([1, 2]))
        let second = try read(source?.transactions)
        try await waitUntil("the reader of one change ends") { await short.isAtEnd }
        try source?.apply(try snapshot([2]))
        try source?.applySnapshotUsingReloadData(try snapshot([2]))
        source = nil
        try await waitUntil("the sequences end") { await first.isAtEnd }
        try await waitUntil("the sequences end") { await second.isAtEnd }
        #expect(await short.seen == [[1, 2]])
        #expect(await first.seen == [[1, 2], [2], [2]])
        #expect(await second.seen == [[2], [2]])
    }

    private actor Reader {
        private(set) var seen: [[Int]] = []
        private(set) var isAtEnd = false

        func add(_ numbers: [Int]) { seen.append(numbers) }
        func end() { isAtEnd = true }
    }

    @Test("an update that throws changes nothing and is not reported")
    func update() throws {
        struct Stop: Error {}
        let source = try DataSource(try snapshot([1, 2]))
        let observation = source.observe { _ in Issue.record("reported no change") }
        #expect(throws: Stop.self) {
            try source.update { snapshot in
                snapshot.deleteAllItems()
                throw Stop()
            }
        }
        try source.update { _ in }
        #expect(numbers(source.snapshot()) == [1, 2])
        observation.cancel()
    }

    @Test("an observation ends when it is released or canceled, even while changes are being reported")
    func observationEnds() throws {
        let source = try DataSource(try snapshot([1]))
        do {
            let released = source.observe { _ in Issue.record("reported after release") }
            _ = released
        }
        var later: DiffableObservation?
        let first = source.observe { _ in later?.cancel() }
        later = source.observe { _ in Issue.record("reported after cancellation") }
        try source.apply(try snapshot([2]))
        first.cancel()
    }

    @Test("a data source is not Sendable, but its transactions are")
    func ownership() {
        #expect(!isSendable(DataSource.self))
        #expect(isSendable(Transaction.self) && isSendable(PlainSnapshot.self) && isSendable(PlainOutline.self))
        #expect(isSendable(ListStep<PlainRow, PlainRow>.self) && isSendable(DiffableItems<PlainRow>.self))
    }
}
