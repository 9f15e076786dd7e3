package import JokesCore

/// A method of the interface: its name, parameters and reply.
package protocol JokesMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Codable & Sendable

    /// The name within the interface, `Status`.
    static var name: String { get }
}

extension JokesMethod {
    /// The qualified name: `org.jokesd.Jokes.Status`.
    package static var fullName: String {
        JokesInterface.method(name)
    }
}

/// The parameters of a method without any.
package struct NoParameters: Codable, Hashable, Sendable {
    package init() {}
}

/// The parameters of methods for one joke: its ID or a prefix.
package struct JokeParameters: Codable, Hashable, Sendable {
    /// In place of an ID: the joke that `Random` served last. No ID equals this word, since each has a colon.
    package static let last = "last"

    package var id: String

    package init(id: String) {
        self.id = id
    }
}

package enum StatusMethod: JokesMethod {
    package static let name = "Status"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var version: String
        package var epoch: String
        package var generation: Int64
        package var startedAt: Int64
        package var cached: Int
        package var stored: Int
        package var evicted: Int
        package var favorites: Int
        package var favoritesLeftOut: Int
        package var sources: Int
        package var failing: [String]
        package var syncing: Bool
        package var offline: Bool
        package var lastSync: Int64?
        package var nextSync: Int64?
        package var subscribers: Int
        package var storageFailure: String?
        package var storageHint: String?
        package var recoveries: [Wire.Recovery]

        package init(
            version: String, epoch: String, generation: Int64, startedAt: Int64, cached: Int, stored: Int,
            evicted: Int, favorites: Int, favoritesLeftOut: Int, sources: Int, failing: [String], syncing: Bool,
            offline: Bool,
            lastSync: Int64?,
            nextSync: Int64?, subscribers: Int, storageFailure: String?, storageHint: String? = nil,
            recoveries: [Wire.Recovery] = []
        ) {
            self.version = version
            self.epoch = epoch
            self.generation = generation
            self.startedAt = startedAt
            self.cached = cached
            self.stored = stored
            self.evicted = evicted
            self.favorites = favorites
            self.favoritesLeftOut = favoritesLeftOut
            self.sources = sources
            self.failing = failing
            self.syncing = syncing
            self.offline = offline
            self.lastSync = lastSync
            self.nextSync = nextSync
            self.subscribers = subscribers
            self.storageFailure = storageFailure
            self.storageHint = storageHint
            self.recoveries = recoveries
        }
    }
}

package enum AcknowledgeRecoveriesMethod: JokesMethod {
    package static let name = "AcknowledgeRecoveries"
    package typealias Reply = NoParameters

    package struct Parameters: Codable, Hashable, Sendable {
        package var until: Int64

        package init(until: Int64) {
            self.until = until
        }
    }
}

