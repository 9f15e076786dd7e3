/// The numbers of new and known records of an import.
package struct ImportReport: Hashable, Sendable {
    package var newFavorites = 0
    /// Known favorites that got a note.
    package var changedFavorites = 0
    /// Known favorites that did not change.
    package var knownFavorites = 0
    package var newHidden = 0
    package var knownHidden = 0
    package var newJokes = 0
    /// Jokes with known IDs, or that a full cache has evicted.
    package var knownJokes = 0
    /// New favorites and jokes that the filters exclude.
    package var leftOut = 0

    package init() {}
}
