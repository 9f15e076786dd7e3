package import JokesCore
import SQLite

extension JokeStore {
    /// Runs the body with an open connection, and turns its errors into `StoreError`.
    ///
    /// First writes removed files again, and opens a database for writing if it is open only for reading. If the body
    /// finds damage, all later calls are refused until `recover`.
    func attempting<Result>(
        _ attempt: @autoclosure () -> String, on path: String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        if let damage {
            onDamage?(damage)
            throw damage.during(attempt())
        }
        try restoreFiles(during: attempt())
        if writeError != nil { try reopen(during: attempt()) }
        try recordRestoration(during: attempt())
        do {
            return try mappingErrors(attempt(), on: path, body)
        } catch {
            handle(damage: error)
            throw error
        }
    }

    private func handle(damage error: StoreError) {
        switch error.code {
        case .corrupt: close(because: error)
        case .corruptIndex: repairIndex()
        default: break
        }
    }

    /// Rebuilds the full-text index if it does not agree with the jokes. Errors are ignored: the next call reports them.
    private func repairIndex() {
        do {
            try connection.write {
                try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
            }
        } catch {
            try? connection.write { try connection.execute("INSERT INTO shown_words (shown_words) VALUES ('rebuild')") }
        }
    }

    func reopen(during attempt: String) throws(StoreError) {
        do {
            var opening = opening
            if let remainingTimeout { opening.lockTimeout = remainingTimeout }
            let reopened = try opening.openForWriting(rules, recovers: false)
            use(reopened, isNewDatabase: reopened.recovery != nil)
        } catch {
            if error.code == .corrupt { close(because: error) } else { writeError = error }
            throw error.during(attempt)
        }
    }

    private func use(_ reopened: OpenedStore, isNewDatabase: Bool) {
        if sharing.state.isImmutable, let opened { keptOpen.append(opened) }
        opened = reopened.connection
        journal = reopened.journal
        held = HeldFiles(opening.files)
        writeError = nil
        damage = nil
        sharing.renew(isNewDatabase: isNewDatabase)
    }

    func close(because error: StoreError) {
        damage = error
        // Closing must not write the WAL into the damaged file, or remove it.
        try? opened?.keepWAL()
        (opened, journal) = (nil, nil)
        onDamage?(error)
    }

    /// Calls the body, on the store's executor, when damage is found, and with each call that is refused because of it.
    package func whenDamaged(_ body: @escaping @Sendable (StoreError) -> Void) {
        onDamage = body
        if let damage { body(damage) }
    }

    /// Handles damage that a reader has found, unless another database was opened since.
    package func report(_ found: DamageReport) {
        guard opened != nil, found.databaseNumber == sharing.state.databaseNumber else { return }
        // A foreign file in the place of the database is not damage. The next change renames it.
        if case .some(.some) = try? held.removalReason(at: opening.files) { return }
        handle(damage: found.error)
    }

    /// Whether damage was found, and not recovered from yet.
    package var isDamaged: Bool { damage != nil }

    /// Renames the damaged database, and makes a new one from the journal. Readers open it with their next call.
    ///
    /// - Returns: The recovery; nil if no damage was found.
    /// - Throws: `StoreError`. All calls are still refused, and the next call of this tries again.
    package func recover() throws(StoreError) -> Recovery? {
        guard let damage else { return nil }
        return try mappingErrors("recover the favorites", on: path) {
            // Only once: if `connect` fails, a new database may be in place already.
            let error = SQLiteError(.corrupt, message: damage.reason, subject: path)
            let old = try replacedDatabase ?? opening.setAside(because: error)
            replacedDatabase = old
            let reopened = try opening.connect(rules, old)
            use(reopened, isNewDatabase: true)
            replacedDatabase = nil
            return reopened.recovery
        }
    }

    /// Forgets the recoveries up to a time: a person has seen them.
    package func forgetRecoveries(until time: Timestamp) throws(StoreError) {
        try attempting("dismiss a recovery", on: path) {
            let unseen = try connection.recoveries.filter { $0.at > time }
            try connection.write { try connection.set(.recoveries, to: Recovery.text(of: unseen)) }
        }
    }

    /// Writes to the journal and the database without a change, to check whether changes can be stored.
    package func tryWriting() throws(StoreError) {
        try attempting("write to the database", on: path) {
            try journal?.tryAppending()
            let rules = try connection.setting(.rules) ?? ""
            try connection.write { try connection.set(.rules, to: rules) }
        }
    }
}
