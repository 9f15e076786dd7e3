import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout

extension Printer {
    func summary(of status: StatusMethod.Reply, _ sources: [Wire.SourceHealth]) throws {
        let others = status.stored - status.cached
        let evicted = status.evicted == 0 ? "" : ", \(status.evicted) evicted"
        let stored = others == 0 && evicted.isEmpty ? "" : " (\(status.stored) stored\(evicted))"
        let excluded = status.excludedFavorites == 0 ? "" : " (and \(status.excludedFavorites) excluded by the filter)"
        try member("jokes", "\(status.cached) cached\(stored), \(counted(status.favorites, "favorite"))\(excluded)")
        try member("last sync", status.lastSync.map { ago(Timestamp(microseconds: $0)) } ?? "never")
        if status.syncing {
            try member("next sync", "running now")
        } else if let next = status.nextSync {
            try member("next sync", until(Timestamp(microseconds: next)))
        }
        if status.offline { try member("network", Line("offline: no source on the network can be reached", .bad)) }
        if let failure = status.storageFailure { try member("storage", Line(failure, .bad)) }
        if let hint = status.storageHint { try member("", hint) }
        for recovery in status.recoveries {
            let time = ago(Timestamp(microseconds: recovery.at))
            try member("recovered", Line("\(time), \(recovery.lines[0])", .bad))
            for line in recovery.lines.dropFirst() { try member("", line) }
        }
        let up = TimeInWords.length(now.timeSince(Timestamp(microseconds: status.startedAt)))
        try member("up", "\(up), version \(status.version)")
        try line()
        let enabled = sources.filter(\.enabled)
        try table(of: enabled.isEmpty ? sources : enabled)
        let disabled = enabled.isEmpty ? 0 : sources.count - enabled.count
        if disabled > 0 {
            let which = disabled == 1 ? "1 more source is" : "\(disabled) more sources are"
            try remark("\(which) disabled; 'jokesctl sources' lists all sources.")
        }
    }

    /// Updates the line of a source during a refresh.
    func progress(_ source: Wire.RefreshedSource, in lines: inout LiveLines) throws {
        let report = source.report?.inWords ?? ""
        let wait = TimeInWords.length(.milliseconds(max(1000, source.retryAfterMs ?? 0)))
        let (words, isDone) =
            switch source.state {
            case .started: (Line("syncing"), false)
            case .alreadyRunning: (Line("already syncing"), false)
            case .syncing: (Line(report), false)
            case .disabled: (Line("disabled in the configuration"), true)
            case .tooSoon:
                (Line("too soon after the last try; next sync possible in \(wait)"), true)
            case .succeeded: (Line("done", .good) + Line(", \(report)"), true)
            case .failed: (Line("failed", .bad) + Line(": \(source.failure ?? "no reason given")"), true)
            }
        let line = Line("\(source.name): ") + words
        if isDone {
            let parts = line.wrapped(to: width).map { rendered($0) }
            try output.append(lines.finish(source.name, with: parts.joined(separator: "\n")))
        } else {
            try output.append(lines.update(source.name, to: rendered(line.truncated(to: width - 1))))
        }
    }

    // MARK: Sources

    /// A table of the sources, no wider than the terminal.
    func table(of sources: [Wire.SourceHealth]) throws {
        if sources.isEmpty {
            return try remark("No sources are configured. 'jokesctl doctor' shows the path of the configuration.")
        }
        let widths = (
            name: max("SOURCE".columns, sources.map(\.name.columns).max() ?? 0),
            count: max("JOKES".columns, sources.map { "\($0.jokes)".columns }.max() ?? 0)
        )
        let room = width - (widths.name + 2 + widths.count + 2)
        if room < Self.narrowestState { return try narrowTable(of: sources) }
        func lead(_ name: Line, _ count: Line) -> Line {
            name.padded(to: widths.name + 2 + widths.count - count.columns) + count + Line("  ")
        }
        try line(lead(Line("SOURCE", .muted), Line("JOKES", .muted)) + Line("STATE", .muted))
        for source in sources {
            let state = source.stateLines(countsJokes: false, columns: room, past: ago, future: until)
            try lines(state, after: lead(Line(source.name, .bold), Line("\(source.jokes)")))
        }
    }

    private static let narrowestState = 20

    /// The table for narrow terminals: the state is below the name.
    private func narrowTable(of sources: [Wire.SourceHealth]) throws {
        for source in sources {
            try row(Line(source.name, .bold))
            for part in source.stateLines(columns: max(1, width - 2), past: ago, future: until) {
                try line(Line("  ") + part)
            }
        }
    }

    private func until(_ time: Timestamp) -> String { TimeInWords.until(time, now: now) }

    // MARK: Diagnostics

    /// Each diagnostic with its advice, and a summary.
    func report(_ diagnostics: [Wire.Diagnostic]) throws {
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
                let arrow = Line().padded(to: isNarrow ? 2 : lead) + Line("→", diagnostic.state.style) + Line(" ")
                try paragraph(String(part), after: arrow)
            }
        }
        try line()
        try paragraph(summary(of: diagnostics))
    }

    private static let longestState = "warning".count
    private static let minMessageWidth = 24

    private func summary(of diagnostics: [Wire.Diagnostic]) -> Line {
        let (failed, warnings) = (diagnostics.count { $0.state == .failed }, diagnostics.count { $0.state == .warning })
        let checks = Line("\(counted(diagnostics.count, "check")): ")
        if failed == 0 && warnings == 0 { return checks + Line("no problems found.") }
        let failures = failed == 0 ? Line() : Line("\(failed) failed", .bad)
        let separator = Line(failed == 0 || warnings == 0 ? "" : ", ")
        let rest = warnings == 0 ? Line() : Line(counted(warnings, "warning"), .warning)
        return checks + failures + separator + rest + Line(".")
    }
}

extension Wire.Diagnostic {
    /// The check and its subject, such as `source dad`. The text of a socket diagnostic already has the path.
    fileprivate var name: String {
        check == Wire.Check.socket.rawValue ? check : subject.map { "\(check) \($0)" } ?? check
    }
}

extension Wire.Diagnostic.State {
    fileprivate var style: Style {
        switch self {
        case .ok: .good
        case .warning: .warning
        case .failed: .bad
        }
    }
}
