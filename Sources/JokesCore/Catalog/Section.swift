/// A section of the picture: each kind is a case with the data that its header shows.
///
/// Which section it is (`id`) is apart from what it shows (`==`): one favorite more updates the header, it does not
/// replace the section.
package enum Section: Identifiable, Hashable, Sendable {
    /// All favorites, newest first; absent where there are none.
    case favoriteJokes(count: Int)
    /// The newest jokes that pass the filter.
    case jokes(JokesHeader)
    /// What a query finds, in place of `jokes`.
    ///
    /// The query is as it may be shown. There are at least so many where `isExact` is false.
    case searchResults(query: String, count: Int, isExact: Bool)
    case unknown(UnknownKind)

    package enum ID: Hashable, Sendable, RawRepresentable, CaseIterable {
        case favoriteJokes, jokes, searchResults
        /// Of a section that came after this program.
        case unknown(String)

        /// Those that this program knows.
        package static let allCases: [ID] = [.favoriteJokes, .jokes, .searchResults]

        /// Reads an id from the wire.
        package init(rawValue: String) {
            self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
        }

        /// The id as it goes over the wire.
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

/// What the header of `Section.jokes` shows.
package struct JokesHeader: Hashable, Sendable {
    /// How many different jokes are cached that pass the filter.
    package var cached: Int
    /// When a source was last asked with success; nil before the first time.
    package var lastSync: Timestamp?
    package var isSyncing: Bool
    /// True where every source failed to connect.
    package var isOffline: Bool
    /// The sources whose last attempt failed, in the order of the configuration.
    package var failing: [String]
    /// What was kept had to be recovered from damage, and nobody has seen yet what became of it.
    package var isRecovered: Bool

    package init(
        cached: Int = 0, lastSync: Timestamp? = nil, isSyncing: Bool = false, isOffline: Bool = false,
        failing: [String] = [], isRecovered: Bool = false
    ) {
        self.isRecovered = isRecovered
        self.cached = cached
        self.lastSync = lastSync
        self.isSyncing = isSyncing
        self.isOffline = isOffline
        self.failing = failing
    }
}
