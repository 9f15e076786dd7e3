/// A row of the picture, with all that the row needs in it.
package enum Item: Identifiable, Hashable, Sendable {
    /// Holds the place of a joke that is being fetched; told apart by a number that stays while the fetch runs.
    case loading(Int)
    case joke(Joke)
    case favorite(Favorite)

    /// A joke and the favorite made of it are two rows, in two sections.
    package enum ID: Hashable, Sendable {
        case loading(Int)
        case joke(JokeID)
        case favorite(JokeID)
    }

    package var id: ID {
        switch self {
        case .loading(let number): .loading(number)
        case .joke(let joke): .joke(joke.id)
        case .favorite(let favorite): .favorite(favorite.id)
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
        }
    }

    /// Reads an id from the wire; nil where it has another form.
    package init?(_ description: String) {
        guard let slash = description.firstIndex(of: "/") else { return nil }
        let rest = description[description.index(after: slash)...]
        switch description[..<slash] {
        case "loading":
            guard let number = Int(rest), number >= 0 else { return nil }
            self = .loading(number)
        case "joke": self = .joke(JokeID(rawValue: String(rest)))
        case "favorite": self = .favorite(JokeID(rawValue: String(rest)))
        default: return nil
        }
    }
}
