package import JokesCore

/// The data that no source can return: the favorites with their notes, and the hidden marks.
package struct UserData {
    /// In the order in which they were added.
    package private(set) var favorites: [Favorite] = []
    package private(set) var hidden: [HiddenMark] = []
    private var favoritesByFingerprint: [Fingerprint: Favorite] = [:]
    private var hiddenFingerprints: Set<Fingerprint> = []

    package init(favorites: [Favorite] = [], hidden: [HiddenMark] = []) {
        (self.favorites, self.hidden) = (favorites, hidden)
        favoritesByFingerprint = Dictionary(favorites.map { (Fingerprint(of: $0.content.text), $0) }) { $1 }
        hiddenFingerprints = Set(hidden.map(\.fingerprint))
    }

    /// Applies the changes of a journal.
    package init(_ entries: [JournalContents.Entry]) {
        var favorites: [Fingerprint: (index: Int, favorite: Favorite)] = [:]
        var hidden: [Fingerprint: HiddenMark] = [:]
        for (index, entry) in entries.enumerated() {
            switch entry.record.change {
            case .favorite(let favorite): favorites[Fingerprint(of: favorite.content.text)] = (index, favorite)
            case .note(let favorite):
                let fingerprint = Fingerprint(of: favorite.content.text)
                favorites[fingerprint] = (favorites[fingerprint]?.index ?? index, favorite)
            case .unfavorite(let fingerprint): favorites[fingerprint] = nil
            case .hide(let mark): hidden[mark.fingerprint] = mark
            case .unhide(let fingerprint): hidden[fingerprint] = nil
            }
        }
        self.init(
            favorites: favorites.values.sorted { $0.index < $1.index }.map(\.favorite), hidden: Array(hidden.values))
    }

    package func favorite(_ fingerprint: Fingerprint) -> Favorite? { favoritesByFingerprint[fingerprint] }

    package func has(_ mark: HiddenMark) -> Bool { hiddenFingerprints.contains(mark.fingerprint) }

    package var count: Int { favorites.count + hidden.count }
}
