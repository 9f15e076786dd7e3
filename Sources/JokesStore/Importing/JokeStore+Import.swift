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
    /// Jokes that were not inserted: their IDs are known, or the cache is full.
    package var skippedJokes = 0
    /// New favorites and jokes that the filters exclude by their own ratings. The ratings of duplicates do not count.
    package var excluded = 0

    package init() {}
}

extension JokeStore {
    /// A rejected record of one call of `stage`.
    package struct RejectedRecord: Hashable, Sendable {
        /// The position in the list of records, counted from 0.
        package let position: Int
        package let reason: String
    }

    /// Checks and cleans some records of an import, and stages them in a temporary database. Successive calls get
    /// successive records of the file. Nothing is stored before `finishImport`.
    ///
    /// Several imports, with different numbers, can be staged at the same time.
    ///
    /// - Returns: The first rejected record; nil if all records were staged. If a record is rejected, no record of the
    ///   call is staged.
    package func stage(_ records: [ExchangeRecord], ofImport number: Int64) throws(StoreError) -> RejectedRecord? {
        var checked: [ExchangeRecord] = []
        for (position, record) in records.enumerated() {
            do throws(ExchangeRecord.Refusal) {
                checked.append(try record.checked())
            } catch {
                return RejectedRecord(position: position, reason: error.description)
            }
        }
        // Errors name a path in the folder in which SQLite creates temporary files:
        // https://www.sqlite.org/tempfiles.html#temporary_file_storage_locations
        let folder = environment("SQLITE_TMPDIR") ?? environment("TMPDIR") ?? "/var/tmp"
        try withOpenDatabase(to: "stage an import", on: "\(folder)/import") {
            try StagedRecords(connection, number: number).append(checked)
        }
        return nil
    }

    /// Stores all staged records of an import, or none. Favorites and hidden marks are on disk when the method returns.
    ///
    /// Existing data stays. An existing favorite without a note gets the imported note. If the ID of a joke is known,
    /// only an earlier `firstSeen` is stored, because the cached content is newer.
    ///
    /// - Returns: The report of the import; nil if some of the `stagedCount` records were lost because the
    ///   database was reopened. Nothing is stored then.
    /// - Throws: `StoreError`; nothing is stored then. The staged records are removed in all cases, except if the
    ///   database cannot be opened.
    package func finishImport(
        _ number: Int64, stagedCount: Int, at now: Timestamp
    ) throws(StoreError) -> ImportReport? {
        try withOpenDatabase(to: "commit an import", on: path) {
            let staged = try StagedRecords(connection, number: number)
            defer { try? staged.remove() }
            guard try staged.count == stagedCount else { return nil }
            let isLarge = try staged.holdsManyJokes
            if isLarge {
                try connection.reservePages(cachedKibibytes: 16 << 10, walPages: 4 * Connection.defaultWALPages)
            }
            defer { if isLarge { connection.releasePages() } }
            tidying = .eviction
            return try writeUserData(isBatch: true, checksForeignKeys: !isLarge) { journalWriter in
                var transaction = ImportTransaction(
                    connection: connection, journalWriter: journalWriter, rules: rules, limits: limits, now: now,
                    randomness: randomness)
                defer { randomness = transaction.randomness }
                return try transaction.run(staged)
            }
        }
    }

    /// Removes the staged records of an import that will not be finished.
    package func discardImport(_ number: Int64) throws(StoreError) {
        try withOpenDatabase(to: "discard an import", on: path) {
            try StagedRecords(connection, number: number).remove()
        }
    }
}
