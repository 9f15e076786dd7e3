/// A row of a snapshot, with everything that it shows.
package enum Item: Identifiable, Hashable, Sendable {
    /// A placeholder for a joke that is being fetched. Its number stays during the sync.
    case loading(Int)
    case joke(Joke)
    case found(FoundJoke)
    case favorite(Favorite)
    case unknown(UnknownKind)

    package enum ID: Hashable, Sendable {
        case loading(Int)
        case joke(JokeID)
        /// A favorite. Its joke is another row, in another section.
        case favorite(JokeID)
        /// An item of an unknown kind. It has another form.
        case unknown(String)
    }

    package var id: ID {
        switch self {
        case .loading(let number): .loading(number)
        case .joke(let joke): .joke(joke.id)
        case .found(let found): .joke(found.joke.id)
        case .favorite(let favorite): .favorite(favorite.id)
        case .unknown(let unknown): ID(unknown.id)
        }
    }
}

extension Item {
    /// The joke or search result; nil for other items.
    package var joke: Joke? {
        switch self {
        case .joke(let joke): joke
        case .found(let found): found.joke
        case .loading, .favorite, .unknown: nil
        }
    }

    package var favorite: Favorite? {
        if case .favorite(let favorite) = self { favorite } else { nil }
    }

    /// Nil for a loading row.
    package var content: JokeContent? { joke?.content ?? favorite?.content }
}

/// `type Item` of the interface: the kind, and the member of a known kind.
extension Item: Codable {
    private struct Loading: Codable { var number: Int }

    private enum CodingKeys: String, CodingKey { case kind, id, loading, joke, favorite, marks }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try members.decode(String.self, forKey: .kind)
        let id = cleanText(try members.decode(String.self, forKey: .id))
        let known: Item? =
            switch CodingKeys(rawValue: kind) {
            case .loading: .loading(try members.decode(Loading.self, forKey: .loading).number)
            case .joke: try Self.joke(in: members)
            case .favorite: .favorite(try members.decode(Favorite.self, forKey: .favorite))
            case .kind, .id, .marks, nil: nil
            }
        // An unknown kind with another form of ID would not be found.
        self =
            known.flatMap { id.hasPrefix("\(kind)/") ? $0 : nil }
            ?? .unknown(UnknownKind(kind: cleanText(kind), id: id))
    }

    private static func joke(in members: KeyedDecodingContainer<CodingKeys>) throws -> Item {
        let joke = try members.decode(Joke.self, forKey: .joke)
        let marks = try members.decodeIfPresent([TextRange].self, forKey: .marks)
        return marks.map { .found(FoundJoke(joke: joke, marks: $0)) } ?? .joke(joke)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let name = id.description
        let kind = if case .unknown(let unknown) = self { unknown.kind } else { String(name.prefix { $0 != "/" }) }
        try members.encode(kind, forKey: .kind)
        try members.encode(name, forKey: .id)
        switch self {
        case .loading(let number): try members.encode(Loading(number: number), forKey: .loading)
        case .joke(let joke): try members.encode(joke, forKey: .joke)
        case .found(let found):
            try members.encode(found.joke, forKey: .joke)
            try members.encode(found.marks, forKey: .marks)
        case .favorite(let favorite): try members.encode(favorite, forKey: .favorite)
        case .unknown: break
        }
    }
}

extension Item.ID: CustomStringConvertible {
    /// The ID in messages: `loading/3`, `joke/jokeapi:en:8`, `favorite/jokeapi:en:8`.
    package var description: String {
        switch self {
        case .loading(let number): "loading/\(number)"
        case .joke(let id): "joke/\(id)"
        case .favorite(let id): "favorite/\(id)"
        case .unknown(let text): text
        }
    }

    /// Reads an ID from a message.
    package init(_ description: String) {
        self = Self.known(description) ?? .unknown(description)
    }

    private static func known(_ description: String) -> Self? {
        guard let slash = description.firstIndex(of: "/") else { return nil }
        let rest = description[description.index(after: slash)...]
        switch description[..<slash] {
        case "loading":
            guard let number = Int(rest), number >= 0, "\(number)" == rest else { return nil }
            return .loading(number)
        case "joke": return .joke(JokeID(rawValue: String(rest)))
        case "favorite": return .favorite(JokeID(rawValue: String(rest)))
        default: return nil
        }
    }
}
