/// The types of sources, with their names in the configuration.
package enum SourceKind: String, CaseIterable, Sendable {
    case officialJokeAPI = "official-joke-api"
    case jokeAPI = "jokeapi"
    case iCanHazDadJoke = "icanhazdadjoke"
    case chuckNorris = "chucknorris"
    case blaguesAPI = "blagues-api"
    case fortune
    case json
    case jsonfeed
    case rss

    /// The properties of the type. The configuration can change most of them.
    package var traits: SourceTraits {
        switch self {
        case .officialJokeAPI:
            // The maintainers keep the collection clean. The rate is per address.
            SourceTraits(
                origin: .service("https://official-joke-api.appspot.com"), language: "en", safety: .safe,
                rate: RequestRate(requests: 100, per: .seconds(15 * 60)))
        case .jokeAPI:
            // Release 2.3.3 rates 53 of 238 jokes in English unsafe, 6 of 36 in German, 1 of 7 in Spanish, and 1 of 2 in
            // Portuguese. In Czech, it rates none of 2 unsafe. In French, the service rates 1 of 1,000 unsafe, although
            // 339 of them have the words of jokes that blagues-api calls dark, limit, beauf or blondes.
            SourceTraits(
                origin: .service("https://v2.jokeapi.dev"), language: "en", safety: .unknown,
                ratedLanguages: ["de", "en", "es", "pt"],
                rate: RequestRate(requests: 120, per: .seconds(60)), keys: ["languages", "categories"])
        case .iCanHazDadJoke:
            // Dad jokes are for children.
            SourceTraits(
                origin: .service("https://icanhazdadjoke.com"), language: "en", safety: .safe,
                rate: RequestRate(requests: 30, per: .seconds(60)))
        case .chuckNorris:
            // Most jokes without the mark "explicit" have no marks at all. An answer has all jokes: megabytes.
            SourceTraits(
                origin: .service("https://api.chucknorris.io"), language: "en", safety: .unknown,
                interval: .seconds(7 * 86_400), rate: RequestRate(requests: 30, per: .seconds(60)),
                keys: ["categories"])
        case .blaguesAPI:
            // Every joke has a type, and the reader knows which types are safe.
            SourceTraits(
                origin: .service("https://www.blagues-api.fr"), language: "fr", safety: .unknown,
                rate: RequestRate(requests: 60, per: .seconds(60)), keys: ["categories", "token"])
        case .fortune:
            // The fortune files of a machine are unrated, and those of Debian have jokes that are not safe at work.
            SourceTraits(origin: .file, language: "en", safety: .unknown, keys: ["path", "optional"])
        case .json:
            // Any service: nothing is known about it.
            SourceTraits(
                origin: .anyURL, language: "und", safety: .unknown,
                rate: RequestRate(requests: 60, per: .seconds(3600)),
                keys: [
                    "path", "languages", "query", "strategy", "size", "first", "pages", "total", "next", "items",
                    "map", "flags", "error", "empty", "split", "html",
                ])
        case .jsonfeed, .rss:
            // Any feed: nothing is known about it. A feed is one file, so a low rate is enough.
            SourceTraits(
                origin: .anyURL, language: "und", safety: .unknown, rate: RequestRate(requests: 30, per: .seconds(900)),
                keys: ["path", "titles"])
        }
    }
}

/// The properties of a type of source.
package struct SourceTraits: Hashable, Sendable {
    /// The location of the jokes.
    package enum Origin: Hashable, Sendable {
        /// A service with this base URL, unless the configuration has another.
        case service(String)
        /// The URL or the file of the configuration.
        case anyURL
        /// A file or folder of this machine.
        case file

        /// The base URL of the service; nil if the type has none.
        package var url: String? {
            if case .service(let url) = self { return url }
            return nil
        }
    }

    package var origin: Origin
    /// The language if neither the jokes nor the configuration state it.
    package var language: String
    /// The safety if neither the jokes nor the configuration state it.
    package var safety: Safety
    /// The languages in which the rating "safe" of the service counts: those in which it also rates jokes unsafe.
    package var ratedLanguages: Set<String> = []
    /// The time between two syncs if the configuration does not state it.
    package var interval: Duration = .seconds(6 * 3600)
    /// The rate of the service; nil for files. A low guess if the service states none.
    package var rate: RequestRate?
    /// The configuration keys of this type that some other types do not have.
    package var keys: Set<String> = []

    static let pauseOfServices: Duration = .seconds(20)
}
