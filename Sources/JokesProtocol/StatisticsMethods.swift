package import JokesCore

extension Wire {
    /// `type JokeCounts`. `cached` is the sum of `shown`, `filteredOut`, `hidden` and `duplicates`.
    package struct JokeCounts: Codable, Hashable, Sendable {
        package var cached, shown, filteredOut, unrated, hidden, duplicates, evicted: Int

        package init(
            cached: Int = 0, shown: Int = 0, filteredOut: Int = 0, unrated: Int = 0, hidden: Int = 0,
            duplicates: Int = 0, evicted: Int = 0
        ) {
            (self.cached, self.shown, self.filteredOut, self.unrated) = (cached, shown, filteredOut, unrated)
            (self.hidden, self.duplicates, self.evicted) = (hidden, duplicates, evicted)
        }

        package static func + (a: JokeCounts, b: JokeCounts) -> JokeCounts {
            JokeCounts(
                cached: a.cached + b.cached, shown: a.shown + b.shown, filteredOut: a.filteredOut + b.filteredOut,
                unrated: a.unrated + b.unrated, hidden: a.hidden + b.hidden,
                duplicates: a.duplicates + b.duplicates, evicted: a.evicted + b.evicted)
        }

        /// For example `84 shown of 212 cached: 120 filtered out, 8 duplicates; 10 evicted`. Each joke counts once before the
        /// semicolon.
        package var inWords: String {
            let others = [
                (filteredOut, "filtered out"), (hidden, "hidden"),
                (duplicates, duplicates == 1 ? "duplicate" : "duplicates"),
            ]
            .filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
            let total = "\(shown) shown of \(cached) cached"
            return total + (others.isEmpty ? "" : ": \(others)") + (evicted == 0 ? "" : "; \(evicted) evicted")
        }
    }
}

package enum StatisticsMethod: JokesMethod {
    package static let name = "Statistics"
    /// The maximum length of each list, those with the most jokes.
    package static let maxNames = 1000

    package typealias Parameters = Wire.Selection
    package typealias Reply = JokeStatistics
}

package enum TodayMethod: JokesMethod {
    package static let name = "Today"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var joke: Joke
        /// The local date of the daemon, such as `2026-11-25`.
        package var date: String

        package init(joke: Joke, date: String) { (self.joke, self.date) = (joke, date) }
    }
}

package enum HiddenMethod: JokesMethod {
    package static let name = "Hidden"
    package typealias Parameters = Wire.PageParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var hidden: [HiddenJoke]
        package var total, notCached: Int
        package var next: String?

        package init(hidden: [HiddenJoke], total: Int, notCached: Int, next: String?) {
            (self.hidden, self.total, self.notCached, self.next) = (hidden, total, notCached, next)
        }
    }
}

package enum AbbreviateMethod: JokesMethod {
    package static let name = "Abbreviate"
    /// The maximum number of IDs of a call.
    package static let maxIDs = 100

    package struct Parameters: Codable, Hashable, Sendable {
        package var ids: [String]

        package init(ids: [String]) { self.ids = ids }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var ids: [String]

        package init(ids: [String]) { self.ids = ids }
    }
}

package enum DiagnoseMethod: JokesMethod {
    package static let name = "Diagnose"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var diagnostics: [Diagnostic]

        package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
    }
}
