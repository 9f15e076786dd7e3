/// What the store keeps of a source between syncs and across restarts.
package struct SourceState: Hashable, Sendable {
    /// Sent back on the next request, so that nothing new costs nothing: ETag and Last-Modified.
    package var validators: Validators
    /// Where a sweep goes on; its form is the source reader's own. Nil at the beginning.
    package var cursor: String?
    /// What both belong to (`SourceConfiguration.question`): of another question they say nothing.
    package var question: String?
    package var lastAttempt: Timestamp?
    package var lastSuccess: Timestamp?
    /// When the present row of failures began; nil while all is well.
    package var failingSince: Timestamp?
    /// The last failure in words for people; nil while all is well.
    package var failure: String?
    /// How many attempts in a row have failed.
    package var failureCount: Int
    /// When it is tried next, by the wall clock, for people and for the next start.
    package var nextAttempt: Timestamp?
    /// Until then the upstream itself does not want to be asked, by the wall clock.
    package var unwelcomeUntil: Timestamp?
    /// When the rate's whole allowance is there again, by the wall clock; nil where nothing of it is used.
    package var allowanceWholeAt: Timestamp?
    /// How many jokes the last successful sync brought that were not there.
    package var newInLastSync: Int
    /// How many items of the last answer were refused.
    package var refusedInLastSync: Int

    /// The validators of the last answer, verbatim.
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

/// Where a source's next sync goes on: what is kept of it between syncs and across restarts.
package struct SourcePosition: Hashable, Sendable {
    package var validators: SourceState.Validators
    /// The source's own words for where it is; nil at the beginning.
    package var cursor: String?

    package init(validators: SourceState.Validators = SourceState.Validators(), cursor: String? = nil) {
        self.validators = validators
        self.cursor = cursor
    }
}

extension SourceState {
    /// Where the next sync goes on.
    package var position: SourcePosition {
        get { SourcePosition(validators: validators, cursor: cursor) }
        set {
            validators = newValue.validators
            cursor = newValue.cursor
        }
    }
}
