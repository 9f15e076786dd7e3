/// The stored state of a source.
package struct SourceState: Hashable, Sendable {
    /// The ETag and Last-Modified of the last answer, for a conditional request.
    package var validators: Validators
    /// The position of a full sync, in a form of the reader. Nil at the beginning.
    package var cursor: String?
    /// The digest of the requests that they belong to (`SourceConfiguration.question`). They are invalid for other
    /// requests.
    package var question: String?
    package var lastAttempt: Timestamp?
    package var lastSuccess: Timestamp?
    /// The time of the first failure in a row; nil after a success.
    package var failingSince: Timestamp?
    /// The reason of the last failure; nil after a success.
    package var failure: String?
    /// The number of failures in a row.
    package var failureCount: Int
    /// The time of the next sync.
    package var nextAttempt: Timestamp?
    /// The time until which the service has asked for a pause.
    package var unwelcomeUntil: Timestamp?
    /// The time when no request counts toward the rate any more; nil if none does.
    package var allowanceWholeAt: Timestamp?
    /// The number of new jokes of the last successful sync.
    package var newInLastSync: Int
    /// The number of refused items of the last answer.
    package var refusedInLastSync: Int

    /// The validators of the last answer, unchanged.
    package struct Validators: Hashable, Sendable {
        package var etag: String?
        package var lastModified: String?

        package init(etag: String? = nil, lastModified: String? = nil) {
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    package init(
        validators: Validators = Validators(), cursor: String? = nil, question: String? = nil,
        lastAttempt: Timestamp? = nil,
        lastSuccess: Timestamp? = nil, failingSince: Timestamp? = nil, failure: String? = nil,
        failureCount: Int = 0, nextAttempt: Timestamp? = nil, unwelcomeUntil: Timestamp? = nil,
        allowanceWholeAt: Timestamp? = nil, newInLastSync: Int = 0, refusedInLastSync: Int = 0
    ) {
        self.validators = validators
        self.cursor = cursor
        self.question = question
        self.lastAttempt = lastAttempt
        self.lastSuccess = lastSuccess
        self.failingSince = failingSince
        self.failure = failure
        self.failureCount = failureCount
        self.nextAttempt = nextAttempt
        self.unwelcomeUntil = unwelcomeUntil
        self.allowanceWholeAt = allowanceWholeAt
        self.newInLastSync = newInLastSync
        self.refusedInLastSync = refusedInLastSync
    }
}

/// The position of the next sync of a source.
package struct SourcePosition: Hashable, Sendable {
    package var validators: SourceState.Validators
    /// The position in a form of the reader; nil at the beginning.
    package var cursor: String?

    package init(validators: SourceState.Validators = SourceState.Validators(), cursor: String? = nil) {
        self.validators = validators
        self.cursor = cursor
    }
}

extension SourceState {
    /// The position of the next sync.
    package var position: SourcePosition {
        get { SourcePosition(validators: validators, cursor: cursor) }
        set {
            validators = newValue.validators
            cursor = newValue.cursor
        }
    }
}
