package import JokesCore
import SQLite

extension JokeStore {
    /// Runs the body with an open connection, and turns its errors into `StoreError`.
    ///
    /// Removed files are written again first, and a database that is open only for reading is opened for writing again. If the body
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
            return try JokesStore.attempting(attempt(), on: path, body)
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
            let again = try opening.openForWriting(rules, recovers: false)
            use(again, isNewDatabase: again.recovery != nil)
        } catch {
            if error.code == .corrupt { close(because: error) } else { writeError = error }
            throw error.during(attempt)
        }
    }

    private func use(_ again: OpenedStore, isNewDatabase: Bool) {
        if sharing.state.isImmutable, let opened { retired.append(opened) }
        opened = again.connection
        journal = again.journal
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
        guard opened != nil, found.database == sharing.state.database else { return }
        // A foreign file in the place of the database is not damage. The next change moves it aside.
        if case .some(.some) = try? held.loss(at: opening.files) { return }
        handle(damage: found.error)
    }

    /// Whether damage was found, and not recovered from yet.
    package var isDamaged: Bool { damage != nil }

    /// Sets the damaged database aside, and makes a new one from the journal. Readers open it with their next call.
    ///
    /// - Returns: The recovery; nil if no damage was found.
    /// - Throws: `StoreError`. All calls are still refused, and the next call of this tries again.
    package func recover() throws(StoreError) -> Recovery? {
        guard let damage else { return nil }
        return try JokesStore.attempting("recover the favorites", on: path) {
            // Only once: if `connect` fails, a new database may be in place already.
            let error = SQLiteError(.corrupt, message: damage.reason, subject: path)
            let old = try setAside ?? opening.setAside(because: error)
            setAside = old
            let again = try opening.connect(rules, old)
            use(again, isNewDatabase: true)
            setAside = nil
            return again.recovery
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
