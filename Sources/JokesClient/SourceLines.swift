package import JokesCore
package import TextLayout
import Unix

extension SourceHealth {
    /// The state of the source, the most important first, and then the reason for a failure, or why no joke is shown. The
    /// number of jokes may be left out. `past` formats a time such as `3 minutes ago`, and `future` one such as `in 6 hours`.
    package func stateLines(
        countsJokes: Bool = true, columns: Int, past: (Timestamp) -> String, future: (Timestamp) -> String
    ) -> [Line] {
        var clauses = clauses(countsJokes: countsJokes, past: past, future: future)
        for index in clauses.indices.dropLast() { clauses[index] = clauses[index] + Line(",") }
        return Line.filled(clauses, to: columns) + remarks.flatMap { wrapped($0, .muted, to: columns) }
    }

    private func clauses(countsJokes: Bool, past: (Timestamp) -> String, future: (Timestamp) -> String) -> [Line] {
        let counts = countsJokes ? jokeCounts.map { Line($0) } : []
        switch unconfiguredType {
        case .bundled: return [Line("bundled with jokesd", .muted)] + counts
        case .imported: return [Line("imported from a file", .muted)] + counts
        case .removed: return [Line("no longer configured", .warning)] + counts
        case nil: break
        }
        guard enabled else { return [Line("disabled", .muted)] }
        var clauses: [Line] = []
        if syncing {
            clauses.append(Line("syncing", .warning))
        } else if let failingSince {
            clauses.append(Line(Self.failing(since: past(failingSince)), .bad))
            if let lastSuccess { clauses.append(Line("last sync \(past(lastSuccess))")) }
        } else if let lastSuccess {
            clauses.append(Line("ok", .good) + Line(" \(past(lastSuccess))"))
        } else {
            clauses.append(Line("not synced yet"))
        }
        clauses += counts + syncCounts.map { Line($0) }
        if syncing { return clauses }
        if let nextAttempt {
            let next = future(nextAttempt)
            clauses.append(Line(failingSince == nil ? "next \(next)" : "next try \(next)"))
        }
        return clauses
    }

    /// Returns "failing for 3 minutes" or "failing since 14:32".
    private static func failing(since time: String) -> String {
        if time == "just now" { return "failing" }
        return time.hasSuffix(" ago") ? "failing for \(time.dropLast(4))" : "failing since \(time)"
    }

    private var jokeCounts: [String] {
        var counts = [counted(jokes.cached, "joke")]
        if jokes.cached > 0 && jokes.shown == 0 { counts.append("none shown") }
        if jokes.evicted > 0 { counts.append("\(jokes.evicted) evicted") }
        return counts
    }

    private var syncCounts: [String] {
        var counts: [String] = []
        if new > 0 { counts.append("\(new) new") }
        if refused > 0 { counts.append("\(refused) refused") }
        if let requestsLeft { counts.append("\(counted(requestsLeft, "request")) left") }
        return counts
    }

    /// The reason for a failure, or why no joke is shown, each with the next step.
    package var remarks: [String] {
        if unconfiguredType == .removed { return ["'jokesctl forget \(shellWord(name))' removes the jokes."] }
        return [enabled ? failure ?? note : nil, unrated].compactMap(\.self)
    }

    /// The number of unrated jokes if no joke is shown, with the command that shows them; nil if there are none.
    package var unrated: String? {
        if jokes.shown > 0 || jokes.unrated == 0 { return nil }
        let command = "jokesctl source set \(shellWord(name)) --safety safe"
        let reason = unconfiguredType == nil ? command : "the filter shows only jokes that are rated safe"
        return "\(jokes.unrated) unrated, not shown; \(reason)"
    }
}

extension SourceSample {
    /// For example `20 jokes read, 1 item refused, 16 shown with the filter in use, 3 unrated`.
    package var inWords: String {
        [
            "\(counted(read, "joke")) read", refused > 0 ? "\(counted(refused, "item")) refused" : nil,
            read > 0 ? "\(shown) shown with the filter in use" : nil, unrated > 0 ? "\(unrated) unrated" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }
}
