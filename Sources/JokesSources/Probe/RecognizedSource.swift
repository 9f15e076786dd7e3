package import HTTP
import JSON
package import JokesCore

/// A source that was recognized from one answer: how it is configured, and its jokes.
package struct RecognizedSource: Sendable {
    /// The entry without a name and without a URL.
    package let entry: SourceEntry
    /// The jokes of the answer, read as the configured source reads them.
    package let batch: SourceBatch
    /// Remarks for people: sentences.
    package let notes: [String]

    /// Recognizes JSON Feed, RSS, Atom, and jokes in other JSON, from the body, the headers and the URL of an answer.
    ///
    /// - Throws: `SourceError`: `unreadable` or `empty` for everything else. Its hint may name a feed of a web page.
    package init(_ answer: HTTPResponse) async throws(SourceError) {
        let url = answer.redactedURL
        guard let start = answer.body.first(where: { !$0.isJSONSpace }) else {
            throw SourceError(.empty, "\(url) returned an empty answer")
        }
        let type = answer.mediaType
        if type?.isJSON == true || type?.essence == "text/plain" && Self.jsonStarts.contains(start) {
            try await self.init(json: answer)
        } else if let type, XMLFeedSource.mediaTypes.contains(type.essence) {
            try self.init(xml: answer)
        } else {
            throw Self.refusal(of: answer, start)
        }
    }

    private init(
        _ entry: SourceEntry, _ slices: JSONSlices<FetchedJoke>, refused: Int, _ notes: [String],
        _ answer: HTTPResponse
    ) {
        self.entry = entry
        self.notes = notes
        batch = SourceBatch(
            slices, refused: refused, position: SourcePosition(), progress: .partial, permission: answer.permission)
    }

    // MARK: JSON

    private static let jsonStarts = Array("{[\"".utf8)

    private init(json answer: HTTPResponse) async throws(SourceError) {
        let root = try await answer.jsonRoot
        if root.optionalText("version")?.contains("jsonfeed.org/version/") == true {
            var (slices, jokes, refused) = try await JSONFeed(answer).examined()
            slices.left = jokes
            self.init(SourceEntry(.jsonfeed), slices, refused: refused, Self.emptyNotes(jokes, refused), answer)
            return
        }
        guard let found = JSONRecognition(root, isRandom: answer.url.lowercased().contains("random")) else {
            let reason =
                JSONRecognition.hasKeyedItems(root)
                ? "JSON in which each joke has its own key: jokesd reads only lists" : "JSON without jokes"
            throw SourceError(.unreadable, "\(answer.redactedURL) returned \(reason)")
        }
        let page = try await JSONPage(root, from: answer.redactedURL, found.mapping)
        self.init(
            found.entry, page.slices(0..<page.jokeCount, language: nil), refused: page.refused, found.notes, answer)
    }

    private static func emptyNotes(_ jokes: Int, _ refused: Int) -> [String] {
        jokes + refused == 0 ? ["The feed has no items now."] : []
    }

    // MARK: XML

    private init(xml answer: HTTPResponse) throws(SourceError) {
        let feed: (jokes: [FetchedJoke], refused: Int)
        do throws(XMLError) {
            feed = try feedDocument(answer.body, charset: answer.mediaType?.charset).jokes(from: answer.url)
        } catch {
            throw SourceError(
                .unreadable,
                "\(answer.redactedURL) returned XML that is not a feed, line \(error.line): \(error.reason)")
        }
        entry = SourceEntry(.rss)
        notes = Self.emptyNotes(feed.jokes.count, feed.refused)
        batch = SourceBatch(
            jokes: feed.jokes, refused: feed.refused, position: SourcePosition(), progress: .partial,
            permission: answer.permission)
    }

    // MARK: Other answers

    /// The types of a web page.
    private static let pageTypes = ["text/html", "application/xhtml+xml"]

    private static func refusal(of answer: HTTPResponse, _ start: UInt8) -> SourceError {
        let url = answer.redactedURL
        let head = String(decoding: answer.body.prefix(2048), as: UTF8.self).lowercased()
        if head.contains("<rss") || head.contains("<feed") {
            return SourceError(
                .unreadable,
                "\(url) returned a feed as \(answer.typeInWords): jokesd reads feeds only as application/rss+xml, "
                    + "application/atom+xml, application/xml or text/xml")
        }
        let essence = answer.mediaType?.essence ?? ""
        let isPage = essence.isEmpty ? head.contains("<html") : pageTypes.contains(essence)
        if isPage && start == UInt8(ascii: "<") {
            let feed = FeedLink.first(in: answer.body, base: answer.url)
            return SourceError(
                .unreadable, "\(url) returned a web page (HTML), not a feed or JSON",
                hint: feed.map { "The page has a feed. Try: jokesctl source add \(quotedForShell($0))" }
                    ?? "Find the address of a feed (RSS, Atom or JSON Feed) or of JSON with jokes.")
        }
        if jsonStarts.contains(start) {
            return SourceError(
                .unreadable,
                "\(url) returned JSON as \(answer.typeInWords): jokesd reads JSON only as application/json or text/plain"
            )
        }
        return SourceError(.unreadable, "\(url) returned \(answer.typeInWords), not a feed or JSON")
    }
}

/// Returns a URL as a word for a shell. A URL of libcurl has no quotes and spaces, which are escaped.
private func quotedForShell(_ url: String) -> String { "'\(url.replacing("'", with: "%27"))'" }

extension UInt8 {
    /// True if it is white space of JSON, or a byte of a byte order mark.
    fileprivate var isJSONSpace: Bool {
        self == 0x20 || (0x09...0x0D).contains(self) || [0xEF, 0xBB, 0xBF].contains(self)
    }
}
