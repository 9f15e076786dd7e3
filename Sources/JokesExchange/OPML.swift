import JokesCore

/// A list of feeds in OPML, the format in which feed readers exchange them (http://opml.org/spec2.opml).
package enum OPML {
    package struct Feed: Hashable, Sendable {
        /// The name that a person has given it; empty if there is none.
        package let title: String
        package let url: String

        package init(title: String, url: String) { (self.title, self.url) = (title, url) }
    }

    /// Returns the feeds of all folders in their order, each URL once; nil if the file is no OPML. O(n)
    package static func feeds(in file: [UInt8]) -> [Feed]? {
        let bytes = documentText(file, charset: nil)
        var scanner = MarkupScanner(bytes)
        var (index, isOPML, urls, feeds) = (0, false, Set<String>(), [Feed]())
        while let angle = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            guard let (markup, end) = scanner.markup(at: angle) else {
                index = angle + 1
                continue
            }
            index = end
            guard case .start(let name, let range, _) = markup else { continue }
            if !isOPML && name != "opml" { return nil }
            isOPML = true
            guard name == "outline" else { continue }
            let attributes = scanner.attributes(range)
            let value = { (name: String) in attributes.first { $0.name == name }?.value.trimmed.nonEmpty }
            guard let url = value("xmlurl"), urls.insert(url).inserted else { continue }
            feeds.append(Feed(title: value("title") ?? value("text") ?? "", url: url))
        }
        return isOPML ? feeds : nil
    }

    /// Returns the list as a document.
    package static func text(of feeds: [Feed]) -> String {
        let outlines = feeds.map { feed in
            let (title, url) = (markup(feed.title), markup(feed.url))
            return "    <outline type=\"rss\" text=\"\(title)\" xmlUrl=\"\(url)\"/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head><title>Sources of jokesd</title></head>
              <body>
            \(outlines.joined())  </body>
            </opml>

            """
    }
}
