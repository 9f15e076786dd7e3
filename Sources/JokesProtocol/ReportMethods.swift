package import JokesCore

package enum StatisticsMethod: JokesMethod {
    package static let name = "Statistics"
    /// The maximum length of each list, those with the most jokes.
    package static let maxNames = 1000

    package typealias Parameters = JokeSelection
    package typealias Reply = JokeStatistics
}

package enum DiagnoseMethod: JokesMethod {
    package static let name = "Diagnose"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var diagnostics: [Diagnostic]

        package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
    }
}
