import JokesCore
import SQLite

/// The position of a batch in a full sync and in a pass.
///
/// A full sync fetches all jokes of a source, and continues after a restart. Jokes of the source that are in no batch of a
/// completed full sync are missing. A pass reads the jokes of a source from the newest to the oldest. A full sync and
/// a pass can each take several answers and several syncs.
package struct BatchPart: Hashable, Sendable {
    /// True for the first batch of a full sync. An earlier incomplete full sync of the source is abandoned.
    package let beginsFullSync: Bool
    /// True for the last batch of a full sync. Has no effect if none has begun.
    package let completesFullSync: Bool
    /// False for a batch of random jokes or of an import, which is not a part of the full sync that runs.
    package let isInFullSync: Bool
    /// True if a pass begins: the jokes are newer than all stored jokes. Otherwise, they are older than those of the
    /// previous batch.
    package let beginsPass: Bool
    /// False if the next batch has jokes of the same answer. A sync that is interrupted before that batch requests the
    /// answer again.
    package let endsAnswer: Bool

    package init(
        beginsFullSync: Bool = false, completesFullSync: Bool = false, isInFullSync: Bool = true,
        beginsPass: Bool = true, endsAnswer: Bool = true
    ) {
        (self.beginsFullSync, self.completesFullSync) = (beginsFullSync, completesFullSync)
        (self.isInFullSync, self.beginsPass, self.endsAnswer) = (isInFullSync, beginsPass, endsAnswer)
    }
}

/// The full sync of a source, while one of its batches is stored.
///
/// Identified by a number instead of a time, because a clock may be set back.
struct FullSync {
    /// Larger than the numbers of earlier full syncs of the source.
    let number: Int64
    /// True if a full sync has begun, with this batch or earlier, and was not completed earlier.
    let isRunning: Bool
    let part: BatchPart

    /// Reads the state of the full sync, or begins a full sync with this batch.
    init(of source: Int64, part: BatchPart, _ connection: Connection) throws {
        let stored = try connection.prepare("SELECT full_sync, is_in_full_sync FROM sources WHERE key = ?")
            .first(source) { row in try (number: row.read(0, as: Int64.self), isRunning: row.read(1, as: Bool.self)) }
        number = (stored?.number ?? 0) + (part.beginsFullSync ? 1 : 0)
        isRunning = part.beginsFullSync || stored?.isRunning == true
        self.part = part
    }

    /// True if this batch completes the full sync.
    var isCompleted: Bool { isRunning && part.completesFullSync }
    /// True if each joke of this batch gets `number`, so that the last batch can find the missing jokes.
    var storesNumber: Bool { isRunning && !part.completesFullSync }
    /// True if the full sync stores one last-seen time for all its jokes, in `sources.full_sync_at`, when it completes.
    /// So no row of an unchanged joke is updated only for its last-seen time.
    var sharesLastSeen: Bool { isRunning && part.isInFullSync }

    /// Stores the state of the full sync after this batch.
    func store(of source: Int64, at now: Timestamp, _ connection: Connection) throws {
        guard isCompleted || part.beginsFullSync else { return }
        try connection.prepare(
            """
            UPDATE sources SET full_sync = ?1, is_in_full_sync = NOT ?2, full_sync_at = iif(?2, ?3, full_sync_at)
            WHERE key = ?4
            """
        ).run(number, isCompleted, now, source)
    }
}
