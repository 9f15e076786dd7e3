/// Matches two snapshots with a common history by their slots, extent by extent.
///
/// The snapshots share some slots. A shared slot has the same item with the same content in both. So the items of equal
/// extents are not accessed. Other items are compared, and those out of step (see `MatchingWalk`) are looked up.
@usableFromInline
struct SlotMatcher<
    Section: Identifiable & Equatable & Sendable,
    Item: Identifiable & Equatable & Sendable
>: RowMatcher where Section.ID: Sendable, Item.ID: Sendable {
    @usableFromInline typealias Snapshot = DiffableSnapshot<Section, Item>

    @usableFromInline let snapshots: SnapshotPair<Section, Item>
    /// The number of shared slots. The slots below this number are shared.
    @usableFromInline let common: Slot
    @usableFromInline var updated: ContiguousArray<MatchedRun> = []
    @usableFromInline var oldLocator: RowLocator
    @usableFromInline var newLocator: RowLocator

    @inlinable
    init(_ snapshots: SnapshotPair<Section, Item>, common: Slot) {
        self.snapshots = snapshots
        self.common = common
        oldLocator = RowLocator(snapshots.old.arrangement)
        newLocator = RowLocator(snapshots.new.arrangement)
    }

    @inlinable var old: Snapshot { snapshots.old }
    @inlinable var new: Snapshot { snapshots.new }

    @inlinable
    mutating func commonPrefix(old oldRows: Range<Int>, new newRows: Range<Int>) -> Int {
        let count = min(oldRows.count, newRows.count)
        var prefix = 0
        while prefix < count {
            let i = oldRows.lowerBound + prefix
            let j = newRows.lowerBound + prefix
            let slot = oldLocator.slot(at: i)
            let other = newLocator.slot(at: j)
            if slot == other && slot < common {
                let oldRest = oldLocator.current.upperBound - i
                let newRest = newLocator.current.upperBound - j
                let same = min(oldRest, newRest, Int(common - slot), count - prefix)
                prefix += same
                if same == oldRest && same == newRest { prefix += skipEqualExtents(limit: count - prefix) }
            } else if old.itemTable.identifier(of: slot) == new.itemTable.identifier(of: other) {
                compareContents(slot, at: i, with: other, at: j)
                prefix += 1
            } else {
                return prefix
            }
        }
        return prefix
    }

    /// Skips equal extents after the current ones. Returns the number of their rows, at most `limit`.
    @inlinable
    mutating func skipEqualExtents(limit: Int) -> Int {
        let old = oldLocator.sections[oldLocator.section]
        let new = newLocator.sections[newLocator.section]
        var (oldExtent, newExtent) = (oldLocator.extent, newLocator.extent)
        let shift = new[newExtent].end &- old[oldExtent].end
        var rows = 0
        while oldExtent + 1 < old.count, newExtent + 1 < new.count {
            let count = Int(old[oldExtent + 1].end - old[oldExtent].end)
            guard old[oldExtent + 1].firstSlot == new[newExtent + 1].firstSlot,
                new[newExtent + 1].end &- old[oldExtent + 1].end == shift, rows + count <= limit,
                Int(old[oldExtent + 1].firstSlot) + count <= Int(common)
            else { break }
            rows += count
            oldExtent += 1
            newExtent += 1
        }
        oldLocator.setExtent(oldExtent)
        newLocator.setExtent(newExtent)
        return rows
    }

    @inlinable
    func gap(old oldRows: Range<Int>, new newRows: Range<Int>) -> RowGap {
        shorterGap(
            destination: position(ofItemIn: old.arrangement.slot(atPosition: oldRows.lowerBound), of: old, in: new),
            origin: position(ofItemIn: new.arrangement.slot(atPosition: newRows.lowerBound), of: new, in: old),
            old: oldRows, new: newRows)
    }

    @inlinable
    mutating func pair(old oldRows: ContiguousArray<RowRange>, new newRows: ContiguousArray<RowRange>) -> RowPairing {
        var pairing: RowPairing = ([], [])
        for range in newRows {
            for row in range.range {
                let slot = new.arrangement.slot(atPosition: row)
                guard let origin = position(ofItemIn: slot, of: new, in: old) else {
                    pairing.inserted.append(rows: row..<row + 1)
                    continue
                }
                pairing.pairs.append(MatchedRun(old: origin, new: row, count: 1))
                compareContents(old.arrangement.slot(atPosition: origin), at: origin, with: slot, at: row)
            }
        }
        return pairing
    }

    /// Returns the position in `other` of the item that `one` has in a slot; nil if `other` does not have the item.
    @inlinable
    func position(ofItemIn slot: Slot, of one: Snapshot, in other: Snapshot) -> Int? {
        if slot < common, let same = other.arrangement.position(ofSlot: slot) { return same }
        return other.itemTable.slot(of: one.itemTable.identifier(of: slot), hash: one.itemTable.hash(of: slot))
            .flatMap { other.arrangement.position(ofSlot: $0) }
    }

    /// Appends an update if the contents of a row in both snapshots differ.
    @inlinable
    mutating func compareContents(_ slot: Slot, at oldRow: Int, with other: Slot, at newRow: Int) {
        if slot == other && slot < common { return }
        if old.itemTable[slot] != new.itemTable[other] {
            updated.append(MatchedRun(old: oldRow, new: newRow, count: 1))
        }
    }
}
