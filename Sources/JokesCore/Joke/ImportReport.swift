/// The counts of new and known records of an import.
package struct ImportReport: Codable, Hashable, Sendable {
    package var newFavorites = 0
    /// Known favorites that got a note.
    package var changedFavorites = 0
    /// Known favorites that did not change.
    package var knownFavorites = 0
    package var newHidden = 0
    package var knownHidden = 0
    package var newJokes = 0
    /// Jokes that were not inserted: their IDs are known, or the cache is full.
    package var knownJokes = 0
    /// New favorites that the filters exclude, and new jokes that they exclude by their own ratings.
    package var excluded = 0

    package init() {}
}
