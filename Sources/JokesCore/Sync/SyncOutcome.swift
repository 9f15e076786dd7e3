/// The result of a sync.
package enum SyncOutcome: Hashable, Sendable {
    case succeeded(SyncReport)
    /// The daemon has canceled it, for example at a stop.
    case cancelled
    /// `retryAfter` is the pause that the service has asked for. `isUnreachable` is true without a connection.
    case failed(reason: String, retryAfter: Duration? = nil, isUnreachable: Bool = false)
}

/// The answer to a request for a sync.
package enum RefreshAnswer: Hashable, Sendable {
    case started
    case alreadyRunning
    /// The rate or the service does not allow it before this time has passed. The reason is a clause if the server has asked
    /// for the pause.
    case tooSoon(retryAfter: Duration, reason: String? = nil)
    case disabled
    case noSuchSource
}

/// The decision on a request.
package enum RequestAnswer: Hashable, Sendable {
    case admitted
    /// Not before the previous request to the server has ended.
    case busy
    /// Not before this time has passed. The reason is a sentence without a period.
    case after(Duration, reason: String)
}
