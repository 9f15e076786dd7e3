package import JokesCore

/// The part of the configuration that decides which jokes are shown, and which duplicate represents its group.
package struct DisplayRules: Hashable, Sendable {
    /// The names of the configured sources. A group shows the joke of its first source in this order.
    package var sourceOrder: [String]
    package var filter: JokeFilter
    /// The filters of single sources, by name; a joke must pass `filter` and the filter of its source.
    package var sourceFilters: [String: JokeFilter]
    /// The language and safety that a source's jokes have if the source does not state them, by name.
    package var sourceDefaults: [String: SourceDefaults]

    package init(
        sourceOrder: [String], filter: JokeFilter = JokeFilter(), sourceFilters: [String: JokeFilter] = [:],
        sourceDefaults: [String: SourceDefaults] = [:]
    ) {
        (self.sourceOrder, self.filter) = (sourceOrder, filter)
        (self.sourceFilters, self.sourceDefaults) = (sourceFilters, sourceDefaults)
    }

    /// Returns the content as a source states it, completed with the source's defaults.
    package func completed(_ stated: JokeContent, from source: String) -> JokeContent {
        (sourceDefaults[source] ?? SourceDefaults()).applied(to: stated)
    }

    /// Returns whether completed content passes the filters.
    package func admits(_ content: JokeContent, from source: String) -> Bool {
        filter.admits(content) && sourceFilters[source]?.admits(content) != false
    }

    /// A stable text: equal for equal rules. The database stores the signature of the rules that were applied last.
    ///
    /// Increment the version number at its beginning if the same rules admit other jokes.
    var signature: String {
        let filters = sourceFilters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.signature)" }
        let defaults = sourceDefaults.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.signature)" }
        return "3 \(sourceOrder) \(filter.signature) \(filters) \(defaults)"
    }
}

extension JokeFilter {
    fileprivate var signature: String {
        "\(safe) \(languages) \(flags.rawValue) \(words) \(maxLength.map { "\($0)" } ?? "-")"
    }
}

extension SourceDefaults {
    fileprivate var signature: String { "\(language) \(safety) \(configuredSafety.map { "\($0)" } ?? "-")" }
}
