/// The marks of a snapshot: requests to reload elements although their content is equal.
///
/// Changed content needs no mark: the comparison finds it. Marks are for changes that `==` does not see, such as an image that
/// was loaded.
public struct SnapshotMarks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
    /// The sections to reload, with their headers.
    public var reloadedSections: [SectionID]
    /// The items to reload.
    public var reloadedItems: [ItemID]
    /// The items whose existing rows are to be updated.
    public var reconfiguredItems: [ItemID]

    /// Creates marks.
    @inlinable
    public init(reloadedSections: [SectionID] = [], reloadedItems: [ItemID] = [], reconfiguredItems: [ItemID] = []) {
        self.reloadedSections = reloadedSections
        self.reloadedItems = reloadedItems
        self.reconfiguredItems = reconfiguredItems
    }

    /// Whether there are no marks.
    @inlinable public var isEmpty: Bool {
        reloadedSections.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
    }
}

extension SnapshotMarks: Encodable where SectionID: Encodable, ItemID: Encodable {}
extension SnapshotMarks: Decodable where SectionID: Decodable, ItemID: Decodable {}

/// The marks of a snapshot in no order. An item is in one of its two sets at most.
@usableFromInline
struct MarkedIdentifiers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Equatable, Sendable {
    @usableFromInline var reloadedSections: Set<SectionID> = []
    @usableFromInline var reloadedItems: Set<ItemID> = []
    @usableFromInline var reconfiguredItems: Set<ItemID> = []

    @inlinable init() {}

    @inlinable var hasItems: Bool { !reloadedItems.isEmpty || !reconfiguredItems.isEmpty }

    @inlinable
    mutating func forgetItems(_ identifiers: [ItemID]) {
        guard hasItems else { return }
        reloadedItems.subtract(identifiers)
        reconfiguredItems.subtract(identifiers)
    }

    @inlinable
    mutating func forgetAllItems() {
        reloadedItems = []
        reconfiguredItems = []
    }

    @inlinable mutating func forgetSections(_ identifiers: [SectionID]) { reloadedSections.subtract(identifiers) }
}
