import TextLayout

/// The change that an undo has taken back: the numbers of jokes by what has happened to them.
package struct UndoReport: Codable, Hashable, Sendable {
    /// The time of the change; nil if there was none.
    package var changedAt: Timestamp?
    package var removedFavorites = 0
    package var restoredFavorites = 0
    /// The other favorites, whose note is as it was.
    package var notes = 0
    package var unhidden = 0
    package var hidden = 0
    /// The ID of the joke, if the change was of one joke that is cached or a favorite.
    package var id: String?

    package init() {}

    /// The change in words: `1 new favorite and 2 hidden jokes`.
    package var words: String {
        let parts = [
            (removedFavorites, "new favorite"), (restoredFavorites, "removed favorite"), (notes, "changed note"),
            (unhidden, "hidden joke"), (hidden, "unhidden joke"),
        ]
        return parts.filter { $0.0 > 0 }.map(counted).joinedAsWords("and")
    }
}
