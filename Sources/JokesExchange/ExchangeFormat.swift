/// A format of exports and imports (docs/export.md).
package enum ExchangeFormat: String, Sendable, CaseIterable {
    /// The format of jokesd, which keeps everything.
    case json
    /// JSON Feed 1.1, for feed readers.
    case jsonfeed
    /// A file of fortune(6): only the texts.
    case fortune
}
