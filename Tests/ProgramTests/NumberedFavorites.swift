import JokesCore
import JokesProtocol

extension Wire.FavoriteJoke {
    /// A favorite of our own; the number is in its id and its text, and is when it was starred.
    static func numbered(_ number: Int) -> Wire.FavoriteJoke {
        Wire.FavoriteJoke(
            Favorite(
                id: JokeID(rawValue: "test:\(number)"),
                content: JokeContent(text: .single("Test joke number \(number)."), safety: .safe),
                favoritedAt: Timestamp(microseconds: Int64(number))))
    }
}
