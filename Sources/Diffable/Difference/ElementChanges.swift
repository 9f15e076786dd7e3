/// What happened to the sections, or to the items, between two snapshots.
///
/// `Position` is `Int` for sections and `ItemIndexPath` for items. The lists are kept in the order of positions: deletions
/// by the position before, the others by the position after. No identifier is in more than one of them, but that an element
/// may be both moved and updated. `SnapshotDifference` says what the positions count and how the lists are applied.
public struct ElementChanges<
    Position: Comparable & Hashable & Sendable,
    Element: Identifiable & Equatable & Sendable
>: Equatable, Sendable where Element.ID: Sendable {
    /// A deleted or inserted element with its position.
    public struct Placement: Equatable, Sendable {
        /// Before, for a deletion; after, for an insertion.
        public var position: Position
        /// The element, whole: so that a deletion can be undone.
        public var element: Element

        /// `element` at `position`.
        @inlinable
        public init(position: Position, element: Element) {
            self.position = position
            self.element = element
        }
    }

    /// An element that is out of the order its neighbours kept.
    public struct Move: Equatable, Sendable {
        /// The identifier of what moved.
        public var id: Element.ID
        /// Where it was before.
        public var from: Position
        /// Where it is after.
        public var to: Position

        /// The move of `id`.
        @inlinable
        public init(id: Element.ID, from: Position, to: Position) {
            self.id = id
            self.from = from
            self.to = to
        }
    }

    /// An element whose identifier stayed and whose content changed.
    public struct Update: Equatable, Sendable {
        /// Where it was before.
        public var from: Position
        /// Where it is after.
        public var to: Position
        /// Its content before.
        public var before: Element
        /// Its content after.
        public var after: Element

        /// The update of `before` to `after`, which have the same identifier.
        @inlinable
        public init(from: Position, to: Position, before: Element, after: Element) {
            self.from = from
            self.to = to
            self.before = before
            self.after = after
        }
    }

    private enum CodingKeys: CodingKey {
        case deleted, inserted, moved, updated
    }

    /// The deleted elements in the order of their positions before.
    public let deleted: [Placement]
    /// The inserted elements in the order of their positions after.
    public let inserted: [Placement]
    /// The moved elements in the order of their positions after. As few as possible.
    public let moved: [Move]
    /// The updated elements in the order of their positions after.
    public let updated: [Update]

    /// Creates changes, which may be in any order. `DiffableSnapshot.applying(_:)` checks them. O(count log count), or
    /// O(count) if they are in order
    @inlinable
    public init(
        deleted: [Placement] = [], inserted: [Placement] = [], moved: [Move] = [], updated: [Update] = []
    ) {
        self.deleted = inOrder(deleted, of: { $0.position })
        self.inserted = inOrder(inserted, of: { $0.position })
        self.moved = inOrder(moved, of: { $0.to })
        self.updated = inOrder(updated, of: { $0.to })
    }

    /// Changes that are in order already.
    @inlinable
    init(sortedDeleted: [Placement], inserted: [Placement], moved: [Move], updated: [Update]) {
        deleted = sortedDeleted
        self.inserted = inserted
        self.moved = moved
        self.updated = updated
    }

    /// Whether nothing happened.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// How many changes there are.
    @inlinable public var count: Int { deleted.count + inserted.count + moved.count + updated.count }

    /// The same changes from the other end. O(count log count).
    @inlinable
    public var inverse: ElementChanges {
        ElementChanges(
            deleted: inserted,
            inserted: deleted,
            moved: moved.map { Move(id: $0.id, from: $0.to, to: $0.from) },
            updated: updated.map { Update(from: $0.to, to: $0.from, before: $0.after, after: $0.before) })
    }
}

@inlinable
func inOrder<Change, Position: Comparable>(
    _ changes: [Change], of position: (Change) -> Position
) -> [Change] {
    let pairs = zip(changes, changes.dropFirst())
    if pairs.allSatisfy({ position($0) <= position($1) }) { return changes }
    return changes.sorted { position($0) < position($1) }
}

extension ElementChanges.Placement: Encodable where Position: Encodable, Element: Encodable {}
extension ElementChanges.Placement: Decodable where Position: Decodable, Element: Decodable {}
extension ElementChanges.Move: Encodable where Position: Encodable, Element.ID: Encodable {}
extension ElementChanges.Move: Decodable where Position: Decodable, Element.ID: Decodable {}
extension ElementChanges.Update: Encodable where Position: Encodable, Element: Encodable {}
extension ElementChanges.Update: Decodable where Position: Decodable, Element: Decodable {}

extension ElementChanges: Encodable where Position: Encodable, Element: Encodable, Element.ID: Encodable {}

extension ElementChanges: Decodable where Position: Decodable, Element: Decodable, Element.ID: Decodable {
    /// Reads the four lists, in any order each.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            deleted: try container.decode([Placement].self, forKey: .deleted),
            inserted: try container.decode([Placement].self, forKey: .inserted),
            moved: try container.decode([Move].self, forKey: .moved),
            updated: try container.decode([Update].self, forKey: .updated))
    }
}
