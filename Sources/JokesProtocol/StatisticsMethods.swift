package import JokesCore

package enum StatisticsMethod: JokesMethod {
    package static let name = "Statistics"
    /// The maximum length of each list, those with the most jokes.
    package static let maxNames = 1000

    package typealias Parameters = JokeSelection
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

    package typealias Parameters = JokeIDs
    package typealias Reply = JokeIDs
}

package enum DiagnoseMethod: JokesMethod {
    package static let name = "Diagnose"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var diagnostics: [Diagnostic]

        package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
    }
}
