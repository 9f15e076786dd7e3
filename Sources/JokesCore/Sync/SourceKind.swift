/// The kinds of source that jokesd knows, by their names in the configuration.
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

    /// What is particular to the kind; a configuration has the last word on most of it.
    package var traits: SourceTraits {
        switch self {
        case .officialJokeAPI:
            SourceTraits(
                place: .service("https://official-joke-api.appspot.com"), language: "en",
                // The collection is kept clean by its keepers.
                safety: .safe,
                // For each address.
                rate: RequestRate(requests: 100, per: .seconds(15 * 60)))
        case .jokeAPI:
            // Every joke says what it is; one that does not has nobody's word.
            SourceTraits(
                place: .service("https://v2.jokeapi.dev"), language: "en", safety: .unknown,
                rate: RequestRate(requests: 120, per: .seconds(60)), keys: ["languages", "categories"])
        case .iCanHazDadJoke:
            // Dad jokes are told to children.
            SourceTraits(
                place: .service("https://icanhazdadjoke.com"), language: "en", safety: .safe,
                rate: RequestRate(requests: 30, per: .seconds(60)))
        case .chuckNorris:
            // Those that are not marked as explicit are mostly not marked at all.
            SourceTraits(
                place: .service("https://api.chucknorris.io"), language: "en", safety: .unknown,
                rate: RequestRate(requests: 30, per: .seconds(60)), keys: ["categories"])
        case .blaguesAPI:
            // Every joke is of a type, and the reader knows which are for everybody.
            SourceTraits(
                place: .service("https://www.blagues-api.fr"), language: "fr", safety: .unknown,
                rate: RequestRate(requests: 60, per: .seconds(60)), keys: ["categories", "token"])
        case .fortune:
            // Nobody has looked through a machine's fortune files, and Debian's plain ones hold jokes that not everybody
            // would tell at work.
            SourceTraits(place: .file, language: "en", safety: .unknown, keys: ["path", "optional"])
        case .json:
            // Whatever somebody wishes: nothing is known of it.
            SourceTraits(
                place: .anyURL, language: "und", safety: .unknown,
                rate: RequestRate(requests: 60, per: .seconds(3600)),
                keys: [
                    "languages", "headers", "query", "strategy", "size", "first", "pages", "total", "next", "items",
                    "map", "flags", "error", "empty", "split", "html",
                ])
        case .jsonfeed, .rss:
            // Anybody's feed, of which nobody has said anything. A feed is one file: so many requests are a careful guess.
            SourceTraits(
                place: .anyURL, language: "und", safety: .unknown, rate: RequestRate(requests: 30, per: .seconds(900)))
        }
    }
}

/// What is particular to a kind of source.
package struct SourceTraits: Hashable, Sendable {
    /// Where jokes of the kind come from.
    package enum Place: Hashable, Sendable {
        /// A service on the network, at this base URL unless the configuration names another.
        case service(String)
        /// Whatever URL the configuration names.
        case anyURL
        /// A file or folder of this machine.
        case file

        /// Where the kind's own service is; nil where it has none.
        package var url: String? {
            if case .service(let url) = self { return url }
            return nil
        }
    }

    package let place: Place
    /// What the jokes are in where neither they nor the configuration say.
    package let language: String
    /// What the jokes are where neither they nor the configuration say.
    package let safety: Safety
    /// What the service allows, nil for what is read from this machine's files. A guess on the careful side where the
    /// service does not say.
    package let rate: RequestRate?
    /// The keys of the configuration that not every source takes, and this kind does.
    package let keys: Set<String>

    init(place: Place, language: String, safety: Safety, rate: RequestRate? = nil, keys: Set<String> = []) {
        self.place = place
        self.language = language
        self.safety = safety
        self.rate = rate
        self.keys = keys
    }

    /// False for what is read from this machine's files.
    package var usesNetwork: Bool {
        place != .file
    }

    /// Between two attempts lies at least this, whoever asks: a public service need not give the same answer twice in a row.
    package var shortestPause: Duration {
        usesNetwork ? .seconds(20) : .zero
    }
}
