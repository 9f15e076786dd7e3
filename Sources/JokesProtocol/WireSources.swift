extension Wire {
    /// `type SourceHealth`.
    package struct SourceHealth: Codable, Hashable, Sendable {
        package var name: String
        package var type: String
        package var enabled: Bool
        package var syncing: Bool
        package var jokes: Int
        package var shown: Int
        package var new: Int
        package var refused: Int
        package var lastAttempt: Int64?
        package var lastSuccess: Int64?
        package var failingSince: Int64?
        package var failure: String?
        package var failures: Int
        package var note: String?
        package var nextAttempt: Int64?

        package init(
            name: String, type: String, enabled: Bool, syncing: Bool, jokes: Int, shown: Int, new: Int, refused: Int,
            lastAttempt: Int64?, lastSuccess: Int64?, failingSince: Int64?, failure: String?, failures: Int,
            note: String? = nil, nextAttempt: Int64?
        ) {
            self.name = name
            self.type = type
            self.enabled = enabled
            self.syncing = syncing
            self.jokes = jokes
            self.shown = shown
            self.new = new
            self.refused = refused
            self.lastAttempt = lastAttempt
            self.lastSuccess = lastSuccess
            self.failingSince = failingSince
            self.failure = failure
            self.failures = failures
            self.note = note
            self.nextAttempt = nextAttempt
        }
    }

    /// `type RefreshedSource`.
    package struct RefreshedSource: Codable, Hashable, Sendable {
        package enum State: String, Codable, Sendable {
            case started, alreadyRunning, tooSoon, disabled, succeeded, failed
        }

        package var name: String
        package var state: State
        package var retryAfterMs: Int64?
        package var new: Int?
        package var failure: String?

        package init(
            name: String, state: State, retryAfterMs: Int64? = nil, new: Int? = nil, failure: String? = nil
        ) {
            self.name = name
            self.state = state
            self.retryAfterMs = retryAfterMs
            self.new = new
            self.failure = failure
        }
    }

    /// `type View`.
    package struct View: Codable, Hashable, Sendable {
        package var sections: [String]?
        package var size: Int?

        package init(sections: [String]? = nil, size: Int? = nil) {
            self.sections = sections
            self.size = size
        }
    }
}
