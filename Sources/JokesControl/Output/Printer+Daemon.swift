import JokesCore
import JokesProtocol
import Unix

extension Printer {
    func summary(of status: StatusMethod.Reply, _ sources: [Wire.SourceHealth]) throws {
        let others = status.stored - status.cached
        let stored = others == 0 ? "" : " (\(status.stored) stored)"
        let leftOut = status.favoritesLeftOut == 0 ? "" : " and \(status.favoritesLeftOut) that the filter leaves out"
        try member("jokes", "\(status.cached) cached\(stored), \(counted(status.favorites, "favorite"))\(leftOut)")
        try member("last sync", status.lastSync.map { ago(Timestamp(microseconds: $0)) } ?? "never")
        if status.syncing {
            try member("next sync", "running now")
        } else if let next = status.nextSync {
            try member("next sync", TimeInWords.until(Timestamp(microseconds: next), now: now))
        }
        if status.offline { try member("network", styled("offline: no source can be reached", .red)) }
        if let failure = status.storageFailure { try member("storage", styled(failure, .red)) }
        if let hint = status.storageHint { try member("", "\(hint)") }
        for recovery in status.recoveries {
            let time = ago(Timestamp(microseconds: recovery.at))
            try member("recovered", styled("\(time) from damage: \(recovery.reason)", .red))
            try member("", "\(recovery.inWords); jokes come again as sources are asked")
            try member("", "the damaged file is \(recovery.damagedFile)")
        }
        try member("up", "since \(ago(Timestamp(microseconds: status.startedAt))), version \(status.version)")
        try line()
        try table(of: sources)
    }

    /// A line for each source, and under a failing one what is wrong and when it is tried again.
    func table(of sources: [Wire.SourceHealth]) throws {
        let width = sources.map(\.name.count).max() ?? 0
        for source in sources {
            let name = source.name + String(repeating: " ", count: width - source.name.count)
            try line("\(styled(name, .bold))  \(state(of: source))")
            if let remark = source.remark {
                let indentation = String(repeating: " ", count: width + 2)
                try line("\(indentation)\(remark)")
            }
        }
        if sources.isEmpty { try remark("No sources are configured.") }
    }

    private func state(of source: Wire.SourceHealth) -> StyledText {
        source.clauses(past: ago, future: { TimeInWords.until($0, now: now) }).map { clause in
            let style: StyledText.Style? =
                switch clause.meaning {
                case .plain: nil
                case .good: .green
                case .bad: .red
                case .busy: .yellow
                case .off: .dim
                }
            return StyledText(clause.sign, style) + StyledText(clause.rest)
        }.joined(separator: ", ")
    }

    /// How a refresh comes along, in the line of its source.
    func progress(_ source: Wire.RefreshedSource, in lines: inout LiveLines) throws {
        let name = source.name
        let report = source.report?.inWords ?? ""
        switch source.state {
        case .started: try live(lines.update(name, to: rendered("\(name): asking")))
        case .alreadyRunning: try live(lines.update(name, to: rendered("\(name): is being asked already")))
        case .syncing: try live(lines.update(name, to: rendered("\(name): \(report)")))
        case .disabled: try live(lines.finish(name, with: rendered("\(name): disabled in the configuration")))
        case .tooSoon:
            let wait = TimeInWords.length(.milliseconds(source.retryAfterMs ?? 0))
            let words = "asked a moment ago; its rate allows the next time in \(wait)"
            try live(lines.finish(name, with: rendered("\(name): \(words)")))
        case .succeeded: try live(lines.finish(name, with: rendered("\(name): \(styled("done", .green)), \(report)")))
        case .failed:
            let reason = source.failure ?? "no reason given"
            try live(lines.finish(name, with: rendered("\(name): \(styled("failed", .red)): \(reason)")))
        }
    }
}
