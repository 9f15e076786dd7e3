import JokesCore
import SQLite

/// The position of a batch in a full sync. A full sync fetches all jokes of a source in one batch or more.
///
/// A full sync continues after a restart. Jokes of the source that are in no batch of a completed full sync are
/// missing.
package enum FullSyncPart: Hashable, Sendable {
    /// Outside of a full sync, such as a batch of random jokes.
    case outside
    /// The first of several batches. An earlier incomplete full sync of the source is abandoned.
    case beginning
    /// Neither the first batch nor the last batch.
    case middle
    /// The last of several batches. If no full sync has begun, the same as `outside`.
    case end
    /// The only batch of a full sync.
    case whole

    package init(beginning begins: Bool, completing completes: Bool) {
        self =
            switch (begins, completes) {
            case (true, true): .whole
            case (true, false): .beginning
            case (false, true): .end
            case (false, false): .middle
            }
    }

    var begins: Bool { self == .beginning || self == .whole }
    var completes: Bool { self == .end || self == .whole }
}

/// The full sync of a source, while one of its batches is stored.
///
/// Identified by a number instead of a time, because a clock may be set back.
struct FullSync {
    /// Larger than the numbers of earlier full syncs of the source.
    let number: Int64
    /// True if a full sync has begun, with this batch or earlier, and was not completed earlier.
    let isRunning: Bool
    let part: FullSyncPart

    /// Reads the state of the full sync, or begins a full sync with this batch.
    init(of source: Int64, part: FullSyncPart, _ connection: Connection) throws {
        let stored = try connection.prepare("SELECT full_sync, is_in_full_sync FROM sources WHERE key = ?")
            .first(source) { row in try (number: row.read(0, as: Int64.self), isRunning: row.read(1, as: Bool.self)) }
        number = (stored?.number ?? 0) + (part.begins ? 1 : 0)
        isRunning = part.begins || stored?.isRunning == true
        self.part = part
    }

    /// True if this batch completes the full sync.
    var isCompleted: Bool { isRunning && part.completes }
    /// True if each joke of this batch gets `number`, so that the last batch can find the missing jokes.
    var storesNumber: Bool { isRunning && !part.completes }
    /// True if the full sync stores one last-seen time for all its jokes, in `sources.full_sync_at`, when it completes.
    /// So no row of an unchanged joke is updated only for its last-seen time.
    var sharesLastSeen: Bool { isRunning && part != .outside }

    /// Stores the state of the full sync after this batch.
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
