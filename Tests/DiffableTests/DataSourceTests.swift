import Diffable
import TestSupport
import Testing

private typealias DataSource = PlainSource
private typealias Transaction = PlainTransaction

// The compiler chooses between these two overloads.
private func isSendable<Value>(_: Value.Type) -> Bool { false }
private func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }

/// The owner of a data source: without a lock or `Sendable`, the compiler prevents access from other isolation domains.
private actor Owner {
    private let source = DataSource()
    private var observation: DiffableObservation?
    private(set) var mirrored = PlainSnapshot()

    var shown: PlainSnapshot { source.snapshot() }

    func start() {
        observation = source.observe { [weak self] transaction in self?.assumeIsolated { $0.follow(transaction) } }
    }

    func add(_ numbers: Range<Int>) async throws {
        for number in numbers {
            var next = source.snapshot()
            if next.numberOfSections == 0 { try next.appendSections([PlainRow(0)]) }
            try next.appendItems([PlainRow(number)])
            try source.apply(next)
            await Task.yield()
        }
    }

    private func follow(_ transaction: Transaction) {
        if let next = try? mirrored.applying(transaction.difference) { mirrored = next }
    }
}

@Suite struct DataSourceTests {
    private func snapshot(_ items: [Int]) throws -> PlainSnapshot {
        try Model<PlainIdentifier>(flat: items).snapshot()
    }

    private func numbers(_ snapshot: PlainSnapshot) -> [Int] { snapshot.itemIdentifiers.map(\.number) }

    @Test("observers get the difference and the new snapshot")
    func observes() throws {
        let source = try DataSource(try snapshot([1, 2]))
        var mirror = source.snapshot()
        var changes = 0
        let observation = source.observe { transaction in
            changes += 1
            #expect(mirror == transaction.initialSnapshot)
            if let next = try? mirror.applying(transaction.difference) { mirror = next }
            #expect(mirror == transaction.finalSnapshot)
        }
        try source.apply(try snapshot([2, 3]))
        try source.apply(try snapshot([3, 2, 4]))
        #expect(changes == 2)
        #expect(mirror == source.snapshot())
        observation.cancel()
        try source.apply(try snapshot([]))
        #expect(changes == 2)
    }

    @Test("an equal snapshot is not reported")
    func equalIsSilent() throws {
        let source = try DataSource(try snapshot([1, 2]))
        let observation = source.observe { _ in Issue.record("reported no change") }
        try source.apply(try snapshot([1, 2]))
        observation.cancel()
    }

    @Test("lookups work in both directions, and return nil for unknown items")
    func lookups() throws {
        let source = try DataSource(try Model<PlainIdentifier>([(0, [1]), (7, [2, 3])]).snapshot())
        let path = ItemIndexPath(section: 1, item: 1)
        #expect(source.itemIdentifier(for: path) == PlainIdentifier(3))
        #expect(source.item(at: path) == PlainRow(3))
        #expect(source.indexPath(for: PlainIdentifier(3)) == path)
        #expect(source.sectionIdentifier(for: 1) == PlainIdentifier(7))
        #expect(source.index(for: PlainIdentifier(7)) == 1)
        for stray in [(2, 0), (1, 2), (-1, 0), (0, -1), (.max, .max)] {
            #expect(source.itemIdentifier(for: ItemIndexPath(section: stray.0, item: stray.1)) == nil)
        }
        #expect(source.indexPath(for: PlainIdentifier(9)) == nil)
        #expect(source.sectionIdentifier(for: 2) == nil && source.sectionIdentifier(for: -1) == nil)
        #expect(source.index(for: PlainIdentifier(9)) == nil)
    }

