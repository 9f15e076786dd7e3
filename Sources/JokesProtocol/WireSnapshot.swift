package import JokesCore

extension Wire {
    /// `type Section`: the kind, and the member of a known kind.
    package struct Section: Codable, Hashable, Sendable {
        package let section: JokesCore.Section

        package init(_ section: JokesCore.Section) { self.section = section }

        private struct FavoritesHeader: Codable { var count: Int }

        private struct SearchHeader: Codable {
            var query: String
            var count: Int
            var exact: Bool
            var start: Int?
        }

        private struct Header: Codable {
            var shown: Int
            var lastSync: Timestamp?
            var syncing, offline: Bool
            var failing: [String]
            var recovered: Bool?
            var start: Int?
        }

        private enum CodingKeys: String, CodingKey { case kind, id, favoriteJokes, jokes, searchResults }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let kind = try members.decode(String.self, forKey: .kind)
            let id = cleanText(try members.decode(String.self, forKey: .id))
            switch kind {
            case CodingKeys.favoriteJokes.rawValue:
                section = .favoriteJokes(count: try members.decode(FavoritesHeader.self, forKey: .favoriteJokes).count)
            case CodingKeys.jokes.rawValue:
                let header = try members.decode(Header.self, forKey: .jokes)
                section = .jokes(
                    JokesHeader(
                        shown: Wire.clamped(header.shown), lastSync: header.lastSync,
                        isSyncing: header.syncing, isOffline: header.offline,
                        failing: header.failing.map(cleanText), isRecovered: header.recovered ?? false,
                        start: Wire.clamped(header.start ?? 0)))
            case CodingKeys.searchResults.rawValue:
                let header = try members.decode(SearchHeader.self, forKey: .searchResults)
                section = .searchResults(
                    query: cleanText(header.query), count: Wire.clamped(header.count), isExact: header.exact,
                    start: Wire.clamped(header.start ?? 0))
            default: section = .unknown(UnknownKind(kind: cleanText(kind), id: id))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(kind, forKey: .kind)
            try members.encode(section.id.rawValue, forKey: .id)
            switch section {
            case .unknown: break
            case .favoriteJokes(let count):
                try members.encode(FavoritesHeader(count: count), forKey: .favoriteJokes)
            case .jokes(let header):
                try members.encode(
                    Header(
                        shown: header.shown, lastSync: header.lastSync, syncing: header.isSyncing,
                        offline: header.isOffline, failing: header.failing, recovered: header.isRecovered,
                        start: header.start > 0 ? header.start : nil),
                    forKey: .jokes)
            case .searchResults(let query, let count, let isExact, let start):
                try members.encode(
                    SearchHeader(query: query, count: count, exact: isExact, start: start > 0 ? start : nil),
                    forKey: .searchResults)
            }
        }

        private var kind: String {
            if case .unknown(let unknown) = section { unknown.kind } else { section.id.rawValue }
        }
    }

    /// A number of jokes to which a client can add without an overflow.
    private static func clamped(_ number: Int) -> Int { max(0, min(number, 1 << 53)) }

    /// `type Item`: the kind, and the member of a known kind.
    package struct Item: Codable, Hashable, Sendable {
        package let item: JokesCore.Item

        package init(_ item: JokesCore.Item) { self.item = item }

        private struct Loading: Codable { var number: Int }

        private enum CodingKeys: String, CodingKey { case kind, id, loading, joke, favorite, marks }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let kind = try members.decode(String.self, forKey: .kind)
            let id = cleanText(try members.decode(String.self, forKey: .id))
            let known: JokesCore.Item? =
                switch kind {
                case CodingKeys.loading.rawValue: .loading(try members.decode(Loading.self, forKey: .loading).number)
                case CodingKeys.joke.rawValue: try Self.joke(in: members)
                case CodingKeys.favorite.rawValue:
                    .favorite(try members.decode(FavoriteJoke.self, forKey: .favorite).favorite)
                default: nil
                }
            // An unknown kind with another form of ID would not be found.
            if let known, id.hasPrefix("\(kind)/") {
                item = known
            } else {
                item = .unknown(UnknownKind(kind: cleanText(kind), id: id))
            }
        }

        private static func joke(in members: KeyedDecodingContainer<CodingKeys>) throws -> JokesCore.Item {
            let joke = try members.decode(Joke.self, forKey: .joke).joke
            guard let marks = try members.decodeIfPresent([TextRange].self, forKey: .marks) else { return .joke(joke) }
            return .found(JokesCore.FoundJoke(joke: joke, marks: marks.compactMap(\.range)))
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(kind, forKey: .kind)
            try members.encode(item.id.description, forKey: .id)
            switch item {
            case .loading(let number): try members.encode(Loading(number: number), forKey: .loading)
            case .joke(let joke): try members.encode(Joke(joke), forKey: .joke)
            case .found(let found):
                try members.encode(Joke(found.joke), forKey: .joke)
                try members.encode(found.marks.map(TextRange.init), forKey: .marks)
            case .favorite(let favorite): try members.encode(FavoriteJoke(favorite), forKey: .favorite)
            case .unknown: break
            }
        }

        private var kind: String {
            switch item {
            case .loading: CodingKeys.loading.rawValue
            case .joke, .found: CodingKeys.joke.rawValue
            case .favorite: CodingKeys.favorite.rawValue
            case .unknown(let unknown): unknown.kind
            }
        }
    }

    /// `type FilledSection`.
    package struct FilledSection: Codable, Hashable, Sendable {
        package var section: Section
        package var items: [Item]

        package init(section: Section, items: [Item]) { (self.section, self.items) = (section, items) }
    }
}
