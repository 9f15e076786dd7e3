package import JokesCore

/// The part of the configuration that decides which jokes are shown, and which joke of a group of duplicates.
package struct DisplayRules: Hashable, Sendable {
    /// The names of the configured sources. A group shows the joke of its first source in this order.
    package var sourceOrder: [String]
    package var filter: JokeFilter
    /// The filters of single sources, by the name of the source. A joke must pass `filter` and the filter of its
    /// source.
    package var sourceFilters: [String: JokeFilter]
    /// The language and safety of jokes whose source does not state them, by the name of the source.
    package var sourceDefaults: [String: SourceDefaults]

    package init(
        sourceOrder: [String], filter: JokeFilter = JokeFilter(), sourceFilters: [String: JokeFilter] = [:],
        sourceDefaults: [String: SourceDefaults] = [:]
    ) {
        (self.sourceOrder, self.filter) = (sourceOrder, filter)
        (self.sourceFilters, self.sourceDefaults) = (sourceFilters, sourceDefaults)
    }

    /// Returns the content that a source states, completed with the defaults of the source.
    package func completed(_ stated: JokeContent, from source: String) -> JokeContent {
        (sourceDefaults[source] ?? SourceDefaults()).applied(to: stated)
    }

    /// Returns true if the content that a source states passes the filters.
    package func admits(_ stated: JokeContent, from source: String) -> Bool {
        exclusion(of: stated, from: source) == nil
    }

    /// Returns the reason that excludes the content that a source states, and what to change; nil if it passes.
    func exclusion(of stated: JokeContent, from source: String) -> String? {
        let content = completed(stated, from: source)
        let general = filter.exclusion(of: content)
        guard let reason = general ?? sourceFilters[source]?.exclusion(of: content) else { return nil }
        if reason == JokeFilter.unrated, sourceDefaults[source] != nil {
            return "\(reason); jokesctl source set \(source) --safety safe"
        }
        return "\(reason); change \"filter\" \(general == nil ? "of source '\(source)' " : "")in the configuration"
    }

    /// A text that is equal for equal rules. The database stores the signature of the rules that were applied last.
    ///
    /// Increment the version number, the first word, if a new version of the program admits other jokes with equal
    /// rules.
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
