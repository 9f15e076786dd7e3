import HTTP
import JSON
import JokesCore

/// Reads a JSON Feed: one conditional request for each sync, and one for each further page of a changed feed.
///
/// All pages have the same origin. A feed has only the newest items, so a missing item is not a removed one.
struct JSONFeedSource: JokeSource {
    private static let maxPages = 20
    private static let headers: HeaderFields = ["Accept": "application/feed+json, application/json"]

    /// The page to request next.
    private struct Cursor: Codable {
        var url: String
        var number: Int
    }

    let upstream: Upstream

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        let cursor = position.cursor(as: Cursor.self)
        if let cursor, (2...Self.maxPages).contains(cursor.number) {
            return try await furtherPage(cursor, position.validators, limit)
        }
        // If the cursor is damaged, the sync begins again.
        let validators = position.cursor == nil ? position.validators : SourceState.Validators()
        let answer = try await upstream.get(headers: Self.headers, validators: validators)
        if answer.isNotModified { return SourceBatch(position: position, progress: .unchanged) }
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
        let feed = try await JSONFeed(answer)
        var (slices, jokes, refused) = try await feed.examined()
        if jokes == 0 && refused > 0 { throw SourceError(noJokesIn: answer, refused: refused) }
        slices.left = min(limit ?? jokes, jokes)
        var batch = SourceBatch(
            slices, refused: refused, position: SourcePosition(validators: validators), progress: .partial,
            permission: answer.permission)
        let isEnough = jokes == 0 || jokes >= limit ?? .max || number == Self.maxPages
        if !isEnough, let next = feed.nextURL {
            batch.position.setCursor(Cursor(url: next, number: number + 1))
            batch.progress = .more
        }
        return batch
    }
}

/// A document in JSON Feed 1 or 1.1 (https://www.jsonfeed.org/version/1.1/), whose items are read in slices.
///
/// The export of a jokesd has more: each item has an object `_jokesd` with
///
/// - `id`: the joke's ID there, which takes precedence over the item's own;
/// - `setup` and, for a joke in two parts, `punchline`: plain text, which takes precedence over title and content;
/// - `flags`: an array of the names nsfw, religious, political, racist, sexist, explicit;
/// - `safety`: safe, unsafe or unknown.
///
/// All of them are optional. An item is refused if its `_jokesd` has another shape, because it may hold a warning.
struct JSONFeed {
    /// The URL of the page with older items, which has the same origin; nil if there is none.
    let nextURL: String?
    private let title: String?
    private let language: String?
    private let items: JSONValue
    private let answer: HTTPResponse

    init(_ answer: HTTPResponse) async throws(SourceError) {
        let root = try await answer.jsonRoot
        guard let version = root.optionalText("version"), let items = root.optionalMember("items"), items.kind == .array
        else { throw SourceError(.unreadable, "\(answer.redactedURL) returned JSON that is not a JSON Feed") }
        let isKnown = ["https://jsonfeed.org/version/1", "http://jsonfeed.org/version/1"].contains { known in
            version == known || version.hasPrefix(known + ".")
        }
        if !isKnown {
            throw SourceError(.unreadable, "\(answer.redactedURL) returned JSON that is not a JSON Feed of version 1")
        }
        (self.items, self.answer) = (items, answer)
        language = root.optionalText("language")
        title = root.optionalText("title").flatMap { $0.utf8.count <= Normalizer.maxRawBytes ? cleanText($0) : nil }
        let next = root.optionalText("next_url").flatMap { linkedAddress($0, base: answer.url) }
        nextURL = next.flatMap { $0 != answer.url && haveSameOrigin($0, answer.url) ? $0 : nil }
    }

    /// Counts the jokes and the refused items. Lets other work on this thread continue after each slice.
    func examined() async throws(SourceError) -> (slices: JSONSlices<FetchedJoke>, jokes: Int, refused: Int) {
        let url = answer.url
        var headings = FeedHeadings(feedTitle: title)
        var slices = JSONSlices(items, count: JSONPage.maxJokes) { try? FeedItem($0) }
        var (jokes, count) = (0, 0)
        try await slices.forEach(of: answer.redactedURL) { slice in
            for item in slice { headings.count(item) }
            count += slice.count
            jokes += slice.count { $0.joke(language: language, base: url) != nil }
        }
        let all = JSONSlices(items, count: jokes) { [headings, language] item in
            (try? FeedItem(item)).flatMap { headings.removingHeading(from: $0).joke(language: language, base: url) }
        }
        return (all, jokes, slices.refused + count - jokes)
    }
}

extension FeedItem {
    /// Reads an item. Throws if the text or `_jokesd` has another type; other fields are left out instead.
    fileprivate init(_ item: JSONValue) throws(UnexpectedValue) {
        guard item.kind == .object else { throw UnexpectedValue() }
        // The specification requires a text, but some feeds have numbers.
        id = item.optionalText("id") ?? item.optionalMember("id")?.number.flatMap { Int($0) }.map { "\($0)" }
        title = try Self.text("title", of: item).map(cleanText)?.nonEmpty
        let html = try Self.text("content_html", of: item)
        let plain = try Self.text("content_text", of: item)
        body = plain.map(cleanText)?.nonEmpty ?? html.flatMap(feedText(ofHTML:))
        link = item.optionalText("url") ?? item.optionalText("external_url")
        author = Self.author(of: item)
        categories = (try? item.optionalMember("tags")?.texts()) ?? []
        language = item.optionalText("language")
        date = (item.optionalText("date_published") ?? item.optionalText("date_modified")).flatMap(rfc3339Date)
        if let ours = try item.knownMember("_jokesd") { try add(ours) }
    }

    /// Returns a text that is not too long to become a joke.
    private static func text(_ name: String, of item: JSONValue) throws(UnexpectedValue) -> String? {
        let text = try item.text(name)
        if let text, text.utf8.count > Normalizer.maxRawBytes { throw UnexpectedValue() }
        return text
    }

    private static func author(of item: JSONValue) -> String? {
        let list = item.optionalMember("authors")?.elements.prefix(JSONPointer.maxValues).map(\.self) ?? []
        let authors = list.isEmpty ? [item.optionalMember("author")].compactMap(\.self) : list
        return authors.compactMap { $0.optionalText("name")?.trimmed.nonEmpty }.joined(separator: ", ").nonEmpty
    }

    private mutating func add(_ ours: JSONValue) throws(UnexpectedValue) {
        guard ours.kind == .object else { throw UnexpectedValue() }
        id = try ours.text("id") ?? id
        flags = try ours.knownMember("flags")?.texts() ?? []
        safety = try ours.text("safety").flatMap(Safety.init)
        let punchline = try ours.text("punchline")
        if let setup = try ours.text("setup") {
            text = punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup)
        }
    }
}
