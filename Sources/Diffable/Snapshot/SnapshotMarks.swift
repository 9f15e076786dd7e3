/// The marks of a snapshot: requests to reload elements although their content is equal.
///
/// Changed content needs no mark: the comparison finds it. Marks are for changes that `==` does not detect, such as an
/// image that was loaded.
public struct SnapshotMarks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
    /// The sections to reload, with their headers.
    public var reloadedSections: [SectionID]
    /// The items to reload.
    public var reloadedItems: [ItemID]
    /// The items with existing rows that are to be updated.
    public var reconfiguredItems: [ItemID]

    /// Creates marks.
    public init(reloadedSections: [SectionID] = [], reloadedItems: [ItemID] = [], reconfiguredItems: [ItemID] = []) {
        self.reloadedSections = reloadedSections
        self.reloadedItems = reloadedItems
        self.reconfiguredItems = reconfiguredItems
    }

    /// True if there are no marks.
    public var isEmpty: Bool {
        reloadedSections.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
    }
}

extension SnapshotMarks: Encodable where SectionID: Encodable, ItemID: Encodable {}
extension SnapshotMarks: Decodable where SectionID: Decodable, ItemID: Decodable {}

/// The marks of a snapshot in no order. An item is in at most one of the two sets of items.
@usableFromInline
struct MarkedIdentifiers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Equatable, Sendable {
    @usableFromInline var reloadedSections: Set<SectionID> = []
    @usableFromInline var reloadedItems: Set<ItemID> = []
    @usableFromInline var reconfiguredItems: Set<ItemID> = []

    @usableFromInline init() {}
}

extension DiffableSnapshot {
    /// Marks items to be reloaded although their content is equal. Replaces a mark to reconfigure. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is marked then.
    public mutating func reloadItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        _ = try positions(of: identifiers, in: "reloadItems")
        mark {
            $0.reloadedItems.formUnion(identifiers)
            $0.reconfiguredItems.subtract(identifiers)
        }
    }

    /// Marks items whose existing rows are to be updated. An item that is marked to be reloaded keeps that
    /// mark. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is marked then.
    public mutating func reconfigureItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        _ = try positions(of: identifiers, in: "reconfigureItems")
        mark { marked in
            marked.reconfiguredItems.formUnion(identifiers.filter { !marked.reloadedItems.contains($0) })
        }
    }

    /// Marks sections to be reloaded although their content is equal. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownSection`. Nothing is marked then.
    public mutating func reloadSections(_ identifiers: [Section.ID]) throws(DiffableError) {
        for identifier in identifiers { _ = try indexOfSection(identifier, in: "reloadSections") }
        mark { $0.reloadedSections.formUnion(identifiers) }
    }

    /// The items that `reloadItems` has marked, in order. O(m log m) for `m` marks
    public var reloadedItemIdentifiers: [Item.ID] { marks.reloadedItems }

    /// The items that `reconfigureItems` has marked, in order. O(m log m) for `m` marks
    public var reconfiguredItemIdentifiers: [Item.ID] { marks.reconfiguredItems }

    /// The sections that `reloadSections` has marked, in order. O(m log m) for `m` marks
    public var reloadedSectionIdentifiers: [Section.ID] { marks.reloadedSections }

    /// All marks, each list in the order of the snapshot. O(m log m) for `m` marks
    public var marks: SnapshotMarks<Section.ID, Item.ID> { marks(remainingFrom: self) }

    /// Returns the marks of the elements that another snapshot has, too.
    @usableFromInline
    func marks(remainingFrom other: DiffableSnapshot) -> SnapshotMarks<Section.ID, Item.ID> {
        guard let marked = marked else { return .init() }
        func inOrder<ID: Hashable>(
            _ identifiers: Set<ID>, _ position: (ID) -> Int?, _ isIncluded: (ID) -> Bool
        ) -> [ID] {
            identifiers.filter(isIncluded).compactMap { id in position(id).map { (position: $0, id: id) } }
                .sorted { $0.position < $1.position }.map(\.id)
        }
        return SnapshotMarks(
            reloadedSections: inOrder(marked.reloadedSections, indexOfSection, other.containsSection),
            reloadedItems: inOrder(marked.reloadedItems, indexOfItem, other.contains),
            reconfiguredItems: inOrder(marked.reconfiguredItems, indexOfItem, other.contains))
    }

    /// Removes the marks of items.
    @usableFromInline
    mutating func unmarkItems(_ identifiers: [Item.ID]) {
        mark {
            $0.reloadedItems.subtract(identifiers)
            $0.reconfiguredItems.subtract(identifiers)
        }
    }

    @usableFromInline
    mutating func mark(_ change: (inout MarkedIdentifiers<Section.ID, Item.ID>) -> Void) {
        // In place, so that a mark does not copy the other marks.
        if marked == nil { marked = MarkedIdentifiers() }
        change(&marked!)
        if marked == MarkedIdentifiers() { marked = nil }
    }

    @usableFromInline mutating func clearMarks() { marked = nil }
}
