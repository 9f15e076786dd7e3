/// Neighbours that moved together: as many places, in the same order, before and after.
public struct MovedRun<Position: Comparable & Sendable>: Equatable, Sendable {
    /// Where they were before.
    public let from: Range<Position>
    /// Where they are after.
    public let to: Range<Position>
}

extension ElementChanges where Position == Int {
    /// The deletions as ranges of neighbours, in the positions before. O(changes).
    public var deletedRuns: [Range<Int>] { runs(of: deleted.map(\.position)) }
    /// The insertions as ranges of neighbours, in the positions after. O(changes).
    public var insertedRuns: [Range<Int>] { runs(of: inserted.map(\.position)) }
    /// The updates as ranges of neighbours, in the positions after. O(changes).
    public var updatedRuns: [Range<Int>] { runs(of: updated.map(\.to)) }
    /// The moves, neighbours that stayed neighbours taken together. O(changes).
    public var movedRuns: [MovedRun<Int>] { pairedRuns(of: moved.map { ($0.from, $0.to) }) }
}

/// A range of index paths lies within one section: its bounds differ in `item` alone.
extension ElementChanges where Position == ItemIndexPath {
    /// The deletions as ranges of neighbours in one section, in the positions before. O(changes).
    public var deletedRuns: [Range<ItemIndexPath>] { runs(of: deleted.map(\.position)) }
    /// The insertions as ranges of neighbours in one section, in the positions after. O(changes).
    public var insertedRuns: [Range<ItemIndexPath>] { runs(of: inserted.map(\.position)) }
    /// The updates as ranges of neighbours in one section, in the positions after. O(changes).
    public var updatedRuns: [Range<ItemIndexPath>] { runs(of: updated.map(\.to)) }
    /// The moves, neighbours that stayed neighbours taken together. O(changes).
    public var movedRuns: [MovedRun<ItemIndexPath>] { pairedRuns(of: moved.map { ($0.from, $0.to) }) }
}

private protocol Successive: Comparable, Sendable {
    /// The next position; the same one at the end, which only a malformed difference has.
    var next: Self { get }
}

extension Int: Successive {
    fileprivate var next: Int { self == .max ? self : self + 1 }
}

extension ItemIndexPath: Successive {
    fileprivate var next: ItemIndexPath { ItemIndexPath(section: section, item: item.next) }
}

private func runs<Position: Successive>(of positions: [Position]) -> [Range<Position>] {
    pairedRuns(of: positions.map { ($0, $0) }).map(\.to)
}

private func pairedRuns<Position: Successive>(of pairs: [(from: Position, to: Position)]) -> [MovedRun<Position>] {
    var runs: [MovedRun<Position>] = []
    for pair in pairs {
        var start = pair
        if let last = runs.last, last.from.upperBound == pair.from, last.to.upperBound == pair.to {
            runs.removeLast()
            start = (last.from.lowerBound, last.to.lowerBound)
        }
        runs.append(MovedRun(from: start.from..<pair.from.next, to: start.to..<pair.to.next))
    }
    return runs
}
