/// What came of a torture.
package struct Figures: Sendable, CustomStringConvertible {
    package internal(set) var kills = 0
    package internal(set) var worlds = 0
    var killsAtStart = 0
    var killsAtWork = 0
    var killsAtEnd = 0
    /// Daemons that had ended before the signal.
    var ended = 0
    /// How often the disk was full.
    var fillings = 0

    /// Calls that were acknowledged.
    package internal(set) var acknowledged = 0
    /// Standings that were compared, after each kill all that there were.
    package internal(set) var marksChecked = 0
    package internal(set) var batchesChecked = 0
    package internal(set) var batchesThere = 0
    /// From the start of a process to its word that it is ready, over whatever the one before left.
    package internal(set) var restarts: [Duration] = []

    package var description: String {
        let sorted = restarts.sorted()
        let median = sorted.isEmpty ? .zero : sorted[sorted.count / 2]
        return """
            kills                        \(kills): \(killsAtWork) at work, \(killsAtStart) at the start, \(killsAtEnd) \
            at the end; \(ended) came too late
            state folders                \(worlds); their disk was full \(fillings) times
            calls acknowledged           \(acknowledged)
            acknowledged marks checked   \(marksChecked), lost 0
            batches checked              \(batchesChecked), there \(batchesThere), half 0
            start to ready, median       \(milliseconds(median))
            start to ready, worst        \(milliseconds(sorted.last ?? .zero))
            """
    }

    private func milliseconds(_ duration: Duration) -> String {
        "\(Int((duration / .milliseconds(1)).rounded())) ms"
    }
}
