import JokesCore

/// RSS 0.9x and 2.0. As in most programs, titles are HTML, which the specification says only for descriptions.
extension XMLReader {
    /// Reads the feed in the current `rss` element.
    mutating func rssFeed(_ root: XMLElement) throws(XMLError) -> FeedDocument {
        var feed = FeedDocument(language: root.language)
        while let child = try nextChild() {
            switch child.name {
            case XMLName("channel"): try readChannel(child, into: &feed)
            default: try skipElement()
            }
            if feed.isFull { return feed }
        }
        return feed
    }

    private mutating func readChannel(_ channel: XMLElement, into feed: inout FeedDocument) throws(XMLError) {
        feed.language = channel.language ?? feed.language
        while let child = try nextChild() {
            switch child.name {
            case XMLName("title"): feed.title = feedText(ofHTML: try content(.html))
            case XMLName("language"): feed.language = try content(.plain).trimmed
            case XMLName("item"):
                feed.add(try rssItem(child))
                if feed.isFull { return }
            default: try skipElement()
            }
        }
    }

    /// Returns nil if a text is too long.
    private mutating func rssItem(_ element: XMLElement) throws(XMLError) -> FeedItem? {
        isTextCut = false
        var item = FeedItem(language: element.language)
        var encoded: String?
        var permanentLink: String?
        while let child = try nextChild() {
            switch child.name {
            case XMLName("title"): item.title.setIfNil(feedText(ofHTML: try content(.html)))
            case XMLName("description"): item.body.setIfNil(feedText(ofHTML: try content(.html)))
            case XMLName("encoded", in: "http://purl.org/rss/1.0/modules/content/"):
                encoded.setIfNil(feedText(ofHTML: try content(.html)))
            case XMLName("guid"):
                item.id = try content(.plain).trimmed.nonEmpty
                permanentLink = child["isPermaLink"] == "false" ? nil : item.id
            case XMLName("link"): item.link.setIfNil(try content(.plain).trimmed.nonEmpty)
            case XMLName("pubDate"): item.date = rfc3339Date(try content(.plain)) ?? item.date
            case XMLName("author"): item.author.setIfNil(personName(try content(.plain)))
            case XMLName("category"): item.categories.append(try content(.plain))
            default: try readExtension(child, into: &item)
            }
        }
        if isTextCut { return nil }
        item.body = encoded ?? item.body
        // A guid without http or https must be a URL by itself.
        item.link = item.link ?? permanentLink.flatMap { linkedAddress($0, base: nil) }
        return item
    }

    /// The elements of Dublin Core and Media RSS that describe a joke.
    private mutating func readExtension(_ child: XMLElement, into item: inout FeedItem) throws(XMLError) {
        let dublinCore = "http://purl.org/dc/elements/1.1/"
        switch child.name {
        case XMLName("creator", in: dublinCore): item.author = try content(.plain).trimmed.nonEmpty ?? item.author
        case XMLName("date", in: dublinCore): item.date.setIfNil(rfc3339Date(try content(.plain)))
        case XMLName("language", in: dublinCore): item.language = try content(.plain).trimmed
        case XMLName("rating", in: "http://search.yahoo.com/mrss/"):
            if try content(.plain).trimmed == "adult" { item.flags.append("nsfw") }
        default: try skipElement()
        }
    }
}

/// Returns the name in `ada@jokes.example (Ada)`, otherwise the whole text.
private func personName(_ text: String) -> String? {
    let text = text.trimmed
    guard text.last == ")", let start = text.firstIndex(of: "(") else { return text.nonEmpty }
    return String(text[text.index(after: start)...].dropLast()).trimmed.nonEmpty
}

/// Returns the clean text of HTML, without the links that Reddit adds to the text of a post; nil if it is empty.
func feedText(ofHTML html: String) -> String? {
    var own = html[...]
    if let start = own.firstRange(of: "<!-- SC_OFF -->"),
        let end = own[start.upperBound...].firstRange(of: "<!-- SC_ON -->")
    {
        own = own[start.upperBound..<end.lowerBound]
    } else if let footer = own.firstRange(of: "&#32; submitted by &#32; <a href=\"https://www.reddit.com/user/") {
        own = own[..<footer.lowerBound]
    }
    return cleanText(plainText(ofHTML: String(own))).nonEmpty
}

extension Optional {
    mutating func setIfNil(_ value: Wrapped?) { if self == nil { self = value } }
}