package enum ListMethod: JokesMethod {
    package static let name = "List"

    package struct Parameters: Codable, Hashable, Sendable {
        package var source: String?
        package var category: String?
        package var cursor: String?
        package var limit: Int?

        package init(source: String? = nil, category: String? = nil, cursor: String? = nil, limit: Int? = nil) {
            self.source = source
            self.category = category
            self.cursor = cursor
            self.limit = limit
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var jokes: [Wire.Joke]
        package var total: Int
        package var next: String?

        package init(jokes: [Wire.Joke], total: Int, next: String?) {
            self.jokes = jokes
            self.total = total
            self.next = next
        }
    }
}

package enum SearchMethod: JokesMethod {
    package static let name = "Search"

    package struct Parameters: Codable, Hashable, Sendable {
        package var query: String
        package var cursor: String?
        package var limit: Int?

        package init(query: String, cursor: String? = nil, limit: Int? = nil) {
            self.query = query
            self.cursor = cursor
            self.limit = limit
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var found: [Wire.FoundJoke]
        package var total: Int
        package var exact: Bool
        package var next: String?

        package init(found: [Wire.FoundJoke], total: Int, exact: Bool, next: String?) {
            self.found = found
            self.total = total
            self.exact = exact
            self.next = next
        }
    }
}

package enum GetMethod: JokesMethod {
    package static let name = "Get"
    package typealias Parameters = JokeParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var joke: Wire.Joke
        package var fingerprint: String
        package var lastSeen: Int64
        package var missingSince: Int64?
        package var duplicates: [String]

        package init(_ stored: StoredJoke) {
            joke = Wire.Joke(stored.joke)
            fingerprint = stored.fingerprint.hex
            lastSeen = stored.lastSeen.microseconds
            missingSince = stored.missingSince?.microseconds
            duplicates = stored.duplicates.map(\.rawValue)
        }
    }
}

package enum RandomMethod: JokesMethod {
    package static let name = "Random"

    package struct Parameters: Codable, Hashable, Sendable {
        package var source: String?
        package var category: String?
        package var language: String?
        package var maxLength: Int?

        package init(
            source: String? = nil, category: String? = nil, language: String? = nil, maxLength: Int? = nil
        ) {
            self.source = source
            self.category = category
            self.language = language
            self.maxLength = maxLength
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var joke: Wire.Joke

        package init(joke: Wire.Joke) {
            self.joke = joke
        }
    }
}

package enum FavoriteMethod: JokesMethod {
    package static let name = "Favorite"

    package struct Parameters: Codable, Hashable, Sendable {
        package var ids: [String]
        package var note: String?

        package init(ids: [String], note: String? = nil) {
            self.ids = ids
            self.note = note
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var favorites: [Wire.FavoriteJoke]

        package init(favorites: [Wire.FavoriteJoke]) {
            self.favorites = favorites
        }
    }
}

/// The jokes of a change, which applies to all of them or none.
package struct ChangeParameters: Codable, Hashable, Sendable {
    /// The maximum number of jokes of one change: a reply with as many favorites fits into a message.
    package static let maxIDs = 64

    package var ids: [String]

    package init(ids: [String]) {
        self.ids = ids
    }
}

package struct ChangeReply: Codable, Hashable, Sendable {
    /// The full IDs of the jokes, in the order of the parameters.
    package var ids: [String]
    /// Whether each joke was changed, in the same order.
    package var changed: [Bool]

    package init(ids: [String], changed: [Bool]) {
        self.ids = ids
        self.changed = changed
    }
}

package enum UnfavoriteMethod: JokesMethod {
    package static let name = "Unfavorite"
    package typealias Parameters = ChangeParameters
    package typealias Reply = ChangeReply
}

package enum HideMethod: JokesMethod {
    package static let name = "Hide"
    package typealias Parameters = ChangeParameters
    package typealias Reply = ChangeReply
}

package enum UnhideMethod: JokesMethod {
    package static let name = "Unhide"
    package typealias Parameters = ChangeParameters
    package typealias Reply = ChangeReply
}

package enum FavoritesMethod: JokesMethod {
    package static let name = "Favorites"

    package struct Parameters: Codable, Hashable, Sendable {
        package var cursor: String?
        package var limit: Int?

        package init(cursor: String? = nil, limit: Int? = nil) {
            self.cursor = cursor
            self.limit = limit
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var favorites: [Wire.FavoriteJoke]
        package var total: Int
        package var next: String?

        package init(favorites: [Wire.FavoriteJoke], total: Int, next: String?) {
            self.favorites = favorites
            self.total = total
            self.next = next
        }
    }
}

/// What a word on a command line refers to.
package enum SuggestionKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// The id of a joke that is shown.
    case id
    /// The id of a favorite.
    case favorite
    /// The id of a joke that was hidden.
    case hidden
    case source
    case category
    case language
}

package enum SuggestMethod: JokesMethod {
    package static let name = "Suggest"

    package struct Parameters: Codable, Hashable, Sendable {
        package var what: SuggestionKind
        package var prefix: String
        package var limit: Int?

        package init(what: SuggestionKind, prefix: String, limit: Int? = nil) {
            self.what = what
            self.prefix = prefix
            self.limit = limit
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var words: [String]

        package init(words: [String]) {
            self.words = words
        }
    }
}

package enum WatchMethod: JokesMethod {
    package static let name = "Watch"

    package struct Parameters: Codable, Hashable, Sendable {
        package var view: Wire.View?
        package var epoch: String?
        package var generation: Int64?
        package var keepAliveMs: Int64?

        package init(
            view: Wire.View? = nil, epoch: String? = nil, generation: Int64? = nil, keepAliveMs: Int64? = nil
        ) {
            self.view = view
            self.epoch = epoch
            self.generation = generation
            self.keepAliveMs = keepAliveMs
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
            self.epoch = epoch
            self.generation = generation
            self.complete = complete
            self.snapshot = snapshot
            self.difference = difference
        }
    }
}
