package import Diffable

/// The snapshot that the daemon publishes and a viewer shows.
package typealias JokeSnapshot = DiffableSnapshot<Section, Item>

/// The data source of this snapshot, in the daemon and in clients.
package typealias JokeDataSource = DiffableDataSource<Section, Item>

/// The visible state of the daemon. It receives events and builds snapshots. It has the jokes of the largest view and all
/// favorites, but not the whole cache.
package struct Catalog: Sendable {
    package enum Event: Sendable {
        /// The cached jokes have changed. `newest` has at least as many as the largest view shows.
        case jokesChanged(newest: [Joke], shown: Int)
        /// All favorites, newest first.
        case favoritesChanged([Favorite])
        /// A joke was marked as a favorite, or the note of a favorite was changed.
        case favorited(Favorite)
        case unfavorited(JokeID)
        /// The sources that are being synced, in the order of the configuration.
        case syncing([String])
        /// The health of the sources, after a sync or a reload.
        case healthChanged(failing: [String], isOffline: Bool, lastSync: Timestamp?)
        case settingsChanged(FeedSettings)
        /// True if there was a recovery that the user has not acknowledged.
        case recovered(Bool)
    }

    private var settings: FeedSettings
    private var newest: [Joke] = []
    private var shown = 0
    /// The section of favorites, if there are any. It is a snapshot, so all views share its rows.
    private var favorites = JokeSnapshot()
    /// The error of the favorites: a duplicate. It stays until all favorites are set again.
    private var conflict: DiffableError?
    private var syncing: [String] = []
    private var failing: [String] = []
    private var isOffline = false
    private var lastSync: Timestamp?
    private var isRecovered = false

    package init(settings: FeedSettings = FeedSettings()) {
        self.settings = settings
    }

    package mutating func handle(_ event: Event) {
        switch event {
        case .jokesChanged(let newest, let shown):
            (self.newest, self.shown) = (newest, shown)
        case .favoritesChanged(let favorites):
            conflict = nil
            editFavorites { snapshot throws(DiffableError) in
                snapshot = JokeSnapshot()
                snapshot.appendSections([.favoriteJokes(count: favorites.count)])
                try snapshot.appendItems(favorites.map(Item.favorite), toSection: .favoriteJokes)
                try snapshot.validate()
            }
        case .favorited(let favorite):
            editFavorites { snapshot throws(DiffableError) in try snapshot.put(favorite) }
        case .unfavorited(let id):
            editFavorites { snapshot throws(DiffableError) in
                if snapshot.contains(.favorite(id)) { try snapshot.deleteItems([.favorite(id)]) }
            }
        case .syncing(let sources): syncing = sources
        case .healthChanged(let failing, let isOffline, let lastSync):
            (self.failing, self.isOffline, self.lastSync) = (failing, isOffline, lastSync)
        case .settingsChanged(let settings): self.settings = settings
        case .recovered(let isRecovered): self.isRecovered = isRecovered
        }
    }

    /// The number of jokes of a view without a size.
    package var feedSize: Int { settings.size }

    /// The number of newest jokes in memory. Larger views show no more.
    package var newestCount: Int { newest.count }

    package var header: JokesHeader {
        JokesHeader(
            shown: shown, lastSync: lastSync, isSyncing: !syncing.isEmpty, isOffline: isOffline, failing: failing,
            isRecovered: isRecovered)
    }

    /// Returns the snapshot of a view. `found` has the jokes of a selective view. O(rows of the view);
    /// views without a selection share the rows of favorites.
    ///
    /// - Throws: `DiffableError` for a duplicate favorite, which the store never returns. The data source of the view
    ///   refuses a duplicate joke.
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
        if let conflict { throw conflict }
        if view.selection.isEmpty { return favorites }
        var snapshot = JokeSnapshot()
        let selected = favorites.items.filter { item in
            if case .favorite(let favorite) = item { view.selection.selects(favorite) } else { false }
        }
        if selected.isEmpty { return snapshot }
        snapshot.appendSections([.favoriteJokes(count: selected.count)])
        try snapshot.appendItems(selected, toSection: .favoriteJokes)
        return snapshot
    }

    private mutating func editFavorites(_ edit: (inout JokeSnapshot) throws(DiffableError) -> Void) {
        do throws(DiffableError) {
            try edit(&favorites)
            try favorites.countFavorites()
        } catch {
            conflict = error
        }
    }
}

extension JokeSnapshot {
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
