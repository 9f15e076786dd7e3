package import Diffable
package import JokesCore

extension Wire {
    /// `type Difference`, in the order of application of the interface text.
    package struct Difference: Codable, Hashable, Sendable {
        /// The generation to which it applies.
        package var base: Int64
        package var deletedItems, deletedSections: [String]?
        package var movedSections: [SectionMove]?
        package var insertedSections: [SectionPlace]?
        package var movedItems: [ItemMove]?
        package var insertedItems: [ItemRun]?
        package var updatedSections: [Section]?
        package var updatedItems: [Item]?

        package init(base: Int64) { self.base = base }
    }

    /// `type SectionPlace`.
    package struct SectionPlace: Codable, Hashable, Sendable {
        package var section: Section
        package var index: Int
    }

    /// `type SectionMove`.
    package struct SectionMove: Codable, Hashable, Sendable {
        package var id: String
        package var index: Int
    }

    /// `type ItemRun`.
    package struct ItemRun: Codable, Hashable, Sendable {
        package var section: String
        package var index: Int
        package var items: [Item]
    }

    /// `type ItemMove`.
    package struct ItemMove: Codable, Hashable, Sendable {
        package var id, section: String
        package var index: Int
    }
}

extension Wire.Difference {
    /// The difference in compact form: IDs for deleted and moved elements, and one index for neighboring insertions.
    /// O(changes)
    package init(_ difference: SnapshotDifference<Section, Item>, base: Int64, to snapshot: JokeSnapshot) {
        self.init(base: base)
        let patch = SnapshotPatch(difference)
        let sections = snapshot.sectionIdentifiers.map(\.rawValue)
        deletedItems = patch.items.deleted.map(\.description).nonEmpty
        deletedSections = patch.sections.deleted.map(\.rawValue).nonEmpty
        movedSections = patch.sections.moved.map { Wire.SectionMove(id: $0.id.rawValue, index: $0.to) }.nonEmpty
        let places = patch.sections.inserted.map { Wire.SectionPlace(section: $0.element, index: $0.position) }
        insertedSections = places.nonEmpty
        movedItems =
            patch.items.moved
            .map { Wire.ItemMove(id: $0.id.description, section: sections[$0.to.section], index: $0.to.item) }.nonEmpty
        insertedItems = Self.runs(of: difference.items, sections).nonEmpty
        updatedSections = patch.sections.updated.nonEmpty
        updatedItems = patch.items.updated.nonEmpty
    }

    private static func runs(of changes: ElementChanges<ItemIndexPath, Item>, _ sections: [String]) -> [Wire.ItemRun] {
        var rest = changes.inserted.map(\.element)[...]
        return changes.insertedRanges.map { run in
            let start = run.lowerBound
            let items = Array(rest.prefix(run.upperBound.item - start.item))
            rest = rest.dropFirst(items.count)
            return Wire.ItemRun(section: sections[start.section], index: start.item, items: items)
        }
    }

    /// A difference has items of a section that does not exist.
    package struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
        /// The ID of the section.
        package let section: String

        package var description: String { "there is no section \(section)" }
    }
}

extension SnapshotDifference<Section, Item> {
    /// Expands a difference from the wire with the elements of `base`, to which it applies. O(changes), and the cost of
    /// `JokeSnapshot.applying(_:)`.
    ///
    /// - Throws: `Mismatch` if items go to a section that does not exist; `DiffableError` if anything else does not fit, such
    ///   as an ID that `base` lacks or already has, an invalid index, or a deleted section whose items stay.
    package init(_ wire: Wire.Difference, from base: JokeSnapshot) throws {
        let sections = wire.sectionPatch
        let headers = try base.headers(after: sections)
        try self.init(SnapshotPatch(sections: sections, items: wire.itemPatch(among: headers)), from: base)
    }
}

extension JokeSnapshot {
    /// The sections after the changes, without items. Indices on the wire refer to them.
    fileprivate func headers(after changes: ElementPatch<Int, Section>) throws -> JokeSnapshot {
        var headers = JokeSnapshot()
        headers.appendSections(sections)
        return try headers.applying(SnapshotDifference(SnapshotPatch(sections: changes), from: headers))
    }
}

extension Wire.Difference {
    fileprivate var sectionPatch: ElementPatch<Int, Section> {
        ElementPatch(
            deleted: (deletedSections ?? []).map(Section.ID.init(rawValue:)),
            inserted: (insertedSections ?? []).map { .init(position: $0.index, element: $0.section) },
            moved: (movedSections ?? []).map { .init(id: Section.ID(rawValue: $0.id), to: $0.index) },
            updated: updatedSections ?? [])
    }

    fileprivate func itemPatch(among headers: JokeSnapshot) throws -> ElementPatch<ItemIndexPath, Item> {
        ElementPatch(
            deleted: (deletedItems ?? []).map(Item.ID.init),
            inserted: try (insertedItems ?? []).flatMap { run in
                let section = try index(ofSection: run.section, in: headers)
                return run.items.enumerated().map { offset, item in
                    // An overflow does no harm: the run is refused because of its first index.
                    let path = ItemIndexPath(section: section, item: run.index &+ offset)
                    return ElementChanges.Placement(position: path, element: item)
                }
            },
            moved: try (movedItems ?? []).map { move in
                let section = try index(ofSection: move.section, in: headers)
                return ElementPatch.Move(
                    id: Item.ID(move.id), to: ItemIndexPath(section: section, item: move.index))
            },
            updated: updatedItems ?? [])
    }

    private func index(ofSection text: String, in headers: JokeSnapshot) throws -> Int {
        guard let index = headers.indexOfSection(Section.ID(rawValue: text)) else { throw Mismatch(section: text) }
        return index
    }
}

extension Array {
    /// Nil for an empty array, which is left out of messages.
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
