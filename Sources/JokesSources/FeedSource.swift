import HTTP
import JSON
import JokesCore
import JokesExchange

/// Reads a feed in RSS, Atom or JSON Feed: one conditional request for each sync, and one for each further page of a changed
/// JSON Feed.
///
/// The body decides the format, and not the type that the server states. All pages have the same origin. A feed has only the
/// newest items, so a missing item is not a removed one. Only a file of this machine has all of them.
struct FeedSource: JokeSource {
    /// The types of feeds and web pages. The body decides, but servers choose by them.
    static let mediaTypes = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/json", "application/xml",
        "text/xml", "*/*;q=0.5",
    ]
    private static let maxPages = 20
    private static let headers: HeaderFields = ["Accept": mediaTypes.joined(separator: ", ")]

    /// The page to request next.
    private struct Cursor: Codable {
        var url: String
        var number: Int
    }

    let upstream: Upstream
    /// True if titles are headings and not part of the jokes.
    let skipsTitles: Bool

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = position.cursor(as: Cursor.self)
        if let cursor, (2...Self.maxPages).contains(cursor.number) {
            return try await furtherPage(cursor, position.validators, limit)
        }
        // If the cursor is damaged, the sync begins again.
        let validators = position.cursor == nil ? position.validators : SourceState.Validators()
        let answer = try await upstream.get(headers: Self.headers, validators: validators)
        if answer.isNotModified {
            return SourceBatch(
                position: SourcePosition(validators: answer.storedValidators, cursor: position.cursor),
                progress: .unchanged)
        }
        return try await batch(of: answer, 1, answer.storedValidators, limit)
    }

    /// If the page is missing or is not a feed, the sync ends without an error, because the first pages were read. The
    /// next sync then requests all of them again.
    private func furtherPage(
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
        let page = try await FeedPage(answer, skipsTitles: skipsTitles)
        if page.jokes.isEmpty && page.refused > 0 { throw SourceError(noJokesIn: answer, refused: page.refused) }
        var batch = page.batch(SourcePosition(validators: validators), limit: limit)
        if upstream.isFile && batch.jokes.count == page.jokes.count && !page.isCut {
            (batch.beginsFullSync, batch.progress) = (true, .complete)
            return batch
        }
        let isEnough = page.jokes.isEmpty || page.jokes.count >= limit ?? .max || number == Self.maxPages
        if !isEnough, let next = page.nextURL {
            batch.position.setCursor(Cursor(url: next, number: number + 1))
            batch.progress = .more
        }
        return batch
    }
}

/// A feed, or a page of one, in an answer.
struct FeedPage {
    enum Format { case xml, json }

    let format: Format
    let jokes: [FetchedJoke]
    /// The number of items that cannot be read.
    let refused: Int
    /// The URL of the page with older items, which has the same origin; nil if there is none.
    private(set) var nextURL: String?
    let title: String?
    /// True if items at the end were not read, or if one of the items cannot be read.
    let isCut: Bool
    /// The titles of the items that have a body, too.
    let titles: [String]
    private let permission: LongBodyPermission?

    /// Reads the body, whatever its type is called.
    ///
    /// - Throws: `SourceError`: `unreadable` or `empty`, with a hint if the body is a web page that names a feed.
    init(_ answer: HTTPResponse, skipsTitles: Bool = false) async throws(SourceError) {
        permission = answer.permission
        let document = documentText(answer.body, charset: answer.mediaType?.charset)
        // The bytes up to 0x20 are control characters and the space.
        guard let start = document.first(where: { $0 > 0x20 }) else {
            throw SourceError(.empty, "\(answer.redactedURL) returned an empty answer")
        }
        var feed: Feed
        if start == UInt8(ascii: "{") {
            format = .json
            feed = try await Self.jsonFeed(in: document, of: answer)
            let next = feed.next.flatMap { linkedAddress($0, base: answer.url) }
            nextURL = next.flatMap { $0 != answer.url && haveSameOrigin($0, answer.url) ? $0 : nil }
        } else {
            guard let read = Feed(xml: document, url: answer.url, resolve: linkedAddress) else {
                throw Self.refusal(of: answer, document)
            }
            (format, feed) = (.xml, read)
        }
        feed.skipsTitles = skipsTitles
        (jokes, refused) = feed.jokes()
        title = feed.title
        isCut = feed.isFull || refused > 0
        titles = feed.items.compactMap { $0.heading }
    }

    /// The maximum number of items of a JSON Feed, which is read in full otherwise: a bound on memory.
    private static let maxJSONItems = 20_000

    private static func jsonFeed(in document: [UInt8], of answer: HTTPResponse) async throws(SourceError) -> Feed {
        let root = try await answer.jsonRoot(of: document)
        guard case (var feed, let list)? = try? Feed.json(root) else {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned JSON that is not a JSON Feed of version 1")
        }
        feed.refused = try await readItems([list], of: answer.redactedURL, atMost: maxJSONItems) { value in
            guard let item = try? FeedItem(value, base: answer.url, resolve: linkedAddress) else { return false }
            feed.add(item)
            return true
        }.refused
        return feed
    }

    /// Returns the jokes as a batch, at most `limit` of them.
    func batch(_ position: SourcePosition, limit: Int? = nil) -> SourceBatch {
        SourceBatch(
            jokes: Array(jokes.prefix(limit ?? .max)), refused: refused, position: position, progress: .partial,
            permission: permission)
    }

    // MARK: Other answers

    private static func refusal(of answer: HTTPResponse, _ document: [UInt8]) -> SourceError {
        let url = answer.redactedURL
        let head = String(decoding: document.prefix(2048), as: UTF8.self).lowercased()
        guard ["<html", "<!doctype html", "<body", "<head"].contains(where: head.contains) else {
            if url.hasPrefix("/") {
                return SourceError(
                    .unreadable, "\(url) is not a file of jokes",
                    hint:
                        "jokesd reads feeds, JSON, and fortune files. In a fortune file, lines with only % separate jokes."
                )
            }
            let what =
                document.contains(UInt8(ascii: "<")) ? "XML that is not a feed" : answer.typeInWords + ", not a feed"
            return SourceError(.unreadable, "\(url) returned \(what)")
        }
        let feed = FeedLink.first(in: document, base: answer.url)
        return SourceError(
            .unreadable, "\(url) returned a web page (HTML), not a feed",
            // Quoted for a shell. In a URL of libcurl, spaces are escaped.
            hint: feed.map { "The page has a feed. Try: jokesctl source add '\($0.replacing("'", with: "%27"))'" }
                ?? "Find the address of a feed (RSS, Atom or JSON Feed) or of JSON with jokes.")
    }
}

/// Returns the absolute URL of a link in a feed; nil if it is not an http or https URL, or too long.
@Sendable func linkedAddress(_ link: String, base: String?) -> String? {
    let link = link.trimmed
    return (1...2048).contains(link.utf8.count) ? webAddress(link, base: base) : nil
}
