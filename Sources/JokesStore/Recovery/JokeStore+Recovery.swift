package import JokesCore
import SQLite

extension JokeStore {
    /// Runs the body with a database that is open for writing, and maps its errors to `StoreError`.
    ///
    /// First reopens a database that is open only for reading, or whose journal is gone. If its files were removed, or if the
    /// body finds damage outside of the full-text index, all calls are refused until `recover`. Errors of the body name the
    /// file of the database.
    func withOpenDatabase<Result>(
        to attempt: @autoclosure () -> String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        do { try checkFiles() } catch { throw error.during(attempt()) }
        if let damage {
            onDamage?(damage)
            throw damage.during(attempt())
        }
        if writeError != nil { try reopen(during: attempt()) }
        do {
            return try mappingErrors(attempt(), on: path, body)
        } catch {
            handle(damage: error)
            throw error
        }
    }

    /// Runs the body in a write transaction of the open database.
    func writing<Result>(
        _ attempt: @autoclosure () -> String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        try withOpenDatabase(to: attempt()) { try connection.write(body) }
    }

    /// Closes a damaged database, or repairs a damaged index. Ignores other errors.
    private func handle(damage error: StoreError) {
        switch error.code {
        case .corrupt: close(because: error)
        case .corruptIndex: repairIndex()
        default: break
        }
    }

    /// Rebuilds the full-text index if it does not agree with the jokes. Ignores errors, which the next call reports.
    private func repairIndex() {
        do {
            try connection.write {
                try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
            }
        } catch {
            try? connection.write { try connection.execute("INSERT INTO shown_words (shown_words) VALUES ('rebuild')") }
        }
    }

    /// Opens the database again, for writing.
    private func reopen(during attempt: String) throws(StoreError) {
        do {
            var opening = opening
            if let remainingTimeout { opening.lockTimeout = remainingTimeout }
            let reopened = try opening.openForWriting(rules, recovers: false)
            // A recovery may have changed the keys of rows, so readers must discard the keys that they hold.
            use(reopened, mayHaveNewKeys: reopened.recovery != nil)
            if let recovery = reopened.recovery {
                onDamage?(StoreError(.corrupt, attempt: attempt, reason: recovery.reason))
            }
        } catch {
            if error.code == .corrupt { close(because: error) } else { writeError = error }
            throw error.during(attempt)
        }
    }

    /// Uses another connection from now on, and informs the readers.
    private func use(_ reopened: OpenedStore, mayHaveNewKeys: Bool) {
        if sharing.state.isImmutable, let connectionIfOpen { keptOpen.append(connectionIfOpen) }
        connectionIfOpen = reopened.connection
        journal = reopened.journal
        heldFiles = HeldFiles(opening.files)
        writeError = nil
        damage = nil
        sharing.recordReopening(mayHaveNewKeys: mayHaveNewKeys)
    }

    /// Closes a database that is damaged or whose files have changed. All calls are refused until `recover`.
    func close(because error: StoreError) {
        damage = error
        // The last connection would write the WAL into the file, and remove the WAL by its name.
        try? connectionIfOpen?.keepWAL()
        (connectionIfOpen, journal) = (nil, nil)
        onDamage?(error)
    }

    /// Sets the closure that is called on the store's executor when damage is found or was repaired, and for each call that is
    /// refused because of it. If damage was found earlier, calls the closure immediately.
    package func whenDamaged(_ body: @escaping @Sendable (StoreError) -> Void) {
        onDamage = body
        if let damage { body(damage) }
    }

    /// Handles damage that a reader has found, unless the store has replaced the damaged database.
    package func report(_ found: DamageReport) {
        guard connectionIfOpen != nil, found.databaseNumber == sharing.state.databaseNumber else { return }
        handle(damage: found.error)
    }

    /// True if damage was found, and `recover` has not succeeded yet.
    package var isDamaged: Bool { damage != nil }

    /// Renames the damaged database, and creates a new database from the journal. Readers open the new database with
    /// their next call.
    ///
    /// - Returns: The recovery; nil if no damage was found.
    /// - Throws: `StoreError`. All other calls are still refused, and the next call of `recover` tries again.
    package func recover() throws(StoreError) -> Recovery? {
        guard let damage else { return nil }
        return try mappingErrors("recover the favorites", on: path) {
            // Renames the database only once: after a failure of `connect`, a new database may be at the path.
            let error = SQLiteError(.corrupt, message: damage.reason, subject: path)
            let replaced = try replacedDatabase ?? opening.renameDatabase(because: error)
            replacedDatabase = replaced
            let reopened = try opening.connect(rules, replaced)
            use(reopened, mayHaveNewKeys: true)
            replacedDatabase = nil
            return reopened.recovery
        }
    }

    /// Removes the reports of recoveries up to a time. A user has seen these reports.
    package func dismissRecoveries(until time: Timestamp) throws(StoreError) {
        try writing("dismiss a recovery") { try connection.set(connection.recoveries.filter { $0.at > time }) }
    }

    /// Checks that changes can be stored: writes to the journal and the database without changing them.
    package func tryWriting() throws(StoreError) {
        try withOpenDatabase(to: "write to the database") {
            try journal?.tryAppending()
            let rules = try connection.setting(.rules) ?? ""
            try connection.write { try connection.set(.rules, to: rules) }
        }
    }
}
