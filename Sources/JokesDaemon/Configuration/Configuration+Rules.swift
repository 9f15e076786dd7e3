import JSON5
import JokesCore

/// The keys of the configuration: one function for each object, one line for each key.
extension Configuration {
    static func rule(builtInSources: [SourceConfiguration]) -> Rule<Configuration> {
        .object { keys in
            var configuration = Configuration()
            configuration.sources = keys["sources", .sources] ?? builtInSources
            configuration.filter = keys["filter", .filter(JokeFilter())] ?? configuration.filter
            configuration.feed = keys["feed", .feed] ?? configuration.feed
            configuration.cache = keys["cache", .cache] ?? configuration.cache
            configuration.network = keys["network", .network] ?? configuration.network
            return configuration
        }
    }
}

extension Rule where Value == Configuration.Feed {
    fileprivate static var feed: Rule {
        .object { keys in
            var feed = Configuration.Feed()
            feed.size = keys["size", .integer(1...1000)] ?? feed.size
            feed.placeholders = keys["placeholders", .integer(0...100)] ?? feed.placeholders
            return feed
        }
    }
}

extension Rule where Value == Configuration.Cache {
    fileprivate static var cache: Rule {
        .object { keys in
            var cache = Configuration.Cache()
            cache.maxJokes = keys["maxJokes", .integer(100...1_000_000)] ?? cache.maxJokes
            cache.maxAge = keys["maxAge", .duration(86_400...100 * 365 * 86_400)] ?? cache.maxAge
            return cache
        }
    }
}

extension Rule where Value == Configuration.Network {
    fileprivate static var network: Rule {
        .object { keys in
            var network = Configuration.Network()
            network.timeout = keys["timeout", .duration(1...600)] ?? network.timeout
            network.maxBody = keys["maxBody", .size(1000...32_000_000)] ?? network.maxBody
            network.contact = keys["contact", .headerText] ?? network.contact
            network.proxy = keys["proxy", .proxy] ?? network.proxy
            return network
        }
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
