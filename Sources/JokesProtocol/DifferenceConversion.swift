package import Diffable
package import JokesCore

extension Wire.Difference {
    /// What leads from one snapshot to the next, without what the client has already: ids stand for what goes or
    /// moves, neighbours that come share one index. O(changes).
    package init(_ difference: SnapshotDifference<Section, Item>, base: Int64, to snapshot: JokeSnapshot) {
        self.init(base: base)
        let sections = snapshot.sectionIdentifiers.map(\.rawValue)
        deletedItems = difference.items.deleted.map { $0.element.id.description }.nonEmpty
        deletedSections = difference.sections.deleted.map { $0.element.id.rawValue }.nonEmpty
        movedSections =
            difference.sections.moved.map { Wire.SectionMove(id: $0.id.rawValue, index: $0.to) }.nonEmpty
        insertedSections =
            difference.sections.inserted.map {
                Wire.SectionPlace(section: Wire.Section($0.element), index: $0.position)
            }.nonEmpty
        movedItems =
            difference.items.moved.map {
                Wire.ItemMove(id: $0.id.description, section: sections[$0.to.section], index: $0.to.item)
            }.nonEmpty
        insertedItems = Self.runs(of: difference.items.inserted, sections).nonEmpty
        updatedSections = difference.sections.updated.map { Wire.Section($0.after) }.nonEmpty
        updatedItems = difference.items.updated.map { Wire.Item($0.after) }.nonEmpty
    }

    private static func runs(
        of inserted: [ElementChanges<ItemIndexPath, Item>.Placement], _ sections: [String]
    ) -> [Wire.ItemRun] {
        var runs: [Wire.ItemRun] = []
        for placement in inserted.sorted(by: { $0.position < $1.position }) {
            let section = sections[placement.position.section]
            let item = Wire.Item(placement.element)
            if let last = runs.last, last.section == section,
                last.index + last.items.count == placement.position.item
            {
                runs[runs.count - 1].items.append(item)
            } else {
                runs.append(Wire.ItemRun(section: section, index: placement.position.item, items: [item]))
            }
        }
        return runs
    }

    /// A difference that does not fit the snapshot it was applied to.
    package struct Misfit: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The snapshot that this leads to, by the steps of the interface text. O(snapshot).
    ///
    /// - Throws: `Misfit` where it names what the snapshot has not, or a place that is not there; `DiffableError`
    ///   where it brings what the snapshot has already. Nothing is changed then.
    package func applied(to snapshot: JokeSnapshot) throws -> JokeSnapshot {
        var picture = Picture(snapshot)
        try picture.removeItems(deletedItems ?? [])
        try picture.removeSections(deletedSections ?? [])
        let moved = try (movedItems ?? []).map { move in
            Place(section: move.section, index: move.index, element: try picture.takeItem(move.id))
        }
        let movedSections = try (movedSections ?? []).map { move in
            (index: move.index, section: try picture.takeSection(move.id))
        }
        let inserted = (insertedItems ?? []).flatMap { run in
            run.items.enumerated().map { offset, item in
                Place(section: run.section, index: run.index + offset, element: item.item)
            }
        }
        let insertedSections = (insertedSections ?? []).map { place in
            (index: place.index, section: Picture.Filled(section: place.section.section, items: []))
        }
        try picture.placeSections(movedSections + insertedSections)
        try picture.place(moved + inserted)
        for section in updatedSections ?? [] { try picture.update(section.section) }
        for item in updatedItems ?? [] { picture.update(item.item) }
        let result = try picture.snapshot()
        guard result.numberOfItems == snapshot.numberOfItems - (deletedItems ?? []).count + inserted.count else {
            throw Misfit(description: "a section was deleted with items that stay")
        }
        return result
    }
}

private struct Place {
    let section: String
    let index: Int
    let element: Item
}

/// A snapshot taken apart, to be put together again.
private struct Picture {
    struct Filled {
        var section: Section
        var items: [Item]
    }

    private var sections: [Filled]
    /// What was taken out of the rows, by its id; the rows are compacted when others are placed.
    private var removed: Set<Item.ID> = []
    private var updated: [Item.ID: Item] = [:]
    private var known: Set<Item.ID>

    private let base: JokeSnapshot

    init(_ snapshot: JokeSnapshot) {
        sections = snapshot.sections.map { Filled(section: $0, items: snapshot.items(inSection: $0.id)) }
        known = Set(snapshot.itemIdentifiers)
        base = snapshot
    }

    mutating func removeItems(_ ids: [String]) throws {
        for id in ids { _ = try takeItem(id) }
    }

    mutating func takeItem(_ text: String) throws -> Item {
        guard let id = Item.ID(text), known.remove(id) != nil, let item = base.item(for: id) else {
            throw misfit("there is no item \(text)")
        }
        removed.insert(id)
        return item
    }

    mutating func removeSections(_ ids: [String]) throws {
        for id in ids { _ = try takeSection(id) }
    }

    mutating func takeSection(_ id: String) throws -> Filled {
        guard let index = index(ofSection: id) else { throw misfit("there is no section \(id)") }
        return sections.remove(at: index)
    }

    mutating func placeSections(_ places: [(index: Int, section: Filled)]) throws {
        for place in places.sorted(by: { $0.index < $1.index }) {
            guard (0...sections.count).contains(place.index) else {
                throw misfit("no section has place \(place.index)")
            }
            sections.insert(place.section, at: place.index)
        }
    }

    mutating func place(_ places: [Place]) throws {
        let bySection = Dictionary(grouping: places, by: \.section)
        for id in bySection.keys where index(ofSection: id) == nil { throw misfit("there is no section \(id)") }
        for index in sections.indices {
            let arriving = bySection[sections[index].section.id.rawValue] ?? []
            sections[index].items = try merged(sections[index].items, arriving)
        }
    }

    /// The items that stay, with those that arrive at their final indices among them.
    private func merged(_ items: [Item], _ arriving: [Place]) throws -> [Item] {
        var staying = items.filter { !removed.contains($0.id) }[...]
        var result: [Item] = []
        result.reserveCapacity(staying.count + arriving.count)
        for place in arriving.sorted(by: { $0.index < $1.index }) {
            let missing = place.index - result.count
            guard missing >= 0, missing <= staying.count else { throw misfit("no item has place \(place.index)") }
            result += staying.prefix(missing)
            staying = staying.dropFirst(missing)
            result.append(place.element)
        }
        return result + staying
    }

    mutating func update(_ section: Section) throws {
        guard let index = index(ofSection: section.id.rawValue) else {
            throw misfit("there is no section \(section.id.rawValue)")
        }
        sections[index].section = section
    }

    mutating func update(_ item: Item) {
        updated[item.id] = item
    }

    func snapshot() throws -> JokeSnapshot {
        var snapshot = JokeSnapshot()
        for filled in sections {
            try snapshot.appendSections([filled.section])
            try snapshot.appendItems(filled.items.map { updated[$0.id] ?? $0 }, toSection: filled.section.id)
        }
        for id in updated.keys where !snapshot.contains(id) { throw misfit("there is no item \(id)") }
        return snapshot
    }

    private func index(ofSection id: String) -> Int? {
        sections.firstIndex { $0.section.id.rawValue == id }
    }

    private func misfit(_ description: String) -> Wire.Difference.Misfit {
        Wire.Difference.Misfit(description: description)
    }
}

extension Array {
    /// Nil for an empty array, which the wire leaves out.
    fileprivate var nonEmpty: Self? {
        isEmpty ? nil : self
    }
}
