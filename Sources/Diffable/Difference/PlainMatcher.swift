/// Matches two snapshots by identifiers. Both stores must be compacted: the slot of each item is its position.
///
/// Compares contents together with identifiers, while both are in the cache. Hashes nothing, because the stores keep
/// their hashes.
@usableFromInline
struct PlainMatcher<Item: Identifiable & Equatable & Sendable>: RowMatcher where Item.ID: Sendable {
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
            let equal = equalPrefix(old: i + common, new: j + common, limit: min(count - common, Self.block))
            if equal == 0 { break }
            common += equal
        }
        return common
    }

    /// Returns the number of rows with the same identifiers, up to the limit. Stored hashes are compared first, because
    /// they cost less. Each step runs over all rows, so that their cache misses overlap.
    @inlinable
    mutating func equalPrefix(old i: Int, new j: Int, limit: Int) -> Int {
        var likely = 0
        while likely < limit, old.hashes[i + likely] == new.hashes[j + likely] { likely += 1 }
        var equal = 0
        while equal < likely, old.entries[i + equal].identifier == new.entries[j + equal].identifier { equal += 1 }
        for row in 0..<equal { compareContents(old: i + row, new: j + row) }
        return equal
    }

    /// Returns the number of rows that are equal bit for bit, from the beginnings of both ranges.
    @inlinable
    func identicalPrefix(old oldRows: Range<Int>, new newRows: Range<Int>) -> Int {
        old.entries.withUnsafeBytes { old in
            new.entries.withUnsafeBytes { new in
                let stride = MemoryLayout<Entry>.stride
                let a = UnsafeRawBufferPointer(rebasing: old[oldRows.lowerBound * stride..<oldRows.upperBound * stride])
                let b = UnsafeRawBufferPointer(rebasing: new[newRows.lowerBound * stride..<newRows.upperBound * stride])
                return identicalEntries(a, b, size: MemoryLayout<Entry>.size, stride: stride)
            }
        }
    }

    /// Searches a few rows ahead in both lists by hash, and otherwise looks up both current rows.
    @inlinable
    func gap(old oldRows: Range<Int>, new newRows: Range<Int>) -> RowGap {
        let i = oldRows.lowerBound
        let j = newRows.lowerBound
        let window = 8
        for distance in 1...window {
            let least = max(0, distance - (newRows.count - 1))
            let most = min(distance, oldRows.count - 1)
            if least > most { break }
            for passed in least...most where old.hashes[i + passed] == new.hashes[j + distance - passed] {
                return (old: passed, new: distance - passed)
            }
        }
        let destination = new.slot(of: old.entries[i].identifier, hash: old.hashes[i]).map { Int($0) }
        let origin = old.slot(of: new.entries[j].identifier, hash: new.hashes[j]).map { Int($0) }
        return shorterGap(destination: destination, origin: origin, old: oldRows, new: newRows)
    }

    @inlinable
    mutating func pair(old oldRows: ContiguousArray<RowRange>, new newRows: ContiguousArray<RowRange>) -> RowPairing {
        // Few rows get a small index of their own, which stays in the cache.
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
                pair(rows.prefix(Self.block), in: index, &pairing)
                rows = rows.dropFirst(Self.block)
            }
        }
        return pairing
    }

    /// The number of rows in a batch. The cache misses of a batch overlap.
    @inlinable static var block: Int { 32 }

    @inlinable
    mutating func pair(_ rows: Range<Int>, in index: IdentityIndex, _ pairing: inout RowPairing) {
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

    @inlinable
    mutating func compareContents(old oldRow: Int, new newRow: Int) {
        if old.entries[oldRow].element != new.entries[newRow].element {
            updated.append(MatchedRun(old: oldRow, new: newRow, count: 1))
        }
    }
}
