import CommandLineTools
import JokesCore
import JokesProtocol

extension Printer {
    func summary(of status: StatusMethod.Reply, _ sources: [Wire.SourceHealth]) throws {
        let others = status.stored - status.cached
        let evicted = status.evicted == 0 ? "" : ", \(status.evicted) evicted"
        let stored = others == 0 && evicted.isEmpty ? "" : " (\(status.stored) stored\(evicted))"
        let leftOut = status.favoritesLeftOut == 0 ? "" : " (and \(status.favoritesLeftOut) excluded by the filter)"
        try member("jokes", "\(status.cached) cached\(stored), \(counted(status.favorites, "favorite"))\(leftOut)")
        try member("last sync", status.lastSync.map { ago(Timestamp(microseconds: $0)) } ?? "never")
        if status.syncing {
            try member("next sync", "running now")
        } else if let next = status.nextSync {
            try member("next sync", TimeInWords.until(Timestamp(microseconds: next), now: now))
        }
        if status.offline { try member("network", styled("offline: no source on the network can be reached", .red)) }
        if let failure = status.storageFailure { try member("storage", styled(failure, .red)) }
        if let hint = status.storageHint { try member("", "\(hint)") }
        for recovery in status.recoveries {
            let time = ago(Timestamp(microseconds: recovery.at))
            try member("recovered", styled("\(time), \(recovery.lines[0])", .red))
            for line in recovery.lines.dropFirst() { try member("", line) }
        }
        let up = TimeInWords.length(now.timeSince(Timestamp(microseconds: status.startedAt)))
        try member("up", "\(up), version \(status.version)")
        try line()
        let enabled = sources.filter(\.enabled)
        // Where all are disabled, that is what there is to see.
        try table(of: enabled.isEmpty ? sources : enabled)
        let disabled = enabled.isEmpty ? 0 : sources.count - enabled.count
        if disabled > 0 {
            let which = disabled == 1 ? "1 more source is" : "\(disabled) more sources are"
            try remark("\(which) disabled; 'jokesctl sources' lists all sources.")
        }
    }

    /// How a refresh comes along, in the line of its source.
    func progress(_ source: Wire.RefreshedSource, in lines: inout LiveLines) throws {
        let name = source.name
        let report = source.report?.inWords ?? ""
        switch source.state {
        case .started: try fill(name, "syncing", in: &lines)
        case .alreadyRunning: try fill(name, "already syncing", in: &lines)
        case .syncing: try fill(name, "\(report)", in: &lines)
        case .disabled: try finish(name, "disabled in the configuration", in: &lines)
        case .tooSoon:
            let wait = TimeInWords.length(.milliseconds(max(1000, source.retryAfterMs ?? 0)))
            try finish(name, "too soon after the last try; next sync possible in \(wait)", in: &lines)
        case .succeeded: try finish(name, "\(styled("done", .green)), \(report)", in: &lines)
        case .failed:
            let reason = source.failure ?? "no reason given"
            try finish(name, "\(styled("failed", .red)): \(reason)", in: &lines)
        }
    }

    private func fill(_ name: String, _ words: StyledText, in lines: inout LiveLines) throws {
        let line: StyledText = "\(name): \(words)"
        try live(lines.update(name, to: rendered(columns.map { line.truncated(to: $0 - 1) } ?? line)))
    }

    private func finish(_ name: String, _ words: StyledText, in lines: inout LiveLines) throws {
        let line: StyledText = "\(name): \(words)"
        let parts = columns.map { line.wrapped(to: $0) } ?? [line]
        try live(lines.finish(name, with: parts.map { rendered($0) }.joined(separator: "\n")))
    }
}
