import FoundationEssentials
import JokesCore

/// What a feed of any format says, read but not believed.
struct FeedDocument {
    /// As many items of a document are read, the first ones, which are the newest: a bound on memory.
    static let mostItems = 20_000

    var title: String?
    var language: String?
    var items: [FeedItem] = []
    /// Items that could not be read at all.
    var refused = 0

    var isFull: Bool {
        items.count + refused >= Self.mostItems
    }

    /// Takes an item, or counts one that is none.
    mutating func take(_ item: FeedItem?) {
        if let item { items.append(item) } else { refused += 1 }
    }

    /// The items as jokes, and how many are none that can be read.
    ///
    /// Links are resolved against the URL that the document came from.
    func jokes(from url: String) -> (jokes: [FetchedJoke], refused: Int) {
        let headings = Set([title, commonTitle].compactMap { $0 })
        let jokes = items.compactMap { item in
            var item = item
            if let title = item.title, item.body != nil, headings.contains(title) { item.title = nil }
            return item.joke(language: language, base: url)
        }
        return (jokes, refused + items.count - jokes.count)
    }

    /// What more than half of the items are called, though they say different things: it belongs to no one joke.
    private var commonTitle: String? {
        var bodies: [String: Set<String>] = [:]
        for case let (title?, body?) in items.lazy.map({ ($0.title, $0.body) }) {
            bodies[title, default: []].insert(body)
        }
        return bodies.first { $0.value.count > max(1, items.count / 2) }?.key
    }
}

/// One item of a feed; its texts are clean, and no HTML.
struct FeedItem {
    var id: String?
    var title: String?
    var body: String?
    /// Both parts of the joke where the feed tells them apart; counts before title and body.
    var text: JokeText?
    var link: String?
    var author: String?
    /// RFC 3339.
    var date: String?
    var categories: [String] = []
    var language: String?
    var flags: [String] = []
    var safety: Safety?

    /// Nil where the item says nothing.
    func joke(language feedLanguage: String?, base: String) -> FetchedJoke? {
        guard let text = text ?? jokeText(title: title ?? "", body: body ?? "") else { return nil }
        return FetchedJoke(
            upstreamID: id, setup: text.setup, punchline: text.punchline, language: language ?? feedLanguage,
            categories: categories, flags: flags, safety: safety, url: link.flatMap { webAddress($0, base: base) },
            author: author, date: date)
    }
}

/// The link as an absolute address of the web; nil where it is none.
func webAddress(_ link: String, base: String) -> String? {
    let link = link.trimmed
    guard !link.isEmpty, link.utf8.count <= 2048,
        let url = URL(string: link, relativeTo: URL(string: base))?.absoluteURL, let scheme = url.scheme?.lowercased(),
        scheme == "https" || scheme == "http", url.host()?.isEmpty == false
    else { return nil }
    return url.absoluteString
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
    }

    /// Nil where nothing is there.
    var nonEmpty: String? {
        isEmpty ? nil : self
    }
}

extension Normalizer {
    /// Bytes. Of a longer text no joke comes out, hence no work is spent on it.
    static let longestRawText = 4 * maximumBytes
}
