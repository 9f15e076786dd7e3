/// The forms in which jokes leave a cache and come to another; docs/export.md describes each.
package enum ExchangeFormat: String, Sendable, CaseIterable {
    /// Our own, which keeps everything.
    case json
    /// JSON Feed 1.1, which any feed reader reads.
    case jsonfeed
    /// A file of fortune(6): the texts alone.
    case fortune
}
