/// A dense number that stands for one identifier with one content inside one lineage of snapshots.
///
/// A slot is given out once and means the same in every copy, so that copies are compared by comparing numbers.
@usableFromInline typealias Slot = UInt32

/// The slot that is none; stores end before it.
@usableFromInline let noSlot = Slot.max

/// Tells stores apart: two that hold the same token hold the same elements.
///
/// It is stored with the arrays of the store, so it is uniquely referenced if they are.
@usableFromInline
final class StoreToken: Sendable {
    @usableFromInline init() {}
}
