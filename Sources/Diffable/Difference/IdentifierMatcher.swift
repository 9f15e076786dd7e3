/// Matches two snapshots by their identifiers. The snapshots need no common history.
///
/// Both snapshots must be compact: in one store, in which the slot of each item is its position. Compares contents right
/// after identifiers, while both are in the cache.
///
/// If a snapshot is not hashed, only its inner rows (see `MatchingWalk`) are hashed, with these exceptions:
///
/// - If at least half of its rows are inner rows, all its rows are hashed.
/// - If the old snapshot is not known to be unique, all old rows are hashed.
/// - If rows are inserted and neither snapshot is hashed, all new rows are hashed.
///
/// Also checks that the new snapshot has no duplicate. Its outer rows are as unique as those of the old snapshot.
@usableFromInline
struct IdentifierMatcher<Item: Identifiable & Equatable & Sendable>: RowMatcher where Item.ID: Sendable {
    @usableFromInline typealias Store = ElementStore<Item>

    @usableFromInline let old: Store
    @usableFromInline let new: Store
    @usableFromInline let oldToken: StoreToken
    @usableFromInline let newToken: StoreToken
    @usableFromInline let operation: StaticString
    // The hashes and indexes of all rows or of the inner rows; empty before `prepared`, unless the snapshot is hashed.
    @usableFromInline let oldIdentities: Identities
    @usableFromInline let newIdentities: Identities
    /// True if both have hashes.
    @usableFromInline let hasHashes: Bool
    @usableFromInline var updated: ContiguousArray<MatchedRun> = []

    @inlinable
    init(old: ItemTable<Item>, new: ItemTable<Item>, operation: StaticString) {
        guard let (oldStore, oldToken) = old.wholeStore, let (newStore, newToken) = new.wholeStore else {
            preconditionFailure("the snapshots are not compact")
        }
        (self.old, self.oldToken) = (oldStore, oldToken)
        (self.new, self.newToken) = (newStore, newToken)
        self.operation = operation
        oldIdentities = oldStore.identities
        newIdentities = newStore.identities
        hasHashes = oldStore.isHashed && newStore.isHashed
    }

    @inlinable
    init(_ other: IdentifierMatcher, _ oldIdentities: Identities, _ newIdentities: Identities) {
        (old, oldToken) = (other.old, other.oldToken)
        (new, newToken) = (other.new, other.newToken)
        operation = other.operation
        updated = other.updated
        self.oldIdentities = oldIdentities
        self.newIdentities = newIdentities
        hasHashes = true
    }

    @inlinable
    func prepared(
        old oldRows: ContiguousArray<RowRange>, new newRows: ContiguousArray<RowRange>
    ) throws(DiffableError) -> IdentifierMatcher {
        let oldIdentities = try identities(of: old, oldToken, isOldUnique ? oldRows : nil)
        return IdentifierMatcher(self, oldIdentities, try identities(of: new, newToken, newRows))
    }

    /// True if the old snapshot is known to be unique.
    @inlinable var isOldUnique: Bool { old.isHashed || oldToken.isUnique }

    /// Returns the identities of rows, or of all rows if these are known or `rows` is nil or has most of them.
    @inlinable
    func identities(
        of store: Store, _ token: StoreToken, _ rows: ContiguousArray<RowRange>?
    ) throws(DiffableError) -> Identities {
        if store.isHashed { return store.identities }
        var identities = Identities()
        if !token.isHashed, let rows, rows.rowCount * 2 < store.elements.count {
            identities = store.identities(of: rows)
        } else {
            identities = token.identities(of: store)
        }
        if let duplicate = identities.duplicate { throw error(of: store, duplicate) }
        return identities
    }

    @inlinable
    func error(of store: Store, _ slot: Slot) -> DiffableError {
        DiffableError(.duplicateItem, store.elements[Int(slot)].id, in: operation)
    }

    /// Checks that no inserted row has the identifier of another row. The new snapshot is then known to be unique, if the
    /// old one is.
    @inlinable
    func checkUniqueness(inserted: ContiguousArray<RowRange>) throws(DiffableError) {
        if new.isHashed || newToken.isUnique { return }
        if inserted.isEmpty {
            newToken.isUnique = isOldUnique
            return
        }
        // `prepared` found no duplicate among the inner rows, and `pair` found no inserted row among the skipped old rows.
        // So an inserted row that the old snapshot has equals a matched row: it is a duplicate.
        guard old.isHashed || oldToken.isHashed, !newToken.isHashed else {
            if let duplicate = newToken.identities(of: new).duplicate { throw error(of: new, duplicate) }
            return
        }
        let identities = old.isHashed ? old.identities : oldToken.identities(of: old)
        for range in inserted {
            for row in range.range {
                let identifier = new.elements[row].id
                if old.slot(of: identifier, hash: newIdentities.hashes[row], in: identities) != nil {
                    throw error(of: new, Slot(truncatingIfNeeded: row))
                }
            }
        }
        newToken.isUnique = true
    }

