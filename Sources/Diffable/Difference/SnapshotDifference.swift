/// The changes from one snapshot to another.
///
/// The difference from `old` to `new` satisfies `try old.applying(difference) == new`, with order, content and marks,
/// except the marks of inserted elements: these are shown for the first time.
/// A difference is complete: each item of a deleted section has a deletion, and each item of an inserted section an
/// insertion, if the item does not move. An item that changes its section has a move. A computed difference is also
/// minimal: it has as few moves as possible. A move of a section causes no moves of its items.
///
/// ## Positions
///
/// A position refers to the old snapshot or to the new one, never to a state in between. The position of a section is
/// its index. The position of an item is an `ItemIndexPath`.
///
/// | change | position |
/// |---|---|
/// | deleted | in the old snapshot |
/// | inserted | in the new snapshot |
/// | moved, updated | `from` in the old snapshot, `to` in the new one |
///
/// ## Applying
///
/// These steps produce the new snapshot from the old one:
///
/// 1. Remove the deleted and the moved sections from the old list. The other sections keep their order.
/// 2. Put every inserted and every moved section at its new position. The other sections fill the remaining positions
///    in order.
/// 3. Remove the deleted and the moved items from every old section. The other items keep their order. A deleted
///    section is now empty.
/// 4. In every section of the new list, put each inserted and each moved item at its new position. The items that
///    stayed in the section fill the remaining positions in order.
/// 5. Replace the content of updated sections and items. An identifier may be both moved and updated.
/// 6. Replace the marks.
///
/// ``steps`` has the same changes with indices for a view that performs them one after another.
///
/// Steps 2 and 4 need one pass: at each index, append the inserted or moved element with this position, or otherwise
/// the next element that stayed.
///
/// ## Inverse
///
/// `inverse` satisfies `try new.applying(difference.inverse) == old`. The difference from `new` to `old` has the same
/// deletions, insertions and updates as the inverse, and as many moves. Other items may move: if two items swap their
/// positions, either item can be the one that moves.
public struct SnapshotDifference<
    Section: Identifiable & Equatable,
    Item: Identifiable & Equatable
>: Equatable where Section.ID: Sendable, Item.ID: Sendable {
    /// The changes of sections.
    public let sections: ElementChanges<Int, Section>
    /// The changes of items.
    public let items: ElementChanges<ItemIndexPath, Item>
    /// The marks of the new snapshot.
    public let marks: SnapshotMarks<Section.ID, Item.ID>
    /// The marks of the old snapshot without those of deleted elements, for `inverse`. These marks are not checked when the difference is applied.
    public let previousMarks: SnapshotMarks<Section.ID, Item.ID>

    /// Creates a difference from changes, which are checked by `DiffableSnapshot.applying(_:)`.
    ///
    /// `SnapshotPatch` is the compact form for sending.
    @inlinable
    public init(
        sections: ElementChanges<Int, Section> = .init(),
        items: ElementChanges<ItemIndexPath, Item> = .init(),
        marks: SnapshotMarks<Section.ID, Item.ID> = .init(),
        previousMarks: SnapshotMarks<Section.ID, Item.ID> = .init()
    ) {
        self.sections = sections
        self.items = items
        self.marks = marks
        self.previousMarks = previousMarks
    }

    /// True if both snapshots are equal. O(marks)
    @inlinable public var isEmpty: Bool { sections.isEmpty && items.isEmpty && marks == previousMarks }

    /// The number of changes, without marks.
    @inlinable public var count: Int { sections.count + items.count }

    /// The difference from the new snapshot to the old one. O(count log count), without hashing or comparing elements.
    @inlinable
    public var inverse: SnapshotDifference {
        SnapshotDifference(
            sections: sections.inverse, items: items.inverse, marks: previousMarks, previousMarks: marks)
    }
}

extension SnapshotDifference: Sendable where Section: Sendable, Item: Sendable {}

extension SnapshotDifference: Encodable
where Section: Encodable, Section.ID: Encodable, Item: Encodable, Item.ID: Encodable {}

extension SnapshotDifference: Decodable
where Section: Decodable, Section.ID: Decodable, Item: Decodable, Item.ID: Decodable {}
