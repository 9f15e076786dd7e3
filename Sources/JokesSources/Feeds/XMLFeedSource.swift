import HTTP
import JokesCore

/// A feed in RSS 2.0 (0.9x too) or Atom at the configured URL: one conditional request a sync.
///
/// A feed is a window on a stream: what falls out of it is not missing, so that a sync is never complete.
struct XMLFeedSource: JokeSource {
    /// The third is that of `.rss` in Debian's mime.types.
    static let mediaTypes = [
        "application/rss+xml", "application/atom+xml", "application/x-rss+xml", "application/xml", "text/xml",
    ]

    let upstream: Upstream

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let answer = try await upstream.get(
            headers: ["Accept": Self.mediaTypes.joined(separator: ", ")], validators: position.validators)
        if answer.isNotModified { return SourceBatch(position: position, progress: .unchanged) }
        let (jokes, refused) = try feed(in: answer).jokes(from: answer.url)
        if jokes.isEmpty && refused > 0 { throw SourceError(noJokesIn: answer, refused: refused) }
        var batch = SourceBatch(
            jokes: Array(jokes.prefix(limit ?? jokes.count)), refused: refused,
            position: SourcePosition(validators: answer.storedValidators), progress: .partial)
        batch.permission = answer.permission
        return batch
    }

    private func feed(in answer: HTTPResponse) throws(SourceError) -> FeedDocument {
        guard let type = answer.mediaType, Self.mediaTypes.contains(type.essence) else {
            throw SourceError(
                .unreadable, "\(answer.redactedURL) returned \(answer.typeInWords) instead of an XML feed")
        }
        do throws(XMLError) {
            return try feedDocument(answer.body, charset: type.charset)
        } catch {
            throw SourceError(
                .unreadable,
                "\(answer.redactedURL) returned invalid XML, line \(error.line): \(error.reason)")
        }
    }
}

/// The feed in a document. Pure.
func feedDocument(_ bytes: [UInt8], charset: String?) throws(XMLError) -> FeedDocument {
    var reader = XMLReader(try xmlText(of: bytes, charset: charset))
    let root = try reader.root()
    let feed: FeedDocument
    switch root.name {
    case XMLName("rss"): feed = try reader.rssFeed(root)
    case XMLName("feed", in: XMLReader.atom): feed = try reader.atomFeed(root)
    default: throw reader.failure("neither RSS 2.0 nor Atom")
    }
    if !feed.isFull { try reader.finish() }
    return feed
}
