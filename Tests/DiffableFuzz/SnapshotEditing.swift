import Diffable

extension DiffableSnapshot {
    /// Makes a few edits from the bytes. The result has no duplicate.
    ///
    /// The outcome of each edit must be that of a new snapshot with the same lists. A refused edit must change nothing.
    mutating func edit<ID: FuzzIdentifier>(
        from source: ByteSource
    ) throws where Section == Thing<ID>, Item == Thing<ID> {
        var unique = self
        for _ in 0..<source.int(below: 16) where !source.isAtEnd {
            let before = Model(self)
            var rebuilt = try before.snapshot()
            let edit: (inout Self) throws -> Void = anyEdit(from: source)
            let refusal = Self.refusal(of: edit, on: &self)
            try verify(
                refusal == Self.refusal(of: edit, on: &rebuilt), "\(String(describing: refusal)), by its history")
            try verify(Model(self) == Model(rebuilt), "the edit gives \(self), and of a new snapshot \(rebuilt)")
            try verify(
                refusal == nil || Model(self) == before, "\(String(describing: refusal)), and the snapshot changed")
            let lists = [sectionIdentifiers, itemIdentifiers]
            if lists.allSatisfy({ Set($0).count == $0.count }) {
                unique = self
            } else {
                try verifyDuplicateIsReported()
                if source.int(below: 4) > 0 { self = unique }
            }
        }
        self = unique
    }

    /// Checks that a duplicate is refused by everything that checks identifiers, with both positions.
    private func verifyDuplicateIsReported() throws {
        func isReported(_ operation: () throws -> Void) -> Bool {
            var thrown: DiffableError?
            do { try operation() } catch { thrown = error as? DiffableError }
            guard let thrown else { return false }
            let paths = thrown.indexPaths
            if let id = thrown.identifier as? Item.ID, thrown.code == .duplicateItem, paths.count == 2 {
                return paths[0] == indexPath(for: id) && paths[0] < paths[1] && itemIdentifier(at: paths[1]) == id
            }
            guard let id = thrown.identifier as? Section.ID, thrown.sectionIndices.count == 2 else { return false }
            let (first, second) = (thrown.sectionIndices[0], thrown.sectionIndices[1])
            return first == indexOfSection(id) && first < second && sectionIdentifiers[second] == id
        }
        let empty = DiffableSnapshot()
        let source = DiffableDataSource<Section, Item>()
        let operations: [() throws -> Void] = [
            { _ = try SnapshotDifference(from: empty, to: self) },
            { _ = try SnapshotDifference(from: self, to: empty) },
            { try source.apply(self) }, { try source.applySnapshotUsingReloadData(self) },
            { _ = try DiffableDataSource(self) }, { try validate() },
        ]
        for (index, operation) in operations.enumerated() {
            try verify(isReported(operation), "operation \(index) accepts a duplicate in \(self)")
        }
        try verify(source.snapshot() == empty, "a refused snapshot changed the data source")
    }

    private static func refusal(of edit: (inout Self) throws -> Void, on snapshot: inout Self) -> DiffableError? {
        do { try edit(&snapshot) } catch { return error as? DiffableError }
        return nil
    }

    private func anyEdit<ID: FuzzIdentifier>(
        from source: ByteSource
    ) -> (inout Self) throws -> Void where Section == Thing<ID>, Item == Thing<ID> {
        // Only the bytes of the chosen edit are read, in the order of its arguments.
        func new() -> [Thing<ID>] { things(from: source) }
        func section() -> ID { self.section(from: source) }
        func item() -> ID { self.item(from: source) }
        func content() -> Int { source.int(below: 4) }
        switch source.int(below: 32) {
        case 0: return { [new = new()] in $0.appendSections(new) }
        case 1: return { [new = new(), one = section()] in try $0.insertSections(new, beforeSection: one) }
        case 2: return { [new = new(), one = section()] in try $0.insertSections(new, afterSection: one) }
        case 3: return { [one = section()] in try $0.deleteSections([one]) }
        case 4: return { [one = section(), other = section()] in try $0.moveSection(one, beforeSection: other) }
        case 5: return { [one = section(), other = section()] in try $0.moveSection(one, afterSection: other) }
        case 6: return { [one = section(), new = content()] in try $0.replaceSection(Thing(id: one, content: new)) }
        case 7: return { [one = section()] in try $0.reloadSections([one]) }
        case 8: return { [new = new()] in try $0.appendItems(new) }
        case 9: return { [new = new(), one = section()] in try $0.appendItems(new, toSection: one) }
        case 10: return { [new = new(), one = item()] in try $0.insertItems(new, beforeItem: one) }
        case 11: return { [new = new(), one = item()] in try $0.insertItems(new, afterItem: one) }
        case 12: return { [one = item(), other = item()] in try $0.deleteItems([one, other]) }
        case 13: return { [one = item(), other = item()] in try $0.moveItem(one, beforeItem: other) }
        case 14: return { [one = item(), other = item()] in try $0.moveItem(one, afterItem: other) }
        case 15: return { [one = item(), new = content()] in try $0.replace(Thing(id: one, content: new)) }
        case 16: return { [one = item()] in try $0.reloadItems([one]) }
        case 17: return { [one = item()] in try $0.reconfigureItems([one]) }
        case 18: return { [gone = source.int(below: 5)] in $0.removeItems { $0.content == gone } }
        case 19:
            // More items than one range of the storage has.
            let first = 1_000 * content()
            let many = (first..<first + 300).map { Thing(id: ID(number: $0)) }
            return { [one = section()] in try $0.appendItems(many, toSection: one) }
        default: return { [new = new(), one = section()] in try $0.appendItems(new, toSection: one) }
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
