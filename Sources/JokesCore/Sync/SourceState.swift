/// The stored state of a source, without its position.
package struct SourceState: Hashable, Codable, Sendable {
    /// The digest of the requests of the last sync (`SourceConfiguration.requestSignature`). The stored position belongs to
    /// them.
    package var requestSignature: String?
    package var lastAttempt: Timestamp?
    package var lastSuccess: Timestamp?
    /// The time of the first failure since the last success.
    package var failingSince: Timestamp?
    /// The reason of the last failure; nil after a success.
    package var failure: String?
    /// The number of failures since the last success.
    package var failureCount = 0
    package var nextAttempt: Timestamp?
    /// The time until which the service has asked for a pause.
    package var retryAfter: Timestamp?
    /// The time when no request counts toward the rate any more; nil if none does.
    package var rateLimitResetAt: Timestamp?
    /// The number of new jokes of the last successful sync.
    package var newInLastSync = 0
    /// The number of refused items of the last answer.
    package var refusedInLastSync = 0

    package struct Validators: Hashable, Codable, Sendable {
        package var etag: String?
        package var lastModified: String?

        package init(etag: String? = nil, lastModified: String? = nil) {
            (self.etag, self.lastModified) = (etag, lastModified)
        }
    }

    package init() {}
}

/// The position of the next sync of a source.
package struct SourcePosition: Hashable, Codable, Sendable {
    package var validators: SourceState.Validators
    /// The position in a form of the reader; nil at the beginning.
    package var cursor: String?

    package init(validators: SourceState.Validators = SourceState.Validators(), cursor: String? = nil) {
        (self.validators, self.cursor) = (validators, cursor)
    }
}
