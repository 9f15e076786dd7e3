import JokesCore
import JokesProtocol

/// Pages that are not too large for a message.
enum PageFitting {
    /// Bytes of a page, by estimate, which is on the safe side; a message is at most a MiB.
    static let largest = 896 << 10

    /// A page of at most so many rows, and of fewer where they would be too large; at least one.
    ///
    /// The page is read a second time where the first one is, so that its end is where the next begins.
    static func page<Page>(
        limit: Int, bytes: Int = largest, _ read: (_ limit: Int) throws -> Page, sizes: (Page) -> [Int]
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
