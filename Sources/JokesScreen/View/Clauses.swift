import JokesCore
import JokesProtocol
import TextLayout

/// One of the things that a line says, in several wordings, the longest first.
typealias Clause = [String]

/// As many clauses from the start as fit the columns, each as long as can be, with a dot between; the first one always.
func fitting(_ clauses: [Clause], in columns: Int) -> String {
    var text = ""
    for clause in clauses {
        let separator = text.isEmpty ? "" : " \u{B7} "
        let longer = clause.map { text + separator + $0 }
        guard let fit = longer.first(where: { $0.columns <= columns }) else {
            return text.isEmpty ? longer.last ?? "" : text
        }
        text = fit
    }
    return text
}

/// What is going on or wrong, the most pressing first; nothing where all is well.
func troubleClauses(_ header: JokesHeader) -> [Clause] {
    var clauses: [Clause] = []
    if header.isRecovered {
        clauses.append(["database recovered: see jokesctl status", "recovered: see jokesctl status", "recovered"])
    }
    if header.isSyncing { clauses.append(["syncing\u{2026}"]) }
    if header.isOffline {
        clauses.append(["offline"])
    } else if let first = header.failing.first {
        let count = header.failing.count
        let short =
            count == 1 ? ["\(first) failing", "1 source failing"] : ["\(count) sources failing", "\(count) failing"]
        clauses.append(["failing: \(header.failing.joined(separator: ", "))"] + short)
    }
    return clauses
}

/// How many jokes there are.
func cachedClause(_ header: JokesHeader) -> Clause {
    ["\(counted(header.cached, "joke")) cached", "\(header.cached) cached"]
}

/// When a source was last asked with success.
func syncClause(_ header: JokesHeader, _ clock: LocalClock) -> Clause {
    guard let lastSync = header.lastSync else { return ["never synced"] }
    let words = clock.words(for: lastSync)
    return ["synced \(words)", words]
}
