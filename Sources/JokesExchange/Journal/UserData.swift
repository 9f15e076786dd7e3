package import JokesCore

/// The data that no source can return: the favorites with their notes, and the hidden marks.
package struct UserData {
    /// In the order in which they were added.
    package let favorites: [Favorite]
    package let hidden: [HiddenMark]

    package init(favorites: [Favorite] = [], hidden: [HiddenMark] = []) {
        (self.favorites, self.hidden) = (favorites, hidden)
    }

    /// Applies the changes of a journal.
    package init(_ entries: some Sequence<JournalContents.Entry>) {
        var favorites: [Fingerprint: (index: Int, favorite: Favorite)] = [:]
        var hidden: [Fingerprint: HiddenMark] = [:]
        for (index, entry) in entries.enumerated() {
            let fingerprint = entry.record.change.fingerprint
            switch entry.record.change {
            case .favorite(let favorite): favorites[fingerprint] = (index, favorite)
            case .note(let favorite): favorites[fingerprint] = (favorites[fingerprint]?.index ?? index, favorite)
            case .unfavorite: favorites[fingerprint] = nil
            case .hide(let mark): hidden[fingerprint] = mark
            case .unhide: hidden[fingerprint] = nil
            }
        }
        self.init(
            favorites: favorites.values.sorted { $0.index < $1.index }.map(\.favorite), hidden: Array(hidden.values))
    }

    package var isEmpty: Bool { favorites.isEmpty && hidden.isEmpty }
    package var count: Int { favorites.count + hidden.count }
}
