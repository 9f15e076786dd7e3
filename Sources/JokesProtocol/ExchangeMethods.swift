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
        package var favorites: [Wire.FavoriteJoke]?
        package var hidden: [Wire.HiddenMark]?
        package var jokes: [Wire.Joke]?
        package var next: String?

        package init(
            favorites: [Wire.FavoriteJoke]? = nil, hidden: [Wire.HiddenMark]? = nil, jokes: [Wire.Joke]? = nil,
            next: String? = nil
        ) {
            (self.favorites, self.hidden, self.jokes, self.next) = (favorites, hidden, jokes, next)
        }

        /// The records of the reply in order; nil if a fingerprint is invalid.
        package var records: [ExchangeRecord]? { Wire.records(favorites, hidden, jokes) }
    }
}

package enum ImportMethod: JokesMethod {
    package static let name = "Import"

    package struct Parameters: Codable, Hashable, Sendable {
        package var id: String?
        package var favorites: [Wire.FavoriteJoke]?
        package var hidden: [Wire.HiddenMark]?
        package var jokes: [Wire.Joke]?
        package var last, dryRun: Bool?

        package init(
            id: String? = nil, favorites: [Wire.FavoriteJoke]? = nil, hidden: [Wire.HiddenMark]? = nil,
            jokes: [Wire.Joke]? = nil, last: Bool? = nil, dryRun: Bool? = nil
        ) {
            (self.id, self.last, self.dryRun) = (id, last, dryRun)
            (self.favorites, self.hidden, self.jokes) = (favorites, hidden, jokes)
        }

        /// A piece of an import.
        package init(id: String?, _ records: [ExchangeRecord], isLast: Bool, isDryRun: Bool = false) {
            self.init(
                id: id, favorites: records.compactMap { if case .favorite(let it) = $0 { .init(it) } else { nil } },
                hidden: records.compactMap { if case .hidden(let it) = $0 { .init(it) } else { nil } },
                jokes: records.compactMap { if case .joke(let it) = $0 { .init(it) } else { nil } },
                last: isLast, dryRun: isDryRun ? true : nil)
        }

        /// The records of the piece: favorites, hidden marks, jokes; nil if a fingerprint is invalid.
        package var records: [ExchangeRecord]? { Wire.records(favorites, hidden, jokes) }
    }

    /// The ID of an import. Its other parameters may be invalid.
    package struct Identifier: Decodable, Sendable { package var id: String? }

    package struct Reply: Codable, Hashable, Sendable {
        package var id: String?
        package var report: ImportReport?

        package init(id: String? = nil, report: ImportReport? = nil) { (self.id, self.report) = (id, report) }
    }
}

extension Wire {
    fileprivate static func records(_ favorites: [FavoriteJoke]?, _ hidden: [HiddenMark]?, _ jokes: [Joke]?)
        -> [ExchangeRecord]?
    {
        let marks = (hidden ?? []).map(\.mark)
        if marks.contains(nil) { return nil }
        return (favorites ?? []).map { .favorite($0.favorite) } + marks.compactMap { $0.map(ExchangeRecord.hidden) }
            + (jokes ?? []).map { .joke($0.joke) }
    }

    /// `type HiddenMark`.
    package struct HiddenMark: Codable, Hashable, Sendable {
        package var fingerprint: String
        package var hiddenAt: Timestamp

        package init(_ mark: JokesCore.HiddenMark) {
            fingerprint = mark.fingerprint.hex
            hiddenAt = mark.hiddenAt
        }

        /// Nil if the fingerprint is invalid.
        package var mark: JokesCore.HiddenMark? {
            Fingerprint(hex: fingerprint).map { fingerprint in
                JokesCore.HiddenMark(fingerprint: fingerprint, hiddenAt: hiddenAt)
            }
        }
    }
}

extension ExchangeRecord {
    /// The approximate size as JSON: escapes at most double clean text.
    package var estimatedBytes: Int {
        switch self {
        case .favorite(let favorite): Item.favorite(favorite).estimatedBytes
        case .joke(let joke): Item.joke(joke).estimatedBytes
        case .hidden: 128
        }
    }
}
