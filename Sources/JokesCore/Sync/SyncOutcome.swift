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
