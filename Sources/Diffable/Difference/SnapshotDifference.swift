/// What turns one snapshot into another, and, inverted, back.
///
/// The difference from `old` to `new` satisfies `try old.applying(difference) == new`, order, content and marks included. It
/// says everything: an item that is gone is a deletion also where its whole section is gone, an item that is new is an
/// insertion also where its section is new, and an item that changed its section is a move. Only what it must say is there:
/// moves are as few as can be, and a section that moves takes its items along without a word.
///
/// ## Positions
///
/// Two coordinate systems, and no third one in between: *before* counts in the old snapshot as it was, *after* counts in the
/// new snapshot as it will be. Sections are counted from 0; an item has its section's index and its own index within the
/// section, from 0 (`ItemIndexPath`).
///
/// | change | position |
/// |---|---|
/// | deleted | before |
/// | inserted | after |
/// | moved, updated | `from` before, `to` after |
///
/// ## Applying
///
/// Any program that does these steps gets the new snapshot from the old one:
///
/// 1. Take the deleted sections and the moved sections out of the old list. The others keep their order.
/// 2. Put every inserted and every moved section at its position after; the others fill the free places in their order.
/// 3. From the items of every old section take out the deleted and the moved ones. The others keep their order. A deleted
///    section is now empty.
/// 4. In every section of the new list put each inserted and each moved item at its position after; the items that the
///    section kept fill the free places in their order. An inserted section kept none.
/// 5. Give updated sections and items their new content. An update goes with any move of the same identifier.
/// 6. Replace the marks.
///
/// Filling places in ascending order of position does steps 2 and 4 in one pass: where the next change is at the current
/// index, take it, else take the next of those that stayed.
///
/// ## The other way round
///
/// `inverse` undoes: `try new.applying(difference.inverse) == old`. The difference from `new` to `old` has the same
/// deletions, insertions and updates as that, and as many moves, but where there is a choice it may move others: of two
/// items that changed places either can be the one that moved, and nothing but chance names it.
public struct SnapshotDifference<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: Equatable, Sendable where Section.ID: Sendable, Item.ID: Sendable {
    /// What happened to the sections.
    public let sections: ElementChanges<Int, Section>
    /// What happened to the items.
    public let items: ElementChanges<ItemIndexPath, Item>
    /// What is marked on the new snapshot.
    public let marks: SnapshotMarks<Section.ID, Item.ID>
    /// What was marked on the old snapshot. Not compared when the difference is applied; it serves `inverse`.
    public let previousMarks: SnapshotMarks<Section.ID, Item.ID>

    /// The difference that says this. Whether it makes sense is decided by `DiffableSnapshot.applying(_:)`.
    ///
    /// To make one from what travels on a wire, identifiers without content and positions, see `SnapshotPatch`.
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

    /// Whether both snapshots are equal. O(marks).
    @inlinable
    public var isEmpty: Bool { sections.isEmpty && items.isEmpty && marks == previousMarks }

    /// How many changes there are, marks not counted.
    @inlinable
    public var count: Int { sections.count + items.count }

    /// The difference back. O(count log count); nothing is hashed or compared.
    @inlinable
    public var inverse: SnapshotDifference {
        SnapshotDifference(
            sections: sections.inverse, items: items.inverse, marks: previousMarks, previousMarks: marks)
    }
}

extension SnapshotDifference: Encodable
where Section: Encodable, Section.ID: Encodable, Item: Encodable, Item.ID: Encodable {}

extension SnapshotDifference: Decodable
where Section: Decodable, Section.ID: Decodable, Item: Decodable, Item.ID: Decodable {}
