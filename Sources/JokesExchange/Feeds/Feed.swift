import JSON
package import JokesCore

/// Returns the absolute URL of a link, http or https; nil if it is none. The base is nil if the link must be one by itself.
package typealias LinkResolver = @Sendable (_ link: String, _ base: String?) -> String?

/// A feed in any format.
///
/// The text of a joke depends on its item, on the title of the feed and on the configuration, but not on other items: a feed
/// changes every day, and its jokes must not.
package struct Feed: Sendable {
    /// The maximum number of items of an XML feed that are read, the first ones, which are the newest: a bound on memory.
    static let maxItems = 2_000

    package internal(set) var title: String?
    package internal(set) var language: String?
    /// The author of items that have none.
    package internal(set) var author: String?
    /// The warnings for all items.
    package internal(set) var flags: [String] = []
    package private(set) var items: [FeedItem] = []
    /// The number of items that cannot be read.
    package var refused = 0
    /// The link to the page with older items; nil if there is none.
    package internal(set) var next: String?
    /// True if titles are headings and not part of the jokes, by the configuration.
    package var skipsTitles = false
    private var ids = FeedIDs()

    /// True if the maximum number of items was read.
    package var isFull: Bool { items.count + refused >= Self.maxItems }

    package mutating func add(_ item: FeedItem) {
        ids.count(item)
        items.append(item)
    }

    /// Returns the jokes in the order of the items, or the newest first if all have dates, and the number of refused items.
    package func jokes() -> (jokes: [FetchedJoke], refused: Int) {
        let jokes = order.compactMap { joke(items[$0]) }
        return (jokes, refused + items.count - jokes.count)
    }

    /// Returns an item of this feed as a joke; nil if it has no text.
    func joke(_ item: FeedItem) -> FetchedJoke? {
        guard let text = item.text ?? jokeText(title: titleOfJoke(item) ?? "", body: item.body ?? "") else {
            return nil
        }
        return FetchedJoke(
            upstreamID: ids.id(of: item), setup: text.setup, punchline: text.punchline,
            language: item.language ?? language, categories: item.categories, flags: flags + item.flags,
            safety: item.safety,
            details: JokeDetails(url: item.link, author: item.author ?? author, date: item.date))
    }

    /// Returns the title, unless it is a heading.
    private func titleOfJoke(_ item: FeedItem) -> String? {
        guard let own = item.title else { return nil }
        let isHeading =
            skipsTitles && item.body != nil || own == title || Self.placeholders.contains(own.lowercased())
        return isHeading ? nil : own
    }

    /// Titles that programs write for a post without one.
    private static let placeholders: Set = ["untitled", "no title", "(no title)", "[no title]", "(untitled)"]

    /// The indices of the items, the newest first if all have times, and in their order otherwise. Equal times stay in order.
    var order: [Int] {
        let times = items.compactMap(\.time)
        return times.count < items.count ? Array(items.indices) : items.indices.sorted { times[$0] > times[$1] }
    }
}

/// An item of a feed, with clean texts without HTML.
package struct FeedItem: Sendable {
    var id: String?
    package var title: String?
    var body: String?
    /// The parts of the joke if the feed has them. They replace title and body.
    var text: JokeText?
    /// An absolute URL.
    var link: String?
    var author: String?
    /// RFC 3339.
    var date: String?
    var categories: [String] = []
    var language: String?
    var flags: [String] = []
    var safety: Safety?
    /// The joke in the format of jokesd, if the item was exported.
    var exported: JSONValue?

    /// The title above a body, which may be a heading.
    package var heading: String? { body == nil ? nil : title }

    /// The time for the order of the items; nil if there is none. An export of jokesd is in order.
    var time: Timestamp? {
        exported == nil ? date.flatMap { Timestamp($0) ?? Timestamp($0 + "T00:00:00Z") } : nil
    }
}

/// Finds the IDs that only one item of a feed has.
private struct FeedIDs {
    /// The hashes of texts, and whether several items have them: 100,000 of them take a few megabytes.
    private var uses: [Int: Bool] = [:]

    mutating func count(_ item: FeedItem) {
        for text in [item.id.map { "id " + $0 }, item.link.map { "link " + $0 }].compactMap(\.self) {
            uses[text.hashValue] = uses[text.hashValue] != nil
        }
    }

    /// Returns the ID of an item, or its link if other items have the ID, too; nil if neither is unique, or if the item has
    /// no ID. The joke then gets an ID from its text.
    func id(of item: FeedItem) -> String? {
        guard let id = item.id else { return nil }
        if isUnique("id " + id) { return id }
        return item.link.flatMap { isUnique("link " + $0) && uses[("id " + $0).hashValue] == nil ? $0 : nil }
    }

    private func isUnique(_ text: String) -> Bool { uses[text.hashValue] != true }
}
