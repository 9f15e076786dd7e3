import JokesCore

/// The favorites that are in a file already, so that none is in it again as a joke.
///
/// What a joke says of its star is not enough: the favorite may be one that the filter leaves out, or have been starred
/// after the favorites were read; then the file has it as a joke or not at all.
struct WrittenFavorites {
    private var fingerprints: Set<Fingerprint> = []

    mutating func insert(_ favorite: Favorite) {
        fingerprints.insert(Fingerprint(of: favorite.content.text))
    }

    func contains(_ joke: Joke) -> Bool {
        fingerprints.contains(Fingerprint(of: joke.content.text))
    }
}
