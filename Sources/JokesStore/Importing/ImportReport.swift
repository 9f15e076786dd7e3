/// What an import brought, and what was there already.
package struct ImportReport: Hashable, Sendable {
    /// Favorites that were none.
    package var newFavorites = 0
    /// Favorites that were there, and got what they lacked: a note.
    package var changedFavorites = 0
    /// Favorites that were there, and stay as they are.
    package var knownFavorites = 0
    package var newHidden = 0
    package var knownHidden = 0
    package var newJokes = 0
    /// Jokes whose ids were known, or that a full cache let go of before.
    package var knownJokes = 0
    /// Of the new favorites and jokes: how many the filters leave out.
    package var leftOut = 0

    package init() {}
}
