/// The numbers of a sync that runs or has ended, also as `type SyncReport` of the interface.
package struct SyncReport: Codable, Hashable, Sendable {
    /// The jokes that the source returned.
    package var seen = 0
    /// The new ones among them.
    package var new = 0
    /// The ones with another text than before.
    package var changed = 0
    /// The duplicates of stored jokes.
    package var duplicates = 0
    /// Items that are not valid jokes.
    package var refused = 0
    /// True if the sync must wait for its server, and continues later.
    package var isPaused = false
    /// A remark on a successful sync, for people.
    package var note: String?
    /// The time since the start of the sync; nil if the report has only numbers.
    package var elapsedMs: Int64?

    private enum CodingKeys: String, CodingKey {
        case seen, new, changed, duplicates, refused
        case isPaused = "paused"
        case note, elapsedMs
    }

    package init() {}

    /// Returns the report with the time since the start of the sync.
    package func withElapsed(_ elapsed: Duration) -> SyncReport {
        var report = self
        report.elapsedMs = elapsed.wholeMicroseconds / 1000
        return report
    }

    /// The numbers and the time in a line: `12 new of 446, 3 duplicates, 1 refused, 2.1 s`.
    package var inWords: String {
        var parts = note.map { [$0] } ?? numbers
        if let elapsedMs { parts.append(TimeInWords.seconds(.milliseconds(elapsedMs))) }
        return parts.joined(separator: ", ")
    }

    private var numbers: [String] {
        var parts = [(new == 0 ? "nothing new" : "\(new) new") + (seen > 0 ? " of \(seen)" : "")]
        if changed > 0 { parts.append("\(changed) changed") }
        if duplicates > 0 { parts.append(counted(duplicates, "duplicate")) }
        if refused > 0 { parts.append("\(refused) refused") }
        if isPaused { parts.append("continues when the rate limit allows") }
        return parts
    }
}
