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
    package var details: JokeDetails

    package init(
        upstreamID: String? = nil, setup: String, punchline: String? = nil, isHTML: Bool = false,
        language: String? = nil, categories: [String] = [], flags: [String] = [], safety: Safety? = nil,
        details: JokeDetails = JokeDetails()
    ) {
        (self.upstreamID, self.setup, self.punchline, self.isHTML) = (upstreamID, setup, punchline, isHTML)
        (self.language, self.categories, self.flags, self.safety) = (language, categories, flags, safety)
        self.details = details
    }
}
