import HTTP

/// Finds the feed that a web page names: `<link rel="alternate" type="application/rss+xml" href="…">`.
enum FeedLink {
    /// The maximum number of bytes that are searched: feeds are named in the head of a page.
    private static let maxBytes = 256 << 10
    private static let types = ["application/rss+xml", "application/atom+xml", "application/feed+json"]

    /// Returns the absolute URL of the first feed; nil if there is none.
    static func first(in page: [UInt8], base: String) -> String? {
        let text = String(decoding: page.prefix(maxBytes), as: UTF8.self)
        for tag in text.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
            guard tag.prefix(5).lowercased() == "link ", let end = tag.firstIndex(of: ">") else { continue }
            let attributes = attributes(of: tag[..<end].dropFirst(5))
            guard let type = attributes["type"]?.lowercased(), types.contains(type), let link = attributes["href"],
                let address = linkedAddress(link.replacing("&amp;", with: "&"), base: base)
            else { continue }
            return address
        }
        return nil
    }

    /// Reads attributes such as `rel="alternate"`, with any quotes or none.
    private static func attributes(of text: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = text
        while let sign = rest.firstIndex(of: "=") {
            let name = rest[..<sign].split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() } ?? ""
            rest = rest[rest.index(after: sign)...].drop(while: \.isWhitespace)
            let value: Substring
            if let quote = rest.first, quote == "\"" || quote == "'" {
                rest = rest.dropFirst()
                value = rest.prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { !$0.isWhitespace }
                rest = rest[value.endIndex...]
            }
            if attributes[name] == nil { attributes[name] = String(value) }
        }
        return attributes
    }
}
