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

        package init(
            id: String? = nil, favorites: [Favorite]? = nil, hidden: [HiddenMark]? = nil,
            jokes: [Joke]? = nil, last: Bool? = nil, dryRun: Bool? = nil
        ) {
            (self.id, self.last, self.dryRun) = (id, last, dryRun)
            (self.favorites, self.hidden, self.jokes) = (favorites, hidden, jokes)
        }

        /// A piece of an import.
        package init(id: String?, _ records: [ExchangeRecord], isLast: Bool, isDryRun: Bool = false) {
            self.init(
                id: id, favorites: records.compactMap { if case .favorite(let it) = $0 { it } else { nil } },
                hidden: records.compactMap { if case .hidden(let it) = $0 { it } else { nil } },
                jokes: records.compactMap { if case .joke(let it) = $0 { it } else { nil } },
                last: isLast, dryRun: isDryRun ? true : nil)
        }

        /// The records of the piece: favorites, hidden marks, jokes.
        package var records: [ExchangeRecord] { ExchangeRecord.list(favorites, hidden, jokes) }
    }

    /// The ID of an import. Its other parameters may be invalid.
    package struct Identifier: Decodable, Sendable { package var id: String? }

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
