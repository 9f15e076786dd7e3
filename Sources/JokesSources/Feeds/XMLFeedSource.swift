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

    private let address: FeedAddress

    init(_ source: SourceConfiguration, _ upstream: Upstream) {
        address = FeedAddress(source, upstream)
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let accept = Self.mediaTypes.joined(separator: ", ")
        guard let answer = try await address.answer(since: position, accept: accept, limit: limit) else {
            return SourceBatch(position: position, progress: .unchanged)
        }
        return try feed(in: answer).batch(
            from: answer, then: address.position(after: answer, limit: limit), limit: limit)
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
