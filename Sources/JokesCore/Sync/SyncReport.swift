/// The numbers of a sync that runs or has ended.
package struct SyncReport: Hashable, Sendable {
    /// The jokes that the source returned.
    package var seen: Int
    /// The new ones among them.
    package var new: Int
    /// The ones with another text than before.
    package var changed: Int
    /// The duplicates of stored jokes.
    package var duplicates: Int
    /// Items that are not valid jokes.
    package var refused: Int
    /// A remark on a successful sync, for people.
    package var note: String?
    /// True if the sync must wait for its server, and continues later.
    package var isPaused: Bool

    package init(
        seen: Int = 0, new: Int = 0, changed: Int = 0, duplicates: Int = 0, refused: Int = 0, note: String? = nil,
        isPaused: Bool = false
    ) {
        (self.seen, self.new, self.changed) = (seen, new, changed)
        (self.duplicates, self.refused, self.note, self.isPaused) = (duplicates, refused, note, isPaused)
    }
}

extension SyncReport {
    /// The numbers in a line: `12 new of 446, 3 duplicates, 1 refused`.
    package var inWords: String {
        if let note { return note }
        var parts = [(new == 0 ? "nothing new" : "\(new) new") + (seen > 0 ? " of \(seen)" : "")]
        if changed > 0 { parts.append("\(changed) changed") }
        if duplicates > 0 { parts.append(counted(duplicates, "duplicate")) }
        if refused > 0 { parts.append("\(refused) refused") }
        if isPaused { parts.append("continues when the rate limit allows") }
        return parts.joined(separator: ", ")
    }
}
