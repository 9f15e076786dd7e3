/// One operation on the rows of a list view, such as those of GTK, Qt, a web page or a terminal.
///
/// Each index is valid at the moment when the step is performed: after all earlier steps. A moved row is removed from
/// `from`, and then inserted at `to`.
public enum ListStep<Section: Identifiable & Equatable, Item: Identifiable & Equatable> {
    /// Deletes adjacent items of a section.
    case deleteItems(Range<Int>, section: Int)
    /// Inserts a section without items.
    case insertSection(Section, at: Int)
    /// Moves an item, within its section or to another.
    case moveItem(from: ItemIndexPath, to: ItemIndexPath)
    /// Deletes a section, which has no items.
    case deleteSection(Int)
    /// Moves a section with its items.
    case moveSection(from: Int, to: Int)
    /// Inserts adjacent items.
    case insertItems([Item], at: ItemIndexPath)
    /// Replaces the content of a section.
    case updateSection(Section, at: Int)
    /// Replaces the content of an item.
    case updateItem(Item, at: ItemIndexPath)
}

extension ListStep: Equatable {}
extension ListStep: Sendable where Section: Sendable, Item: Sendable {}

extension SnapshotDifference {
    /// The changes as steps, to be performed one after another. O(k log k) for `k` changes, at each access
    ///
    /// A step of a computed difference changes something: no element moves to its own place. Marks are no steps: reload the
    /// elements in ``marks`` after the last step.
    public var steps: [ListStep<Section, Item>] { stages(moving: true).flatMap(\.self) }

    /// The changes in up to eight batches, for views that cannot mix kinds of changes in one batch. All steps of a batch
    /// are of one kind. Indices of deletions, and `from`, are valid before the batch, all other indices after the batch.
    /// O(k log k) for `k` changes
    public var stages: [[ListStep<Section, Item>]] { stages(moving: false).filter { !$0.isEmpty } }

    private func stages(moving: Bool) -> [[ListStep<Section, Item>]] {
        var plan = Plan(self)
        return plan.stages(moving: moving)
    }

    /// The place of each section and each item of the old snapshot in the new one. O(k log k) for `k` changes, at each access
    public var indexMap: IndexMap { IndexMap(self) }
}

