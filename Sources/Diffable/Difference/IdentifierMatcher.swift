/// Matches two snapshots by their identifiers. The snapshots need no common history.
///
/// Both stores must be compact: the slot of each item is its position. Compares contents right after identifiers, while
/// both are in the cache. Hashes nothing, because the stores have the hashes.
@usableFromInline
struct IdentifierMatcher<Item: Identifiable & Equatable & Sendable>: RowMatcher where Item.ID: Sendable {
    @usableFromInline typealias Entry = ElementStore<Item>.Entry

    @usableFromInline let old: ElementStore<Item>
    @usableFromInline let new: ElementStore<Item>
    @usableFromInline var updated: ContiguousArray<MatchedRun> = []

    @inlinable
    init(old: ElementStore<Item>, new: ElementStore<Item>) {
        self.old = old
        self.new = new
    }

    @inlinable
    mutating func commonPrefix(old oldRows: Range<Int>, new newRows: Range<Int>) -> Int {
        let count = min(oldRows.count, newRows.count)
        let i = oldRows.lowerBound
        let j = newRows.lowerBound
        var common = 0
        while common < count {
            common += identicalPrefix(
                old: i + common..<oldRows.lowerBound + count, new: j + common..<newRows.lowerBound + count)
            let same = samePrefix(old: i + common, new: j + common, limit: min(count - common, Self.batchSize))
            if same == 0 { break }
            common += same
        }
        return common
    }

    /// Returns the number of rows with the same identifiers, up to the limit, and records the updates of these rows.
    /// Compares the stored hashes first, because these comparisons cost less. Each step runs over all rows, so that
    /// their cache misses overlap.
    @inlinable
    mutating func samePrefix(old i: Int, new j: Int, limit: Int) -> Int {
        var likely = 0
        while likely < limit, old.hashes[i + likely] == new.hashes[j + likely] { likely += 1 }
        var same = 0
        while same < likely, old.entries[i + same].identifier == new.entries[j + same].identifier { same += 1 }
        for row in 0..<same { compareContents(old: i + row, new: j + row) }
        return same
    }

    /// Returns the number of rows from the beginnings of both ranges that are equal bit for bit.
    @inlinable
    func identicalPrefix(old oldRows: Range<Int>, new newRows: Range<Int>) -> Int {
        old.entries.withUnsafeBytes { old in
            new.entries.withUnsafeBytes { new in
                let stride = MemoryLayout<Entry>.stride
                let a = UnsafeRawBufferPointer(rebasing: old[oldRows.lowerBound * stride..<oldRows.upperBound * stride])
                let b = UnsafeRawBufferPointer(rebasing: new[newRows.lowerBound * stride..<newRows.upperBound * stride])
                return identicalEntryCount(a, b, size: MemoryLayout<Entry>.size, stride: stride)
            }
        }
    }

    /// Compares the hashes of the next few rows of both lists. If none are equal, looks up both current rows.
    @inlinable
    func gap(old oldRows: Range<Int>, new newRows: Range<Int>) -> RowGap {
        let i = oldRows.lowerBound
        let j = newRows.lowerBound
        let window = 8
        for distance in 1...window {
            let minSkipped = max(0, distance - (newRows.count - 1))
            let maxSkipped = min(distance, oldRows.count - 1)
            if minSkipped > maxSkipped { break }
            for skipped in minSkipped...maxSkipped where old.hashes[i + skipped] == new.hashes[j + distance - skipped] {
                return (old: skipped, new: distance - skipped)
            }
        }
        let destination = new.slot(of: old.entries[i].identifier, hash: old.hashes[i]).map { Int($0) }
        let origin = old.slot(of: new.entries[j].identifier, hash: new.hashes[j]).map { Int($0) }
        return shorterGap(destination: destination, origin: origin, old: oldRows, new: newRows)
    }

    @inlinable
    mutating func pair(old oldRows: ContiguousArray<RowRange>, new newRows: ContiguousArray<RowRange>) -> RowPairing {
        // A few rows get a small index of their own, which stays in the cache.
        var index = old.index
        if oldRows.rowCount * 4 < old.entries.count {
            index = IdentityIndex(capacity: oldRows.rowCount, slots: old.entries.count)
            for range in oldRows {
                for row in range.range { index.insertNew(Slot(truncatingIfNeeded: row), hash: old.hashes[row]) }
            }
        }
        var pairing: RowPairing = ([], [])
        for range in newRows {
            var rows = range.range
            while !rows.isEmpty {
                pairBatch(rows.prefix(Self.batchSize), in: index, &pairing)
                rows = rows.dropFirst(Self.batchSize)
            }
        }
        return pairing
    }

    /// The number of rows that are processed together, so that their cache misses overlap.
    @inlinable static var batchSize: Int { 32 }

    /// Pairs at most `batchSize` new rows with the old rows in an index.
    @inlinable
    mutating func pairBatch(_ rows: Range<Int>, in index: IdentityIndex, _ pairing: inout RowPairing) {
        var candidates = InlineArray<32, Slot>(repeating: noSlot)
        for row in rows { candidates[row - rows.lowerBound] = index.slot(of: new.hashes[row]) { _ in true } ?? noSlot }
        var identical: UInt32 = 0
        for row in rows {
            let candidate = Int(candidates[row - rows.lowerBound])
            if candidate == noSlot { continue }
            if identicalPrefix(old: candidate..<candidate + 1, new: row..<row + 1) == 1 {
                identical |= 1 << UInt32(row - rows.lowerBound)
            }
        }
        for row in rows {
            var slot = candidates[row - rows.lowerBound]
            let isIdentical = identical & 1 << UInt32(row - rows.lowerBound) != 0
            if slot != noSlot && !isIdentical {
                slot =
                    index.slot(of: new.hashes[row]) {
                        old.entries[Int($0)].identifier == new.entries[row].identifier
                    } ?? noSlot
                if slot != noSlot { compareContents(old: Int(slot), new: row) }
            }
            if slot == noSlot {
                pairing.inserted.append(rows: row..<row + 1)
            } else {
                pairing.pairs.append(MatchedRun(old: Int(slot), new: row, count: 1))
            }
        }
    }

    /// Appends an update if the contents of a row in both snapshots differ.
    @inlinable
    mutating func compareContents(old oldRow: Int, new newRow: Int) {
        if old.entries[oldRow].element != new.entries[newRow].element {
            updated.append(MatchedRun(old: oldRow, new: newRow, count: 1))
        }
    }
}
