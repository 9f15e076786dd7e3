package import JokesCore

/// What decides which jokes are shown, and which telling of a joke stands for all: from the configuration.
package struct ShowingRules: Hashable, Sendable {
    /// The names of the sources; tellings of one joke are shown as that of the first of these that has one.
    package var sourceOrder: [String]
    /// Passed by every joke that is shown.
    package var filter: JokeFilter
    /// By name; passed by the jokes of that source besides.
    package var sourceFilters: [String: JokeFilter]

    package init(sourceOrder: [String], filter: JokeFilter = JokeFilter(), sourceFilters: [String: JokeFilter] = [:]) {
        self.sourceOrder = sourceOrder
        self.filter = filter
        self.sourceFilters = sourceFilters
    }

    /// Whether a joke of the source may be seen by anybody.
    package func admits(_ content: JokeContent, from source: String) -> Bool {
        filter.admits(content) && sourceFilters[source]?.admits(content) != false
    }

    /// Equal for equal rules, across restarts: kept beside what was worked out by them.
    ///
    /// The number in front counts the meanings that the rules have had.
    var signature: String {
        let filters = sourceFilters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.signature)" }
        return "2 \(sourceOrder) \(filter.signature) \(filters)"
    }
}

extension JokeFilter {
    fileprivate var signature: String {
        "\(safe) \(languages) \(flags.rawValue) \(words) \(maxLength.map { "\($0)" } ?? "-")"
    }
}
