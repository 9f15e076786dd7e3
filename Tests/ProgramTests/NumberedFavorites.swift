import JokesCore
import JokesProtocol

extension Favorite {
    /// Returns a favorite with the number in its ID, text and time.
    static func numbered(_ number: Int) -> Favorite {
        Favorite(
            id: JokeID(rawValue: "test:\(number)"),
            content: JokeContent(text: .single("Test joke number \(number)."), safety: .safe),
            favoritedAt: Timestamp(microseconds: Int64(number)))
    }
}

extension Joke {
    /// Returns a joke with one part.
    static func single(_ id: String, _ text: String) -> Joke {
        Joke(
            id: JokeID(rawValue: id), content: JokeContent(text: .single(text)), isFavorite: false,
            firstSeen: Timestamp(microseconds: 0))
    }
}
