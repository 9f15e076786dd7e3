import JokesProtocol
import TextLayout

extension Printer {
    /// A line for each finding, what to do below it, and at the end how many are not well.
    func report(_ findings: [Wire.Finding]) throws {
        let names = findings.map(\.name)
        let width = names.map(\.columns).max() ?? 0
        let lead = Self.longestState + 2 + width + 2
        let isNarrow = columns.map { $0 - lead < Self.narrowestFinding } ?? false
        for (finding, name) in zip(findings, names) {
            let state = styled(finding.state.rawValue, finding.state.style).padded(to: Self.longestState)
            if isNarrow {
                try row("\(state)  \(styled(name, .bold))")
                try paragraph("\(finding.finding)", behind: "  ")
            } else {
                try paragraph("\(finding.finding)", behind: "\(state)  \(styled(name, .bold).padded(to: width))  ")
            }
            guard let advice = finding.advice else { continue }
            let indentation = StyledText(String(repeating: " ", count: isNarrow ? 2 : lead))
            for part in advice.split(separator: "\n") {
                try paragraph("\(part)", behind: "\(indentation)\(styled("→", finding.state.style)) ")
            }
        }
        try line()
        try paragraph(summary(of: findings))
    }

    private static let longestState = "warning".count
    private static let narrowestFinding = 24

    private func summary(of findings: [Wire.Finding]) -> StyledText {
        let (failed, warnings) = (findings.count { $0.state == .failed }, findings.count { $0.state == .warning })
        if failed == 0 && warnings == 0 { return "\(counted(findings.count, "check")): no problems found." }
        let parts = [
            failed == 0 ? nil : styled("\(failed) failed", .red),
            warnings == 0 ? nil : styled(counted(warnings, "warning"), .yellow),
        ].compactMap(\.self)
        return "\(counted(findings.count, "check")): \(parts.joined(separator: ", "))."
    }
}

extension Wire.Finding {
    /// What was looked at: `source dad`. A socket's path would leave no room for the rest, which names it too.
    fileprivate var name: String {
        check == Wire.Check.socket.rawValue ? check : subject.map { "\(check) \($0)" } ?? check
    }
}

extension Wire.Finding.State {
    fileprivate var style: StyledText.Style {
        switch self {
        case .ok: .green
        case .warning: .yellow
        case .failed: .red
        }
    }
}
