import JokesCore
import SQLite

/// The full sync of a source, while one of its batches is stored.
///
/// It has a number instead of a time, because a clock may be set back.
struct Sweep {
    /// Larger than the numbers of earlier full syncs of the source.
    let number: Int64
    /// Whether it has begun, with this batch or earlier, and was not completed earlier.
    let isRunning: Bool
    let part: SweepPart

    /// Reads the state of the full sync, or begins one with this batch.
    init(of source: Int64, part: SweepPart, _ connection: Connection) throws {
        let known = try connection.prepare("SELECT full_sync, is_in_full_sync FROM sources WHERE key = ?")
            .first(source) { row in (number: try row.read(0, as: Int64.self), isRunning: try row.read(1, as: Bool.self))
            }
        number = (known?.number ?? 0) + (part.begins ? 1 : 0)
        isRunning = part.begins || known?.isRunning == true
        self.part = part
    }

    /// Whether this batch completes it.
    var isCompleted: Bool {
        isRunning && part.completes
    }

    /// Whether seen jokes are marked, so that the last batch can find the missing ones.
    var marksJokes: Bool {
        isRunning && !part.completes
    }

    /// Whether `sources.full_sync_at` will be the time at which the jokes of this batch were last seen.
    var tellsTime: Bool {
        isRunning && part != .outside
    }

    /// Stores the state after the batch.
    func store(of source: Int64, at now: Timestamp, _ connection: Connection) throws {
        if isCompleted {
            try connection.prepare(
                "UPDATE sources SET full_sync = ?, is_in_full_sync = 0, full_sync_at = ? WHERE key = ?"
            )
            .run(number, now, source)
        } else if part.begins {
            try connection.prepare("UPDATE sources SET full_sync = ?, is_in_full_sync = 1 WHERE key = ?").run(
                number, source)
        }
    }
}
