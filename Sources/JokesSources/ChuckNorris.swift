import HTTP
import JSON
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

    private struct Cursor: ServiceCursor {
        /// The number of jokes of the next search that a sync with a limit has stored; nil if no search is due.
        var taken: Int?
        /// The latest date of a joke in the last search.
        var latest = ""
        var unchanged = 0

        var isPlausible: Bool { reachableNumbers.contains(taken ?? 0) }
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
        let (found, refused) = try await answer.items(of: answer.jsonRoot.optionalMember("result"), Item.init)
        if found.isEmpty { throw SourceError(noJokesIn: answer) }
        let known = Set(found.flatMap(\.joke.categories).map { $0.lowercased() })
        try check(categories, known: known.sorted(), of: answer.redactedURL)
        // Sorted, so that a sync with a limit can continue after them.
        let wanted = found.filter(isWanted).sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        let untaken = wanted.dropFirst(taken)
        let isAll = untaken.count <= limit
        let cursor = Cursor(
            taken: isAll ? nil : wanted.count - untaken.count + limit, latest: found.map(\.changed).max() ?? "")
        return SourceBatch(
            jokes: untaken.prefix(limit).map(\.joke), refused: taken > 0 ? 0 : refused,
            position: SourcePosition(encoding: cursor), progress: .partial, permission: answer.permission)
    }

    private func isWanted(_ item: Item) -> Bool {
        categories.isEmpty || item.joke.categories.contains { categories.contains($0.lowercased()) }
    }

    /// Requests a random joke. A search is due if it is new.
    private func checkForChanges(since last: Cursor) async throws(SourceError) -> SourceBatch {
        let query = categories.isEmpty ? "" : "?category=\(categories.joined(separator: ","))"
        let answer = try await upstream.get("/jokes/random\(query)")
        let root = try await answer.jsonRoot
        guard let item = try? Item(root) else { throw answer.unexpectedShape }
        var batch = last.unchangedBatch()
        batch.beginsPass = true
        if !isWanted(item) {
            batch.refused = 1
        } else if item.changed > last.latest {
            var cursor = last
            cursor.taken = 0
            batch.jokes = [item.joke]
            (batch.position, batch.progress) = (SourcePosition(encoding: cursor), .more)
        } else if !item.joke.setup.lowercased().contains(Self.query) {
            // No search finds it.
            (batch.jokes, batch.progress) = ([item.joke], .partial)
        }
        return batch
    }
}

/// A joke of the service.
private struct Item {
    private static let flags = ["explicit": "explicit", "political": "political", "religion": "religious"]

    let id: String
    let joke: FetchedJoke
    /// The date of the last change; empty if it is not a date. Dates in this form can be compared as texts.
    let changed: String

    /// Returns nil if a required member is missing.
    init?(_ item: JSONValue) throws(JSONError) {
        guard let id = try item.text("id"), let text = try item.text("value"),
            let categories = try item.knownMember("categories")?.texts()
        else { return nil }
        self.id = id
        let created = try item.text("created_at")
        joke = FetchedJoke(
            upstreamID: id, setup: text, categories: categories,
            flags: categories.compactMap { Self.flags[$0.lowercased()] }, url: try item.text("url"), date: created)
        let dates = [created, try item.text("updated_at")].compactMap(\.self)
        changed = dates.filter { $0.utf8.count <= 40 && $0.first?.isNumber == true }.max() ?? ""
    }
}
