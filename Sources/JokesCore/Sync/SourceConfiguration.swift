/// The configuration of a source.
package struct SourceConfiguration: Hashable, Sendable {
    /// The prefix of the IDs of its jokes; `isName` has the rule.
    package var name: String
    package var kind: SourceKind
    /// The URL of the feed, or another base URL for a service.
    package var url: String?
    /// The file or folder to read, in place of a URL.
    package var path: String?
    /// True if a missing file is not an error.
    package var isOptional: Bool
    package var isEnabled: Bool
    package var interval: Duration
    /// The maximum number of jokes of a sync; nil for no limit.
    package var limit: Int?
    /// The languages to request; empty for the default of the type.
    package var languages: [String]
    /// The categories to request; empty for all.
    package var categories: [String]
    /// The secret that identifies the user.
    package var token: SecretReference?
    /// Headers of all requests, in addition to those of the type.
    package var headers: [SentField]
    /// The user and the password for Basic authentication, with a colon between them (RFC 7617).
    package var auth: SecretReference?
    /// The rate in place of the type's.
    package var rate: RequestRate?
    /// True if plain http and private addresses are allowed.
    package var allowLocalNetwork: Bool
    package var language: String?
    package var safety: Safety?
    /// The filter of the source. Jokes must also pass the global filter.
    package var filter: JokeFilter?
    /// True if the titles of a feed are headings, and not part of the jokes.
    package var skipsTitles: Bool
    /// The mapping of a source of type `json`.
    package var json: JSONMapping?

    package init(
        name: String, kind: SourceKind, url: String? = nil, path: String? = nil, isOptional: Bool = false,
        isEnabled: Bool = true, interval: Duration? = nil, limit: Int? = nil,
        languages: [String] = [], categories: [String] = [], token: SecretReference? = nil, headers: [SentField] = [],
        auth: SecretReference? = nil, rate: RequestRate? = nil, allowLocalNetwork: Bool = false,
        language: String? = nil,
        safety: Safety? = nil, filter: JokeFilter? = nil, skipsTitles: Bool = false, json: JSONMapping? = nil
    ) {
        (self.name, self.kind, self.url) = (name, kind, url)
        (self.path, self.isOptional, self.isEnabled) = (path, isOptional, isEnabled)
        (self.interval, self.limit, self.languages) = (interval ?? kind.traits.interval, limit, languages)
        (self.categories, self.token, self.headers, self.auth, self.rate) = (categories, token, headers, auth, rate)
        (self.allowLocalNetwork, self.language, self.safety) = (allowLocalNetwork, language, safety)
        (self.filter, self.skipsTitles, self.json) = (filter, skipsTitles, json)
    }

    /// Returns whether the text is a valid name: `[a-z0-9-]{1,32}`.
    package static func isName(_ name: String) -> Bool {
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
        return (1...32).contains(name.utf8.count) && name.utf8.allSatisfy(allowed.contains)
    }

    /// Returns the words of a title as a name, such as `jokes-for-kids`; empty if it has no letters of ASCII.
    package static func name(ofTitle title: String) -> String {
        let words = title.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        return words.reduce("") { name, word in
            let longer = name.isEmpty ? String(word) : "\(name)-\(word)"
            return name.isEmpty || longer.count <= 28 ? String(longer.prefix(28)) : name
        }
    }

    /// Returns a name for the source of a URL: the main part of its host, such as `example` of
    /// `https://www.example.org/`; empty for an IP address.
    package static func name(ofURL url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = rest.prefix { !"/?#:".contains($0) }.lowercased()
        let labels = host.split(separator: ".").map {
            $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
        // The last label is the top-level domain. A short second-level domain may precede it, as in co.uk.
        let names = labels.dropLast().filter { $0.contains(where: \.isLetter) }
        let name = names.last { $0.count > 3 } ?? names.last ?? ""
        return String(name.prefix(28))
    }

    /// True if its requests have a secret. The query of a configured URL may be a key.
    package var sendsSecret: Bool {
        let fields = headers + (json?.query ?? [])
        return token != nil || auth != nil || url?.contains("?") == true || fields.contains { $0.value.secret != nil }
    }

    /// The configured categories in lowercase, sorted, without duplicates.
    package var lowercasedCategories: [String] { Set(categories.map { $0.lowercased() }).sorted() }

    /// The language and safety of jokes if the source does not state them.
    package var defaults: SourceDefaults {
        SourceDefaults(
            language: language ?? kind.traits.language, safety: kind.traits.safety, configuredSafety: safety)
    }

    /// False if the jokes are in files of this machine.
    package var usesNetwork: Bool { path == nil && kind.traits.origin != .file }

    /// The rate of requests; nil for no limit. Files and servers of the local network have no limit.
    package var allowedRate: RequestRate? { rate ?? (allowLocalNetwork || !usesNetwork ? nil : kind.traits.rate) }

    /// The minimum time between two syncs: a public service should not send the same answer twice in a row.
    package var minPause: Duration { allowLocalNetwork || !usesNetwork ? .zero : SourceTraits.pauseOfServices }

    /// Returns whether both send the same requests and read the answers in the same way.
    func sendsSameRequests(as other: SourceConfiguration) -> Bool {
        requestsOnly == other.requestsOnly
    }

    /// A digest of the requests, to compare them after a restart: 16 hexadecimal digits. After a change of this text or of
    /// the names of properties, everything is fetched again.
    package var requestSignature: String {
        SHA256.shortDigest(of: Array("\(requestsOnly)".utf8))
    }

    private var requestsOnly: SourceConfiguration {
        var requests = self
        (requests.interval, requests.isEnabled, requests.rate, requests.language) = (.zero, true, nil, nil)
        // The reader of JokeAPI requests only safe jokes if the filter of the source wants no others.
        requests.filter = kind == .jokeAPI && filter?.safe == true ? JokeFilter(safe: true) : nil
        // The reader of fortune files rates rotated ones, unless the configuration does.
        if kind != .fortune { requests.safety = nil }
        return requests
    }

    /// The server of its requests; nil for files.
    package var server: Server? { path == nil ? (url ?? kind.traits.origin.url).map { Server(url: $0) } : nil }
}
