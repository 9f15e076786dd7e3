import JokesCore
import SQLite

/// The sweep that a source is in while one of its batches is stored.
///
/// It has a number instead of a time: a clock may be set back.
struct Sweep {
    /// Tells it from the source's sweeps before it.
    let number: Int64
    /// Whether it was begun, with this batch or before, and not completed before.
    let isRunning: Bool
    let part: SweepPart

    /// The sweep as this batch finds it, or begins it.
    init(of source: Int64, part: SweepPart, _ connection: Connection) throws {
        let known = try connection.prepare("SELECT full_sync, is_in_full_sync FROM sources WHERE key = ?")
            .first(source) { row in (number: try row.read(0, as: Int64.self), isRunning: try row.read(1, as: Bool.self))
            }
        number = (known?.number ?? 0) + (part.begins ? 1 : 0)
        isRunning = part.begins || known?.isRunning == true
        self.part = part
    }

    /// Whether it is complete with this batch.
    var isCompleted: Bool {
        isRunning && part.completes
    }

    /// Whether jokes that are seen must be told from the others in a later batch.
    var marksJokes: Bool {
        isRunning && !part.completes
    }

    /// Whether its end will say when the jokes of this batch were seen last.
    var tellsTime: Bool {
        isRunning && part != .outside
    }

    /// Stores how it stands after the batch.
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
