import HTTP
import JokesCore

/// Reads a feed in RSS 0.9x, RSS 2.0 or Atom: one conditional request for each sync. A missing item is not a removed
/// one, because a feed has only the newest items.
struct XMLFeedSource: JokeSource {
    /// The third type is that of `.rss` in Debian's mime.types.
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
                .unreadable, "\(answer.redactedURL) returned invalid XML, line \(error.line): \(error.reason)")
        }
    }
}

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
