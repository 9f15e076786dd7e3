import Diffable

extension DiffableSnapshot {
    /// Makes a few edits from the bytes. The result has no duplicate.
    mutating func edit<ID: FuzzIdentifier>(
        from source: ByteSource
    ) where Section == Thing<ID>, Item == Thing<ID> {
        var unique = self
        for _ in 0..<source.int(below: 16) where !source.isAtEnd {
            let edit: (inout Self) throws -> Void = anyEdit(from: source)
            // A refused edit changes nothing.
            try? edit(&self)
            let lists = [sectionIdentifiers, itemIdentifiers]
            if lists.allSatisfy({ Set($0).count == $0.count }) {
                unique = self
            } else if source.int(below: 4) > 0 {
                self = unique
            }
        }
        self = unique
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
