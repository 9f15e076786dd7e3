/// The changes of sections or items for a receiver that has the old snapshot.
///
/// Positions are in the new snapshot. The lists may be in any order.
public struct ElementPatch<
    Position: Comparable & Hashable & Sendable,
    Element: Identifiable & Equatable
>: Equatable where Element.ID: Sendable {
    /// A move of an element that the receiver has.
    public struct Move: Equatable, Sendable {
        /// The identifier of the element.
        public var id: Element.ID
        /// The position in the new snapshot.
        public var to: Position

        /// Creates a move.
        public init(id: Element.ID, to: Position) {
            self.id = id
            self.to = to
        }
    }

    /// The identifiers of deleted elements.
    public var deleted: [Element.ID]
    /// The inserted elements with their positions.
    public var inserted: [ElementChanges<Position, Element>.Placement]
    /// The moves.
    public var moved: [Move]
    /// The new content of elements that stayed or moved.
    public var updated: [Element]

    /// Creates the changes.
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

/// A compact difference for a receiver that has the old snapshot.
///
/// A deletion is an identifier, and a move is an identifier and a position. Only inserted and updated elements have content.
/// The sender makes a patch from a difference. The receiver makes the difference from the patch and its own snapshot.
public struct SnapshotPatch<
    Section: Identifiable & Equatable,
    Item: Identifiable & Equatable
>: Equatable where Section.ID: Sendable, Item.ID: Sendable {
    /// The changes of sections.
    public var sections: ElementPatch<Int, Section>
    /// The changes of items.
    public var items: ElementPatch<ItemIndexPath, Item>
    /// The marks of the new snapshot.
    public var marks: SnapshotMarks<Section.ID, Item.ID>

    /// Creates a patch.
    public init(
        sections: ElementPatch<Int, Section> = .init(), items: ElementPatch<ItemIndexPath, Item> = .init(),
        marks: SnapshotMarks<Section.ID, Item.ID> = .init()
    ) {
        self.sections = sections
        self.items = items
        self.marks = marks
    }

    /// Creates the patch of a difference. O(changes)
    public init(_ difference: SnapshotDifference<Section, Item>) {
        self.init(
            sections: ElementPatch(difference.sections), items: ElementPatch(difference.items), marks: difference.marks)
    }
}

extension SnapshotDifference {
    /// Creates the difference of a patch, with the missing content and positions from `base`.
    ///
    /// Costs as much as `applying(_:)`, which checks the changes, and up to five hashes for each change.
    ///
    /// - Throws: `DiffableError` with `unknownSection` or `unknownItem` if the patch deletes, moves or updates an
    ///   element that `base` does not have; `conflictingChanges` if it updates an element twice, or also deletes the
    ///   element; the errors of `applying(_:)`.
    public init(
        _ patch: SnapshotPatch<Section, Item>, from base: DiffableSnapshot<Section, Item>
    ) throws(DiffableError) {
        let sections = try located(patch.sections, base.placement(ofSection:))
        let items = try located(patch.items, base.placement(ofItem:))
        let arranging = SnapshotDifference(
            sections: sections, items: items, marks: patch.marks, previousMarks: base.marks)
        let result = try base.applying(arranging)
        self.init(
            sections: try adding(
                patch.sections.updated, to: sections, before: base.placement(ofSection:), after: result.indexOfSection),
            items: try adding(
                patch.items.updated, to: items, before: base.placement(ofItem:), after: result.indexPath(for:)),
            marks: patch.marks, previousMarks: base.marks(remainingFrom: result))
    }
}

/// The `operation` of errors of the patch itself.
private let patchOperation: StaticString = "SnapshotPatch"

extension DiffableSnapshot {
    /// Returns a section with its index.
    fileprivate func placement(
        ofSection id: Section.ID
    ) throws(DiffableError) -> ElementChanges<Int, Section>.Placement {
        let index = try indexOfSection(id, in: patchOperation)
        return .init(position: index, element: sections[index])
    }

    /// Returns an item with its index path.
    fileprivate func placement(
        ofItem id: Item.ID
    ) throws(DiffableError) -> ElementChanges<ItemIndexPath, Item>.Placement {
        let position = try position(of: id, in: patchOperation)
        return .init(position: arrangement.indexPath(atPosition: position), element: item(atPosition: position))
    }
}

/// Returns the changes of the patch except its updates, with their positions in the old snapshot.
private func located<Position, Element>(
    _ patch: ElementPatch<Position, Element>,
    _ placement: (Element.ID) throws(DiffableError) -> ElementChanges<Position, Element>.Placement
) throws(DiffableError) -> ElementChanges<Position, Element> {
    ElementChanges(
        deleted: try patch.deleted.map(placement),
        inserted: patch.inserted,
        moved: try patch.moved.map { move throws(DiffableError) in
            .init(id: move.id, from: try placement(move.id).position, to: move.to)
        })
}

/// Returns the changes with updates added. `before` returns the old placement of an element, and `after` the new
/// position.
private func adding<Position, Element>(
    _ updated: [Element], to changes: ElementChanges<Position, Element>,
    before: (Element.ID) throws(DiffableError) -> ElementChanges<Position, Element>.Placement,
    after: (Element.ID) -> Position?
) throws(DiffableError) -> ElementChanges<Position, Element> {
    var seen: Set<Element.ID> = []
    let updates = try updated.map { element throws(DiffableError) in
        let id = element.id
        let old = try before(id)
        guard let new = after(id), seen.insert(id).inserted else {
            throw DiffableError(.conflictingChanges, id, in: patchOperation)
        }
        return ElementChanges<Position, Element>.Update(
            from: old.position, to: new, before: old.element, after: element)
    }
    return ElementChanges(
        deleted: changes.deleted, inserted: changes.inserted, moved: changes.moved, updated: updates)
}

extension ElementPatch: Sendable where Element: Sendable {}
extension SnapshotPatch: Sendable where Section: Sendable, Item: Sendable {}

extension ElementPatch.Move: Encodable where Position: Encodable, Element.ID: Encodable {}
extension ElementPatch.Move: Decodable where Position: Decodable, Element.ID: Decodable {}
extension ElementPatch: Encodable where Position: Encodable, Element: Encodable, Element.ID: Encodable {}
extension ElementPatch: Decodable where Position: Decodable, Element: Decodable, Element.ID: Decodable {}

extension SnapshotPatch: Encodable
where Section: Encodable, Section.ID: Encodable, Item: Encodable, Item.ID: Encodable {}

extension SnapshotPatch: Decodable
where Section: Decodable, Section.ID: Decodable, Item: Decodable, Item.ID: Decodable {}
