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

/// `type Section` of the interface: the kind, and the member of a known kind.
extension Section: Codable {
    private struct FavoritesHeader: Codable { var count: Int }

    private struct SearchHeader: Codable {
        var query: String
        var count: Int
        var exact: Bool
        var start: Int?
    }

    private enum CodingKeys: String, CodingKey { case kind, id, favoriteJokes, jokes, searchResults }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try members.decode(String.self, forKey: .kind)
        let id = cleanText(try members.decode(String.self, forKey: .id))
        switch CodingKeys(rawValue: kind) {
        case .favoriteJokes:
            self = .favoriteJokes(count: try members.decode(FavoritesHeader.self, forKey: .favoriteJokes).count)
        case .jokes: self = .jokes(try members.decode(JokesHeader.self, forKey: .jokes))
        case .searchResults:
            let header = try members.decode(SearchHeader.self, forKey: .searchResults)
            self = .searchResults(
                query: cleanText(header.query), count: clamped(header.count), isExact: header.exact,
                start: clamped(header.start ?? 0))
        case .kind, .id, nil: self = .unknown(UnknownKind(kind: cleanText(kind), id: id))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let kind = if case .unknown(let unknown) = self { unknown.kind } else { id.rawValue }
        try members.encode(kind, forKey: .kind)
        try members.encode(id.rawValue, forKey: .id)
        switch self {
        case .unknown: break
        case .favoriteJokes(let count): try members.encode(FavoritesHeader(count: count), forKey: .favoriteJokes)
        case .jokes(let header): try members.encode(header, forKey: .jokes)
        case .searchResults(let query, let count, let isExact, let start):
            let header = SearchHeader(query: query, count: count, exact: isExact, start: start > 0 ? start : nil)
            try members.encode(header, forKey: .searchResults)
        }
    }
}

/// A number of jokes to which a client can add without an overflow.
private func clamped(_ number: Int) -> Int { max(0, min(number, 1 << 53)) }

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

extension JokesHeader: Codable {
    private enum CodingKeys: String, CodingKey {
        case shown, lastSync, failing, start
        case isSyncing = "syncing"
        case isOffline = "offline"
        case isRecovered = "recovered"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            shown: clamped(try members.decode(Int.self, forKey: .shown)),
            lastSync: try members.decodeIfPresent(Timestamp.self, forKey: .lastSync),
            isSyncing: try members.decode(Bool.self, forKey: .isSyncing),
            isOffline: try members.decode(Bool.self, forKey: .isOffline),
            failing: try members.decode([String].self, forKey: .failing).map(cleanText),
            isRecovered: try members.decodeIfPresent(Bool.self, forKey: .isRecovered) ?? false,
            start: clamped(try members.decodeIfPresent(Int.self, forKey: .start) ?? 0))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(shown, forKey: .shown)
        try members.encodeIfPresent(lastSync, forKey: .lastSync)
        try members.encode(isSyncing, forKey: .isSyncing)
        try members.encode(isOffline, forKey: .isOffline)
        try members.encode(failing, forKey: .failing)
        try members.encode(isRecovered, forKey: .isRecovered)
        if start > 0 { try members.encode(start, forKey: .start) }
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
