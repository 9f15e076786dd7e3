/// Matches the rows of two compact snapshots, in which the slot of each item is its position, and compares their
/// contents.
///
/// Two rows are the same if their items have the same identifier. Compares contents right after identifiers, while both
/// are in the cache.
@usableFromInline
struct RowComparison<Item: Identifiable & Equatable> where Item.ID: Sendable {
    // The stores own the identities that the comparison reads.
    @usableFromInline let oldStore: ElementStore<Item>
    @usableFromInline let newStore: ElementStore<Item>
    @usableFromInline let old: [Item]
    @usableFromInline let new: [Item]
    @usableFromInline var matching = RowMatching()
    /// The same rows with different contents. Each run has one row.
    @usableFromInline var updated: ContiguousArray<MatchedRun> = []

    @inlinable
    init(old: ElementStore<Item>, new: ElementStore<Item>) {
        (oldStore, newStore) = (old, new)
        (self.old, self.new) = (old.elements, new.elements)
    }

    /// Matches the rows at both ends of a section, and those between a few edits. If there are more edits, or the old
    /// rows are hashed, the rows between both ends stay unmatched.
    @inlinable
    mutating func match(old oldRows: Range<Int>, new newRows: Range<Int>) {
        let prefix = samePrefix(
            old: oldRows.lowerBound, new: newRows.lowerBound, limit: min(oldRows.count, newRows.count))
        var (oldRest, newRest) = (oldRows.dropFirst(prefix), newRows.dropFirst(prefix))
        let suffix = sameSuffix(
            old: oldRest.upperBound, new: newRest.upperBound, limit: min(oldRest.count, newRest.count))
        (oldRest, newRest) = (oldRest.dropLast(suffix), newRest.dropLast(suffix))
        append(prefix, old: oldRows.lowerBound, new: newRows.lowerBound)
        let mayMatch = !oldRest.isEmpty && !newRest.isEmpty && oldStore.known == nil
        if !mayMatch || !matchFewEdits(old: oldRest, new: newRest) {
            matching.appendUnmatched(old: oldRest, new: newRest)
        }
        append(suffix, old: oldRest.upperBound, new: newRest.upperBound)
    }

    /// Matches unmatched rows by looking up the new ones among the old ones. After a match, the next rows of both lists are
    /// compared first. Returns false if two new rows have the same identifier as one old row.
    @inlinable
    mutating func matchByLookingUp() -> Bool {
        let identities = oldStore.identities()
        let hashes = newStore.known
        let (oldRanges, newRanges) = (matching.unmatchedOld, matching.unmatchedNew)
        matching.unmatchedNew = []
        var used = BitSet(limit: old.count)
        for range in newRanges {
            var row = range.range.lowerBound
            let end = range.range.upperBound
            // The old rows that are compared first.
            var expected = 0..<0
            while row < end {
                let id = new[row].id
                if expected.isEmpty || old[expected.lowerBound].id != id {
                    let hash = hashes?.pointee.hashes[row] ?? ElementStore<Item>.hash(of: id)
                    guard let slot = oldStore.slot(of: id, hash: hash, in: identities) else {
                        matching.unmatchedNew.append(rows: row..<row + 1)
                        row += 1
                        continue
                    }
                    guard let range = oldRanges.range(containing: Int(slot)) else { return false }
                    expected = Int(slot)..<range.upperBound
                }
                // The identifiers of the first rows are equal.
                let first = expected.lowerBound
                if identicalCount(old: first, new: row, limit: 1) == 0 {
                    compareContents(MatchedRun(old: first, new: row, count: 1))
                }
                let limit = min(expected.count, end - row)
                let same = 1 + samePrefix(old: first + 1, new: row + 1, limit: limit - 1)
                let matched = expected.prefix(same)
                if used.firstPresent(in: matched) != nil { return false }
                used.insert(range: matched)
                append(same, old: first, new: row)
                expected = expected.dropFirst(same)
                row += same
            }
        }
        matching.unmatchedOld = oldRanges.subtracting(used)
        return true
    }

