/// The changes of the sections, or of the items, between two snapshots.
///
/// `Position` is `Int` for sections and `ItemIndexPath` for items. The lists are in the order of positions: deletions
/// by the position in the old snapshot, the other changes by the position in the new snapshot. An identifier is in one
/// list only, except that an element may be both moved and updated. `SnapshotDifference` describes the positions, and
/// how the lists are applied.
public struct ElementChanges<
    Position: Comparable & Hashable & Sendable,
    Element: Identifiable & Equatable
>: Equatable where Element.ID: Sendable {
    /// A deleted or inserted element with its position.
    public struct Placement: Equatable {
        /// The position in the old snapshot for a deletion, in the new snapshot for an insertion.
        public var position: Position
        /// The element. For a deletion, `inverse` inserts this element.
        public var element: Element

        /// Creates a placement.
        @inlinable
        public init(position: Position, element: Element) {
            self.position = position
            self.element = element
        }
    }

    /// A move of an element relative to the elements that keep their order.
    public struct Move: Equatable, Sendable {
        /// The identifier of the element.
        public var id: Element.ID
        /// The position in the old snapshot.
        public var from: Position
        /// The position in the new snapshot.
        public var to: Position

        /// Creates a move.
        @inlinable
        public init(id: Element.ID, from: Position, to: Position) {
            self.id = id
            self.from = from
            self.to = to
        }
    }

    /// A change of the content of an element that stayed or moved.
    public struct Update: Equatable {
        /// The position in the old snapshot.
        public var from: Position
        /// The position in the new snapshot.
        public var to: Position
        /// The content in the old snapshot.
        public var before: Element
        /// The content in the new snapshot.
        public var after: Element

        /// Creates an update. Both contents must have the same identifier.
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

    /// The deleted elements, by ascending position in the old snapshot.
    public let deleted: [Placement]
    /// The inserted elements, by ascending position in the new snapshot.
    public let inserted: [Placement]
    /// The moves, by ascending position in the new snapshot. A computed difference has as few moves as possible.
    public let moved: [Move]
    /// The updates, by ascending position in the new snapshot.
    public let updated: [Update]

    /// Creates changes, which may be in any order. `DiffableSnapshot.applying(_:)` checks them. O(count log count), or
    /// O(count) if the lists are in order
    @inlinable
    public init(deleted: [Placement] = [], inserted: [Placement] = [], moved: [Move] = [], updated: [Update] = []) {
        self.deleted = deleted.sorted { $0.position < $1.position }
        self.inserted = inserted.sorted { $0.position < $1.position }
        self.moved = moved.sorted { $0.to < $1.to }
        self.updated = updated.sorted { $0.to < $1.to }
    }

    /// Creates changes from lists that are already in order.
    @inlinable
    init(sortedDeleted: [Placement], inserted: [Placement], moved: [Move], updated: [Update]) {
        deleted = sortedDeleted
        self.inserted = inserted
        self.moved = moved
        self.updated = updated
    }

    /// True if there are no changes.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The number of changes.
    @inlinable public var count: Int { deleted.count + inserted.count + moved.count + updated.count }

    /// The changes from the new snapshot to the old one. O(count log count)
    @inlinable
    public var inverse: ElementChanges {
        ElementChanges(
            deleted: inserted,
            inserted: deleted,
            moved: moved.map { Move(id: $0.id, from: $0.to, to: $0.from) },
            updated: updated.map { Update(from: $0.to, to: $0.from, before: $0.after, after: $0.before) })
    }
}

extension ElementChanges.Placement: Encodable where Position: Encodable, Element: Encodable {}
extension ElementChanges.Placement: Decodable where Position: Decodable, Element: Decodable {}
extension ElementChanges.Move: Encodable where Position: Encodable, Element.ID: Encodable {}
extension ElementChanges.Move: Decodable where Position: Decodable, Element.ID: Decodable {}
extension ElementChanges.Update: Encodable where Position: Encodable, Element: Encodable {}
extension ElementChanges.Update: Decodable where Position: Decodable, Element: Decodable {}

extension ElementChanges: Encodable where Position: Encodable, Element: Encodable, Element.ID: Encodable {}

extension ElementChanges: Decodable where Position: Decodable, Element: Decodable, Element.ID: Decodable {
    /// Reads the four lists, each in any order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            deleted: try container.decode([Placement].self, forKey: .deleted),
            inserted: try container.decode([Placement].self, forKey: .inserted),
            moved: try container.decode([Move].self, forKey: .moved),
            updated: try container.decode([Update].self, forKey: .updated))
    }
}

extension ElementChanges.Placement: Sendable where Element: Sendable {}
extension ElementChanges.Update: Sendable where Element: Sendable {}
extension ElementChanges: Sendable where Element: Sendable {}

extension ElementChanges where Position == ItemIndexPath {
    /// The positions of adjacent insertions in a section as ranges, of which only the `item` of the bounds differs.
    /// O(changes)
    package var insertedRanges: [Range<ItemIndexPath>] { ranges(of: inserted.map(\.position)) }
}

/// Returns adjacent positions in a section as ranges.
func ranges(of positions: [ItemIndexPath]) -> [Range<ItemIndexPath>] {
    var ranges: [Range<ItemIndexPath>] = []
    for position in positions {
        var start = position
        if let last = ranges.last, last.upperBound == position {
            ranges.removeLast()
            start = last.lowerBound
        }
        // `Int.max` has no next position, but only a malformed difference has this position.
        let end = position.item == .max ? .max : position.item + 1
        ranges.append(start..<ItemIndexPath(section: position.section, item: end))
    }
    return ranges
}
