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
    private var favorites: [Favorite] = []
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
            self.favorites = favorites
        case .favorited(let favorite):
            if let index = favorites.firstIndex(where: { $0.id == favorite.id }) {
                favorites[index] = favorite
            } else {
                favorites.insert(favorite, at: 0)
            }
        case .unfavorited(let id): favorites.removeAll { $0.id == id }
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

    /// The picture for a view.
    ///
    /// - Throws: where the state holds one joke twice, which the store never answers.
    package func snapshot(for view: View = View()) throws -> JokeSnapshot {
        var snapshot = JokeSnapshot()
        if view.shows(.favoriteJokes) && !favorites.isEmpty {
            try snapshot.appendSections([.favoriteJokes(count: favorites.count)])
            try snapshot.appendItems(favorites.map(Item.favorite), toSection: .favoriteJokes)
        }
        if view.shows(.jokes) {
            try snapshot.appendSections([.jokes(header)])
            if !syncing.isEmpty {
                try snapshot.appendItems((0..<settings.placeholders).map(Item.loading), toSection: .jokes)
            }
            try snapshot.appendItems(newest.prefix(view.size ?? settings.size).map(Item.joke), toSection: .jokes)
        }
        return snapshot
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

/// What a subscriber wants to see. Subscribers with equal views share one snapshot.
package struct View: Hashable, Sendable {
    /// Only these sections; all where nil.
    package var sections: Set<Section.ID>?
    /// So many jokes; the configured number where nil.
    package var size: Int?

    /// The largest size a view may ask for.
    package static let largestSize = 1000

    package init(sections: Set<Section.ID>? = nil, size: Int? = nil) {
        self.sections = sections
        self.size = size
    }

    package func shows(_ section: Section.ID) -> Bool {
        sections?.contains(section) ?? true
    }
}
