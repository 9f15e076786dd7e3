extension Wire {
    /// `type Finding`.
    package struct Finding: Codable, Hashable, Sendable {
        package enum State: String, Codable, Sendable {
            case ok, warning, failed
        }

        /// What was looked at; a stable word.
        package var check: String
        package var subject: String?
        package var state: State
        package var finding: String
        package var advice: String?

        package init(
            _ check: Check, of subject: String? = nil, _ state: State, _ finding: String, advice: String? = nil
        ) {
            self.check = check.rawValue
            self.subject = subject
            self.state = state
            self.finding = finding
            self.advice = advice
        }
    }

    /// What is looked at, in the words that scripts go by. Those of the daemon, and behind them those that only a program
    /// on the other side of the socket can look at.
    package enum Check: String, CaseIterable, Sendable {
        case program, database, storage, recovery, space, cache, configuration, clock, clients, descriptors, network,
            sources, source
        case socket, unit, daemon, version
        case timeSync = "time-sync"
    }
}

package enum DiagnoseMethod: JokesMethod {
    package static let name = "Diagnose"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var findings: [Wire.Finding]

        package init(findings: [Wire.Finding]) {
            self.findings = findings
        }
    }
}
