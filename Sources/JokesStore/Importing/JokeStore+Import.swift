package import JokesCore
import JokesExchange
import SQLite

extension JokeStore {
    /// A rejected record of one call of `stage`.
    package struct RejectedRecord: Hashable, Sendable {
        /// The position in the list of records, counted from 0.
        package let position: Int
        package let reason: String
    }

    /// Checks and cleans some records of an import, and keeps them in a temporary file. Successive calls get successive records of
    /// the file. Nothing is stored before `finishImport`.
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
        try mappingErrors("stage an import", on: opening.files.folder) {
            let spool = try spools[number] ?? ImportSpool(in: opening.files.folder)
            try spool.append(checked)
            spools[number] = spool
        }
        return nil
    }

    /// Stores all staged records of an import, or none. Favorites and hidden marks are on disk when the method returns.
    ///
    /// Existing data stays. An existing favorite without a note gets the imported note. If the ID of a joke is known,
    /// only an earlier `firstSeen` is stored, because the cached content is newer.
    ///
    /// A dry run stores nothing: it rolls the transaction of the import back, so its report is that of the import.
    ///
    /// - Throws: `StoreError`; nothing is stored then. The staged records are removed in all cases.
    package func finishImport(
        _ number: Int64, isDryRun: Bool = false, at now: Timestamp
    ) throws(StoreError) -> ImportReport {
        guard let spool = spools.removeValue(forKey: number) else { return ImportReport() }
        return try withOpenDatabase(to: "commit an import") {
            defer { connection.releaseMemory() }
            tidying = .eviction
            do {
                return try writeUserData(isBatch: true, checksForeignKeys: spool.size < Self.largeImport) {
                    journalWriter in
                    var transaction = try ImportTransaction(
                        connection, journalWriter, rules, limits, at: now, randomness: randomness)
                    defer { randomness = transaction.randomness }
                    let report = try transaction.run(spool)
                    if isDryRun { throw DryRun(report: report) }
                    return report
                }
            } catch let dryRun as DryRun {
                return dryRun.report
            }
        }
    }

    /// Rolls a dry run back.
    private struct DryRun: Error {
        let report: ImportReport
    }

    /// Removes the staged records of an import that will not be finished.
    package func discardImport(_ number: Int64) { spools[number] = nil }

    /// The size in bytes from which an import is written as a large batch is.
    private static let largeImport = 256 << 10
}
