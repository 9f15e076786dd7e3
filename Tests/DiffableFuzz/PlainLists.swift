package import Diffable

/// Sections with their items as plain arrays, which perform the steps of a difference as a list view does.
package struct PlainLists<Section: Identifiable & Equatable, Item: Identifiable & Equatable>
where Section.ID: Sendable, Item.ID: Sendable {
    private struct Part: Equatable {
        var section: Section
        var items: [Item]
    }

    private var parts: [Part] = []

    package init(_ snapshot: DiffableSnapshot<Section, Item>) {
        var items = snapshot.items[...]
        for section in snapshot.sections {
            let count = snapshot.numberOfItems(inSection: section.id)
            parts.append(Part(section: section, items: Array(items.prefix(count))))
            items = items.dropFirst(count)
        }
    }

    /// Performs steps of one kind: removes rows at their indices before the batch, then inserts rows at their indices
    /// after the batch.
    package mutating func perform(_ batch: [ListStep<Section, Item>]) throws {
        var (sectionsOut, itemsOut) = (Set<Int>(), Set<ItemIndexPath>())
        var (sectionsIn, itemsIn) = ([(index: Int, part: Part)](), [(path: ItemIndexPath, item: Item)]())
        for step in batch {
            switch step {
            case .deleteItems(let range, let section):
                itemsOut.formUnion(range.map { ItemIndexPath(section: section, item: $0) })
            case .deleteSection(let index):
                try verify(part(index).items.isEmpty, "a deleted section has items")
                sectionsOut.insert(index)
            case .moveItem(let from, let to):
                itemsIn.append((to, try item(from)))
                itemsOut.insert(from)
            case .moveSection(let from, let to):
                sectionsIn.append((to, try part(from)))
                sectionsOut.insert(from)
            case .insertItems(let items, let first):
                itemsIn += items.enumerated().map { offset, item in
                    (ItemIndexPath(section: first.section, item: first.item &+ offset), item)
                }
            case .insertSection(let section, let index):
                sectionsIn.append((index, Part(section: section, items: [])))
            case .updateItem(let item, let path):
                try verify(self.item(path).id == item.id, "another item is updated")
                parts[path.section].items[path.item] = item
            case .updateSection(let section, let index):
                try verify(part(index).section.id == section.id, "another section is updated")
                parts[index].section = section
            }
        }
        for path in itemsOut.sorted().reversed() {
            _ = try item(path)
            parts[path.section].items.remove(at: path.item)
        }
        for index in sectionsOut.sorted().reversed() {
            _ = try part(index)
            parts.remove(at: index)
        }
        for (index, part) in sectionsIn.sorted(by: { $0.index < $1.index }) {
            try verify((0...parts.count).contains(index), "section \(index) is out of range")
            parts.insert(part, at: index)
        }
        for (path, item) in itemsIn.sorted(by: { $0.path < $1.path }) {
            try verify((0...(try part(path.section).items.count)).contains(path.item), "\(path) is out of range")
            parts[path.section].items.insert(item, at: path.item)
        }
    }

    private func part(_ index: Int) throws -> Part {
        try verify(parts.indices.contains(index), "section \(index) is out of range")
        return parts[index]
    }

    private func item(_ path: ItemIndexPath) throws -> Item {
        let items = try part(path.section).items
        try verify(items.indices.contains(path.item), "\(path) is out of range")
        return items[path.item]
    }
}

extension PlainLists: Equatable {}

/// Checks the steps, the stages and the index map of a difference between two snapshots.
package func holdListChanges<Section, Item>(
    of difference: SnapshotDifference<Section, Item>, from old: DiffableSnapshot<Section, Item>,
    to new: DiffableSnapshot<Section, Item>
) throws {
    var lists = PlainLists(old)
    let steps = difference.steps
    for step in steps { try lists.perform([step]) }
    try verify(lists == PlainLists(new), "the steps \(steps) give \(lists)")
    lists = PlainLists(old)
    let stages = difference.stages
    for stage in stages { try lists.perform(stage) }
    try verify(lists == PlainLists(new), "the stages \(stages) give \(lists)")
    let kinds = stages.map { Set($0.map(kind)) }
    try verify(kinds.allSatisfy { $0.count == 1 } && Set(kinds).count == kinds.count, "the stages mix kinds: \(stages)")

    let map = difference.indexMap
    for (index, section) in old.sections.enumerated() {
        try verify(
            map[index] == new.indexOfSection(section.id), "section \(index) becomes \(String(describing: map[index]))")
    }
    for id in old.itemIdentifiers {
        guard let path = old.indexPath(for: id) else { continue }
        try verify(map[path] == new.indexPath(for: id), "\(path) becomes \(String(describing: map[path]))")
    }
}

private func kind<Section, Item>(of step: ListStep<Section, Item>) -> Int {
    switch step {
    case .deleteItems: 0
    case .insertSection: 1
    case .moveItem: 2
    case .deleteSection: 3
    case .moveSection: 4
    case .insertItems: 5
    case .updateSection: 6
    case .updateItem: 7
    }
}

/// Makes and performs the steps of a difference that may be malformed, and maps some places. None may stop the program.
func performAnyway<Section, Item>(
    _ difference: SnapshotDifference<Section, Item>, on snapshot: DiffableSnapshot<Section, Item>
) {
    var lists = PlainLists(snapshot)
    for step in difference.steps { try? lists.perform([step]) }
    lists = PlainLists(snapshot)
    for stage in difference.stages { try? lists.perform(stage) }
    let map = difference.indexMap
    let extremes = [Int.min, -1, 0, 1, .max - 1, .max]
    for section in extremes {
        _ = map[section]
        for item in extremes { _ = map[ItemIndexPath(section: section, item: item)] }
    }
}
