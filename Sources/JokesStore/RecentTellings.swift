import JokesCore

/// The jokes that a reader has told last: where all have been told as often, they come after the others, so that none is
/// told at the end of one round and again at the beginning of the next.
struct RecentTellings {
    /// So many are remembered.
    private static let limit = 64

    /// The newest last.
    private var tellings: [(group: Int64, id: JokeID)] = []

    mutating func add(_ group: Int64, _ id: JokeID) {
        if tellings.count == Self.limit { tellings.removeFirst() }
        tellings.append((group, id))
    }

    /// The joke that was told last of all.
    var last: JokeID? {
        tellings.last?.id
    }

    /// The larger, the shorter ago the group was told; 0 where it was not, of as many tellings as half of the jokes that can
    /// be told: the other half is left to chance. O(1).
    func rank(of group: Int64, among jokes: Int) -> Int {
        let near = tellings.suffix(jokes / 2)
        return near.lastIndex { $0.group == group }.map { $0 - near.startIndex + 1 } ?? 0
    }
}
