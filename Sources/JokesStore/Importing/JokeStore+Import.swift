package import JokesCore
import JokesExchange
import SQLite
import Unix

extension JokeStore {
    /// What was brought in a piece of an import and is refused; counted from 0.
    package struct Refused: Hashable, Sendable {
        package let position: Int
        package let reason: String
    }

    /// Lays a piece of an import aside, in a file of its own that goes with the import or with this process: nothing of
    /// it is taken in before `finishImport`.
    ///
    /// Each record is checked and cleaned, whoever sent it.
    ///
    /// - Parameters:
    ///   - keepsakes: In the order of the file.
    ///   - number: Which import it is a piece of; tells it from others that come in at the same time.
    /// - Returns: What is refused of it; nothing of the piece is laid aside then.
    /// - Throws: `StoreError`.
    package func layAside(_ keepsakes: [Keepsake], ofImport number: Int64) throws(StoreError) -> Refused? {
        var checked: [Keepsake] = []
        for (position, keepsake) in keepsakes.enumerated() {
            do throws(Keepsake.Refusal) {
                checked.append(try keepsake.checked())
            } catch {
                return Refused(position: position, reason: error.description)
            }
        }
        // https://www.sqlite.org/tempfiles.html#temporary_file_storage_locations
        let folder = environment("SQLITE_TMPDIR") ?? environment("TMPDIR") ?? "/var/tmp"
        try attempting("stage an import", on: "\(folder)/import") {
            try BroughtKeepsakes(connection, number: number).append(checked)
        }
        return nil
    }

    /// Takes in all that was laid aside, whole or not at all; on disk, synced, when this returns.
    ///
    /// What is there stays as it is. A favorite that is there gets a note where it has none. Favorites come to stand in
    /// the order of their times, and those that were there keep theirs. A joke whose id is known is left alone: its
    /// source may have told it since.
    ///
    /// - Parameters:
    ///   - number: The import's, as `layAside` was told.
    ///   - count: How many records were laid aside.
    ///   - now: What counts as the time at which jokes came.
    /// - Returns: What came of it; nil where some of it is gone, with the damaged database that was recovered from
    ///   meanwhile: nothing is taken in then.
    /// - Throws: `StoreError`; nothing is taken in then, and what was laid aside is forgotten in either case.
    package func finishImport(
        _ number: Int64, of count: Int, at now: Timestamp
    ) throws(StoreError) -> ImportReport? {
        try attempting("commit an import", on: path) {
            let brought = try BroughtKeepsakes(connection, number: number)
            defer { try? brought.remove() }
            guard try brought.count == count else { return nil }
            let isLarge = try brought.holdsManyJokes
            if isLarge { try connection.takePages(cachedKibibytes: 16 << 10, logged: 4 * Connection.usualLogPages) }
            defer { if isLarge { connection.giveBackPages() } }
            return try writeMarks(isBatch: true, checksReferences: !isLarge) { changes in
                var importing = try Importing(
                    connection, changes, rules: rules, limits: limits, at: now, randomness: randomness)
                defer { randomness = importing.randomness }
                return try importing.run(brought)
            }
        }
    }

    /// Forgets what was laid aside of an import that will not be finished.
    package func dropImport(_ number: Int64) throws(StoreError) {
        try attempting("discard an import", on: path) { try BroughtKeepsakes(connection, number: number).remove() }
    }
}
