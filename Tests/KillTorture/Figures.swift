/// The results of a torture run.
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

    /// Acknowledged calls.
    package internal(set) var acknowledged = 0
    /// Marks that were compared with their acknowledged state. Each kill is followed by a comparison of all marks.
    package internal(set) var marksChecked = 0
    package internal(set) var batchesChecked = 0
    package internal(set) var batchesThere = 0
    /// The times from the start of a process until it reported that it is ready, whatever state the previous process
    /// left.
    package internal(set) var restarts: [Duration] = []

    package var description: String {
        let sorted = restarts.sorted()
        let median = sorted.isEmpty ? .zero : sorted[sorted.count / 2]
        return """
            kills                        \(kills): \(killsAtWork) at work, \(killsAtStart) at the start, \(killsAtEnd) \
            at the end; \(ended) too late
            state folders                \(worlds); disk full \(fillings) times
            calls acknowledged           \(acknowledged)
            acknowledged marks checked   \(marksChecked), lost 0
            batches checked              \(batchesChecked), stored \(batchesThere), partly stored 0
            start to ready, median       \(milliseconds(median))
            start to ready, worst        \(milliseconds(sorted.last ?? .zero))
            """
    }

    private func milliseconds(_ duration: Duration) -> String {
        "\(Int((duration / .milliseconds(1)).rounded())) ms"
    }
}
