package import JokesCore

extension Wire {
    /// `type Section`: the kind, and one member named like it.
    package struct Section: Codable, Hashable, Sendable {
        package let section: JokesCore.Section

        package init(_ section: JokesCore.Section) {
            self.section = section
        }

        private struct FavoritesHeader: Codable {
            var count: Int
        }

        private struct SearchHeader: Codable {
            var query: String
            var count: Int
        }

        private struct Header: Codable {
            var cached: Int
            var lastSync: Int64?
            var syncing: Bool
            var offline: Bool
            var failing: [String]
            /// Not of a daemon that is older than this.
            var recovered: Bool?
        }

        private enum CodingKeys: String, CodingKey {
            case kind, id, favoriteJokes, jokes, searchResults
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let kind = try members.decode(String.self, forKey: .kind)
            switch kind {
            case CodingKeys.favoriteJokes.rawValue:
                section = .favoriteJokes(count: try members.decode(FavoritesHeader.self, forKey: .favoriteJokes).count)
            case CodingKeys.jokes.rawValue:
                let header = try members.decode(Header.self, forKey: .jokes)
                section = .jokes(
                    JokesHeader(
                        cached: header.cached, lastSync: header.lastSync.map(Timestamp.init(microseconds:)),
                        isSyncing: header.syncing, isOffline: header.offline,
                        failing: header.failing.map(cleanText), isRecovered: header.recovered ?? false))
            case CodingKeys.searchResults.rawValue:
                let header = try members.decode(SearchHeader.self, forKey: .searchResults)
                section = .searchResults(query: cleanText(header.query), count: header.count)
            default:
                throw UnknownKind(kind: kind)
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(section.id.rawValue, forKey: .kind)
            try members.encode(section.id.rawValue, forKey: .id)
            switch section {
            case .favoriteJokes(let count):
                try members.encode(FavoritesHeader(count: count), forKey: .favoriteJokes)
            case .jokes(let header):
                try members.encode(
                    Header(
                        cached: header.cached, lastSync: header.lastSync?.microseconds, syncing: header.isSyncing,
                        offline: header.isOffline, failing: header.failing, recovered: header.isRecovered),
                    forKey: .jokes)
            case .searchResults(let query, let count):
                try members.encode(SearchHeader(query: query, count: count), forKey: .searchResults)
            }
        }
    }

    /// `type Item`: the kind, and one member named like it.
    package struct Item: Codable, Hashable, Sendable {
        package let item: JokesCore.Item

        package init(_ item: JokesCore.Item) {
            self.item = item
        }

        private struct Loading: Codable {
            var number: Int
        }

        private enum CodingKeys: String, CodingKey {
            case kind, id, loading, joke, favorite
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let kind = try members.decode(String.self, forKey: .kind)
            switch kind {
            case CodingKeys.loading.rawValue:
                item = .loading(try members.decode(Loading.self, forKey: .loading).number)
            case CodingKeys.joke.rawValue:
                item = .joke(try members.decode(Joke.self, forKey: .joke).joke)
            case CodingKeys.favorite.rawValue:
                item = .favorite(try members.decode(FavoriteJoke.self, forKey: .favorite).favorite)
            default:
                throw UnknownKind(kind: kind)
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            let kind: CodingKeys =
                switch item {
                case .loading: .loading
                case .joke: .joke
                case .favorite: .favorite
                }
            try members.encode(kind.rawValue, forKey: .kind)
            try members.encode(item.id.description, forKey: .id)
            switch item {
            case .loading(let number): try members.encode(Loading(number: number), forKey: kind)
            case .joke(let joke): try members.encode(Joke(joke), forKey: kind)
            case .favorite(let favorite): try members.encode(FavoriteJoke(favorite), forKey: kind)
            }
        }
    }

    /// A section or item of a kind that came after this program.
    package struct UnknownKind: Error, Hashable, Sendable {
        package let kind: String
    }

    /// `type FilledSection`.
    package struct FilledSection: Codable, Hashable, Sendable {
        package var section: Section
        package var items: [Item]

        package init(section: Section, items: [Item]) {
            self.section = section
            self.items = items
        }
    }
}
