package import JokesCore

package enum ExportMethod: JokesMethod {
    package static let name = "Export"

    package struct Parameters: Codable, Hashable, Sendable {
        package var all, excluded, filtered: Bool?
        package var cursor: String?

        package init(all: Bool? = nil, excluded: Bool? = nil, filtered: Bool? = nil, cursor: String? = nil) {
            (self.all, self.excluded, self.filtered, self.cursor) = (all, excluded, filtered, cursor)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var favorites: [Favorite]?
        package var hidden: [HiddenMark]?
        package var jokes: [Joke]?
        package var next: String?

        package init(
            favorites: [Favorite]? = nil, hidden: [HiddenMark]? = nil, jokes: [Joke]? = nil,
            next: String? = nil
        ) {
            (self.favorites, self.hidden, self.jokes, self.next) = (favorites, hidden, jokes, next)
        }

        /// The records of the reply in order.
        package var records: [ExchangeRecord] { ExchangeRecord.list(favorites, hidden, jokes) }
    }
}

package enum ImportMethod: JokesMethod {
    package static let name = "Import"

    package struct Parameters: Codable, Hashable, Sendable {
        package var id: String?
        package var favorites: [Favorite]?
        package var hidden: [HiddenMark]?
        package var jokes: [Joke]?
        package var last, dryRun: Bool?

        package init(id: String? = nil, _ records: [ExchangeRecord], isLast: Bool = false, isDryRun: Bool = false) {
            (self.id, last, dryRun) = (id, isLast, isDryRun ? true : nil)
            favorites = records.compactMap { if case .favorite(let favorite) = $0 { favorite } else { nil } }
            hidden = records.compactMap { if case .hidden(let mark) = $0 { mark } else { nil } }
            jokes = records.compactMap { if case .joke(let joke) = $0 { joke } else { nil } }
        }

        /// The records of the piece: favorites, hidden marks, jokes.
        package var records: [ExchangeRecord] { ExchangeRecord.list(favorites, hidden, jokes) }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var id: String?
        package var report: ImportReport?

        package init(id: String? = nil, report: ImportReport? = nil) { (self.id, self.report) = (id, report) }
    }
}

extension ExchangeRecord {
    fileprivate static func list(_ favorites: [Favorite]?, _ hidden: [HiddenMark]?, _ jokes: [Joke]?) -> [Self] {
        (favorites ?? []).map(Self.favorite) + (hidden ?? []).map(Self.hidden) + (jokes ?? []).map(Self.joke)
    }

    /// The approximate size as JSON: escapes at most double clean text.
    package var estimatedBytes: Int {
        switch self {
        case .favorite(let favorite): Item.favorite(favorite).estimatedBytes
        case .joke(let joke): Item.joke(joke).estimatedBytes
        case .hidden: 128
        }
    }
}
