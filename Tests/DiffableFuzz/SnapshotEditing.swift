import Diffable

extension DiffableSnapshot {
    /// Makes a few edits from the bytes. A refused edit must leave the snapshot unchanged.
    mutating func edit<ID: FuzzIdentifier>(
        from source: ByteSource
    ) throws where Section == Thing<ID>, Item == Thing<ID> {
        for _ in 0..<source.int(below: 16) where !source.isAtEnd {
            let before = self
            do {
                try editOnce(from: source)
            } catch {
                try verify(Model(self) == Model(before), "\(error), and the snapshot changed")
            }
            if Set(itemIdentifiers).count < numberOfItems {
                try verifyDuplicateIsRefused()
                self = before
            }
        }
    }

    /// Checks that an appended duplicate, which was not noticed yet, is refused by everything that checks items.
    private func verifyDuplicateIsRefused() throws {
        func isRefused(_ operation: () throws -> Void) -> Bool {
            do { try operation() } catch { return (error as? DiffableError)?.code == .duplicateItem }
            return false
        }
        let empty = DiffableSnapshot()
        let ids = itemIdentifiers
        try verify(isRefused { _ = try SnapshotDifference(from: empty, to: self) }, "a difference has a duplicate")
        try verify(isRefused { _ = try SnapshotDifference(from: self, to: empty) }, "a difference has a duplicate")
        let source = DiffableDataSource<Section, Item>()
        try verify(isRefused { try source.apply(self) }, "a data source shows a duplicate")
        try verify(isRefused { try source.applySnapshotUsingReloadData(self) }, "a data source shows a duplicate")
        try verify(source.snapshot() == empty, "a refused snapshot changed the data source")
        try verify(isRefused { try checkIdentifiers() }, "checkIdentifiers accepts a duplicate")
        var copy = self
        try verify(isRefused { try copy.deleteItems([ids[0]]) }, "a snapshot with a duplicate was edited")
        try verify(copy == self, "a refused edit changed the snapshot")
    }

    private mutating func editOnce<ID: FuzzIdentifier>(
        from source: ByteSource
    ) throws(DiffableError) where Section == Thing<ID>, Item == Thing<ID> {
        switch source.int(below: 32) {
        case 0: try appendSections(things(from: source))
        case 1: try insertSections(things(from: source), beforeSection: section(from: source))
        case 2: try insertSections(things(from: source), afterSection: section(from: source))
        case 3: try deleteSections([section(from: source)])
        case 4: try moveSection(section(from: source), beforeSection: section(from: source))
        case 5: try moveSection(section(from: source), afterSection: section(from: source))
        case 6: try replaceSection(Thing(id: section(from: source), content: source.int(below: 4)))
        case 7: try reloadSections([section(from: source)])
        case 8: try appendItems(things(from: source))
        case 9: try appendItems(things(from: source), toSection: section(from: source))
        case 10: try insertItems(things(from: source), beforeItem: item(from: source))
        case 11: try insertItems(things(from: source), afterItem: item(from: source))
        case 12: try deleteItems([item(from: source), item(from: source)])
        case 13: try moveItem(item(from: source), beforeItem: item(from: source))
        case 14: try moveItem(item(from: source), afterItem: item(from: source))
        case 15: try replace(Thing(id: item(from: source), content: source.int(below: 4)))
        case 16: try reloadItems([item(from: source)])
        case 17: try reconfigureItems([item(from: source)])
        case 18:
            let remainder = source.int(below: 5)
            removeItems { $0.content == remainder }
        case 19:
            // More items than one range of the storage has.
            let first = 1_000 * source.int(below: 4)
            try appendItems((first..<first + 300).map { Thing(id: ID(number: $0)) }, toSection: section(from: source))
        default: try appendItems(things(from: source), toSection: section(from: source))
        }
    }

    private func things<ID: FuzzIdentifier>(from source: ByteSource) -> [Thing<ID>] {
        (0..<source.int(below: 6)).map { _ in
            Thing(id: ID(number: source.int(below: 50)), content: source.int(below: 4))
        }
    }

    /// Returns a section identifier, usually an existing one.
    func section<ID: FuzzIdentifier>(from source: ByteSource) -> ID where Section == Thing<ID> {
        let number = source.int(below: 50)
        guard number < 40, numberOfSections > 0 else { return ID(number: number) }
        return sectionIdentifiers[number % numberOfSections]
    }

    func item<ID: FuzzIdentifier>(
        from source: ByteSource
    ) -> ID where Section == Thing<ID>, Item == Thing<ID> {
        let section: ID = section(from: source)
        let number = source.int(below: 256)
        let items = itemIdentifiers(inSection: section)
        return items.isEmpty || number >= 240 ? ID(number: number % 50) : items[number * 7 % items.count]
    }
}
