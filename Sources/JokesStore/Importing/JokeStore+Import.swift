package import JokesCore
import JokesExchange
import SQLite
import Unix

extension JokeStore {
    /// A refused record of a piece of an import. Positions count from 0.
    package struct Refused: Hashable, Sendable {
        package let position: Int
        package let reason: String
    }

    /// Stages a piece of an import in a temporary file. Nothing is stored before `finishImport`.
    ///
    /// Each record is checked and cleaned.
    ///
    /// - Parameters:
    ///   - keepsakes: In the order of the file.
    ///   - number: The number of the import. Several can be staged at the same time.
    /// - Returns: The refused record, if there is one; nothing of the piece is staged then.
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

    /// Stores all staged records of an import, or none. On disk when this returns.
    ///
    /// Existing data stays. An existing favorite without a note gets one. A joke with a known ID is ignored, because its
    /// source may have changed it since.
    ///
    /// - Parameters:
    ///   - number: The number of the import.
    ///   - count: The number of staged records.
    ///   - now: The time at which the jokes count as received.
    /// - Returns: The numbers of the import; nil if staged records were lost with a damaged database. Nothing is stored then.
    /// - Throws: `StoreError`; nothing is stored then. The staged records are removed in either case.
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

    /// Removes the staged records of an import that will not be finished.
    package func dropImport(_ number: Int64) throws(StoreError) {
        try attempting("discard an import", on: path) { try BroughtKeepsakes(connection, number: number).remove() }
    }
}
