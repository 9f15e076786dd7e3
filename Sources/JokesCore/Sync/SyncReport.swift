/// What a sync has brought, at its end or so far.
package struct SyncReport: Hashable, Sendable {
    /// Where the next one goes on.
    package var position: SourcePosition
    /// Jokes that the upstream told.
    package var seen: Int
    /// Those that nobody told before.
    package var new: Int
    /// Those that say something else than before.
    package var changed: Int
    /// Other tellings of jokes that are here.
    package var duplicates: Int
    /// Items that were none, or none that can be shown.
    package var refused: Int
    /// A sentence for people, where it went well and yet not as usual.
    package var note: String?
    /// The rate allows no more for a while; the sweep goes on when it does.
    package var isPaused: Bool
    /// Whether the last batch has made a favorite pass or fail the filters.
    package var hasChangedFavorites = false

    package init(
        position: SourcePosition = SourcePosition(), seen: Int = 0, new: Int = 0, changed: Int = 0,
        duplicates: Int = 0, refused: Int = 0, note: String? = nil, isPaused: Bool = false
    ) {
        self.position = position
        self.seen = seen
        self.new = new
        self.changed = changed
        self.duplicates = duplicates
        self.refused = refused
        self.note = note
        self.isPaused = isPaused
    }
}

extension SyncReport {
    /// `12 new of 446, 3 duplicates, 1 refused`: what came of a sync, for a line of its own.
    package var inWords: String {
        if let note { return note }
        var parts = [new == 0 ? "nothing new" : "\(new) new"]
        if seen > 0 { parts[0] += " of \(seen)" }
        if changed > 0 { parts.append("\(changed) changed") }
        if duplicates > 0 { parts.append(duplicates == 1 ? "1 duplicate" : "\(duplicates) duplicates") }
        if refused > 0 { parts.append("\(refused) refused") }
        if isPaused { parts.append("continues when the rate limit allows") }
        return parts.joined(separator: ", ")
    }
}
