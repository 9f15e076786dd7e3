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
            if let failure = source.failure ?? source.note, source.enabled {
                let indentation = String(repeating: " ", count: width + 2)
                try line("\(indentation)\(failure)")
            }
        }
        if sources.isEmpty { try remark("No sources are configured.") }
    }

    private func state(of source: Wire.SourceHealth) -> StyledText {
        guard source.enabled else { return styled("disabled", .dim) }
        let next = source.nextAttempt.map { TimeInWords.until(Timestamp(microseconds: $0), now: now) }
        var parts: [StyledText] = []
        if source.syncing {
            parts.append(styled("being asked", .yellow))
        } else if let since = source.failingSince {
            parts.append(styled("failing since \(ago(Timestamp(microseconds: since)))", .red))
            if let success = source.lastSuccess { parts.append("last ok \(ago(Timestamp(microseconds: success)))") }
        } else if let success = source.lastSuccess {
            parts.append(styled("ok", .green) + " \(ago(Timestamp(microseconds: success)))")
        } else {
            parts.append("not asked yet")
        }
        parts.append("\(counted(source.jokes, "joke"))")
        if source.jokes > 0 && source.shown == 0 { parts.append("none shown by the filter") }
        if source.new > 0 { parts.append("\(source.new) new") }
        if source.refused > 0 { parts.append("\(source.refused) refused") }
        if let left = source.requestsLeft { parts.append("\(counted(left, "request")) left") }
        if let next, !source.syncing {
            parts.append(source.failingSince == nil ? "next \(next)" : "next try \(next)")
        } else if !source.syncing && source.failingSince != nil {
            parts.append("waits for the network")
        }
        return parts.joined(separator: ", ")
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
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