/// The order of the steps of a difference: items leave deleted sections before these are deleted, and sections are
/// inserted before items move there.
private struct Plan<Section: Identifiable & Equatable, Item: Identifiable & Equatable>
where Section.ID: Sendable, Item.ID: Sendable {
    private typealias Step = ListStep<Section, Item>

    private let sections: ElementChanges<Int, Section>
    private let items: ElementChanges<ItemIndexPath, Item>
    /// The slots of deleted and moved sections, and of inserted and moved ones.
    private var sectionSlots: RowSlots
    /// By index of a section, the number of its slot.
    private let oldNumbers: [Int: Int]
    private let newNumbers: [Int: Int]

    init(_ difference: SnapshotDifference<Section, Item>) {
        sections = difference.sections
        items = difference.items
        let old = sections.deleted.map(\.position) + sections.moved.map(\.from)
        let new = sections.inserted.map(\.position) + sections.moved.map(\.to)
        // The sections are the rows of one list.
        sectionSlots = RowSlots(
            old: old.map { ItemIndexPath(section: 0, item: $0) }, new: new.map { ItemIndexPath(section: 0, item: $0) })
        oldNumbers = Dictionary(zip(old, 0...), uniquingKeysWith: { first, _ in first })
        newNumbers = Dictionary(zip(new, 0...), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the steps by kind. If `moving` is true, the indices of moves are valid one after another, otherwise before
    /// and after all moves.
    mutating func stages(moving: Bool) -> [[ListStep<Section, Item>]] {
        let deletions = ranges(of: items.deleted.map(\.position)).reversed().map { range in
            Step.deleteItems(range.lowerBound.item..<range.upperBound.item, section: range.lowerBound.section)
        }
        let insertedSections = insertSections()
        let itemMoves = moveItems(moving)
        let deletedSections = deleteSections()
        let sectionMoves = moveSections(moving)
        var rest = items.inserted.map(\.element)[...]
        let insertions = ranges(of: items.inserted.map(\.position)).map { range in
            let count = range.upperBound.item - range.lowerBound.item
            defer { rest = rest.dropFirst(count) }
            return Step.insertItems(Array(rest.prefix(count)), at: range.lowerBound)
        }
        return [
            deletions, insertedSections, itemMoves, deletedSections, sectionMoves, insertions,
            sections.updated.map { .updateSection($0.after, at: $0.to) },
            items.updated.map { .updateItem($0.after, at: $0.to) },
        ]
    }

    private mutating func insertSections() -> [Step] {
        sections.inserted.indices.map { number in
            sectionSlots.fill(number)
            return .insertSection(sections.inserted[number].element, at: sectionSlots.index(ofNew: number).item)
        }
    }

    private mutating func deleteSections() -> [Step] {
        sections.deleted.indices.reversed().map { number in
            let index = sectionSlots.index(ofOld: number).item
            sectionSlots.empty(number)
            return .deleteSection(index)
        }
    }

    private mutating func moveSections(_ moving: Bool) -> [Step] {
        moves(&sectionSlots, old: sections.deleted.count, new: sections.inserted.count, sections.moved.count, moving)
            .map { .moveSection(from: $0.from.item, to: $0.to.item) }
    }

    /// Returns the current index of an old section. Deleted sections are still there, and sections have not moved.
    private func currentSection(old section: Int) -> Int {
        let path = oldNumbers[section].map(sectionSlots.index(ofOld:))
        return (path ?? sectionSlots.current(ofOld: ItemIndexPath(section: 0, item: section))).item
    }

    /// Returns the current index of a new section.
    private func currentSection(new section: Int) -> Int {
        guard let number = newNumbers[section] else {
            return sectionSlots.current(ofNew: ItemIndexPath(section: 0, item: section)).item
        }
        let move = number - sections.inserted.count
        return (move < 0 ? sectionSlots.index(ofNew: number) : sectionSlots.index(ofOld: sections.deleted.count + move))
            .item
    }

    /// Returns the moves of items. Deleted sections are still there, and sections have not moved.
    private func moveItems(_ moving: Bool) -> [Step] {
        let deleted = PlacedRows(items.deleted.map(\.position))
        let inserted = PlacedRows(items.inserted.map(\.position))
        var slots = RowSlots(
            old: items.moved.map { move in
                ItemIndexPath(
                    section: currentSection(old: move.from.section),
                    item: move.from.item &- deleted.count(before: move.from))
            },
            new: items.moved.map { move in
                ItemIndexPath(
                    section: currentSection(new: move.to.section),
                    item: move.to.item &- inserted.count(before: move.to))
            })
        return moves(&slots, old: 0, new: 0, items.moved.count, moving).map { .moveItem(from: $0.from, to: $0.to) }
    }

    /// Returns the indices of moves, which begin at the slots `old` and `new`.
    private func moves(
        _ slots: inout RowSlots, old: Int, new: Int, _ count: Int, _ moving: Bool
    ) -> [(from: ItemIndexPath, to: ItemIndexPath)] {
        if moving {
            return (0..<count).map { number in
                let from = slots.index(ofOld: old + number)
                slots.empty(old + number)
                slots.fill(new + number)
                return (from, slots.index(ofNew: new + number))
            }
        }
        let origins = (0..<count).map { slots.index(ofOld: old + $0) }
        for number in 0..<count {
            slots.empty(old + number)
            slots.fill(new + number)
        }
        return zip(origins, (0..<count).map { slots.index(ofNew: new + $0) }).map { ($0, $1) }
    }
}
