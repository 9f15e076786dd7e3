import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout

extension Printer {
    func summary(of status: StatusMethod.Reply, _ sources: [SourceHealth]) throws {
        try member("jokes", status.jokes.inWords)
        let excluded =
            status.excludedFavorites == 0 ? "" : ", \(status.excludedFavorites) of them excluded by the filter"
        try member("favorites", "\(status.allFavorites)\(excluded)")
        try member("last sync", status.lastSync.map(ago) ?? "never")
        if status.syncing {
            try member("next sync", "running now")
        } else if let next = status.nextSync {
            try member("next sync", until(next))
        }
        if status.offline { try member("network", Line("offline: no source on the network can be reached", .bad)) }
        if let failure = status.storageFailure { try member("storage", Line(failure, .bad)) }
        if let hint = status.storageHint { try member("", hint) }
        if let failure = status.reloadFailure, let time = status.reloadFailedAt {
            try member("configuration", Line("refused \(ago(time)): \(failure)", .bad))
            try member("", "jokesd uses the previous one. Try: jokesctl doctor")
        }
        for recovery in status.recoveries {
            let time = ago(recovery.at)
            try member("recovered", Line("\(time), \(recovery.lines[0])", .bad))
            for line in recovery.lines.dropFirst() { try member("", line) }
        }
        let up = TimeInWords.length(now.timeSince(status.startedAt))
        try member("up", "\(up), version \(status.version)")
        try line()
        // The rows still add up to the total without disabled sources that have no jokes.
        let used = sources.filter { $0.enabled || $0.jokes != JokeCounts() }
        try table(of: used, others: sources.count - used.count)
    }

    /// Updates the line of a source during a refresh.
    func progress(_ source: RefreshedSource, in lines: inout LiveLines) throws {
        let report = source.report?.inWords ?? ""
        let wait = TimeInWords.length(.milliseconds(max(1000, source.retryAfterMs ?? 0)))
        let (words, isDone) =
            switch source.state {
            case .started: (Line("syncing"), false)
            case .alreadyRunning: (Line("already syncing"), false)
            case .syncing: (Line(report), false)
            case .disabled: (Line("disabled in the configuration"), true)
            case .tooSoon:
                (Line(source.failure ?? "too soon after the last try; next sync possible in \(wait)"), true)
            case .succeeded: (Line("done", .good) + Line(", \(report)"), true)
            case .failed: (Line("failed", .bad) + Line(": \(source.failure ?? "no reason given")"), true)
            }
        let line = Line("\(source.name): ") + words
        if isDone {
            let parts = line.wrapped(to: width).map { rendered($0) }
            try output.append(lines.finish(source.name, with: parts.joined(separator: "\n")))
        } else {
            let short = line.truncated(to: width - 1, mark: symbols["…"])
            try output.append(lines.update(source.name, to: rendered(short)))
        }
    }

    // MARK: Diagnostics

    /// Each diagnostic with its advice, and a summary.
    func report(_ diagnostics: [Diagnostic]) throws {
        let names = diagnostics.map(\.name)
        let widest = names.map(\.columns).max() ?? 0
        let lead = Self.longestState + 2 + widest + 2
        let isNarrow = width - lead < Self.minMessageWidth
        for (diagnostic, name) in zip(diagnostics, names) {
            let state = Line(diagnostic.state.rawValue, diagnostic.state.style).padded(to: Self.longestState + 2)
            let title = state + Line(name, .bold)
            if isNarrow {
                try row(title)
                try paragraph(diagnostic.message, after: Line("  "))
            } else {
                try paragraph(diagnostic.message, after: title.padded(to: lead))
            }
            for part in (diagnostic.advice ?? "").split(separator: "\n") {
                let arrow =
                    Line().padded(to: isNarrow ? 2 : lead) + Line(symbols["→"], diagnostic.state.style) + Line(" ")
                try paragraph(String(part), after: arrow)
            }
        }
        try line()
        try paragraph(summary(of: diagnostics))
    }

    private static let longestState = "warning".count
    private static let minMessageWidth = 24

    private func summary(of diagnostics: [Diagnostic]) -> Line {
        let (failed, warnings) = (diagnostics.count { $0.state == .failed }, diagnostics.count { $0.state == .warning })
        let checks = Line("\(counted(diagnostics.count, "check")): ")
        if failed == 0 && warnings == 0 { return checks + Line("no problems found.") }
        let failures = failed == 0 ? Line() : Line("\(failed) failed", .bad)
        let separator = Line(failed == 0 || warnings == 0 ? "" : ", ")
        let rest = warnings == 0 ? Line() : Line(counted(warnings, "warning"), .warning)
        return checks + failures + separator + rest + Line(".")
    }
}

extension Diagnostic {
    /// The check and its subject, such as `source dad`. The text of a socket diagnostic already has the path.
    fileprivate var name: String {
        check == Diagnostic.Check.socket.rawValue ? check : subject.map { "\(check) \($0)" } ?? check
    }
}

extension Diagnostic.State {
    fileprivate var style: Style {
        switch self {
        case .ok: .good
        case .warning: .warning
        case .failed: .bad
        }
    }
}

extension StatusMethod.Reply {
    /// The number of favorites, whether or not a list has them.
    var allFavorites: Int { favorites + excludedFavorites }

    /// For example `84 shown of 212 cached, last sync 3 minutes ago`.
    func inOneLine(now: Timestamp) -> String {
        let time = lastSync.map { TimeInWords.ago($0, now: now) }
        var parts = ["\(jokes.shown) shown of \(jokes.cached) cached"]
        parts.append(syncing ? "syncing now" : time.map { "last sync \($0)" } ?? "not synced yet")
        if offline { parts.append("offline") }
        if !failing.isEmpty { parts.append("failing: \(failing.joined(separator: ", "))") }
        if storageFailure != nil { parts.append("changes cannot be stored") }
        if reloadFailure != nil { parts.append("configuration refused") }
        if !recoveries.isEmpty { parts.append("database recovered") }
        let next =
            failing.isEmpty && storageFailure == nil && reloadFailure == nil && recoveries.isEmpty
            ? "" : "; 'jokesctl status' shows more"
        return parts.joined(separator: ", ") + next
    }
}
