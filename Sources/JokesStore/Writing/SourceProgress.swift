import JokesCore
import SQLite

extension Connection {
    /// Returns the state of a source and the position after which its next sync continues.
    func progress(of source: String) throws -> (state: SourceState, position: SourcePosition) {
        let stored = try prepare("SELECT state, position FROM sources WHERE name = ?").first(source) { row in
            (SourceState(stored: try row.read(0)), SourcePosition(stored: try row.read(1)))
        }
        return (stored?.0 ?? SourceState(), stored?.1 ?? SourcePosition())
    }

    /// Stores the state of a source, within a transaction.
    func save(_ state: SourceState, of source: String) throws {
        try prepare("UPDATE sources SET state = ? WHERE key = ?").run(try state.stored(), try sourceKey(source))
    }

    /// Stores the position after which a sync continues, within a transaction.
    func save(_ position: SourcePosition, of source: String) throws {
        try prepare("UPDATE sources SET position = ? WHERE key = ?").run(try position.stored(), try sourceKey(source))
    }

    func isLocal(_ source: String) throws -> Bool {
        try prepare("SELECT is_local FROM sources WHERE name = ?").first(source) { row in try row.read(0) } ?? false
    }

    /// Records an answer of a source, before its jokes are stored.
    ///
    /// A pause since the last answer that is longer than the maximum age and than two intervals makes no joke older, such as a
    /// year without the machine, or a clock that was set.
    func recordAnswer(of source: Int64, at now: Timestamp, hasJokes: Bool, maxAge: Duration) throws {
        let last = try prepare("SELECT last_answer_at, sync_interval FROM sources WHERE key = ?").first(source) { row in
            (time: try row.read(0, as: Timestamp?.self), interval: try row.read(1, as: Int64.self))
        }
        if let last, let time = last.time {
            let longest = max(maxAge, .microseconds(2 * last.interval))
            let pause = now.timeSince(time)
            if pause > longest || pause < .zero - longest {
                try prepare(
                    "UPDATE jokes SET last_seen = last_seen + ?1, missing_since = missing_since + ?1 WHERE source = ?2"
                ).run(pause.wholeMicroseconds, source)
            }
        }
        try prepare("UPDATE sources SET last_answer_at = ?1, last_jokes_at = iif(?2, ?1, last_jokes_at) WHERE key = ?3")
            .run(now, hasJokes, source)
    }
}
