/// A change of a data source: the snapshots before and after, and their difference.
public struct DiffableTransaction<Section: Identifiable & Equatable, Item: Identifiable & Equatable>
where Section.ID: Sendable, Item.ID: Sendable {
    /// One object, so that a copy of a transaction retains one reference.
    @usableFromInline
    final class Content {
        @usableFromInline let initial: DiffableSnapshot<Section, Item>
        @usableFromInline let final: DiffableSnapshot<Section, Item>
        /// The difference that the data source computed or received; nil for reload data.
        @usableFromInline let difference: SnapshotDifference<Section, Item>?
        @usableFromInline let animatingDifferences: Bool
        @usableFromInline let isReordering: Bool

        @inlinable
        init(
            _ initial: DiffableSnapshot<Section, Item>, _ final: DiffableSnapshot<Section, Item>,
            _ difference: SnapshotDifference<Section, Item>?, _ animatingDifferences: Bool, isReordering: Bool
        ) {
            self.initial = initial
            self.final = final
            self.difference = difference
            self.animatingDifferences = animatingDifferences
            self.isReordering = isReordering
        }
    }

    @usableFromInline let content: Content

    @inlinable init(_ content: Content) { self.content = content }

    /// The snapshot before the change, without marks.
    @inlinable public var initialSnapshot: DiffableSnapshot<Section, Item> { content.initial }

    /// The snapshot after the change, with its marks.
    @inlinable public var finalSnapshot: DiffableSnapshot<Section, Item> { content.final }

    /// A hint for views, from the call that made the change. False if `usesReloadData` is true.
    @inlinable public var animatingDifferences: Bool { content.animatingDifferences }

    /// True if a user moved an item, by `DiffableDataSource.moveItem(at:to:)`.
    @inlinable public var isReordering: Bool { content.isReordering }

    /// True if observers must reload everything, because the snapshot was applied without a comparison.
    @inlinable public var usesReloadData: Bool { content.difference == nil }

    /// The difference: `try initialSnapshot.applying(difference) == finalSnapshot`.
    ///
    /// O(1). If `usesReloadData` is true, each access computes the difference by `SnapshotDifference(from:to:)`.
    @inlinable public var difference: SnapshotDifference<Section, Item> {
        if let difference = content.difference { return difference }
        do throws(DiffableError) {
            return try SnapshotDifference(fromUnique: initialSnapshot, to: finalSnapshot, in: "difference")
        } catch {
            preconditionFailure("a data source has a snapshot with a duplicate: \(error)")
        }
    }
}

extension DiffableTransaction: Sendable where Section: Sendable, Item: Sendable {}
extension DiffableTransaction.Content: Sendable where Section: Sendable, Item: Sendable {}
