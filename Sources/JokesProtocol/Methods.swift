package import JokesCore

/// The parameters of a method without any.
package struct NoParameters: Codable, Hashable, Sendable {
    package init() {}
}

/// The parameters of methods for one joke: its ID or a prefix.
package struct JokeParameters: Codable, Hashable, Sendable {
    /// In place of an ID: the joke that `Random` served last. No ID equals this word, since each has a colon.
    package static let last = "last"

    package var id: String

    package init(id: String) { self.id = id }
}

package enum StatusMethod: JokesMethod {
    package static let name = "Status"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var version, epoch: String
        package var generation: Int64
        package var startedAt: Timestamp
        package var jokes: JokeCounts
        package var favorites = 0
        package var excludedFavorites = 0
        package var sources = 0
        package var failing: [String] = []
        package var syncing = false
        package var offline = false
        package var lastSync, nextSync: Timestamp?
        package var subscribers = 0
        package var storageFailure, storageHint: String?
        package var recoveries: [Recovery] = []
        package var reloadFailure: String?
        package var reloadFailedAt: Timestamp?

        package init(version: String, epoch: String, generation: Int64, startedAt: Timestamp, jokes: JokeCounts) {
            (self.version, self.epoch, self.generation) = (version, epoch, generation)
            (self.startedAt, self.jokes) = (startedAt, jokes)
        }
    }
}

package enum AcknowledgeRecoveriesMethod: JokesMethod {
    package static let name = "AcknowledgeRecoveries"
    package typealias Reply = NoParameters

    package struct Parameters: Codable, Hashable, Sendable {
        package var until: Timestamp

        package init(until: Timestamp) { self.until = until }
    }
}

package enum ListMethod: JokesMethod {
    package static let name = "List"
    package typealias Parameters = Selecting<Wire.PageParameters>

    package struct Reply: Codable, Hashable, Sendable {
        package var jokes: [Joke]
        package var total: Int
        package var next: String?

        package init(jokes: [Joke], total: Int, next: String?) {
            (self.jokes, self.total, self.next) = (jokes, total, next)
        }
    }
}

package enum SearchMethod: JokesMethod {
    package static let name = "Search"
    package typealias Parameters = Selecting<Query>

    package struct Query: Codable, Hashable, Sendable {
        package var query: String
        package var excluded: Bool?
        package var cursor: String?
        package var limit: Int?

        package init(query: String, excluded: Bool? = nil, cursor: String? = nil, limit: Int? = nil) {
            (self.query, self.excluded, self.cursor, self.limit) = (query, excluded, cursor, limit)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var found: [FoundJoke]
        package var total: Int
        package var exact: Bool
        package var next: String?

        package init(found: [FoundJoke], total: Int, exact: Bool, next: String?) {
            (self.found, self.total, self.exact, self.next) = (found, total, exact, next)
        }
    }
}

package enum GetMethod: JokesMethod {
    package static let name = "Get"
    package typealias Parameters = JokeParameters
    package typealias Reply = StoredJoke
}

package enum RandomMethod: JokesMethod {
    package static let name = "Random"
    package typealias Parameters = JokeSelection

    package struct Reply: Codable, Hashable, Sendable {
        package var joke: Joke

        package init(joke: Joke) { self.joke = joke }
    }
}

package enum TodayMethod: JokesMethod {
    package static let name = "Today"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var joke: Joke
        /// The local date of the daemon, such as `2026-11-25`.
        package var date: String

        package init(joke: Joke, date: String) { (self.joke, self.date) = (joke, date) }
    }
}

package enum FavoriteMethod: JokesMethod {
    package static let name = "Favorite"

    package struct Parameters: Codable, Hashable, Sendable {
        package var ids: [String]
        package var note: String?

        package init(ids: [String], note: String? = nil) { (self.ids, self.note) = (ids, note) }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var favorites: [Favorite]

        package init(favorites: [Favorite]) { self.favorites = favorites }
    }
}

/// The IDs of several jokes. A change applies to all of them or none.
package struct JokeIDs: Codable, Hashable, Sendable {
    /// The maximum number of jokes of one change. A reply with this many favorites fits into a message.
    package static let maxChanged = 64

    package var ids: [String]

    package init(ids: [String]) { self.ids = ids }
}

