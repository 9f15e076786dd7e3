extension Presentation {
    /// Returns the presentation after an item was moved with its visible descendants; nil if it is there already.
    @inlinable
    func moving(
        from source: ItemIndexPath, to destination: ItemIndexPath
    ) throws(DiffableError) -> Change? {
        guard let item = snapshot.item(at: source) else {
            throw DiffableError(.positionOutOfRange, source, in: "moveItem")
        }
        let outline = home(of: item.id)?.outline
        let block = [item] + (outline.map { $0.isExpanded(item.id) ? $0.itemsShown(under: item.id) : [] } ?? [])
        let sections = snapshot.sectionIdentifiers
        let isInside = source.section == destination.section
        guard sections.indices.contains(destination.section) else {
            throw DiffableError(.positionOutOfRange, destination, in: "moveItem")
        }
        let others = snapshot.numberOfItems(inSection: sections[destination.section]) - (isInside ? block.count : 0)
        guard (0...others).contains(destination.item) else {
            throw DiffableError(.positionOutOfRange, destination, in: "moveItem")
        }
        if source == destination { return nil }
        let isBehind = isInside && destination.item > source.item
        let next = isBehind ? destination.advanced(by: block.count) : destination
        var moved = snapshot
        try moved.move(block, to: next)
        let moves = block.enumerated().map { offset, item in
            ItemChanges.Move(
                id: item.id, from: source.advanced(by: offset), to: destination.advanced(by: offset))
        }
        let items = ItemChanges(moved: moves)
        return Change(to: following(SnapshotDifference(items: items), to: moved), items)
    }
}

extension ItemIndexPath {
    @inlinable func advanced(by offset: Int) -> ItemIndexPath { ItemIndexPath(section: section, item: item + offset) }
}

extension DiffableSnapshot {
    /// Inserts neighboring items before the item at `next`, or after the last item of its section.
    @inlinable
    mutating func move(_ block: [Item], to next: ItemIndexPath) throws(DiffableError) {
        guard let first = block.first else { return }
        if let neighbour = item(at: next) {
            try moveItem(first.id, beforeItem: neighbour.id)
        } else if let last = item(at: next.advanced(by: -1)) {
            try moveItem(first.id, afterItem: last.id)
        } else {
            try deleteItems([first.id])
            try appendItems([first], toSection: sectionIdentifiers[next.section])
        }
        for (previous, item) in zip(block, block.dropFirst()) { try moveItem(item.id, afterItem: previous.id) }
    }
}
