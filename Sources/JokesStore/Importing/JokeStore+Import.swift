package import JokesCore
import JokesExchange
import SQLite
import Unix

/// The counts of new and known records of an import.
package struct ImportReport: Hashable, Sendable {
    package var newFavorites = 0
    /// Known favorites that got a note.
    package var changedFavorites = 0
    /// Known favorites that did not change.
    package var knownFavorites = 0
    package var newHidden = 0
    package var knownHidden = 0
    package var newJokes = 0
    /// Jokes with known IDs, or that a full cache refuses.
    package var knownJokes = 0
    /// New favorites and jokes that the filters exclude.
    package var excluded = 0

    package init() {}
}

extension JokeStore {
    /// A rejected record of one call of `stage`. Positions count from 0.
    package struct RejectedRecord: Hashable, Sendable {
        package let position: Int
        package let reason: String
    }

    /// Checks and cleans a piece of an import, in the order of the file, and stages it in a temporary file. Nothing is
    /// stored before `finishImport`. Several imports, with different numbers, can be staged at the same time.
    ///
    /// - Returns: The rejected record, if there is one; nothing of the piece is staged then.
    package func stage(_ records: [ExchangeRecord], ofImport number: Int64) throws(StoreError) -> RejectedRecord? {
        var checked: [ExchangeRecord] = []
        for (position, record) in records.enumerated() {
            do throws(ExchangeRecord.Refusal) {
                checked.append(try record.checked())
            } catch {
                return RejectedRecord(position: position, reason: error.description)
            }
        }
        // https://www.sqlite.org/tempfiles.html#temporary_file_storage_locations
        let folder = environment("SQLITE_TMPDIR") ?? environment("TMPDIR") ?? "/var/tmp"
        try attempting("stage an import", on: "\(folder)/import") {
            try StagedRecords(connection, number: number).append(checked)
        }
        return nil
    }

    /// Stores all staged records of an import, or none. On disk when this returns.
    ///
    /// Existing data stays. An existing favorite without a note gets one. Of a joke with a known ID, only an earlier
    /// `firstSeen` is stored, because its source may have changed it since.
    ///
    /// - Returns: The report of the import; nil if some of the `count` staged records were lost with a damaged database.
    ///   Nothing is stored then.
    /// - Throws: `StoreError`; nothing is stored then. The staged records are removed in either case.
    package func finishImport(_ number: Int64, of count: Int, at now: Timestamp) throws(StoreError) -> ImportReport? {
        try attempting("commit an import", on: path) {
            let staged = try StagedRecords(connection, number: number)
            defer { try? staged.remove() }
            guard try staged.count == count else { return nil }
            let isLarge = try staged.holdsManyJokes
            if isLarge { try connection.reservePages(cachedKibibytes: 16 << 10, logged: 4 * Connection.usualWALPages) }
            defer { if isLarge { connection.releasePages() } }
            return try writeMarks(isBatch: true, checksReferences: !isLarge) { changes in
                var importing = ImportTransaction(
                    connection: connection, journalWriter: changes, rules: rules, limits: limits, now: now,
                    randomness: randomness)
                defer { randomness = importing.randomness }
                return try importing.run(staged)
            }
        }
    }

    /// Removes the staged records of an import that will not be finished.
    package func discardImport(_ number: Int64) throws(StoreError) {
        try attempting("discard an import", on: path) { try StagedRecords(connection, number: number).remove() }
    }
}
