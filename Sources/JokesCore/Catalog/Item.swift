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
