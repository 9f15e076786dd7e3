/// The progress of a refresh of one source, also as `type RefreshedSource` of the interface.
package struct RefreshedSource: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        case started, alreadyRunning, tooSoon, disabled, syncing, succeeded, failed
    }

    package var name: String
    package var state: State
    package var retryAfterMs: Int64?
    package var report: SyncReport?
    package var failure: String?

    package init(
        name: String, state: State, retryAfterMs: Int64? = nil, report: SyncReport? = nil, failure: String? = nil
    ) {
        (self.name, self.state, self.retryAfterMs) = (name, state, retryAfterMs)
        (self.report, self.failure) = (report, failure)
    }
}
