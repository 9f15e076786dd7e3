/// One source as the configuration describes it.
package struct SourceConfiguration: Hashable, Sendable {
    /// The prefix of the IDs of its jokes; `isName` has the rule.
    package var name: String
    package var kind: SourceKind
    /// Another base URL than the kind's own, or the whole URL where the kind has none.
    package var url: String?
    /// The file or folder of a source that reads files.
    package var path: String?
    /// True where it is no failure that the file is not there.
    package var isOptional: Bool
    package var isEnabled: Bool
    package var interval: Duration
    /// At most so many jokes a sync; no limit where nil.
    package var limit: Int?
    /// Which languages of a source of several; as the kind sees fit where empty.
    package var languages: [String]
    /// Which of the upstream's categories, in its own words; all where empty.
    package var categories: [String]
    /// What the upstream knows its user by.
    package var token: SecretReference?
    /// Another rate than the kind's own.
    package var rate: RequestRate?
    /// Whether plain http and private addresses are allowed.
    package var allowLocalNetwork: Bool
    package var language: String?
    package var safety: Safety?
    /// The source's own filter, beside the global one; a joke passes both.
    package var filter: JokeFilter?
    /// How a source of type `json` asks and reads; its URL may have placeholders.
    package var json: JSONMapping?

    package init(
        name: String, kind: SourceKind, url: String? = nil, path: String? = nil, isOptional: Bool = false,
        isEnabled: Bool = true, interval: Duration = .seconds(6 * 3600), limit: Int? = nil,
        languages: [String] = [], categories: [String] = [], token: SecretReference? = nil, rate: RequestRate? = nil,
        allowLocalNetwork: Bool = false, language: String? = nil, safety: Safety? = nil, filter: JokeFilter? = nil,
        json: JSONMapping? = nil
    ) {
        self.name = name
        self.kind = kind
        self.url = url
        self.path = path
        self.isOptional = isOptional
        self.isEnabled = isEnabled
        self.interval = interval
        self.limit = limit
        self.languages = languages
        self.categories = categories
        self.token = token
        self.rate = rate
        self.allowLocalNetwork = allowLocalNetwork
        self.language = language
        self.safety = safety
        self.filter = filter
        self.json = json
    }

    /// Whether a source may have the name: `[a-z0-9-]{1,32}`.
    package static func isName(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                ($0.isASCIILetterOrDigit && !(0x41...0x5A).contains($0)) || $0 == UInt8(ascii: "-")
            }
    }

    /// Whether its requests hold a secret. The query of a configured URL may be a key.
    package var sendsSecret: Bool {
        let fields = (json?.headers ?? []) + (json?.query ?? [])
        return token != nil || url?.contains("?") == true || fields.contains { $0.value.secret != nil }
    }

    /// The configured categories in lower case, in the order of the alphabet, each once.
    package var lowercasedCategories: [String] {
        Set(categories.map { $0.lowercased() }).sorted()
    }

    /// The language and safety of jokes for which the source states none.
    package var defaults: SourceDefaults {
        SourceDefaults(
            language: language ?? kind.traits.language, safety: kind.traits.safety, configuredSafety: safety)
    }

    /// How often the upstream may be asked; nil where there is nothing to keep to. A server of the local network is
    /// somebody's own and has no rate that we know; it may answer that it is asked too often.
    package var allowedRate: RequestRate? {
        rate ?? (allowLocalNetwork ? nil : kind.traits.rate)
    }

    /// Between two attempts lies at least this, whoever asks. The user's own server needs no pause.
    package var shortestPause: Duration {
        allowLocalNetwork ? .zero : kind.traits.shortestPause
    }

    /// Whether both ask the same of the same upstream, and read the answer alike: they may differ in when they ask, and
    /// in what of it is shown.
    func asksTheSame(as other: SourceConfiguration) -> Bool {
        onlyWhatIsAsked == other.onlyWhatIsAsked
    }

    /// Tells across restarts whether it asks the same: 16 hexadecimal digits. Another release of the program may give it
    /// others; then everything is asked once more.
    package var question: String {
        SHA256.shortDigest(of: Array("\(onlyWhatIsAsked)".utf8))
    }

    private var onlyWhatIsAsked: SourceConfiguration {
        var asked = self
        asked.interval = .zero
        asked.isEnabled = true
        // The reader of JokeAPI requests only safe jokes if the filter of the source wants no others.
        asked.filter = kind == .jokeAPI && filter?.safe == true ? JokeFilter(safe: true) : nil
        asked.rate = nil
        asked.language = nil
        // The reader of fortune files rates rotated ones, unless the configuration does.
        if kind != .fortune { asked.safety = nil }
        return asked
    }

    /// Whether both have requests sent to the same server, whose rate they share.
    func hasServer(of other: SourceConfiguration) -> Bool {
        kind.traits.place == other.kind.traits.place && server == other.server
    }

    /// Scheme, host and port.
    private var server: Substring? {
        let url = url ?? kind.traits.place.url
        return url.map { url in
            let scheme = url.lowercased().prefix { $0 != "/" }
            let rest = url.lowercased().dropFirst(scheme.count).drop { $0 == "/" }
            return scheme + rest.prefix { !"/?#".contains($0) }
        }
    }
}
