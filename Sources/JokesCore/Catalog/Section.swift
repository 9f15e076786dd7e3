/// A section of a snapshot, with the data of its header. Another favorite updates the header, because `id` stays.
package enum Section: Identifiable, Hashable, Sendable {
    /// All favorites, newest first; absent if there are none.
    case favoriteJokes(count: Int)
    /// The newest jokes that pass the filter.
    case jokes(JokesHeader)
    /// The results of a clean query, in place of `jokes`. If `isExact` is false, `count` is a minimum. `start` is the
    /// number of results before the first row.
    case searchResults(query: String, count: Int, isExact: Bool, start: Int = 0)
    case unknown(UnknownKind)

    package enum ID: Hashable, Sendable, RawRepresentable, CaseIterable {
        case favoriteJokes, jokes, searchResults
        /// A section of an unknown kind.
        case unknown(String)

        /// The kinds that this program knows.
        package static let allCases: [ID] = [.favoriteJokes, .jokes, .searchResults]

        /// Reads an ID from a message.
        package init(rawValue: String) {
            self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
        }

        /// The ID in messages.
        package var rawValue: String {
            switch self {
            case .favoriteJokes: "favoriteJokes"
            case .jokes: "jokes"
            case .searchResults: "searchResults"
            case .unknown(let text): text
            }
        }
    }

    package var id: ID {
        switch self {
        case .favoriteJokes: .favoriteJokes
        case .jokes: .jokes
        case .searchResults: .searchResults
        case .unknown(let unknown): ID(rawValue: unknown.id)
        }
    }
}

/// The header of `Section.jokes`.
package struct JokesHeader: Hashable, Sendable {
    /// The number of jokes that are shown, or of those that the view selects.
    package var shown: Int
    /// The number of jokes before the first row.
    package var start: Int
    /// The time of the last successful sync; nil before the first one.
    package var lastSync: Timestamp?
    package var isSyncing: Bool
    /// True if no source on the network can be reached.
    package var isOffline: Bool
    /// The sources with a failed last sync, in the order of the configuration.
    package var failing: [String]
    /// True if there was a recovery that the user has not acknowledged.
    package var isRecovered: Bool

    package init(
        shown: Int = 0, lastSync: Timestamp? = nil, isSyncing: Bool = false, isOffline: Bool = false,
        failing: [String] = [], isRecovered: Bool = false, start: Int = 0
    ) {
        (self.isRecovered, self.shown, self.start, self.lastSync) = (isRecovered, shown, start, lastSync)
        (self.isSyncing, self.isOffline, self.failing) = (isSyncing, isOffline, failing)
    }
}

/// A section or item of an unknown kind, of a newer daemon. It has a position, but is not shown.
package struct UnknownKind: Hashable, Sendable {
    package var kind: String
    /// The names in the message.
    package var id: String

    package init(kind: String, id: String) {
        (self.kind, self.id) = (kind, id)
    }
}
