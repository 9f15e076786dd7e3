package import JokesCore

package enum SourcesMethod: JokesMethod {
    package static let name = "Sources"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var sources: [Wire.SourceHealth]

        package init(sources: [Wire.SourceHealth]) { self.sources = sources }
    }
}

package enum RefreshMethod: JokesMethod {
    package static let name = "Refresh"

    package struct Parameters: Codable, Hashable, Sendable {
        package var sources: [String]?
        package var force: Bool?

        package init(sources: [String]? = nil, force: Bool? = nil) { (self.sources, self.force) = (sources, force) }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var sources: [Wire.RefreshedSource]

        package init(sources: [Wire.RefreshedSource]) { self.sources = sources }
    }
}

package enum ForgetMethod: JokesMethod {
    package static let name = "Forget"

    package struct Parameters: Codable, Hashable, Sendable {
        package var source: String

        package init(source: String) { self.source = source }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var removed: Int

        package init(removed: Int) { self.removed = removed }
    }
}

extension Wire {
    /// The types of sources that are not configured.
    package enum UnconfiguredType: String, CaseIterable, Sendable {
        /// The jokes that come with jokesd.
        case bundled
        /// The jokes of an import.
        case imported
        /// The jokes of a source that is no longer configured.
        case removed
    }

    /// `type SourceHealth`.
    package struct SourceHealth: Codable, Hashable, Sendable {
        package var name, type: String
        package var enabled, syncing: Bool
        package var jokes: JokeCounts
        package var new, refused: Int
        package var lastAttempt, lastSuccess, failingSince: Timestamp?
        package var failure: String?
        package var failures: Int
        package var note: String?
        package var nextAttempt: Timestamp?
        package var requestsLeft: Int?
        package var rate: RequestRate?

        package init(
            name: String, type: String, enabled: Bool, syncing: Bool, jokes: JokeCounts, new: Int, refused: Int,
            lastAttempt: Timestamp?, lastSuccess: Timestamp?, failingSince: Timestamp?, failure: String?,
            failures: Int, note: String? = nil, nextAttempt: Timestamp?, requestsLeft: Int? = nil,
            rate: RequestRate? = nil
        ) {
            (self.name, self.type, self.enabled, self.syncing) = (name, type, enabled, syncing)
            (self.jokes, self.new, self.refused) = (jokes, new, refused)
            (self.lastAttempt, self.lastSuccess, self.failingSince) = (lastAttempt, lastSuccess, failingSince)
            (self.failure, self.failures, self.note) = (failure, failures, note)
            (self.nextAttempt, self.requestsLeft, self.rate) = (nextAttempt, requestsLeft, rate)
        }

        /// The reason why the source is not configured; nil if it is.
        package var unconfiguredType: UnconfiguredType? { UnconfiguredType(rawValue: type) }
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
            (self.name, self.state, self.retryAfterMs) = (name, state, retryAfterMs)
            (self.report, self.failure) = (report, failure)
        }
    }
}