    /// Appends a run of matched rows.
    @inlinable
    mutating func append(_ count: Int, old: Int, new: Int) {
        if count > 0 { matching.runs.append(MatchedRun(old: old, new: new, count: count)) }
    }

    /// Returns the number of rows from two positions on that are the same, pair by pair. Records updates, unless `comparingContents`
    /// is false.
    @inlinable
    mutating func samePrefix(old i: Int, new j: Int, limit: Int, comparingContents: Bool = true) -> Int {
        var same = 0
        while same < limit {
            same += identicalCount(old: i + same, new: j + same, limit: limit - same)
            // Different bits are usually followed by more, such as the addresses of strings.
            let end = min(limit, same + Self.batchSize)
            let start = same
            while same < end, old[i + same].id == new[j + same].id { same += 1 }
            if comparingContents { compareContents(MatchedRun(old: i + start, new: j + start, count: same - start)) }
            if same < end { break }
        }
        return same
    }

    /// Returns the number of rows before two positions that are the same, pair by pair. Records updates.
    @inlinable
    mutating func sameSuffix(old i: Int, new j: Int, limit: Int) -> Int {
        var same = 0
        // The number of rows to compare bit for bit at once. It grows while they are equal.
        var block = Self.batchSize
        while same < limit {
            let count = min(limit - same, block)
            if identicalCount(old: i - same - count, new: j - same - count, limit: count) == count {
                same += count
                block *= 2
                continue
            }
            block = Self.batchSize
            let end = min(limit, same + block)
            while same < end {
                let (a, b) = (i - same - 1, j - same - 1)
                guard old[a].id == new[b].id else { return same }
                compareContents(MatchedRun(old: a, new: b, count: 1))
                same += 1
            }
        }
        return same
    }

    /// The number of rows that are compared one by one before bits are compared again.
    @inlinable static var batchSize: Int { 32 }

    /// Returns the number of rows, from these positions on, that are equal bit for bit, up to the limit.
    @inlinable
    func identicalCount(old i: Int, new j: Int, limit: Int) -> Int {
        old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                let stride = MemoryLayout<Item>.stride
                let a = UnsafeRawBufferPointer(rebasing: old[i * stride..<(i + limit) * stride])
                let b = UnsafeRawBufferPointer(rebasing: new[j * stride..<(j + limit) * stride])
                return identicalElementCount(a, b, size: MemoryLayout<Item>.size, stride: stride)
            }
        }
    }

    /// Records the rows of a run with different contents.
    @inlinable
    mutating func compareContents(_ run: MatchedRun) {
        for offset in 0..<run.count {
            let pair = MatchedRun(old: Int(run.old + offset), new: Int(run.new + offset), count: 1)
            if old[Int(pair.old)] != new[Int(pair.new)] { updated.append(pair) }
        }
    }

    /// Matches rows that differ by a few edits. Returns false if there are more.
    @inlinable
    mutating func matchFewEdits(old oldRows: Range<Int>, new newRows: Range<Int>) -> Bool {
        var search = EditSearch(oldRows.count, newRows.count)
        while let (x, y) = search.next() {
            let limit = min(oldRows.count - x, newRows.count - y)
            let (i, j) = (oldRows.lowerBound + x, newRows.lowerBound + y)
            search.extend(by: samePrefix(old: i, new: j, limit: limit, comparingContents: false))
        }
        guard search.isFound else { return false }
        var (oldEnd, newEnd) = (oldRows.lowerBound, newRows.lowerBound)
        for run in search.runs() {
            let (i, j) = (oldRows.lowerBound + Int(run.old), newRows.lowerBound + Int(run.new))
            matching.appendUnmatched(old: oldEnd..<i, new: newEnd..<j)
            append(samePrefix(old: i, new: j, limit: Int(run.count)), old: i, new: j)
            (oldEnd, newEnd) = (i + Int(run.count), j + Int(run.count))
        }
        matching.appendUnmatched(old: oldEnd..<oldRows.upperBound, new: newEnd..<newRows.upperBound)
        return true
    }
}