    @inlinable
    mutating func commonPrefix(old oldRows: Range<Int>, new newRows: Range<Int>) -> Int {
        let count = min(oldRows.count, newRows.count)
        let i = oldRows.lowerBound
        let j = newRows.lowerBound
        var common = 0
        while common < count {
            common += identicalPrefix(old: i + common, new: j + common, limit: count - common)
            let same = samePrefix(old: i + common, new: j + common, limit: min(count - common, Self.batchSize))
            if same == 0 { break }
            common += same
        }
        return common
    }

    /// Returns the number of rows with the same identifiers, up to the limit, and records the updates of these rows.
    /// Compares the hashes first if they are known, because these comparisons cost less. Each step runs over all rows,
    /// so that their cache misses overlap.
    @inlinable
    mutating func samePrefix(old i: Int, new j: Int, limit: Int) -> Int {
        var likely = limit
        if hasHashes {
            likely = 0
            while likely < limit, oldIdentities.hashes[i + likely] == newIdentities.hashes[j + likely] { likely += 1 }
        }
        var same = 0
        while same < likely, old.elements[i + same].id == new.elements[j + same].id { same += 1 }
        for row in 0..<same { compareContents(old: i + row, new: j + row) }
        return same
    }

    /// Returns the number of rows, from these positions on, that are equal bit for bit, up to the limit.
    @inlinable
    func identicalPrefix(old i: Int, new j: Int, limit: Int) -> Int {
        old.elements.withUnsafeBytes { old in
            new.elements.withUnsafeBytes { new in
                let stride = MemoryLayout<Item>.stride
                let a = UnsafeRawBufferPointer(rebasing: old[i * stride..<(i + limit) * stride])
                let b = UnsafeRawBufferPointer(rebasing: new[j * stride..<(j + limit) * stride])
                return identicalElementCount(a, b, size: MemoryLayout<Item>.size, stride: stride)
            }
        }
    }

    @inlinable
    mutating func commonSuffix(old oldRows: Range<Int>, new newRows: Range<Int>) -> Int {
        let count = min(oldRows.count, newRows.count)
        let i = oldRows.upperBound - 1
        let j = newRows.upperBound - 1
        var common = 0
        // The number of rows to compare bit for bit at once. It grows while they are equal.
        var block = Self.batchSize
        while common < count {
            let batch = min(count - common, block)
            let (a, b) = (i - common + 1, j - common + 1)
            if identicalPrefix(old: a - batch, new: b - batch, limit: batch) == batch {
                common += batch
                block *= 2
                continue
            }
            block = Self.batchSize
            let end = common + min(batch, block)
            while common < end {
                let (a, b) = (i - common, j - common)
                if identicalPrefix(old: a, new: b, limit: 1) == 0 {
                    guard old.elements[a].id == new.elements[b].id else { return common }
                    compareContents(old: a, new: b)
                }
                common += 1
            }
        }
        return common
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
            for skipped in minSkipped...maxSkipped
            where oldIdentities.hashes[i + skipped] == newIdentities.hashes[j + distance - skipped] {
                return (old: skipped, new: distance - skipped)
            }
        }
        let destination =
            new.slot(of: old.elements[i].id, hash: oldIdentities.hashes[i], in: newIdentities).map { Int($0) }
        let origin =
            old.slot(of: new.elements[j].id, hash: newIdentities.hashes[j], in: oldIdentities).map { Int($0) }
        return shorterGap(destination: destination, origin: origin, old: oldRows, new: newRows)
    }

    @inlinable
    mutating func pair(old oldRows: ContiguousArray<RowRange>, new newRows: ContiguousArray<RowRange>) -> RowPairing {
        // A few rows get a small index of their own, which stays in the cache. If only a part of the new rows was checked
        // for duplicates, the index must not have the old outer rows: a new row that equals one is a duplicate, and must
        // not be paired.
        var index = oldIdentities.index
        if oldRows.rowCount * 4 < index.count || newIdentities.index.count < new.elements.count {
            index = IdentityIndex(capacity: oldRows.rowCount, slots: old.elements.count)
            for range in oldRows {
                for row in range.range {
                    index.insertNew(Slot(truncatingIfNeeded: row), hash: oldIdentities.hashes[row])
                }
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
        for row in rows {
            candidates[row - rows.lowerBound] = index.slot(of: newIdentities.hashes[row]) { _ in true } ?? noSlot
        }
        var identical: UInt32 = 0
        for row in rows {
            let candidate = Int(candidates[row - rows.lowerBound])
            if candidate == noSlot { continue }
            if identicalPrefix(old: candidate, new: row, limit: 1) == 1 {
                identical |= 1 << UInt32(row - rows.lowerBound)
            }
        }
        for row in rows {
            var slot = candidates[row - rows.lowerBound]
            let isIdentical = identical & 1 << UInt32(row - rows.lowerBound) != 0
            if slot != noSlot && !isIdentical {
                slot =
                    index.slot(of: newIdentities.hashes[row]) {
                        old.elements[Int($0)].id == new.elements[row].id
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
        if old.elements[oldRow] != new.elements[newRow] {
            updated.append(MatchedRun(old: oldRow, new: newRow, count: 1))
        }
    }
}
