/// The first jokes of a source, and the counts of all that were read. Also `type SourceSample` of the interface.
package struct SourceSample: Codable, Hashable, Sendable {
    /// The maximum number of its jokes.
    package static let maxJokes = 3

    package var jokes: [Joke] = []
    package var read = 0
    package var refused = 0
    package var unrated = 0
    package var shown = 0
    package var notes: [String] = []

    package init() {}
}
