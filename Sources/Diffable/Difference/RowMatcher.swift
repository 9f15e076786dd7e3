/// Matches the rows of two snapshots, and compares their contents. `MatchingWalk` calls a matcher section by section.
///
/// A *row* is an item at its position among the items of all sections. Ranges of rows are ranges of such positions. Two
/// rows are the same if their items have the same identifier.
@usableFromInline
protocol RowMatcher<Item> {
    associatedtype Item: Identifiable & Equatable & Sendable

    /// The pairs of the same row with different contents, found so far. Each run has one row.
    var updated: ContiguousArray<MatchedRun> { get }

    /// Returns the number of rows from the beginnings of both ranges that are the same, pair by pair.
    mutating func commonPrefix(old: Range<Int>, new: Range<Int>) -> Int
    /// Returns the number of rows at the ends of both ranges that are the same, pair by pair.
    mutating func commonSuffix(old: Range<Int>, new: Range<Int>) -> Int
    /// Returns the matcher for the calls of `gap` and `pair`, given the inner rows (see `MatchingWalk`). At least one list is not
    /// empty.
    ///
    /// - Throws: `DiffableError` with `duplicateItem`.
    func prepared(old: ContiguousArray<RowRange>, new: ContiguousArray<RowRange>) throws(DiffableError) -> Self
    /// Returns the number of rows to skip in each range to reach a common row; at least one in total. The first rows of
    /// the ranges must not be the same. A wrong result costs only time.
    func gap(old: Range<Int>, new: Range<Int>) -> RowGap
    /// Finds the same rows among all skipped rows.
    mutating func pair(old: ContiguousArray<RowRange>, new: ContiguousArray<RowRange>) -> RowPairing
    /// Called last. Checks that no new row is a duplicate, given all inserted rows.
    ///
    /// - Throws: `DiffableError` with `duplicateItem`.
    func checkUniqueness(inserted: ContiguousArray<RowRange>) throws(DiffableError)
}

/// The number of rows to skip in each list.
@usableFromInline typealias RowGap = (old: Int, new: Int)

/// The skipped new rows: those that are also among the skipped old rows (one row for each run), and the inserted ones.
/// Both lists ascend in the new snapshot.
@usableFromInline typealias RowPairing = (pairs: ContiguousArray<MatchedRun>, inserted: ContiguousArray<RowRange>)

extension RowMatcher {
    @inlinable func commonSuffix(old: Range<Int>, new: Range<Int>) -> Int { 0 }
    @inlinable func prepared(old: ContiguousArray<RowRange>, new: ContiguousArray<RowRange>) -> Self { self }
    @inlinable func checkUniqueness(inserted: ContiguousArray<RowRange>) {}
}

/// Returns the shorter gap: to the first old row in the new range, or to the first new row in the old range. Returns
/// one row in each range if neither row is in the other range.
///
/// `destination` is the new position of the first old row. `origin` is the old position of the first new row. Each is
/// nil if the other snapshot does not have the row.
@inlinable
func shorterGap(destination: Int?, origin: Int?, old: Range<Int>, new: Range<Int>) -> RowGap {
    let inNew = destination.flatMap { new.contains($0) ? $0 - new.lowerBound : nil } ?? .max
    let inOld = origin.flatMap { old.contains($0) ? $0 - old.lowerBound : nil } ?? .max
    if inNew == .max && inOld == .max { return (old: 1, new: 1) }
    return inOld <= inNew ? (old: inOld, new: 0) : (old: 0, new: inNew)
}
