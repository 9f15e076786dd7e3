/// Random jokes that a reader has served and the store has not recorded yet: serving a joke does not wait for a write.
package struct Deliveries: Hashable, Sendable {
    struct Count: Hashable, Sendable {
        var served = 0
        /// The last round that served the joke.
        var round: Int64 = 0
    }

    /// By the keys of the groups.
    private(set) var counts: [Int64: Count] = [:]
    /// The group that was served last.
    private(set) var last: Int64?

    package var isEmpty: Bool {
        counts.isEmpty
    }

    mutating func add(_ group: Int64, round: Int64) {
        counts[group, default: Count()].served += 1
        counts[group]?.round = round
        last = group
    }

    mutating func subtract(_ recorded: Deliveries) {
        for (group, count) in recorded.counts {
            let left = (counts[group]?.served ?? 0) - count.served
            if left > 0 { counts[group]?.served = left } else { counts[group] = nil }
        }
    }
}
