import HTTP
import JokesCore

/// https://www.blagues-api.fr, in French, for those who have a token.
///
/// It has no listing: every joke is asked for by its number, one request each, from 1 on until as many have come as
/// `/api/count` says there are. Numbers that are gone are answered with 404. While the count stays the same a sync is
/// that one request. A sweep costs a service run by volunteers thousands, so one that only looks for edits is rare.
///
/// `global` and `dev` are what it calls suitable for everybody; whoever wants the rest has to say so in the filter.
struct BlaguesAPI: JokeSource {
    /// So many numbers without a joke in a row end a sweep; in the real catalogue no gap is longer than 23.
    static let longestGap = 200
    static let plausibleCounts = 1...20_000

    private struct Cursor: ServiceCursor {
        /// A month, if the source is synced every six hours.
        static let maxUnchanged = 120

        /// What the service said when the sweep began.
        var count: Int
        /// The number to ask for; none where the sweep is over.
        var nextID: Int? = 1
        /// How many numbers have been answered with a joke, readable or not, and how many could be read.
        var found = 0
        var read = 0
        /// How many in a row have not, up to the last one.
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

    /// The number where a sweep ends in any case.
    private static func lastID(_ cursor: Cursor) -> Int {
        4 * cursor.count + 1000
    }

    /// One number a step: nothing that came is lost by a failure, and nobody is asked again who asks to be left alone.
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
        // Where not one joke could be read the service is not well: that is begun again.
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
            // In HTML it is no word about the joke: the service itself is not where it was.
            if response.mediaType?.isJSON == true { return .none }
            throw SourceError(.status, "\(response.redactedURL) returned an unexpected 404")
        }
        guard response.mediaType?.isJSON == true else {
            throw SourceError(.unreadable, "\(response.redactedURL) returned \(response.typeInWords) instead of JSON")
        }
        if let item = try? response.decoded(as: Item.self) { return item.id.number == id ? .joke(item) : .unreadable }
        guard let status = ErrorBody(response)?.status else { return .unreadable }
        if status.number == 404 { return .none }
        // The words of the service may repeat the token.
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
