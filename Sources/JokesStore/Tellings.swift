/// Which jokes a reader has told and the store has not marked so yet: what a reader tells must not wait for a write.
package struct Tellings: Hashable, Sendable {
    /// How often, by the group's key.
    private(set) var counts: [Int64: Int] = [:]

    /// The group that was told last of them.
    private(set) var last: Int64?

    package var isEmpty: Bool {
        counts.isEmpty
    }

    mutating func add(_ group: Int64) {
        counts[group, default: 0] += 1
        last = group
    }

    mutating func subtract(_ recorded: Tellings) {
        for (group, count) in recorded.counts {
            let left = (counts[group] ?? 0) - count
            counts[group] = left > 0 ? left : nil
        }
    }
}
