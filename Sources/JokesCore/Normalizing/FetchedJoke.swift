/// A joke as an upstream sent it: nothing about it is believed yet.
package struct FetchedJoke: Hashable, Sendable {
    /// The permanent ID of the source; nil if it has none.
    package var upstreamID: String?
    /// The whole joke, or what comes before the pause.
    package var setup: String
    package var punchline: String?
    /// Whether both parts are HTML, whose tags and character references are to be undone.
    package var isHTML: Bool
    package var language: String?
    package var categories: [String]
    /// The upstream's warnings; names that are none of ours are passed over.
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
        self.upstreamID = upstreamID
        self.setup = setup
        self.punchline = punchline
        self.isHTML = isHTML
        self.language = language
        self.categories = categories
        self.flags = flags
        self.safety = safety
        self.url = url
        self.author = author
        self.date = date
    }
}
