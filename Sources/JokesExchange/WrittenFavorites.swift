import JokesCore

/// The favorites that were written to a file, so that none is written again as a joke.
///
/// `isStarred` of a joke is not enough: it may have become a favorite after the favorites were read.
struct WrittenFavorites {
    private var fingerprints: Set<Fingerprint> = []

    mutating func insert(_ favorite: Favorite) {
        fingerprints.insert(Fingerprint(of: favorite.content.text))
    }

    func contains(_ joke: Joke) -> Bool {
        fingerprints.contains(Fingerprint(of: joke.content.text))
    }
}
