import JSON5
import JokesCore
import JokesStore

// The keys of the configuration: one initializer for each object, one line for each key.

extension Configuration {
    init(_ keys: inout KeyedReader) {
        // The built-in configuration has sources, so it does not read itself.
        sources = keys["sources", .sources] ?? Self.builtIn.sources
        filter = keys["filter", .filter(JokeFilter())] ?? filter
        feed = keys["feed", .object(FeedSettings.init(_:))] ?? feed
        cache = keys["cache", .object(CacheLimits.init(_:))] ?? cache
        network = keys["network", .object(Network.init(_:))] ?? network
    }
}

extension FeedSettings {
    fileprivate init(_ keys: inout KeyedReader) {
        self.init()
        size = keys["size", .integer(1...1000)] ?? size
        placeholders = keys["placeholders", .integer(0...100)] ?? placeholders
    }
}

extension CacheLimits {
    fileprivate init(_ keys: inout KeyedReader) {
        let defaults = Self()
        self.init(
            maxJokes: keys["maxJokes", .integer(100...1_000_000)] ?? defaults.maxJokes,
            maxAge: keys["maxAge", .duration(86_400...100 * 365 * 86_400)] ?? defaults.maxAge)
    }
}

extension Configuration.Network {
    fileprivate init(_ keys: inout KeyedReader) {
        timeout = keys["timeout", .duration(1...600)] ?? timeout
        maxBody = keys["maxBody", .amount(.size, 1000...32_000_000, Int.init)] ?? maxBody
        contact = keys["contact", .contact] ?? contact
        proxy = keys["proxy", .proxy] ?? proxy
        allowAddresses = keys["allowAddresses", .list(of: .addresses)] ?? allowAddresses
        caFile = keys["caFile", .path]
    }
}

extension Rule where Value == JokeFilter {
    /// A filter with defaults for missing keys.
    static func filter(_ defaults: JokeFilter) -> Rule {
        .object { keys in
            var filter = defaults
            filter.safe = keys["safe", .bool] ?? filter.safe
            filter.languages = keys["languages", .list(of: .language)] ?? filter.languages
            filter.flags = keys["flags", .list(of: .flag)].map(JokeFlags.init(names:)) ?? filter.flags
            filter.words = keys["words", .list(of: .singleWord)] ?? filter.words
            filter.maxLength = keys["maxLength", .integer(1...8192)] ?? filter.maxLength
            return filter
        }
    }
}
