/// The kinds of source that jokesd knows, by their names in the configuration.
package enum SourceKind: String, CaseIterable, Sendable {
    case officialJokeAPI = "official-joke-api"
    case fortune

    /// False for what is read from this machine's files.
    package var usesNetwork: Bool {
        switch self {
        case .officialJokeAPI: true
        case .fortune: false
        }
    }

    /// What the kind's jokes are where neither they nor the configuration say.
    package var defaultLanguage: String {
        switch self {
        case .officialJokeAPI, .fortune: "en"
        }
    }

    /// The API's collection is kept clean by its keepers; nobody has looked through a machine's fortune files, and
    /// Debian's plain ones hold jokes that not everybody would tell at work.
    package var defaultSafety: Safety {
        switch self {
        case .officialJokeAPI: .safe
        case .fortune: .unknown
        }
    }

    /// Between two attempts at the kind's own server lies at least this, whoever asks: its rate, with room to spare.
    package var shortestPause: Duration {
        switch self {
        // 100 requests in 15 minutes for each address; a sync is one or two.
        case .officialJokeAPI: .seconds(20)
        case .fortune: .seconds(1)
        }
    }
}

/// One source as the configuration describes it.
package struct SourceConfiguration: Hashable, Sendable {
    /// `[a-z0-9-]{1,32}`; leads the ids of its jokes.
    package var name: String
    package var kind: SourceKind
    /// Another base URL than the kind's own.
    package var url: String?
    /// The file or folder of a source that reads files.
    package var path: String?
    /// True where it is no failure that the file is not there.
    package var isOptional: Bool
    package var isEnabled: Bool
    package var interval: Duration
    /// At most so many jokes a sync; no limit where nil.
    package var limit: Int?
    /// Whether plain http and private addresses are allowed.
    package var allowLocalNetwork: Bool
    package var language: String?
    package var safety: Safety?
    /// The source's own filter, beside the global one; a joke passes both.
    package var filter: JokeFilter?

    package init(
        name: String, kind: SourceKind, url: String? = nil, path: String? = nil, isOptional: Bool = false,
        isEnabled: Bool = true, interval: Duration = .seconds(6 * 3600), limit: Int? = nil,
        allowLocalNetwork: Bool = false, language: String? = nil, safety: Safety? = nil, filter: JokeFilter? = nil
    ) {
        self.name = name
        self.kind = kind
        self.url = url
        self.path = path
        self.isOptional = isOptional
        self.isEnabled = isEnabled
        self.interval = interval
        self.limit = limit
        self.allowLocalNetwork = allowLocalNetwork
        self.language = language
        self.safety = safety
        self.filter = filter
    }

    /// The normaliser for what this source fetches.
    package var normalizer: Normalizer {
        Normalizer(
            source: name, language: language ?? kind.defaultLanguage, safety: safety ?? kind.defaultSafety)
    }

    /// Between two attempts lies at least this, whoever asks. A server of the local network is somebody's own and has
    /// no rate that we know; it may answer that it is asked too often.
    package var shortestPause: Duration {
        allowLocalNetwork ? min(kind.shortestPause, .seconds(1)) : kind.shortestPause
    }

    /// Whether both ask the same of the same upstream, and read the answer alike: they may differ in when they ask, and
    /// in what of it is shown.
    func asksTheSame(as other: SourceConfiguration) -> Bool {
        var likeOther = self
        likeOther.interval = other.interval
        likeOther.isEnabled = other.isEnabled
        likeOther.filter = other.filter
        return likeOther == other
    }
}
