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

/// How an attempt to sync a source ended.
package enum SyncOutcome: Hashable, Sendable {
    case succeeded(SyncReport)
    /// It was given up for reasons of our own, as at a stop: nothing is known of the source.
    case cancelled
    /// The reason is in words for people. `retryAfter` is what the upstream asked for. `isUnreachable` where no
    /// connection came about, as on a train.
    case failed(reason: String, retryAfter: Duration? = nil, isUnreachable: Bool = false)
}

/// What came of the wish to refresh a source now.
package enum RefreshAnswer: Hashable, Sendable {
    case started
    case alreadyRunning
    /// The source's rate, or the upstream's own wish, does not allow it before that much time has passed.
    case tooSoon(retryAfter: Duration)
    case disabled
    case noSuchSource
}

/// Whether a request may go out.
package enum RequestAnswer: Hashable, Sendable {
    case admitted
    /// Not before that much time has passed.
    case after(Duration)
}
