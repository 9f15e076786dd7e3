/// A joke as the source has sent it, unchecked.
package struct FetchedJoke: Hashable, Sendable {
    /// The permanent ID of the source; nil if it has none.
    package var upstreamID: String?
    /// The first part, or the whole joke.
    package var setup: String
    package var punchline: String?
    /// True if both parts are HTML.
    package var isHTML: Bool
    package var language: String?
    package var categories: [String]
    /// The warnings of the source.
    package var flags: [String]
    package var safety: Safety?
    package var url: String?
    package var author: String?
    package var date: String?

    package init(
        upstreamID: String? = nil, setup: String, punchline: String? = nil, isHTML: Bool = false,
        language: String? = nil, categories: [String] = [], flags: [String] = [], safety: Safety? = nil,
        url: String? = nil, author: String? = nil, date: String? = nil
    ) {
        (self.upstreamID, self.setup, self.punchline, self.isHTML) = (upstreamID, setup, punchline, isHTML)
        (self.language, self.categories, self.flags, self.safety) = (language, categories, flags, safety)
        (self.url, self.author, self.date) = (url, author, date)
    }
}
