import JokesCore
import JokesProtocol

/// Fits pages into a message.
enum PageFitting {
    /// The approximate maximum size of a page, in bytes. A message has at most 1 MiB.
    static let maxBytes = 896 << 10

    /// Returns a page of at most `limit` rows, or of fewer if they were too large; at least one.
    ///
    /// A page that is too large is read again, so that the cursor of the next page is right.
    static func page<Page>(
        limit: Int, bytes: Int = maxBytes, _ read: (_ limit: Int) throws -> Page, sizes: (Page) -> [Int]
    ) throws -> Page {
        let page = try read(limit)
        let sizes = sizes(page)
        var left = bytes
        let fitting = sizes.prefix { size in
            left -= size
            return left >= 0
        }.count
        return fitting == sizes.count ? page : try read(max(1, fitting))
    }
}
