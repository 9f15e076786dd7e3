import HTTP
import JSON
import JokesCore

/// Reads https://www.blagues-api.fr, a French service that requires a token.
///
/// It has no list: each joke needs a request with its number, from 1 on, until there are as many as `/api/count`
/// states. The answer for a removed number is 404. If the count has not changed, a sync has one request. A full sync
/// has thousands, and volunteers run the service, so a full sync for edits is rare.
///
/// The service rates only `global` and `dev` as suitable for everyone, so other jokes need a filter that allows them.
struct BlaguesAPI: JokeSource {
    private static let types = ["beauf", "blondes", "dark", "dev", "global", "limit"]
    private static let safeTypes = ["dev", "global"]
    /// The number of 404 answers in a row that ends a full sync. The longest real gap is 23.
    private static let maxGap = 200
    private static let plausibleCounts = 1...20_000

    private struct Cursor: ServiceCursor {
        /// A month, if the source is synced every six hours.
        static let maxUnchanged = 120

        /// The count at the beginning of the full sync.
        var count: Int
        /// The next number; nil if the full sync is over.
        var nextID: Int? = 1
        /// The number of jokes in answers, and of those that could be read.
        var found = 0
        var read = 0
        /// The number of 404 answers in a row.
        var gap = 0
        var unchanged = 0

        /// The last number of the full sync.
        var lastID: Int { 4 * count + 1000 }

        var isPlausible: Bool {
            BlaguesAPI.plausibleCounts.contains(count) && (1...lastID).contains(nextID ?? 1)
                && [found, read, gap].allSatisfy(reachableNumbers.contains)
        }
    }

    private enum Answer { case joke(FetchedJoke), unreadable, none }

    private let upstream: Upstream
    private let token: String
    private let categories: [String]

    /// Reads the token, once.
    init(_ source: SourceConfiguration, _ upstream: Upstream) throws(SourceError) {
        guard let token = source.token else {
            throw SourceError(.misconfigured, "source '\(source.name)' has no token: request one at www.blagues-api.fr")
        }
        self.token = try token.read()
        self.upstream = upstream
        categories = source.lowercasedCategories
        try check(categories, known: Self.types, of: "source '\(source.name)'")
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = Cursor(position)
        if let cursor, let id = cursor.nextID { return try await continueFullSync(cursor, at: id) }
        return try await checkForChanges(since: cursor)
    }

    /// Begins a full sync, unless nothing has changed.
    private func checkForChanges(since last: Cursor?) async throws(SourceError) -> SourceBatch {
        let answer = try await get("/api/count")
        let number = try await answer.jsonRoot.optionalMember("count")?.naturalNumber
        guard let count = number, count == 0 || Self.plausibleCounts.contains(count) else {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned no joke count")
        }
        if count == 0 { throw SourceError(noJokesIn: answer) }
        if let last, last.count == count, !last.isFullSyncDue { return last.unchangedBatch() }
        return SourceBatch(
            beginsFullSync: true, position: SourcePosition(encoding: Cursor(count: count)), progress: .more)
    }

    /// One number for each step, so a failure loses nothing.
    private func continueFullSync(_ start: Cursor, at id: Int) async throws(SourceError) -> SourceBatch {
        var cursor = start
        // Newer jokes have higher numbers.
        var batch = SourceBatch(beginsPass: true, position: SourcePosition(), progress: .more)
        cursor.gap = 0
        switch try await answer(id) {
        case .joke(let joke):
            cursor.read += 1
            if joke.isIn(categories) { batch.jokes = [joke] }
        case .unreadable: batch.refused = 1
        case .none: cursor.gap = start.gap + 1
        }
        if cursor.gap == 0 { cursor.found += 1 }
        let isLast = cursor.found >= cursor.count || cursor.gap >= Self.maxGap || id >= cursor.lastID
        cursor.nextID = isLast ? nil : id + 1
        if isLast { batch.progress = cursor.read >= cursor.count ? .complete : .partial }
        // If no joke could be read, the service has a problem, and the full sync begins again.
        if !isLast || cursor.read > 0 { batch.position = SourcePosition(encoding: cursor) }
        return batch
    }

    // MARK: Answers

    private func answer(_ id: Int) async throws(SourceError) -> Answer {
        let response = try await get("/api/id/\(id)", alsoAccepting: [404])
        // A 404 in HTML is not about the joke: the service has moved.
        guard response.mediaType?.isJSON == true else { throw response.notJSON }
        if response.status == 404 { return .none }
        guard let root = try? JSONDocument(response.body, .structure).root else { return .unreadable }
        if let joke = try? Self.joke(root, id) { return .joke(joke) }
        guard let status = root.optionalMember("status")?.naturalNumber else { return .unreadable }
        if status == 404 { return .none }
        // The message of the service may contain the token.
        throw SourceError(.upstreamError, "\(response.redactedURL) returned error \(status)")
    }

    private func get(_ path: String, alsoAccepting statuses: Set<Int> = []) async throws(SourceError) -> HTTPResponse {
        try await upstream.get(
            path, headers: ["Accept": "application/json", "Authorization": "Bearer \(token)"], alsoAccepting: statuses)
    }

    private static func joke(_ item: JSONValue, _ id: Int) throws(JSONError) -> FetchedJoke? {
        guard item.optionalMember("id")?.naturalNumber == id, let category = try item.text("type"),
            let setup = try item.text("joke")
        else { return nil }
        let type = category.lowercased()
        return FetchedJoke(
            upstreamID: "\(id)", setup: setup, punchline: try item.text("answer"), categories: [category],
            flags: type == "blondes" ? ["sexist"] : [],
            safety: safeTypes.contains(type) ? .safe : types.contains(type) ? .unsafe : nil)
    }
}
