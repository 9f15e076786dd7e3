package import JokesCore

extension Wire {
    /// `type SourceHealth`.
    package struct SourceHealth: Codable, Hashable, Sendable {
        package var name: String
        package var type: String
        package var enabled: Bool
        package var syncing: Bool
        package var jokes: Int
        package var shown: Int
        package var evicted: Int
        package var new: Int
        package var refused: Int
        package var lastAttempt: Int64?
        package var lastSuccess: Int64?
        package var failingSince: Int64?
        package var failure: String?
        package var failures: Int
        package var note: String?
        package var nextAttempt: Int64?
        package var requestsLeft: Int?
        package var rate: RequestRate?

        package init(
            name: String, type: String, enabled: Bool, syncing: Bool, jokes: Int, shown: Int, evicted: Int = 0,
            new: Int, refused: Int, lastAttempt: Int64?, lastSuccess: Int64?, failingSince: Int64?, failure: String?,
            failures: Int,
            note: String? = nil, nextAttempt: Int64?, requestsLeft: Int? = nil, rate: RequestRate? = nil
        ) {
            self.name = name
            self.type = type
            self.enabled = enabled
            self.syncing = syncing
            self.jokes = jokes
            self.shown = shown
            self.evicted = evicted
            self.new = new
            self.refused = refused
            self.lastAttempt = lastAttempt
            self.lastSuccess = lastSuccess
            self.failingSince = failingSince
            self.failure = failure
            self.failures = failures
            self.note = note
            self.nextAttempt = nextAttempt
            self.requestsLeft = requestsLeft
            self.rate = rate
        }
    }

    /// `type RequestRate`.
    package struct RequestRate: Codable, Hashable, Sendable {
        package var requests: Int
        package var perMs: Int64

        package init(requests: Int, perMs: Int64) {
            self.requests = requests
            self.perMs = perMs
        }
    }

    /// `type SyncReport`.
    package struct SyncReport: Codable, Hashable, Sendable {
        package var seen: Int
        package var new: Int
        package var changed: Int
        package var duplicates: Int
        package var refused: Int
        package var paused: Bool
        package var note: String?
        package var elapsedMs: Int64

        package init(_ report: JokesCore.SyncReport, elapsed: Duration) {
            seen = report.seen
            new = report.new
            changed = report.changed
            duplicates = report.duplicates
            refused = report.refused
            paused = report.isPaused
            note = report.note
            elapsedMs = elapsed.wholeMicroseconds / 1000
        }

        /// The numbers of a sync and its time.
        package var inWords: String {
            let report = JokesCore.SyncReport(
                seen: seen, new: new, changed: changed, duplicates: duplicates, refused: refused, note: note,
                isPaused: paused)
            return "\(report.inWords), \(TimeInWords.seconds(.milliseconds(elapsedMs)))"
        }
    }

    /// `type RefreshedSource`.
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
            self.name = name
            self.state = state
            self.retryAfterMs = retryAfterMs
            self.report = report
            self.failure = failure
        }
    }

    /// `type View`.
    package struct View: Codable, Hashable, Sendable {
        package var query: String?
        package var sections: [String]?
        package var size: Int?
        package var collapsed: [String]?

        package init(
            query: String? = nil, sections: [String]? = nil, size: Int? = nil, collapsed: [String]? = nil
        ) {
            self.query = query
            self.sections = sections
            self.size = size
            self.collapsed = collapsed
        }
    }
}
