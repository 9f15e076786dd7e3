package import Diffable

/// The picture of jokesd: sections of jokes, as the daemon exports it and a viewer shows it.
package typealias JokeSnapshot = DiffableSnapshot<Section, Item>

/// The keeper of the picture, on either side of the socket.
package typealias JokeDataSource = DiffableDataSource<Section, Item>

/// The daemon's state in memory, as far as it can be seen; events in, snapshots out.
///
/// `snapshot(for:)` is the only way from the state to a screen. Pure values; what it holds is bounded by the largest
/// view's size and the favorites, not by the cache.
package struct Catalog: Sendable {
    /// What has happened, as the daemon tells it.
    package enum Event: Sendable {
        /// The jokes of the cache changed: the newest first, at least as many as the largest view shows.
        case jokesChanged(newest: [Joke], cached: Int)
        /// All favorites, newest first.
        case favoritesChanged([Favorite])
        /// A joke was starred, or another note written to a favorite: one of ten thousand need not bring all.
        case favorited(Favorite)
        /// The favorite with the id is none any more.
        case unfavorited(JokeID)
        /// Sources are being asked, or no longer; in the order of the configuration.
        case syncing([String])
        /// How the sources do, after an attempt or a reload.
        case healthChanged(failing: [String], isOffline: Bool, lastSync: Timestamp?)
        case settingsChanged(FeedSettings)
        /// There has been a recovery from damage that nobody has seen, or it has been seen.
        case recovered(Bool)
    }

    private var settings: FeedSettings
    private var newest: [Joke] = []
    private var cached = 0
    /// The section of favorites, none where there are none. Kept as a picture: views and generations share its rows, and
    /// what is edited here need not be looked for there.
    private var favorites = JokeSnapshot()
    /// Why there is no picture of the favorites: one came twice.
    private var conflict: DiffableError?
    private var syncing: [String] = []
    private var failing: [String] = []
    private var isOffline = false
    private var lastSync: Timestamp?
    private var isRecovered = false

    package init(settings: FeedSettings = FeedSettings()) {
        self.settings = settings
    }

    /// Takes in what has happened.
    package mutating func handle(_ event: Event) {
        switch event {
        case .jokesChanged(let newest, let cached):
            self.newest = newest
            self.cached = cached
        case .favoritesChanged(let favorites):
            conflict = nil
            editFavorites { picture throws(DiffableError) in
                picture = JokeSnapshot()
                try picture.appendSections([.favoriteJokes(count: favorites.count)])
                try picture.appendItems(favorites.map(Item.favorite), toSection: .favoriteJokes)
            }
        case .favorited(let favorite):
            editFavorites { picture throws(DiffableError) in try picture.put(favorite) }
        case .unfavorited(let id):
            editFavorites { picture throws(DiffableError) in
                if picture.contains(.favorite(id)) { try picture.deleteItems([.favorite(id)]) }
            }
        case .syncing(let sources):
            syncing = sources
        case .healthChanged(let failing, let isOffline, let lastSync):
            self.failing = failing
            self.isOffline = isOffline
            self.lastSync = lastSync
        case .settingsChanged(let settings):
            self.settings = settings
        case .recovered(let isRecovered):
            self.isRecovered = isRecovered
        }
    }

    /// How many jokes a view shows that asks for no number.
    package var feedSize: Int {
        settings.size
    }

    /// How many of the newest jokes are at hand; a view that wants more sees no more.
    package var newestCount: Int {
        newest.count
    }

    /// What the header of the jokes shows now.
    package var header: JokesHeader {
        JokesHeader(
            cached: cached, lastSync: lastSync, isSyncing: !syncing.isEmpty, isOffline: isOffline, failing: failing,
            isRecovered: isRecovered)
    }

    /// The picture for a view, with what its query has found; that is nothing to a view without one.
    ///
    /// O(rows of the view), and less for the favorites: their rows are shared.
    ///
    /// - Throws: where the state holds one joke twice, which the store never answers.
    package func snapshot(for view: View = View(), found: SearchResults = SearchResults()) throws -> JokeSnapshot {
        var snapshot = try view.shows(.favoriteJokes) ? favorites(asIn: view) : JokeSnapshot()
        let size = view.size ?? settings.size
        if view.shows(.jokes) {
            try snapshot.appendSections([.jokes(header)])
            if view.showsItems(of: .jokes) {
                let placeholders = syncing.isEmpty ? 0 : settings.placeholders
                try snapshot.appendItems((0..<placeholders).map(Item.loading), toSection: .jokes)
                try snapshot.appendItems(newest.prefix(size).map(Item.joke), toSection: .jokes)
            }
        }
        if view.shows(.searchResults), let query = view.query {
            let header = Section.searchResults(query: cleanText(query), count: found.count, isExact: found.isExact)
            try snapshot.appendSections([header])
            if view.showsItems(of: .searchResults) {
                try snapshot.appendItems(found.rows.prefix(size).map(Item.found), toSection: .searchResults)
            }
        }
        return snapshot
    }

    private func favorites(asIn view: View) throws -> JokeSnapshot {
        if let conflict { throw conflict }
        if view.showsItems(of: .favoriteJokes) { return favorites }
        var header = JokeSnapshot()
        try header.appendSections(favorites.sections)
        return header
    }

    /// What cannot be said of the favorites is remembered until they are all told again.
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
    /// Gives a favorite that is here other content, and puts a new one in front.
    fileprivate mutating func put(_ favorite: Favorite) throws(DiffableError) {
        if contains(.favorite(favorite.id)) { return try replace(.favorite(favorite)) }
        if let first = itemIdentifier(at: ItemIndexPath(section: 0, item: 0)) {
            return try insertItems([.favorite(favorite)], beforeItem: first)
        }
        if numberOfSections == 0 { try appendSections([.favoriteJokes(count: 1)]) }
        try appendItems([.favorite(favorite)], toSection: .favoriteJokes)
    }

    /// The header says how many there are; where there are none there is no section.
    fileprivate mutating func countFavorites() throws(DiffableError) {
        if numberOfSections == 0 { return }
        if numberOfItems == 0 { return try deleteSections([.favoriteJokes]) }
        try replaceSection(.favoriteJokes(count: numberOfItems))
    }
}

/// How the feed of new jokes is shown.
package struct FeedSettings: Hashable, Sendable {
    /// How many jokes it shows where a view does not say.
    package var size: Int
    /// How many rows say that jokes are on their way while sources are asked.
    package var placeholders: Int

    package init(size: Int = 50, placeholders: Int = 10) {
        self.size = size
        self.placeholders = placeholders
    }
}
