import JokesCore

/// Atom (RFC 4287).
extension XMLReader {
    static let atom = "http://www.w3.org/2005/Atom"

    /// Reads the feed in the current `feed` element.
    mutating func atomFeed(_ root: XMLElement) throws(XMLError) -> FeedDocument {
        var feed = FeedDocument(language: root.language)
        var author: String?
        while let child = try nextChild() {
            switch child.name {
            case XMLName("title", in: Self.atom): feed.title = try atomText(child)
            case XMLName("author", in: Self.atom): author.setIfNil(try personName())
            case XMLName("entry", in: Self.atom): feed.add(try atomEntry(child, base: root.base))
            default: try skipElement()
            }
            if feed.isFull { break }
        }
        for index in feed.items.indices where feed.items[index].author == nil { feed.items[index].author = author }
        return feed
    }

    /// Returns nil if a text is too long.
    private mutating func atomEntry(_ entry: XMLElement, base: String?) throws(XMLError) -> FeedItem? {
        isTextCut = false
        var item = FeedItem(language: entry.language)
        var summary: String?
        var updated: String?
        while let child = try nextChild() {
            guard child.name.namespace == Self.atom else {
                try skipElement()
                continue
            }
            item.language = item.language ?? child.textLanguage
            switch child.name.local {
            case "title": item.title = try atomText(child)
            case "content": item.body = try atomText(child)
            case "summary": summary = try atomText(child)
            case "id": item.id = try content(.plain).trimmed.nonEmpty
            case "published": item.date = rfc3339Date(try content(.plain))
            case "updated": updated = rfc3339Date(try content(.plain))
            case "author": item.author.setIfNil(try personName())
            case "category":
                if let category = child["term"] ?? child["label"] { item.categories.append(category) }
                try skipElement()
            case "link":
                if child["rel"] ?? "alternate" == "alternate", item.link == nil { item.link = child["href"] }
                try skipElement()
            default: try skipElement()
            }
        }
        if isTextCut { return nil }
        item.body = item.body ?? summary
        item.date = item.date ?? updated
        if let link = item.link, let base = entry.base ?? base { item.link = linkedAddress(link, base: base) ?? link }
        return item
    }

    /// Reads a text construct or content (3.1 and 4.1.3). Returns nil if it has another type, or is at another URL.
    private mutating func atomText(_ element: XMLElement) throws(XMLError) -> String? {
        switch element["type"] ?? "text" {
        case "text", "text/plain": return cleanText(try content(.plain)).nonEmpty
        case "html", "text/html": return feedText(ofHTML: try content(.html))
        case "xhtml", "application/xhtml+xml": return feedText(ofHTML: try content(.xhtml))
        default:
            try skipElement()
            return nil
        }
    }

    private mutating func personName() throws(XMLError) -> String? {
        var name: String?
        while let child = try nextChild() {
            switch child.name {
            case XMLName("name", in: Self.atom): name = try content(.plain).trimmed.nonEmpty
            default: try skipElement()
            }
        }
        return name
    }
}

extension XMLElement {
    fileprivate var base: String? { attributes[XMLName("base", in: XMLNamespaces.xml)] }

    /// The language of the texts of the joke.
    fileprivate var textLanguage: String? { ["title", "content", "summary"].contains(name.local) ? language : nil }
}
