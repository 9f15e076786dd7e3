import HTTP
import JokesCore

/// Reads https://www.blagues-api.fr, a French service that requires a token.
///
/// It has no list: each joke needs a request with its number, from 1 on, until there are as many as `/api/count`
/// states. The answer for a removed number is 404. If the count has not changed, a sync has one request. A full sync
/// has thousands, and volunteers run the service, so a full sync for edits is rare.
///
/// The service rates only `global` and `dev` as suitable for everybody, so other jokes need a filter that allows them.
struct BlaguesAPI: JokeSource {
    /// The number of 404 answers in a row that ends a full sync. The longest real gap is 23.
    static let longestGap = 200
    static let plausibleCounts = 1...20_000

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

        var isSound: Bool {
            BlaguesAPI.plausibleCounts.contains(count) && (1...BlaguesAPI.lastID(self)).contains(nextID ?? 1)
                && [found, read, gap].allSatisfy(reachableNumbers.contains)
        }
    }

    private struct Count: Decodable {
        let count: NumberOrText
    }

    private struct Item: Decodable {
        let id: NumberOrText
        let type: String
        let joke: String
        let answer: String?
    }

    private enum Answer {
        case joke(Item), unreadable, none
    }

    private let upstream: Upstream
    private let token: String
    private let categories: [String]

    /// Reads the token, once.
    init(_ source: SourceConfiguration, _ upstream: Upstream) throws(SourceError) {
        guard let token = source.token else {
            throw SourceError(
                .misconfigured, "source '\(source.name)' has no token: request one at www.blagues-api.fr")
        }
        self.token = try token.read()
        self.upstream = upstream
        categories = source.lowercasedCategories
        try check(categories, known: Self.kinds.keys.sorted(), of: "source '\(source.name)'")
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = Cursor(position)
        if let cursor, let next = cursor.nextID {
            return try await sweep(from: cursor, next)
        }
        return try await begin(after: cursor)
    }

    private func begin(after last: Cursor?) async throws(SourceError) -> SourceBatch {
        let answer = try await get("/api/count")
        let number = try answer.decoded(as: Count.self).count.number
        guard let count = number, count == 0 || Self.plausibleCounts.contains(count) else {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned no joke count")
        }
        if count == 0 { throw SourceError(noJokesIn: answer) }
        if let last, last.count == count, !last.isFullSyncDue { return last.unchangedBatch() }
        return SourceBatch(
            beginsSweep: true, position: SourcePosition(encoding: Cursor(count: count)), progress: .more)
    }

    // MARK: The sweep

    /// The last number of a full sync.
    private static func lastID(_ cursor: Cursor) -> Int {
        4 * cursor.count + 1000
    }

    /// One number for each step, so a failure loses nothing.
    private func sweep(from start: Cursor, _ id: Int) async throws(SourceError) -> SourceBatch {
        var (cursor, jokes, refused) = (start, [FetchedJoke](), 0)
        switch try await answer(id) {
        case .joke(let item):
            cursor.found += 1
            cursor.read += 1
            cursor.gap = 0
            if isWanted(item) { jokes.append(Self.fetched(item)) }
        case .unreadable:
            cursor.found += 1
            cursor.gap = 0
            refused += 1
        case .none: cursor.gap += 1
        }
        let isLast = cursor.found >= cursor.count || cursor.gap >= Self.longestGap || id >= Self.lastID(cursor)
        cursor.nextID = isLast ? nil : id + 1
        return batch(jokes, refused, cursor)
    }

    private func batch(_ jokes: [FetchedJoke], _ refused: Int, _ cursor: Cursor) -> SourceBatch {
        let isOver = cursor.nextID == nil
        let isWhole = isOver && cursor.read >= cursor.count
        // If no joke could be read, the service has a problem, and the full sync begins again.
        return SourceBatch(
            jokes: jokes, refused: refused,
            position: isOver && cursor.read == 0 ? SourcePosition() : SourcePosition(encoding: cursor),
            progress: isWhole ? .complete : isOver ? .partial : .more)
    }

    private func isWanted(_ item: Item) -> Bool {
        categories.isEmpty || categories.contains(item.type.lowercased())
    }

    // MARK: Answers

    private func answer(_ id: Int) async throws(SourceError) -> Answer {
        let response = try await get("/api/id/\(id)", alsoAccepting: [404])
        if response.status == 404 {
            // An answer in HTML is not about the joke: the service has moved.
            if response.mediaType?.isJSON == true { return .none }
            throw SourceError(.status, "\(response.redactedURL) returned an unexpected 404")
        }
        guard response.mediaType?.isJSON == true else {
            throw SourceError(.unreadable, "\(response.redactedURL) returned \(response.typeInWords) instead of JSON")
        }
        if let item = try? response.decoded(as: Item.self) { return item.id.number == id ? .joke(item) : .unreadable }
        guard let status = ErrorBody(response)?.status else { return .unreadable }
        if status.number == 404 { return .none }
        // The message of the service may contain the token.
        throw SourceError(.upstreamError, "\(response.redactedURL) returned error \(status.number ?? 0)")
    }

    private func get(_ path: String, alsoAccepting statuses: Set<Int> = []) async throws(SourceError) -> HTTPResponse {
        try await upstream.get(
            path, headers: ["Accept": "application/json", "Authorization": "Bearer \(token)"], alsoAccepting: statuses)
    }

    private enum Kind {
        case everybody, adults, sexist
    }

    private static let kinds: [String: Kind] = [
        "global": .everybody, "dev": .everybody, "dark": .adults, "limit": .adults, "beauf": .adults,
        "blondes": .sexist,
    ]

    private static func fetched(_ item: Item) -> FetchedJoke {
        let kind = kinds[item.type.lowercased()]
        return FetchedJoke(
            upstreamID: item.id.text, setup: item.joke, punchline: item.answer, categories: [item.type],
            flags: kind == .sexist ? ["sexist"] : [], safety: kind.map { $0 == .everybody ? .safe : .unsafe })
    }
}
