package import JokesCore

extension Wire.SourceHealth {
    /// One of the things that there are to say of a source, and what it means.
    package struct Clause: Hashable, Sendable {
        package enum Meaning: Hashable, Sendable {
            case plain, good, bad
            /// It is being asked.
            case busy
            /// It is not asked at all.
            case off
        }

        /// What is told in a style of its own.
        package let sign: String
        /// What goes on behind it.
        package let rest: String
        package let meaning: Meaning

        init(_ sign: String, _ rest: String = "", _ meaning: Meaning = .plain) {
            self.sign = sign
            self.rest = rest
            self.meaning = meaning
        }
    }

    /// How the source does, in words; the most important comes first.
    ///
    /// `past` says when something was (`3 minutes ago`, `14:32`), `future` when something will be (`in 6 hours`, `20:32`).
    /// Beside a column of how many jokes there are, `countsJokes` is false.
    package func clauses(
        countsJokes: Bool = true, past: (Timestamp) -> String, future: (Timestamp) -> String
    ) -> [Clause] {
        guard enabled else { return [Clause("disabled", "", .off)] }
        var clauses: [Clause] = []
        if syncing {
            clauses.append(Clause("syncing", "", .busy))
        } else if let failingSince {
            clauses.append(Clause(Self.failing(since: past(Timestamp(microseconds: failingSince))), "", .bad))
            if let lastSuccess { clauses.append(Clause("last sync \(past(Timestamp(microseconds: lastSuccess)))")) }
        } else if let lastSuccess {
            clauses.append(Clause("ok", " \(past(Timestamp(microseconds: lastSuccess)))", .good))
        } else {
            clauses.append(Clause("not synced yet"))
        }
        clauses += counts.dropFirst(countsJokes ? 0 : 1).map { Clause($0) }
        if syncing { return clauses }
        if let nextAttempt {
            let next = future(Timestamp(microseconds: nextAttempt))
            clauses.append(Clause(failingSince == nil ? "next \(next)" : "next try \(next)"))
        } else if failingSince != nil {
            clauses.append(Clause("waiting for the network"))
        }
        return clauses
    }

    /// "failing for 3 minutes" or "failing since 14:32", by the form of the time.
    private static func failing(since time: String) -> String {
        if time == "just now" { return "failing" }
        return time.hasSuffix(" ago") ? "failing for \(time.dropLast(4))" : "failing since \(time)"
    }

    /// What there is to say besides: why it fails, or why it has nothing.
    package var remark: String? {
        enabled ? failure ?? note : nil
    }

    private var counts: [String] {
        var counts = [counted(jokes, "joke")]
        if jokes > 0 && shown == 0 { counts.append("none shown") }
        if evicted > 0 { counts.append("\(evicted) evicted") }
        if new > 0 { counts.append("\(new) new") }
        if refused > 0 { counts.append("\(refused) refused") }
        if let requestsLeft { counts.append("\(counted(requestsLeft, "request")) left") }
        return counts
    }
}

/// `1 joke`, `12 jokes`.
package func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
