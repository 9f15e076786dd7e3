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
    @inlinable
    public init(reloadedSections: [SectionID] = [], reloadedItems: [ItemID] = [], reconfiguredItems: [ItemID] = []) {
        self.reloadedSections = reloadedSections
        self.reloadedItems = reloadedItems
        self.reconfiguredItems = reconfiguredItems
    }

    /// True if there are no marks.
    @inlinable public var isEmpty: Bool {
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

    @inlinable init() {}

    @inlinable var hasItems: Bool { !reloadedItems.isEmpty || !reconfiguredItems.isEmpty }

    /// Removes the marks of items.
    @inlinable
    mutating func unmarkItems(_ identifiers: [ItemID]) {
        reloadedItems.subtract(identifiers)
        reconfiguredItems.subtract(identifiers)
    }
}

extension DiffableSnapshot {
    /// Marks items to be reloaded although their content is equal. Replaces a mark to reconfigure. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is marked then.
    @inlinable
    public mutating func reloadItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        try hashItems(in: "reloadItems")
        _ = try positions(of: identifiers, in: "reloadItems")
        marked.reloadedItems.formUnion(identifiers)
        marked.reconfiguredItems.subtract(identifiers)
    }

    /// Marks items whose existing rows are to be updated. An item that is marked to be reloaded keeps that
    /// mark. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownItem`. Nothing is marked then.
    @inlinable
    public mutating func reconfigureItems(_ identifiers: [Item.ID]) throws(DiffableError) {
        try hashItems(in: "reconfigureItems")
        _ = try positions(of: identifiers, in: "reconfigureItems")
        marked.reconfiguredItems.formUnion(identifiers.filter { !marked.reloadedItems.contains($0) })
    }

    /// Marks sections to be reloaded although their content is equal. O(identifiers)
    ///
    /// - Throws: `DiffableError` with `unknownSection`. Nothing is marked then.
    @inlinable
    public mutating func reloadSections(_ identifiers: [Section.ID]) throws(DiffableError) {
        for identifier in identifiers { _ = try indexOfSection(identifier, in: "reloadSections") }
        marked.reloadedSections.formUnion(identifiers)
    }

    /// The items that `reloadItems` has marked, in order. O(m log m) for `m` marks
    @inlinable public var reloadedItemIdentifiers: [Item.ID] { inOrder(marked.reloadedItems) }

    /// The items that `reconfigureItems` has marked, in order. O(m log m) for `m` marks
    @inlinable public var reconfiguredItemIdentifiers: [Item.ID] { inOrder(marked.reconfiguredItems) }

    /// The sections that `reloadSections` has marked, in order. O(m log m) for `m` marks
    @inlinable public var reloadedSectionIdentifiers: [Section.ID] {
        marked.reloadedSections.compactMap { id in indexOfSection(id).map { (index: $0, id: id) } }
            .sorted { $0.index < $1.index }.map(\.id)
    }

    /// All marks, each list in the order of the snapshot. O(m log m) for `m` marks
    @inlinable public var marks: SnapshotMarks<Section.ID, Item.ID> {
        SnapshotMarks(
            reloadedSections: reloadedSectionIdentifiers, reloadedItems: reloadedItemIdentifiers,
            reconfiguredItems: reconfiguredItemIdentifiers)
    }

    @inlinable mutating func clearMarks() { marked = MarkedIdentifiers() }

    /// Returns the identifiers in the order of the snapshot. O(m log m) for `m` identifiers
    @inlinable
    func inOrder(_ identifiers: Set<Item.ID>) -> [Item.ID] {
        identifiers.compactMap { id in position(of: id).map { (position: $0, id: id) } }
            .sorted { $0.position < $1.position }.map(\.id)
    }
}
