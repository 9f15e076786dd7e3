import HTTP
import JokesCore

/// Reads https://api.chucknorris.io, which has no list, but a search with all results in one answer.
///
/// Almost every joke has the name, so one search for it finds almost all. It may not find all, so a missing joke is not
/// a removed one. The answer has megabytes: other syncs request one random joke, and search again only if it is newer
/// than the last search, or after some time.
///
/// Its categories `explicit`, `political` and `religion` are flags. Most jokes have no category, and are unrated.
struct ChuckNorris: JokeSource {
    /// The service accepts 3 to 120 characters, in any case.
    private static let query = "chuck"
    private static let flags = ["explicit": "explicit", "political": "political", "religion": "religious"]

    private struct Cursor: ServiceCursor {
        /// The number of jokes of the next search that a sync with a limit has stored; nil if no search is due.
        var taken: Int?
        /// The latest date of a joke in the last search.
        var latest = ""
        var unchanged = 0

        var isPlausible: Bool { reachableNumbers.contains(taken ?? 0) }
    }

    private struct Results: Decodable { let result: LossyArray<Item> }

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

        /// The date of the last change; empty if it is not a date. Dates in this form can be compared as texts.
        var changed: String {
            [created, updated].compactMap(\.self).filter { $0.utf8.count <= 40 && $0.first?.isNumber == true }.max()
                ?? ""
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
        if let invalid = categories.first(where: { !isPlainWord($0) }) {
            throw SourceError(.misconfigured, "source '\(source.name)' has no category '\(invalid)'")
        }
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = Cursor(position)
        if let cursor, cursor.taken == nil, !cursor.isFullSyncDue { return try await checkForChanges(since: cursor) }
        var batch = try await search(from: cursor?.taken ?? 0, max(1, limit ?? .max))
        batch.beginsPass = cursor?.taken == nil
        return batch
    }

    private func search(from taken: Int, _ limit: Int) async throws(SourceError) -> SourceBatch {
        let answer = try await upstream.get("/jokes/search?query=\(Self.query)")
        let found = try answer.decoded(as: Results.self).result
        if found.elements.isEmpty { throw SourceError(noJokesIn: answer) }
        let known = Set(found.elements.flatMap(\.categories).map { $0.lowercased() })
        try check(categories, known: known.sorted(), of: answer.redactedURL)
        // Sorted, so that a sync with a limit can continue after them.
        let wanted = found.elements.filter(isWanted).sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        let untaken = wanted.dropFirst(taken)
        let isAll = untaken.count <= limit
        let cursor = Cursor(
            taken: isAll ? nil : wanted.count - untaken.count + limit, latest: found.elements.map(\.changed).max() ?? ""
        )
        return SourceBatch(
            jokes: untaken.prefix(limit).map(\.fetched), refused: taken > 0 ? 0 : found.refused,
            position: SourcePosition(encoding: cursor), progress: .partial)
    }

    private func isWanted(_ item: Item) -> Bool {
        categories.isEmpty || item.categories.contains { categories.contains($0.lowercased()) }
    }

    /// Requests a random joke. A search is due if it is new.
    private func checkForChanges(since last: Cursor) async throws(SourceError) -> SourceBatch {
        let query = categories.isEmpty ? "" : "?category=\(categories.joined(separator: ","))"
        let item = try await upstream.get("/jokes/random\(query)").decoded(as: Item.self)
        var batch = last.unchangedBatch()
        batch.beginsPass = true
        if !isWanted(item) {
            batch.refused = 1
        } else if item.changed > last.latest {
            var cursor = last
            cursor.taken = 0
            batch.jokes = [item.fetched]
            (batch.position, batch.progress) = (SourcePosition(encoding: cursor), .more)
        } else if !item.value.lowercased().contains(Self.query) {
            // No search finds it.
            (batch.jokes, batch.progress) = ([item.fetched], .partial)
        }
        return batch
    }
}
