/// What a receiver that has the old snapshot must be told about its sections, or its items, to make the new one.
///
/// Positions are those after, as in `SnapshotDifference`. The order of the lists has no meaning.
public struct ElementPatch<
    Position: Comparable & Hashable & Sendable,
    Element: Identifiable & Equatable & Sendable
>: Equatable, Sendable where Element.ID: Sendable {
    /// Where an element goes that the receiver has.
    public struct Move: Equatable, Sendable {
        /// The identifier of what moved.
        public var id: Element.ID
        /// Where it is after.
        public var to: Position

        /// The move of `id`.
        public init(id: Element.ID, to: Position) {
            self.id = id
            self.to = to
        }
    }

    /// What is gone.
    public var deleted: [Element.ID]
    /// What is new, and where it is.
    public var inserted: [ElementChanges<Position, Element>.Placement]
    /// What moved, and where it is now.
    public var moved: [Move]
    /// The new content of what stayed or moved.
    public var updated: [Element]

    /// These changes.
    public init(
        deleted: [Element.ID] = [], inserted: [ElementChanges<Position, Element>.Placement] = [], moved: [Move] = [],
        updated: [Element] = []
    ) {
        self.deleted = deleted
        self.inserted = inserted
        self.moved = moved
        self.updated = updated
    }

    init(_ changes: ElementChanges<Position, Element>) {
        self.init(
            deleted: changes.deleted.map(\.element.id), inserted: changes.inserted,
            moved: changes.moved.map { Move(id: $0.id, to: $0.to) }, updated: changes.updated.map(\.after))
    }
}

/// A difference without what a receiver that has the old snapshot knows: what to send over a wire.
///
/// Deletions are identifiers alone; moves are an identifier and where it goes; only what is new or changed carries content.
/// The sender makes one from a difference, the receiver makes the difference again from the patch and its own snapshot.
public struct SnapshotPatch<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Equatable, Sendable where Section.ID: Sendable, Item.ID: Sendable {
    /// What happened to the sections.
    public var sections: ElementPatch<Int, Section>
    /// What happened to the items.
    public var items: ElementPatch<ItemIndexPath, Item>
    /// What is marked on the new snapshot.
    public var marks: SnapshotMarks<Section.ID, Item.ID>

    /// The patch that says this.
    public init(
        sections: ElementPatch<Int, Section> = .init(), items: ElementPatch<ItemIndexPath, Item> = .init(),
        marks: SnapshotMarks<Section.ID, Item.ID> = .init()
    ) {
        self.sections = sections
        self.items = items
        self.marks = marks
    }

    /// What of `difference` must be told. O(changes).
    public init(_ difference: SnapshotDifference<Section, Item>) {
        self.init(
            sections: ElementPatch(difference.sections), items: ElementPatch(difference.items), marks: difference.marks)
    }
}

extension SnapshotDifference {
    /// The difference that `patch` stands for, what it leaves out looked up in `base`. It applies to `base`.
    ///
    /// Costs what `applying(_:)` does, which finds whether the patch makes sense, and up to five hashes a change.
    ///
    /// - Throws: `DiffableError` with `unknownSection` or `unknownItem` where the patch deletes, moves or updates what `base`
    ///   does not have, `conflictingChanges` where it updates twice or what it deletes, and what `applying(_:)` throws.
    public init(
        _ patch: SnapshotPatch<Section, Item>, from base: DiffableSnapshot<Section, Item>
    ) throws(DiffableError) {
        let sections = try located(patch.sections, orThrow: .unknownSection) { id in
            base.sectionPlacement(of: id)
        }
        let items = try located(patch.items, orThrow: .unknownItem) { id in base.itemPlacement(of: id) }
        let arranging = SnapshotDifference(
            sections: sections, items: items, marks: patch.marks, previousMarks: base.marks)
        let result = try base.applying(arranging)
        self.init(
            sections: try adding(patch.sections.updated, to: sections, orThrow: .unknownSection) { id in
                (base.sectionPlacement(of: id), result.indexOfSection(id))
            },
            items: try adding(patch.items.updated, to: items, orThrow: .unknownItem) { id in
                (base.itemPlacement(of: id), result.indexPath(for: id))
            },
            marks: patch.marks, previousMarks: base.marks)
    }
}

extension DiffableSnapshot {
    fileprivate func sectionPlacement(of id: Section.ID) -> ElementChanges<Int, Section>.Placement? {
        guard let position = indexOfSection(id), let element = section(for: id) else { return nil }
        return .init(position: position, element: element)
    }

    fileprivate func itemPlacement(of id: Item.ID) -> ElementChanges<ItemIndexPath, Item>.Placement? {
        guard let position = indexPath(for: id), let element = item(for: id) else { return nil }
        return .init(position: position, element: element)
    }
}

private let operation: StaticString = "SnapshotPatch"

/// The changes of the patch but for its updates, with the positions before.
private func located<Position, Element>(
    _ patch: ElementPatch<Position, Element>, orThrow unknown: DiffableError.Code,
    placement: (Element.ID) -> ElementChanges<Position, Element>.Placement?
) throws(DiffableError) -> ElementChanges<Position, Element> {
    func known(_ id: Element.ID) throws(DiffableError) -> ElementChanges<Position, Element>.Placement {
        guard let placement = placement(id) else { throw DiffableError(unknown, id, in: operation) }
        return placement
    }
    return ElementChanges(
        deleted: try patch.deleted.map { id throws(DiffableError) in try known(id) },
        inserted: patch.inserted,
        moved: try patch.moved.map { move throws(DiffableError) in
            .init(id: move.id, from: try known(move.id).position, to: move.to)
        })
}

/// The changes with updates, their positions looked up before and after.
private func adding<Position, Element>(
    _ updated: [Element], to changes: ElementChanges<Position, Element>, orThrow unknown: DiffableError.Code,
    places: (Element.ID) -> (ElementChanges<Position, Element>.Placement?, Position?)
) throws(DiffableError) -> ElementChanges<Position, Element> {
    var seen: Set<Element.ID> = []
    let updates = try updated.map { element throws(DiffableError) in
        let id = element.id
        let (before, after) = places(id)
        guard let before else { throw DiffableError(unknown, id, in: operation) }
        guard let after, seen.insert(id).inserted else {
            throw DiffableError(.conflictingChanges, id, in: operation)
        }
        return ElementChanges<Position, Element>.Update(
            from: before.position, to: after, before: before.element, after: element)
    }
    return ElementChanges(
        deleted: changes.deleted, inserted: changes.inserted, moved: changes.moved, updated: updates)
}

extension ElementPatch.Move: Encodable where Position: Encodable, Element.ID: Encodable {}
extension ElementPatch.Move: Decodable where Position: Decodable, Element.ID: Decodable {}
extension ElementPatch: Encodable where Position: Encodable, Element: Encodable, Element.ID: Encodable {}
extension ElementPatch: Decodable where Position: Decodable, Element: Decodable, Element.ID: Decodable {}

extension SnapshotPatch: Encodable
where Section: Encodable, Section.ID: Encodable, Item: Encodable, Item.ID: Encodable {}

extension SnapshotPatch: Decodable
where Section: Decodable, Section.ID: Decodable, Item: Decodable, Item.ID: Decodable {}
