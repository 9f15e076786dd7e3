import HTTP
import JokesCore

/// Finds the feed that a web page names: `<link rel="alternate" type="application/rss+xml" href="…">`.
enum FeedLink {
    /// The maximum number of bytes that are searched: feeds are named in the head of a page.
    private static let maxBytes = 256 << 10
    private static let types = ["application/rss+xml", "application/atom+xml", "application/feed+json"]

    /// Returns the absolute URL of the first feed; nil if there is none.
    static func first(in page: [UInt8], base: String) -> String? {
        let bytes = Array(page.prefix(maxBytes))
        var scanner = MarkupScanner(bytes)
        var index = 0
        while let angle = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = angle + 1
            guard let (markup, end) = scanner.markup(at: angle) else { continue }
            index = end
            guard case .start("link", let range, _) = markup else { continue }
            let attributes = Dictionary(scanner.attributes(range)) { first, _ in first }
            guard let type = attributes["type"]?.lowercased(), types.contains(type), let link = attributes["href"],
                let address = linkedAddress(link, base: base)
            else { continue }
            return address
        }
        return nil
    }
}