package struct ChangeReply: Codable, Hashable, Sendable {
    /// The full IDs of the jokes, in the order of the parameters.
    package var ids: [String]
    /// For each joke, true if it was changed.
    package var changed: [Bool]

    package init(ids: [String], changed: [Bool]) { (self.ids, self.changed) = (ids, changed) }
}

package protocol ChangeMethod: JokesMethod where Parameters == JokeIDs, Reply == ChangeReply {}

package enum UnfavoriteMethod: ChangeMethod { package static let name = "Unfavorite" }

package enum HideMethod: ChangeMethod { package static let name = "Hide" }

package enum UnhideMethod: ChangeMethod { package static let name = "Unhide" }

package enum HiddenMethod: JokesMethod {
    package static let name = "Hidden"
    package typealias Parameters = Wire.PageParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var hidden: [HiddenJoke]
        package var total, notCached: Int
        package var next: String?

        package init(hidden: [HiddenJoke], total: Int, notCached: Int, next: String?) {
            (self.hidden, self.total, self.notCached, self.next) = (hidden, total, notCached, next)
        }
    }
}

package enum MarkSeenMethod: ChangeMethod { package static let name = "MarkSeen" }

package enum MarkUnseenMethod: ChangeMethod { package static let name = "MarkUnseen" }

package enum MarkAllSeenMethod: JokesMethod {
    package static let name = "MarkAllSeen"
    package typealias Parameters = JokeSelection

    package struct Reply: Codable, Hashable, Sendable {
        package var changed: Int

        package init(changed: Int) { self.changed = changed }
    }
}

package enum UndoMethod: JokesMethod {
    package static let name = "Undo"
    package typealias Parameters = NoParameters
    package typealias Reply = UndoReport
}

package enum FavoritesMethod: JokesMethod {
    package static let name = "Favorites"
    package typealias Parameters = Selecting<Wire.PageParameters>

    package struct Reply: Codable, Hashable, Sendable {
        package var favorites: [Favorite]
        package var total: Int
        package var next: String?

        package init(favorites: [Favorite], total: Int, next: String?) {
            (self.favorites, self.total, self.next) = (favorites, total, next)
        }
    }
}

package enum AbbreviateMethod: JokesMethod {
    package static let name = "Abbreviate"
    /// The maximum number of IDs of a call.
    package static let maxIDs = 100

    package typealias Parameters = JokeIDs
    package typealias Reply = JokeIDs
}

/// The kind of a word that a command line needs: the ID of a shown joke, of a favorite or of a hidden joke, or a name. `removed`
/// is a source that is not configured and has jokes.
package enum SuggestionKind: String, Codable, Hashable, Sendable {
    case id, favorite, hidden, source, removed, category, language
}

package enum SuggestMethod: JokesMethod {
    package static let name = "Suggest"

    package struct Parameters: Codable, Hashable, Sendable {
        package var what: SuggestionKind
        package var prefix: String
        package var limit: Int?

        package init(what: SuggestionKind, prefix: String, limit: Int? = nil) {
            (self.what, self.prefix, self.limit) = (what, prefix, limit)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var words: [String]

        package init(words: [String]) { self.words = words }
    }
}

package enum WatchMethod: JokesMethod {
    package static let name = "Watch"

    package struct Parameters: Codable, Hashable, Sendable {
        package var view: View?
        package var epoch: String?
        package var generation: Int64?

        package init(view: View? = nil, epoch: String? = nil, generation: Int64? = nil) {
            (self.view, self.epoch, self.generation) = (view, epoch, generation)
        }
    }

    /// A piece of the snapshot, or a difference from the last one.
    package struct Reply: Codable, Hashable, Sendable {
        package var epoch: String
        package var generation: Int64
        /// False if more pieces of the snapshot follow.
        package var complete: Bool?
        package var snapshot: [Wire.FilledSection]?
        package var difference: Wire.Difference?

        package init(
            epoch: String, generation: Int64, complete: Bool? = nil, snapshot: [Wire.FilledSection]? = nil,
            difference: Wire.Difference? = nil
        ) {
            (self.epoch, self.generation) = (epoch, generation)
            (self.complete, self.snapshot, self.difference) = (complete, snapshot, difference)
        }
    }
}
