/// What was marked on a snapshot: a request to show something anew although its content is equal.
///
/// A changed content needs no mark; it is found by comparing. Marks are for what `==` does not see: a picture that has
/// arrived, a clock that has moved on.
public struct SnapshotMarks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
    /// Sections to be made anew, header and all.
    public var reloadedSections: [SectionID]
    /// Items whose row is to be made anew.
    public var reloadedItems: [ItemID]
    /// Items whose row is kept and filled in again.
    public var reconfiguredItems: [ItemID]

    /// The marks on these.
    @inlinable
    public init(reloadedSections: [SectionID] = [], reloadedItems: [ItemID] = [], reconfiguredItems: [ItemID] = []) {
        self.reloadedSections = reloadedSections
        self.reloadedItems = reloadedItems
        self.reconfiguredItems = reconfiguredItems
    }

    /// Whether nothing is marked.
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

    @inlinable
    init() {}

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

    @inlinable
    mutating func forgetSections(_ identifiers: [SectionID]) {
        reloadedSections.subtract(identifiers)
    }
}
