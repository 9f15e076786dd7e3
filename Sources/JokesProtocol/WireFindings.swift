extension Wire {
    /// `type Finding`.
    package struct Finding: Codable, Hashable, Sendable {
        package enum State: String, Codable, Sendable {
            case ok, warning, failed
        }

        /// The check; a stable word.
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

    /// The checks, in words for scripts: those of the daemon, and then those of a client.
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
