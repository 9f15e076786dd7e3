import Diffable
import JokesCore

extension Item {
    /// The joke of a row in the cache's own sections.
    var joke: Joke? {
        switch self {
        case .joke(let joke): joke
        case .found(let found): found.joke
        case .loading, .favorite, .unknown: nil
        }
    }

    var favorite: Favorite? {
        if case .favorite(let favorite) = self { favorite } else { nil }
    }
}

extension JokeSnapshot {
    /// What the picture says of the whole cache; nil where it does not show the newest jokes.
    var header: JokesHeader? {
        sections.lazy.compactMap { section in
            if case .jokes(let header) = section { header } else { nil }
        }.first
    }
}
