import JokesCore
import JokesProtocol
import TextLayout

extension Printer {
    /// Each finding with its advice, and a summary.
    func report(_ findings: [Wire.Finding]) throws {
        let names = findings.map(\.name)
        let widest = names.map(\.columns).max() ?? 0
        let lead = Self.longestState + 2 + widest + 2
        let isNarrow = width - lead < Self.narrowestFinding
        for (finding, name) in zip(findings, names) {
            let state = Line(finding.state.rawValue, finding.state.style).padded(to: Self.longestState + 2)
            let title = state + Line(name, .bold)
            if isNarrow {
                try row(title)
                try paragraph(finding.finding, behind: Line("  "))
            } else {
                try paragraph(finding.finding, behind: title.padded(to: lead))
            }
            for part in (finding.advice ?? "").split(separator: "\n") {
                let arrow = Line().padded(to: isNarrow ? 2 : lead) + Line("→", finding.state.style) + Line(" ")
                try paragraph(String(part), behind: arrow)
            }
        }
        try line()
        try paragraph(summary(of: findings))
    }

    private static let longestState = "warning".count
    private static let narrowestFinding = 24

    private func summary(of findings: [Wire.Finding]) -> Line {
        let (failed, warnings) = (findings.count { $0.state == .failed }, findings.count { $0.state == .warning })
        let checks = Line("\(counted(findings.count, "check")): ")
        if failed == 0 && warnings == 0 { return checks + Line("no problems found.") }
        let failures = failed == 0 ? Line() : Line("\(failed) failed", .bad)
        let separator = Line(failed == 0 || warnings == 0 ? "" : ", ")
        let rest = warnings == 0 ? Line() : Line(counted(warnings, "warning"), .warning)
        return checks + failures + separator + rest + Line(".")
    }
}

extension Wire.Finding {
    /// The check and its subject, such as `source dad`. The text of a socket finding already has the path.
    fileprivate var name: String {
        check == Wire.Check.socket.rawValue ? check : subject.map { "\(check) \($0)" } ?? check
    }
}

extension Wire.Finding.State {
    fileprivate var style: Style {
        switch self {
        case .ok: .good
        case .warning: .warning
        case .failed: .bad
        }
    }
}
