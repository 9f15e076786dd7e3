package import JokesCore
import SQLite

/// A seen joke is one that a round has served. To mark it as seen is to serve it in the current round: others come first.
extension JokeStore {
    /// Marks jokes as seen or unseen. Nothing is synced to the disk, as for `random`.
    ///
    /// - Returns: True for each joke that was changed, in the order of the IDs. False for an ID without a cached joke.
    @discardableResult
    package func setSeen(_ isSeen: Bool, _ ids: [JokeID]) throws(StoreError) -> [Bool] {
        try writing("mark jokes as \(isSeen ? "seen" : "unseen")") {
            let round = isSeen ? try connection.currentRound() : 0
            return try ids.map { id in
                try connection.prepare(
                    """
                    UPDATE groups SET round = ?1
                    WHERE key = (SELECT joke_group FROM jokes WHERE id = ?2) AND (round = 0) = (?1 > 0)
                    """
                ).run(round, id)
                return connection.changes > 0
            }
        }
    }

    /// Marks the shown jokes of a selection as seen, at most `limit` of them. Returns their number.
    package func markAllSeen(_ selection: JokeSelection, atMost limit: Int) throws(StoreError) -> Int {
        try writing("mark jokes as seen") {
            try connection.map(
                """
                UPDATE groups SET round = \(try connection.currentRound()) WHERE key IN (
                    SELECT g.key FROM groups g
                    WHERE g.shown IS NOT NULL AND g.round = 0 \(selection.conditions) LIMIT \(limit)) RETURNING 1
                """
            ) { _ in true }.count
        }
    }
}
