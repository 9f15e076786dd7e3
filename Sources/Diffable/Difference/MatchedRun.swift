/// Rows of both snapshots that are the same, pair by pair: `count` old rows from `old`, and as many new rows from
/// `new`.
@usableFromInline
struct MatchedRun: Sendable {
    @usableFromInline var old: UInt32
    @usableFromInline var new: UInt32
    @usableFromInline var count: UInt32

    @usableFromInline
    init(old: Int, new: Int, count: Int) {
        self.old = UInt32(truncatingIfNeeded: old)
        self.new = UInt32(truncatingIfNeeded: new)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    @usableFromInline var newRange: Range<Int> { Int(new)..<Int(new) + Int(count) }

    /// Returns true if a run begins at the end of this run, in both snapshots.
    @usableFromInline func isFollowed(by run: MatchedRun) -> Bool { old + count == run.old && new + count == run.new }
}

/// Consecutive rows of one snapshot.
@usableFromInline
struct RowRange: Sendable {
    @usableFromInline var start: UInt32
    @usableFromInline var count: UInt32

    @usableFromInline
    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        count = UInt32(truncatingIfNeeded: range.count)
    }

    @usableFromInline var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

extension ContiguousArray<RowRange> {
    /// Appends rows, or extends the last range if the rows follow this range.
    @usableFromInline
    mutating func append(rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        if let last = indices.last, self[last].start + self[last].count == UInt32(truncatingIfNeeded: rows.lowerBound) {
            self[last].count += UInt32(truncatingIfNeeded: rows.count)
        } else {
            append(RowRange(rows))
        }
    }

    /// Returns the range that has a row; nil if there is none. The ranges must ascend.
    @usableFromInline
    func range(containing row: Int) -> Range<Int>? {
        let index = Diffable.firstIndex(below: count) { self[$0].range.upperBound > row }
        return index < count && self[index].start <= row ? self[index].range : nil
    }

    /// The number of rows in all ranges.
    @usableFromInline var rowCount: Int { reduce(0) { $0 + Int($1.count) } }

    /// Returns the rows that are not in the set.
    @usableFromInline
    func subtracting(_ rows: BitSet) -> ContiguousArray<RowRange> {
        var result: ContiguousArray<RowRange> = []
        for range in self {
            var rest = range.range
            while let first = rows.firstAbsent(in: rest) {
                let end = rows.firstPresent(in: first..<rest.upperBound) ?? rest.upperBound
                result.append(rows: first..<end)
                rest = end..<rest.upperBound
            }
        }
        return result
    }
}
