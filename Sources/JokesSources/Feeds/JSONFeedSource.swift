import HTTP
import JokesCore

/// A JSON Feed at the configured URL: one conditional request a sync, and one for each further page of a new answer.
///
/// Pages are followed within the feed's own origin, and no more than twenty of them. A feed is a window on a stream:
/// what falls out of it is not missing, so that a sync is never complete.
struct JSONFeedSource: JokeSource {
    static let mostPages = 20
    private static let mediaTypes = "application/feed+json, application/json"

    private let source: SourceConfiguration
    private let address: FeedAddress
    private let upstream: @Sendable (SourceConfiguration) throws(SourceError) -> Upstream

    /// `upstream` makes the upstream of the source, or of a page of it, which the configuration then has for its URL.
    init(
        _ source: SourceConfiguration,
        upstream: @escaping @Sendable (SourceConfiguration) throws(SourceError) -> Upstream
    ) throws(SourceError) {
        self.source = source
        self.upstream = upstream
        address = FeedAddress(source, try upstream(source))
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = position.cursor(as: FeedCursor.self)
        if let cursor, cursor.url == address.url, let next = cursor.next,
            (2...Self.mostPages).contains(cursor.page ?? 0)
        {
            return try await page(next, cursor, position, limit)
        }
        // A next page that is not read next belongs to another feed or to a damaged cursor.
        let known = cursor?.next == nil ? position : SourcePosition()
        guard let answer = try await address.answer(since: known, accept: Self.mediaTypes, limit: limit) else {
            return SourceBatch(position: position, progress: .unchanged)
        }
        return try await batch(
            of: answer, FeedCursor(url: address.url, limit: limit), address.position(after: answer, limit: limit), limit
        )
    }

    /// A further page. One that is not there, or is none, ends the sync without a failure: the first ones were read.
    /// The next sync then asks for all of them again.
    private func page(
        _ url: String, _ cursor: FeedCursor, _ position: SourcePosition, _ limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        do throws(SourceError) {
            var page = source
            page.url = url
            let answer = try await FeedAddress(page, upstream(page))
                .answer(since: SourcePosition(), accept: Self.mediaTypes, limit: nil)
            guard let answer else { return SourceBatch(position: SourcePosition(), progress: .partial) }
            return try await batch(of: answer, cursor, position, limit)
        } catch  where [.status, .unreadable, .empty, .misconfigured].contains(error.code) {
            return SourceBatch(refused: 1, position: SourcePosition(), progress: .partial)
        }
    }

    /// The batch that one page makes. The cursor says where the page was found, the position has the first one's
    /// validators.
    private func batch(
        of answer: HTTPResponse, _ cursor: FeedCursor, _ position: SourcePosition, _ limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        let feed = try await feed(in: answer)
        var (slices, jokes, refused) = try await feed.examined()
        if jokes == 0 && refused > 0 {
            throw SourceError(.empty, "\(answer.redactedURL) returned no jokes (items refused: \(refused))")
        }
        slices.left = limit ?? .max
        var batch = SourceBatch(
            slices, refused: refused, position: position, progress: .partial, permission: answer.permission)
        let number = cursor.page ?? 1
        var cursor = cursor
        (cursor.next, cursor.page) = (nil, nil)
        let isEnough = jokes == 0 || jokes >= limit ?? .max || number == Self.mostPages
        if !isEnough, let next = nextPage(feed, answer) {
            (cursor.next, cursor.page) = (next, number + 1)
            batch.progress = .more
        }
        batch.position.setCursor(cursor)
        return batch
    }

    private func feed(in answer: HTTPResponse) async throws(SourceError) -> JSONFeed {
        let root = try await answer.jsonRoot
        do throws(JSONFeed.OtherShape) {
            let feed = try JSONFeed(root, from: answer.url)
            if feed.isKnown { return feed }
        } catch {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned JSON that is not a JSON Feed")
        }
        throw SourceError(.unreadable, "\(answer.redactedURL) returned JSON that is not a JSON Feed of version 1")
    }

    /// The next page, where it is another one at the same origin.
    private func nextPage(_ feed: JSONFeed, _ answer: HTTPResponse) -> String? {
        guard let next = feed.nextURL.flatMap({ linkedAddress($0, base: answer.url) }), next != answer.url,
            haveSameOrigin(next, answer.url)
        else { return nil }
        return next
    }
}
