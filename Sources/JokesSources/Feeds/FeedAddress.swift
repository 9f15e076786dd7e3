import HTTP
import JokesCore

/// How far the reading of a feed has come.
struct FeedCursor: Codable {
    /// The validators are those of this URL, read with this limit: with another more of it may be wanted.
    var url: String
    var limit: Int?
    /// The page to read next, and its number; nil at the beginning.
    var next: String?
    var page: Int?
}

/// Where a feed is.
struct FeedAddress: Sendable {
    private let upstream: Upstream
    /// What the base URL lacks of the feed's.
    private let path: String

    init(_ source: SourceConfiguration, _ upstream: Upstream) {
        self.upstream = upstream
        path = source.url?.hasSuffix("/") == true ? "/" : ""
    }

    /// The configured URL.
    var url: String {
        upstream.url + path
    }

    /// The answer to one request; nil where it is still the one that the position tells of.
    func answer(since position: SourcePosition, accept: String, limit: Int?) async throws(SourceError) -> HTTPResponse?
    {
        let cursor = position.cursor(as: FeedCursor.self)
        let isSame = cursor?.url == url && cursor?.limit == limit
        let answer = try await upstream.get(
            path, headers: ["Accept": accept], validators: isSame ? position.validators : SourceState.Validators())
        return answer.isNotModified ? nil : answer
    }

    /// The position after a new answer.
    func position(after answer: HTTPResponse, limit: Int?) -> SourcePosition {
        var position = SourcePosition(
            validators: SourceState.Validators(
                etag: answer.validators.etag, lastModified: answer.validators.lastModified))
        position.setCursor(FeedCursor(url: url, limit: limit))
        return position
    }
}

extension FeedDocument {
    /// The document as the last batch of a sync.
    ///
    /// - Throws: `SourceError` with code `empty` where it has items, and each was refused.
    func batch(from answer: HTTPResponse, then position: SourcePosition, limit: Int?) throws(SourceError) -> SourceBatch
    {
        let (jokes, refused) = jokes(from: answer.url)
        if jokes.isEmpty && refused > 0 {
            throw SourceError(.empty, "\(answer.redactedURL) returned no jokes (items refused: \(refused))")
        }
        var batch = SourceBatch(
            jokes: Array(jokes.prefix(limit ?? jokes.count)), refused: refused, position: position, progress: .partial)
        batch.permission = answer.permission
        return batch
    }
}
