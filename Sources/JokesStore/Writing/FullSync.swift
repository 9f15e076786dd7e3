import JokesCore
import SQLite

/// The position of a batch in a full sync, which fetches all jokes of a source in one batch or more.
///
/// A full sync continues after a restart. When it is complete, the jokes of the source that were in none of its batches
/// are missing.
package enum FullSyncPart: Hashable, Sendable {
    /// Not part of a full sync, such as a random joke of the source.
    case outside
    /// Begins a full sync. A full sync that was not completed is forgotten.
    case beginning
    /// Neither the first batch of a full sync nor the last.
    case inside
    /// Completes a full sync; if none was begun, this is the same as `outside`.
    case end
    /// The only batch of a full sync.
    case whole

    package init(beginning begins: Bool, completing completes: Bool) {
        self =
            switch (begins, completes) {
            case (true, true): .whole
            case (true, false): .beginning
            case (false, true): .end
            case (false, false): .inside
            }
    }

    var begins: Bool { self == .beginning || self == .whole }
    var completes: Bool { self == .end || self == .whole }
}

/// The full sync of a source, while one of its batches is stored.
///
/// It has a number instead of a time, because a clock may be set back.
struct FullSync {
    /// Larger than the numbers of earlier full syncs of the source.
    let number: Int64
    /// Whether it has begun, with this batch or earlier, and was not completed earlier.
    let isRunning: Bool
    let part: FullSyncPart

    /// Reads the state of the full sync, or begins one with this batch.
    init(of source: Int64, part: FullSyncPart, _ connection: Connection) throws {
        let known = try connection.prepare("SELECT full_sync, is_in_full_sync FROM sources WHERE key = ?")
            .first(source) { row in try (number: row.read(0, as: Int64.self), isRunning: row.read(1, as: Bool.self)) }
        number = (known?.number ?? 0) + (part.begins ? 1 : 0)
        isRunning = part.begins || known?.isRunning == true
        self.part = part
    }

    /// Whether this batch completes the full sync.
    var isCompleted: Bool { isRunning && part.completes }
    /// Whether seen jokes are marked, so that the last batch can find the missing ones.
    var marksJokes: Bool { isRunning && !part.completes }
    /// Whether the jokes of this batch share the time `sources.full_sync_at` instead of a `last_seen` each.
    var sharesLastSeen: Bool { isRunning && part != .outside }

    func store(of source: Int64, at now: Timestamp, _ connection: Connection) throws {
        guard isCompleted || part.begins else { return }
        try connection.prepare(
            """
            UPDATE sources SET full_sync = ?1, is_in_full_sync = NOT ?2, full_sync_at = iif(?2, ?3, full_sync_at)
            WHERE key = ?4
            """
        ).run(number, isCompleted, now, source)
    }
}
