import HTTP
import JokesCore

/// Reads https://icanhazdadjoke.com: an empty search lists all jokes in pages.
///
/// The number of pages ends a full sync, because `next_page` of the last page is the same page. The first page has the
/// number of jokes, so a sync without changes has one request. A full sync from time to time finds edited jokes. If the
/// list changes meanwhile, or a page is empty or occurs twice, it is not complete, and the next sync begins again.
struct ICanHazDadJoke: JokeSource {
    /// The maximum number of pages: forty times the real one.
    private static let maxPages = 1000
    /// The maximum of `limit`.
    private static let maxPageSize = 30

    private struct Cursor: ServiceCursor {
        var pageSize: Int
        /// The number of jokes from the first page.
        var total: Int
        /// The next page; nil if the full sync is over.
        var page: Int?
        /// The number of jokes of this page that an earlier sync has stored, if it had a limit.
        var taken = 0
        /// The number of jokes on earlier pages, and a digest of each page.
        var seen = 0
        var pages: [String] = []
        /// True if all pages have stated the same number of jokes.
        var isSteady = true
        var unchanged = 0

        var isPlausible: Bool {
            (1...ICanHazDadJoke.maxPageSize).contains(pageSize) && (1...ICanHazDadJoke.maxPages).contains(page ?? 1)
                && [taken, seen].allSatisfy(reachableNumbers.contains)
        }
    }

    private struct Page: Decodable {
        let currentPage: NumberOrText?
        let pages: Int
        let total: Int
        let results: LossyArray<Item>

        private enum CodingKeys: String, CodingKey {
            case currentPage = "current_page"
            case pages = "total_pages"
            case total = "total_jokes"
            case results
        }

        /// A digest of the IDs of its jokes.
        var digest: String {
            SHA256.shortDigest(of: Array(results.elements.map(\.id.text).sorted().joined(separator: "\n").utf8))
        }

        var isEmpty: Bool { results.elements.isEmpty && results.refused == 0 }
    }

    private struct Item: Decodable {
        let id: NumberOrText
        let joke: String
    }

    let upstream: Upstream

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let limit = max(1, limit ?? .max)
        let last = Cursor(position)
        if let last, let number = last.page {
            return batch(from: try await page(number, of: last.pageSize), number, last, limit)
        }
        let pageSize = last?.pageSize ?? min(limit, Self.maxPageSize)
        let first = try await page(1, of: pageSize)
        if let last, last.total == first.total, !last.isFullSyncDue { return last.unchangedBatch() }
        if first.isEmpty { throw SourceError(.empty, "\(upstream.url)/search returned no jokes") }
        return batch(from: first, 1, Cursor(pageSize: pageSize, total: first.total, page: 1), limit)
    }

    private func page(_ number: Int, of size: Int) async throws(SourceError) -> Page {
        let answer = try await upstream.get("/search?limit=\(size)&page=\(number)")
        // An error may come with HTTP status 200 and its own status in the body.
        if let body = ErrorBody(answer), let status = body.status, status.number != 200 {
            throw SourceError(body, in: answer)
        }
        return try answer.decoded(as: Page.self)
    }

    private func batch(from page: Page, _ number: Int, _ start: Cursor, _ limit: Int) -> SourceBatch {
        let isRequestedPage = page.currentPage.map { $0.number == number } ?? true
        guard isRequestedPage, !page.isEmpty, !start.pages.contains(page.digest) else {
            return SourceBatch(position: SourcePosition(), progress: .partial)
        }
        var cursor = start
        cursor.isSteady = cursor.isSteady && page.total == cursor.total
        let untaken = page.results.elements.dropFirst(cursor.taken)
        let jokes = untaken.prefix(limit)
        let refused = cursor.taken == 0 ? page.results.refused : 0
        let beginsFullSync = number == 1 && cursor.taken == 0
        cursor.taken += jokes.count
        var progress = SourceBatch.Progress.partial
        if jokes.count == untaken.count {
            cursor.seen += Set(page.results.elements.map(\.id)).count
            cursor.taken = 0
            cursor.pages.append(page.digest)
            let isLast = number >= min(page.pages, Self.maxPages)
            cursor.page = isLast ? nil : number + 1
            if isLast {
                let isWhole = cursor.isSteady && cursor.seen >= cursor.total && page.pages <= Self.maxPages
                progress = isWhole ? .complete : .partial
            } else if jokes.count < limit {
                progress = .more
            }
        }
        let mustBeginAgain = cursor.page == nil && !cursor.isSteady
        return SourceBatch(
            jokes: jokes.map { FetchedJoke(upstreamID: $0.id.text, setup: $0.joke) }, beginsFullSync: beginsFullSync,
            refused: refused, position: mustBeginAgain ? SourcePosition() : SourcePosition(encoding: cursor),
            progress: progress)
    }
}
