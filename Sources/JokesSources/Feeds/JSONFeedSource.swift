import HTTP
import JokesCore

/// Reads a JSON Feed: one conditional request for each sync, and one for each further page of a changed feed.
///
/// It reads at most 20 pages of the same origin. A feed has only the newest items, so a missing item is not a removed
/// one.
struct JSONFeedSource: JokeSource {
    static let mostPages = 20
    private static let headers: HeaderFields = ["Accept": "application/feed+json, application/json"]

    /// The page to request next.
    private struct Cursor: Codable {
        var url: String
        var number: Int
    }

    let upstream: Upstream

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = position.cursor(as: Cursor.self)
        if let cursor, (2...Self.mostPages).contains(cursor.number) {
            return try await page(cursor, position.validators, limit)
        }
        // A damaged cursor: the sync begins again.
        let validators = position.cursor == nil ? position.validators : SourceState.Validators()
        let answer = try await upstream.get(headers: Self.headers, validators: validators)
        if answer.isNotModified { return SourceBatch(position: position, progress: .unchanged) }
        return try await batch(of: answer, 1, answer.storedValidators, limit)
    }

    /// A further page. If it is missing or is not a feed, the sync ends without an error, because the first pages were
    /// read. The next sync then requests all of them again.
    private func page(
        _ cursor: Cursor, _ validators: SourceState.Validators, _ limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        do throws(SourceError) {
            let answer = try await upstream.at(cursor.url).get(headers: Self.headers)
            return try await batch(of: answer, cursor.number, validators, limit)
        } catch  where [.status, .unreadable, .empty, .misconfigured].contains(error.code) {
            return SourceBatch(refused: 1, position: SourcePosition(), progress: .partial)
        }
    }

    /// Returns the batch of a page. Its position has the validators of the first page.
    private func batch(
        of answer: HTTPResponse, _ number: Int, _ validators: SourceState.Validators, _ limit: Int?
    ) async throws(SourceError) -> SourceBatch {
        let feed = try await feed(in: answer)
        var (slices, jokes, refused) = try await feed.examined()
        if jokes == 0 && refused > 0 { throw SourceError(noJokesIn: answer, refused: refused) }
        slices.left = min(limit ?? jokes, jokes)
        var batch = SourceBatch(
            slices, refused: refused, position: SourcePosition(validators: validators), progress: .partial,
            permission: answer.permission)
        let isEnough = jokes == 0 || jokes >= limit ?? .max || number == Self.mostPages
        if !isEnough, let next = nextPage(feed, answer) {
            batch.position.setCursor(Cursor(url: next, number: number + 1))
            batch.progress = .more
        }
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

    /// The next page, if it is another one with the same origin.
    private func nextPage(_ feed: JSONFeed, _ answer: HTTPResponse) -> String? {
        guard let next = feed.nextURL.flatMap({ linkedAddress($0, base: answer.url) }), next != answer.url,
            haveSameOrigin(next, answer.url)
        else { return nil }
        return next
    }
}
