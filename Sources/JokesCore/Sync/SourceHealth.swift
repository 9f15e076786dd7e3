/// The state of a source for people, also as `type SourceHealth` of the interface.
package struct SourceHealth: Codable, Hashable, Sendable {
    /// The types of sources that are not configured.
    package enum UnconfiguredType: String, CaseIterable, Sendable {
        /// The jokes that come with jokesd.
        case bundled
        /// The jokes of an import.
        case imported
        /// The jokes of a source that is no longer configured.
        case removed
    }

    package var name, type: String
    /// The URL without user, password and query, or the path.
    package var url: String?
    package var enabled: Bool
    package var syncing = false
    package var jokes: JokeCounts
    package var new = 0
    package var refused = 0
    package var lastAttempt, lastSuccess, failingSince: Timestamp?
    package var failure: String?
    package var failures = 0
    package var note: String?
    package var nextAttempt: Timestamp?
    package var requestsLeft: Int?
    package var rate: RequestRate?

    /// A source that was never synced.
    package init(name: String, type: String, enabled: Bool, jokes: JokeCounts) {
        (self.name, self.type, self.enabled, self.jokes) = (name, type, enabled, jokes)
    }

    /// The type of a source that is not configured; nil if it is configured.
    package var unconfiguredType: UnconfiguredType? { UnconfiguredType(rawValue: type) }
}
