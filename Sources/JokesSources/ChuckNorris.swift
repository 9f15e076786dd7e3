import HTTP
import JokesCore

/// https://api.chucknorris.io, which has no listing, and a search that answers with everything it finds at once.
///
/// As good as every joke of it names its hero, so one search for him brings in one request what random draws would not
/// in ten thousand. It proves nothing about jokes that do not name him, so no sweep is ever complete and no joke goes
/// missing. The answer is megabytes long; between two searches a sync is one draw, from which it learns whether anything
/// was written or edited since the last search, and searches again where it was. The search is made anyway from time to
/// time.
///
/// Its categories `explicit`, `political` and `religion` count as flags. Most jokes have no category, and nobody vouches
/// for those.
struct ChuckNorris: JokeSource {
    /// The service takes from 3 to 120 characters, and finds them in any case.
    private static let query = "chuck"
    private static let flags = ["explicit": "explicit", "political": "political", "religion": "religious"]

    private struct Cursor: ServiceCursor {
        /// How many jokes of the next search were taken already, where a sync may take only so many; nil where there
        /// is nothing to search for.
        var taken: Int?
        /// The latest date of a joke that the last search found.
        var latest = ""
        var unchanged = 0

        var isSound: Bool { reachableNumbers.contains(taken ?? 0) }
    }

    private struct Result: Decodable {
        let result: LossyArray<Item>
    }

    private struct Item: Decodable {
        let id: String
        let value: String
        let categories: [String]
        let created: String?
        let updated: String?
        let url: String?

        private enum CodingKeys: String, CodingKey {
            case id, value, categories, url
            case created = "created_at"
            case updated = "updated_at"
        }

        /// When it was last touched; empty where that is no date. Dates in this form, whatever the number of their
        /// fraction's digits, are in order when their texts are.
        var touched: String {
            [created, updated].compactMap(\.self).filter { $0.utf8.count <= 40 && $0.first?.isNumber == true }.max()
                ?? ""
        }

        var isFoundBySearch: Bool {
            value.lowercased().contains(ChuckNorris.query)
        }

        var fetched: FetchedJoke {
            FetchedJoke(
                upstreamID: id, setup: value, categories: categories,
                flags: categories.compactMap { ChuckNorris.flags[$0.lowercased()] }, url: url, date: created)
        }
    }

    private let upstream: Upstream
    private let categories: [String]

    init(_ source: SourceConfiguration, _ upstream: Upstream) throws(SourceError) {
        self.upstream = upstream
        categories = source.lowercasedCategories
        if let odd = categories.first(where: { !isPlainWord($0) }) {
            throw SourceError(.misconfigured, "source '\(source.name)' has no category '\(odd)'")
        }
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let limit = max(1, limit ?? .max)
        guard let cursor = Cursor(position) else { return try await search(from: 0, limit) }
        if let taken = cursor.taken { return try await search(from: taken, limit) }
        return try await cursor.isFullSyncDue ? search(from: 0, limit) : draw(from: cursor)
    }

    private func search(from taken: Int, _ limit: Int) async throws(SourceError) -> SourceBatch {
        let answer = try await upstream.get("/jokes/search?query=\(Self.query)")
        let found = try answer.decoded(as: Result.self).result
        if found.elements.isEmpty { throw SourceError(noJokesIn: answer) }
        let known = Set(found.elements.flatMap(\.categories).map { $0.lowercased() })
        try check(categories, known: known.sorted(), of: answer.redactedURL)
        // In an order of our own, so that a sync that may take only some goes on behind them.
        let wanted = found.elements.filter(isWanted).sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        let untaken = wanted.dropFirst(taken)
        let isAll = untaken.count <= limit
        let cursor = Cursor(
            taken: isAll ? nil : wanted.count - untaken.count + limit,
            latest: found.elements.map(\.touched).max() ?? "")
        return SourceBatch(
            jokes: untaken.prefix(limit).map(\.fetched), refused: taken > 0 ? 0 : found.refused,
            position: SourcePosition(encoding: cursor), progress: .partial)
    }

    private func isWanted(_ item: Item) -> Bool {
        categories.isEmpty || item.categories.contains { categories.contains($0.lowercased()) }
    }

    private func draw(from last: Cursor) async throws(SourceError) -> SourceBatch {
        let choice = categories.isEmpty ? "" : "?category=\(categories.joined(separator: ","))"
        let item = try await upstream.get("/jokes/random\(choice)").decoded(as: Item.self)
        if isWanted(item), item.touched > last.latest {
            var cursor = last
            cursor.taken = 0
            return SourceBatch(jokes: [item.fetched], position: SourcePosition(encoding: cursor), progress: .more)
        }
        var batch = last.unchangedBatch()
        if !isWanted(item) {
            batch.refused = 1
        } else if !item.isFoundBySearch {
            (batch.jokes, batch.progress) = ([item.fetched], .partial)
        }
        return batch
    }
}
