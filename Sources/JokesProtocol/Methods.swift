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
        package var favorites, excludedFavorites, sources: Int
        package var failing: [String]
        package var syncing, offline: Bool
        package var lastSync, nextSync: Timestamp?
        package var subscribers: Int
        package var storageFailure, storageHint: String?
        package var recoveries: [Recovery]
        package var reloadFailure: String?
        package var reloadFailedAt: Timestamp?

        package init(
            version: String, epoch: String, generation: Int64, startedAt: Timestamp, jokes: JokeCounts,
            favorites: Int, excludedFavorites: Int, sources: Int, failing: [String], syncing: Bool,
            offline: Bool, lastSync: Timestamp?, nextSync: Timestamp?, subscribers: Int, storageFailure: String?,
            storageHint: String? = nil, recoveries: [Recovery] = [], reloadFailure: String? = nil,
            reloadFailedAt: Timestamp? = nil
        ) {
            (self.version, self.epoch, self.generation, self.startedAt) = (version, epoch, generation, startedAt)
            (self.jokes, self.favorites, self.excludedFavorites) = (jokes, favorites, excludedFavorites)
            (self.sources, self.failing, self.syncing, self.offline) = (sources, failing, syncing, offline)
            (self.lastSync, self.nextSync, self.subscribers) = (lastSync, nextSync, subscribers)
            (self.storageFailure, self.storageHint, self.recoveries) = (storageFailure, storageHint, recoveries)
            (self.reloadFailure, self.reloadFailedAt) = (reloadFailure, reloadFailedAt)
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

extension Selecting<SearchMethod.Query> {
    package init(
        query: String, _ selection: Wire.Selection = Wire.Selection(), cursor: String? = nil, limit: Int? = nil
    ) {
        self.init(SearchMethod.Query(query: query, cursor: cursor, limit: limit), selection)
    }
}

package enum GetMethod: JokesMethod {
    package static let name = "Get"
    package typealias Parameters = JokeParameters
    package typealias Reply = StoredJoke
}

package enum RandomMethod: JokesMethod {
    package static let name = "Random"
    package typealias Parameters = Wire.Selection

    package struct Reply: Codable, Hashable, Sendable {
        package var joke: Joke

        package init(joke: Joke) { self.joke = joke }
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

/// The jokes of a change, which applies to all of them or none.
package struct ChangeParameters: Codable, Hashable, Sendable {
    /// The maximum number of jokes of one change. A reply with this many favorites fits into a message.
    package static let maxIDs = 64

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

package protocol ChangeMethod: JokesMethod where Parameters == ChangeParameters, Reply == ChangeReply {}

package enum UnfavoriteMethod: ChangeMethod { package static let name = "Unfavorite" }

package enum HideMethod: ChangeMethod { package static let name = "Hide" }

package enum UnhideMethod: ChangeMethod { package static let name = "Unhide" }

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

/// The kind of a word that a command line needs: the ID of a shown joke, of a favorite or of a hidden joke, or a name. `removed`
/// is a source that is not configured and has jokes.
package enum SuggestionKind: String, CaseIterable, Codable, Hashable, Sendable {
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
        package var view: Wire.View?
        package var epoch: String?
        package var generation: Int64?

        package init(view: Wire.View? = nil, epoch: String? = nil, generation: Int64? = nil) {
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

extension Wire {
    /// `type View`.
    package struct View: Codable, Hashable, Sendable {
        package var query: String?
        package var sections: [String]?
        package var size, start: Int?
        /// The members of the selection are members of the view.
        package var selection: Selection

        package init(
            query: String? = nil, sections: [String]? = nil, size: Int? = nil, start: Int? = nil,
            selection: Selection = Selection()
        ) {
            (self.query, self.sections, self.size, self.start) = (query, sections, size, start)
            self.selection = selection
        }

        private enum CodingKeys: String, CodingKey { case query, sections, size, start }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            query = try members.decodeIfPresent(String.self, forKey: .query)
            sections = try members.decodeIfPresent([String].self, forKey: .sections)
            size = try members.decodeIfPresent(Int.self, forKey: .size)
            start = try members.decodeIfPresent(Int.self, forKey: .start)
            selection = try Selection(from: decoder)
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(query, forKey: .query)
            try members.encodeIfPresent(sections, forKey: .sections)
            try members.encodeIfPresent(size, forKey: .size)
            try members.encodeIfPresent(start, forKey: .start)
            try selection.encode(to: encoder)
        }
    }
}