    @Test("the snapshot does not advance before the observers finish: a second apply in a callback has the right base")
    func reentrant() throws {
        let source = try DataSource(try snapshot([1]))
        var seen: [[Int]] = []
        var depth = 0
        var mirrors = [source.snapshot(), source.snapshot()]
        func follow(_ mirror: Int, _ transaction: Transaction) throws {
            mirrors[mirror] = try mirrors[mirror].applying(transaction.difference)
            #expect(mirrors[mirror] == transaction.finalSnapshot)
            #expect(source.snapshot() == transaction.finalSnapshot)
        }
        let first = source.observe { transaction in
            depth += 1
            #expect(depth == 1)
            #expect(throws: Never.self) {
                try follow(0, transaction)
                guard transaction.finalSnapshot.numberOfItems < 5 else { return }
                var next = source.snapshot()
                try next.appendItems([PlainRow(next.numberOfItems + 1)])
                try source.apply(next)
                #expect(source.snapshot() == transaction.finalSnapshot)
            }
            depth -= 1
        }
        let second = source.observe { transaction in
            #expect(throws: Never.self) { try follow(1, transaction) }
            seen.append(transaction.finalSnapshot.itemIdentifiers.map(\.number))
        }
        try source.apply(try snapshot([1, 2]))
        #expect(seen == [[1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]])
        #expect(numbers(source.snapshot()) == [1, 2, 3, 4, 5])
        first.cancel()
        second.cancel()
    }

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

    @Test("the changes of two observers that both apply are reported in order")
    func twoAppliers() throws {
        let source = try DataSource(try snapshot([]))
        var seen: [[Int]] = []
        var observations: [DiffableObservation] = []
        for number in [10, 20] {
            observations.append(
                source.observe { transaction in
                    guard transaction.finalSnapshot.numberOfItems == 1 else { return }
                    var next = transaction.finalSnapshot
                    #expect(throws: Never.self) {
                        try next.appendItems([PlainRow(number)])
                        try source.apply(next)
                    }
                })
        }
        observations.append(
            source.observe { transaction in seen.append(transaction.finalSnapshot.itemIdentifiers.map(\.number)) })
        try source.apply(try snapshot([1]))
        #expect(seen == [[1], [1, 10], [1, 20]])
        observations.forEach { $0.cancel() }
    }

    @Test("two applies from two threads do not deadlock: one owner takes them one after the other")
    func oneOwner() async throws {
        let owner = Owner()
        await owner.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for half in [0, 1_000, 2_000, 3_000] { group.addTask { try await owner.add(half..<half + 200) } }
            try await group.waitForAll()
        }
        let shown = await owner.shown
        #expect(shown.numberOfItems == 800)
        #expect(await owner.mirrored == shown)
    }

    @Test("reload data is reported even without changes, and its transaction has the difference")
    func reloadData() throws {
        let source = try DataSource(try snapshot([1]))
        var reported: [Transaction] = []
        let observation = source.observe { reported.append($0) }
        try source.applySnapshotUsingReloadData(try snapshot([1]))
        try source.applySnapshotUsingReloadData(try snapshot([2, 1]))
        try source.apply(try snapshot([2, 1, 3]))
        #expect(reported.map(\.usesReloadData) == [true, true, false])
        #expect(reported.map(\.difference.count) == [0, 1, 1])
        #expect(reported.map { $0.finalSnapshot.numberOfItems } == [1, 2, 3])
        observation.cancel()
    }

    @Test("a received difference is applied and reported unchanged; one of another snapshot throws and changes nothing")
    func appliesDifference() throws {
        let source = try DataSource(try snapshot([1, 2]))
        var reported: [Difference<PlainIdentifier>] = []
        let observation = source.observe { reported.append($0.difference) }
        let difference = try Difference(from: try snapshot([1, 2]), to: try snapshot([2, 5]))
        try source.apply(difference)
        #expect(reported == [difference])
        #expect(numbers(source.snapshot()) == [2, 5])
        #expect(throws: DiffableError.self) { try source.apply(difference) }
        #expect(reported.count == 1)
        #expect(numbers(source.snapshot()) == [2, 5])
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

    @Test("marks are reported once, so the same item can be reloaded again")
    func marks() throws {
        let source = try DataSource(try snapshot([1, 2]))
        var reloaded: [[PlainIdentifier]] = []
        let observation = source.observe { reloaded.append($0.difference.marks.reloadedItems) }
        for _ in 0..<2 {
            var next = source.snapshot()
            #expect(next.reloadedItemIdentifiers.isEmpty)
            try next.reloadItems([PlainIdentifier(2)])
            try source.apply(next)
        }
        #expect(reloaded == [[PlainIdentifier(2)], [PlainIdentifier(2)]])
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
    }
}
