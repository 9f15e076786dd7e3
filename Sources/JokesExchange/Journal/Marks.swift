package import JokesCore

package struct Marks {
    /// In the order in which they were added.
    package private(set) var favorites: [Favorite] = []
    package private(set) var hidden: [HiddenMark] = []
    private var byText: [Fingerprint: Favorite] = [:]
    private var hiddenTexts: Set<Fingerprint> = []

    package init(favorites: [Favorite] = [], hidden: [HiddenMark] = []) {
        (self.favorites, self.hidden) = (favorites, hidden)
        byText = Dictionary(favorites.map { (Fingerprint(of: $0.content.text), $0) }) { $1 }
        hiddenTexts = Set(hidden.map(\.fingerprint))
    }

    /// Applies the changes of a journal.
    package init(_ entries: [JournalContents.Entry]) {
        var favorites: [Fingerprint: (index: Int, favorite: Favorite)] = [:]
        var hidden: [Fingerprint: HiddenMark] = [:]
        for (index, entry) in entries.enumerated() {
            switch entry.record.change {
            case .favorite(let favorite): favorites[Fingerprint(of: favorite.content.text)] = (index, favorite)
            case .note(let favorite):
                let text = Fingerprint(of: favorite.content.text)
                favorites[text] = (favorites[text]?.index ?? index, favorite)
            case .unfavorite(let text): favorites[text] = nil
            case .hide(let mark): hidden[mark.fingerprint] = mark
            case .unhide(let text): hidden[text] = nil
            }
        }
        self.init(
            favorites: favorites.values.sorted { $0.index < $1.index }.map(\.favorite), hidden: Array(hidden.values))
    }

    package func favorite(_ text: Fingerprint) -> Favorite? { byText[text] }

    package func has(_ mark: HiddenMark) -> Bool { hiddenTexts.contains(mark.fingerprint) }

    package var count: Int { favorites.count + hidden.count }
}
