import HTTP
import JokesCore

/// The content of an XML feed.
struct FeedDocument {
    /// The maximum number of items that are read, the first ones, which are the newest: a bound on memory.
    static let maxItems = 2_000

    var title: String?
    var language: String?
    var items: [FeedItem] = []
    /// The number of items that cannot be read.
    var refused = 0

    var isFull: Bool { items.count + refused >= Self.maxItems }

    /// Adds an item, or counts one that cannot be read.
    mutating func add(_ item: FeedItem?) { if let item { items.append(item) } else { refused += 1 } }

    /// Returns the items as jokes, and the number of items that cannot be read. Links are relative to `url`.
    func jokes(from url: String) -> (jokes: [FetchedJoke], refused: Int) {
        var headings = FeedHeadings(feedTitle: title)
        for item in items { headings.count(item) }
        let jokes = items.compactMap { headings.removingHeading(from: $0).joke(language: language, base: url) }
        return (jokes, refused + items.count - jokes.count)
    }
}

/// Finds titles that are headings of the feed and not part of a joke: the title of the feed, and a title that more than
/// half of the items have with different texts.
struct FeedHeadings {
    private let feedTitle: String?
    /// The titles of items with bodies, by hash: 100,000 of them take a few megabytes.
    private var uses: [Int: (count: Int, body: Int, hasOtherBodies: Bool)] = [:]
    private var items = 0

    init(feedTitle: String?) { self.feedTitle = feedTitle }

    /// Counts an item. To be called for every item before `removingHeading`.
    mutating func count(_ item: FeedItem) {
        items += 1
        guard let title = item.title?.hashValue, let body = item.body?.hashValue else { return }
        let use = uses[title] ?? (0, body, false)
        uses[title] = (use.count + 1, use.body, use.hasOtherBodies || use.body != body)
    }

    /// Returns the item without its title if that is a heading and the item has a body.
    func removingHeading(from item: FeedItem) -> FeedItem {
        guard let title = item.title, item.body != nil, title == feedTitle || isCommon(title) else { return item }
        var item = item
        item.title = nil
        return item
    }

    private func isCommon(_ title: String) -> Bool {
        uses[title.hashValue].map { $0.hasOtherBodies && $0.count > items / 2 } ?? false
    }
}

/// An item of a feed, with clean texts without HTML.
struct FeedItem {
    var id: String?
    var title: String?
    var body: String?
    /// The parts of the joke if the feed has them. They replace title and body.
    var text: JokeText?
    var link: String?
    var author: String?
    /// RFC 3339.
    var date: String?
    var categories: [String] = []
    var language: String?
    var flags: [String] = []
    var safety: Safety?

    /// Returns the item as a joke; nil if it has no text.
    func joke(language feedLanguage: String?, base: String) -> FetchedJoke? {
        guard let text = text ?? jokeText(title: title ?? "", body: body ?? "") else { return nil }
        return FetchedJoke(
            upstreamID: id, setup: text.setup, punchline: text.punchline, language: language ?? feedLanguage,
            categories: categories, flags: flags, safety: safety, url: link.flatMap { linkedAddress($0, base: base) },
            author: author, date: date)
    }
}

/// Returns the absolute URL of a link in a feed; nil if it is not an http or https URL, or too long.
func linkedAddress(_ link: String, base: String?) -> String? {
    let link = link.trimmed
    return (1...2048).contains(link.utf8.count) ? webAddress(link, base: base) : nil
}

extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    var nonEmpty: String? { isEmpty ? nil : self }
}

extension Normalizer {
    /// The maximum length in bytes. A longer text cannot become a joke.
    static let maxRawBytes = 4 * maxBytes
}
