/// The language and safety of a source's jokes if the source does not state them.
///
/// The store keeps what a source states. Defaults are applied when a joke is admitted, so that a changed configuration
/// also applies to cached jokes.
package struct SourceDefaults: Hashable, Sendable {
    /// BCP 47; `und` if unknown.
    package var language: String
    /// The safety of unrated jokes of this type of source.
    package var safety: Safety
    /// The key `safety` of the configuration; nil if it is absent.
    package var configuredSafety: Safety?

    package init(language: String = "und", safety: Safety = .unknown, configuredSafety: Safety? = nil) {
        (self.language, self.safety, self.configuredSafety) = (language, safety, configuredSafety)
    }

    /// Returns the content with these defaults in place of what the source does not state. The only function that decides whether
    /// a joke is safe.
    ///
    /// A joke with a flag is unsafe, and so is one that the source or the configuration rates unsafe. A source that is
    /// configured as `unknown` cannot vouch for itself: none of its jokes is safe.
    package func applied(to stated: JokeContent) -> JokeContent {
        var content = stated
        if content.language == "und" { content.language = language }
        content.safety =
            switch (stated.safety, configuredSafety) {
            case _ where !stated.flags.isEmpty: .unsafe
            case (.unsafe, _), (_, .unsafe): .unsafe
            case (_, .unknown): .unknown
            case (.safe, _): .safe
            case (.unknown, let configured): configured ?? safety
            }
        return content
    }
}
