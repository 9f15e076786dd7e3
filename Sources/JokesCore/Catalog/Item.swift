/// A row of the picture, with all that the row needs in it.
package enum Item: Identifiable, Hashable, Sendable {
    /// Holds the place of a joke that is being fetched; told apart by a number that stays while the fetch runs.
    case loading(Int)
    case joke(Joke)
    /// A joke among the results of a search.
    case found(FoundJoke)
    case favorite(Favorite)
    case unknown(UnknownKind)

    /// A joke and the favorite made of it are two rows, in two sections.
    package enum ID: Hashable, Sendable {
        case loading(Int)
        case joke(JokeID)
        case favorite(JokeID)
        /// Of another form than the others.
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

extension Item.ID: CustomStringConvertible {
    /// The id as it goes over the wire: `loading/3`, `joke/jokeapi:en:8`, `favorite/jokeapi:en:8`.
    package var description: String {
        switch self {
        case .loading(let number): "loading/\(number)"
        case .joke(let id): "joke/\(id)"
        case .favorite(let id): "favorite/\(id)"
        case .unknown(let text): text
        }
    }

    /// Reads an id from the wire.
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
