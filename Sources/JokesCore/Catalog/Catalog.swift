package import Diffable

/// The snapshot that the daemon publishes and a viewer shows.
package typealias JokeSnapshot = DiffableSnapshot<Section, Item>

/// The data source of this snapshot, in the daemon and in clients.
package typealias JokeDataSource = DiffableDataSource<Section, Item>

/// The visible state of the daemon, which becomes snapshots. It has the jokes of the largest view and all
/// favorites, but not the whole cache.
package struct Catalog: Sendable {
    package var settings: FeedSettings
    /// The newest cached jokes: at least as many as the largest view shows.
    package var newest: [Joke] = []
    /// The number of all shown jokes.
    package var shown = 0
    /// The section of favorites, if there are any. It is a snapshot, so all views share its rows.
    private var favorites = JokeSnapshot()
    /// The sources that are being synced, in the order of the configuration.
    package var syncing: [String] = []
    /// The sources whose last sync failed.
    package var failing: [String] = []
    package var isOffline = false
    package var lastSync: Timestamp?
    /// True if there was a recovery that the user has not acknowledged.
    package var isRecovered = false

    package init(settings: FeedSettings = FeedSettings()) {
        self.settings = settings
    }

    /// Sets all favorites, newest first.
    ///
    /// - Throws: `DiffableError` for a duplicate, which the store never returns.
    package mutating func setFavorites(_ all: [Favorite]) throws(DiffableError) {
        var snapshot = JokeSnapshot()
        snapshot.appendSections([.favoriteJokes(count: all.count)])
        try snapshot.appendItems(all.map(Item.favorite), toSection: .favoriteJokes)
        try snapshot.validate()
        try snapshot.countFavorites()
        favorites = snapshot
    }

    /// Adds a new favorite as the first, or replaces one whose note was changed.
    package mutating func put(_ favorite: Favorite) throws(DiffableError) {
        try favorites.put(favorite)
        try favorites.countFavorites()
    }

    package mutating func removeFavorite(_ id: JokeID) throws(DiffableError) {
        guard favorites.contains(.favorite(id)) else { return }
        try favorites.deleteItems([.favorite(id)])
        try favorites.countFavorites()
    }

    /// The number of jokes of a view without a size.
    package var feedSize: Int { settings.size }

    package var header: JokesHeader {
        JokesHeader(
            shown: shown, lastSync: lastSync, isSyncing: !syncing.isEmpty, isOffline: isOffline, failing: failing,
            isRecovered: isRecovered)
    }

    /// Returns the snapshot of a view. `found` has the jokes of a selective view. O(rows of the view);
    /// views without a selection share the rows of favorites.
    ///
    /// - Throws: `DiffableError`. The data source of the view refuses a duplicate joke.
    package func snapshot(for view: View = View(), found: SearchResults = SearchResults()) throws -> JokeSnapshot {
        var snapshot = try view.shows(.favoriteJokes) ? favorites(asIn: view) : JokeSnapshot()
        let size = view.size ?? settings.size
        if view.shows(.jokes) {
            var header = header
            if view.isSelective { (header.shown, header.start) = (found.count, found.start) }
            snapshot.appendSections([.jokes(header)])
            let jokes = view.isSelective ? found.rows.prefix(size).map(\.joke)[...] : newest.prefix(size)
            // They stand for jokes at the top of the list.
            let placeholders = syncing.isEmpty || header.start > 0 ? 0 : settings.placeholders
            try snapshot.appendItems((0..<placeholders).map(Item.loading), toSection: .jokes)
            try snapshot.appendItems(jokes.map(Item.joke), toSection: .jokes)
        }
        if view.shows(.searchResults), let query = view.query {
            let header = Section.searchResults(
                query: cleanText(query), count: found.count, isExact: found.isExact, start: found.start)
            snapshot.appendSections([header])
            try snapshot.appendItems(found.rows.prefix(size).map(Item.found), toSection: .searchResults)
        }
        return snapshot
    }

    private func favorites(asIn view: View) throws -> JokeSnapshot {
        if view.selection.isEmpty { return favorites }
        var snapshot = JokeSnapshot()
        let selected = favorites.items.filter { $0.favorite.map(view.selection.selects) ?? false }
        if selected.isEmpty { return snapshot }
        snapshot.appendSections([.favoriteJokes(count: selected.count)])
        try snapshot.appendItems(selected, toSection: .favoriteJokes)
        return snapshot
    }
}

extension JokeSnapshot {
    /// The header of the section `jokes`; nil without this section.
    package var header: JokesHeader? {
        if case .jokes(let header) = section(for: .jokes) { header } else { nil }
    }

    /// Replaces a favorite, or inserts a new one as the first.
    fileprivate mutating func put(_ favorite: Favorite) throws(DiffableError) {
        if contains(.favorite(favorite.id)) { return try replace(.favorite(favorite)) }
        if let first = itemIdentifier(at: ItemIndexPath(section: 0, item: 0)) {
            return try insertItems([.favorite(favorite)], beforeItem: first)
        }
        if numberOfSections == 0 { appendSections([.favoriteJokes(count: 1)]) }
        try appendItems([.favorite(favorite)], toSection: .favoriteJokes)
    }

    /// Updates the number in the header, or removes the section without favorites.
    fileprivate mutating func countFavorites() throws(DiffableError) {
        if numberOfSections == 0 { return }
        if numberOfItems == 0 { return try deleteSections([.favoriteJokes]) }
        try replaceSection(.favoriteJokes(count: numberOfItems))
    }
}

/// The settings of the section of jokes.
package struct FeedSettings: Hashable, Sendable {
    /// The number of jokes of a view without a size.
    package var size: Int
    /// The number of loading rows during a sync.
    package var placeholders: Int

    package init(size: Int = 50, placeholders: Int = 10) {
        (self.size, self.placeholders) = (size, placeholders)
    }
}
