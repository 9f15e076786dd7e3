/// What an element of a feed has for a joke. A lower rank wins; of the same rank, the first one that is not empty.
enum FeedField: Hashable {
    case title(rank: Int)
    case text(rank: Int)
    case date(rank: Int)
    case author(rank: Int)
    case id, link, category, language
    /// `media:rating`, `media:adult`, `itunes:explicit`.
    case rating
}

/// The names of elements, which do not depend on namespaces being declared or spelled right.
///
/// A prefix is declared by a URI that contains a known one. Otherwise it has its usual meaning. An element without a prefix
/// belongs to the feed, whatever its default namespace is.
struct FeedVocabulary {
    private enum Space { case feed, content, dublinCore, media, itunes, xhtml, feedBurner, foreign }

    /// The parts of URIs in lowercase, and the usual prefixes. The first match counts.
    private static let known: [(space: Space, uri: String, prefixes: [String])] = [
        (.content, "purl.org/rss/1.0/modules/content", ["content"]), (.content, "news.yandex.ru", ["yandex"]),
        (.foreign, "purl.org/rss/1.0/modules", []),
        (.dublinCore, "purl.org/dc/", ["dc", "dcterms"]), (.media, "search.yahoo.com/mrss", ["media"]),
        (.itunes, "itunes", ["itunes"]), (.xhtml, "w3.org/1999/xhtml", ["xhtml", "html"]),
        (.feedBurner, "rssnamespace.org/feedburner", ["feedburner"]), (.feed, "w3.org/2005/atom", ["atom", "a"]),
        (.feed, "purl.org/atom/ns", ["a10"]), (.feed, "purl.org/net/rss1.1", []), (.feed, "purl.org/rss/1.0", ["rss"]),
        (.feed, "my.netscape.com", []), (.feed, "channel.netscape.com", []), (.feed, "backend.userland.com", []),
        (.feed, "law.harvard.edu/tech/rss", []), (.feed, "w3.org/1999/02/22-rdf-syntax-ns", ["rdf"]),
    ]

    private var declared: [String: Space] = [:]

    /// Adds the declarations of an element.
    mutating func declare(_ attributes: [(name: String, value: String)]) {
        for (name, value) in attributes where name.hasPrefix("xmlns:") {
            let uri = value.prefix(256).lowercased()
            declared[String(name.dropFirst(6))] = Self.known.first { uri.contains($0.uri) }?.space
        }
    }

    /// Returns the name of an element of the feed without its prefix; nil if it belongs to an extension.
    func feedName(_ name: String) -> String? {
        let (space, local) = split(name)
        return space == .feed ? local : nil
    }

    private func split(_ name: String) -> (Space, String) {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (.feed, name) }
        let prefix = String(name[..<colon])
        let space = declared[prefix] ?? Self.known.first { $0.prefixes.contains(prefix) }?.space ?? .foreign
        return (space, String(name[name.index(after: colon)...]))
    }

    /// Returns the field of an element; nil if it has none.
    func field(_ name: String) -> FeedField? {
        switch split(name) {
        case (.feed, "title"): .title(rank: 0)
        case (.dublinCore, "title"): .title(rank: 1)
        case (.media, "title"): .title(rank: 2)
        case (.content, "encoded"), (.content, "full-text"), (.feed, "encoded"), (.feed, "fullitem"): .text(rank: 0)
        case (.feed, "description"), (.feed, "abstract"): .text(rank: 1)
        case (.xhtml, "body"), (.feed, "body"): .text(rank: 2)
        case (.feed, "content"): .text(rank: 3)
        case (.feed, "summary"): .text(rank: 4)
        case (.media, "description"): .text(rank: 5)
        case (.itunes, "summary"): .text(rank: 6)
        case (.dublinCore, "description"): .text(rank: 7)
        case (.feed, "pubdate"), (.feed, "published"), (.feed, "issued"): .date(rank: 0)
        case (.dublinCore, "date"), (.feed, "date"): .date(rank: 1)
        case (.feed, "updated"), (.feed, "modified"): .date(rank: 2)
        case (.dublinCore, "creator"), (.feed, "creator"): .author(rank: 0)
        case (.feed, "author"): .author(rank: 1)
        case (.itunes, "author"): .author(rank: 2)
        case (.feed, "guid"), (.feed, "id"): .id
        case (.feed, "link"), (.feedBurner, "origlink"): .link
        case (.feed, "category"), (.dublinCore, "subject"): .category
        case (.feed, "language"), (.dublinCore, "language"): .language
        case (.media, "rating"), (.media, "adult"), (.itunes, "explicit"): .rating
        default: nil
        }
    }

    /// Returns whether neither HTML nor a text construct can have the element.
    func isForeignToHTML(_ name: String) -> Bool {
        switch split(name) {
        case (.feed, let local):
            ["guid", "pubdate", "description", "enclosure", "published", "updated"].contains(local)
        case (.content, _), (.itunes, _): true
        default: false
        }
    }

    /// Returns whether the elements in this one describe something else than the item or the feed.
    func isOpaque(_ name: String) -> Bool {
        switch split(name) {
        case (.feed, let local): ["source", "image", "textinput", "contributor", "cloud"].contains(local)
        case (.media, let local): local != "group" && local != "content"
        case (.foreign, _): true
        default: false
        }
    }
}
