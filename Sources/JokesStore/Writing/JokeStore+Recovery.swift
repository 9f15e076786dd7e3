package import JokesCore
import SQLite

extension JokeStore {
    /// Runs a piece of the store's work, with a connection that is there: whatever it throws comes out as a
    /// `StoreError`.
    ///
    /// A store whose files were removed writes them again first, and one that could not write tries again. One whose
    /// database turns out to be damaged does nothing more from then on, so that nothing is acknowledged that is written
    /// into it.
    func attempting<Result>(
        _ attempt: @autoclosure () -> String, on path: String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        if let damage {
            tellOfDamage?(damage)
            throw damage.met(trying: attempt())
        }
        try restoreFiles(to: attempt())
        if refusal != nil { try openAgain(to: attempt()) }
        try reportRestoring(to: attempt())
        do {
            return try JokesStore.attempting(attempt(), on: path, body)
        } catch {
            switch error.code {
            case .corrupt: close(because: error)
            case .corruptIndex: mendIndex()
            default: break
            }
            throw error
        }
    }

    /// Makes the index of words anew where it does not agree with the jokes; leaves it where nothing can be written.
    private func mendIndex() {
        let isSound: Void? = try? connection.write {
            try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
        }
        if isSound != nil { return }
        try? connection.write { try connection.execute("INSERT INTO shown_words (shown_words) VALUES ('rebuild')") }
    }

    /// Opens the database at the path, for writing.
    func openAgain(to attempt: String) throws(StoreError) {
        do {
            var opening = opening
            if let patience { opening.lockTimeout = patience }
            let again = try opening.openForWriting(rules, recovers: false)
            use(again, isOther: again.recovery != nil)
        } catch {
            if error.code == .corrupt { close(because: error) } else { refusal = error }
            throw error.met(trying: attempt)
        }
    }

    private func use(_ again: OpenedStore, isOther: Bool) {
        if sharing.state.isFixed, let opened { retired.append(opened) }
        opened = again.connection
        journal = again.journal
        held = HeldFiles(opening.files)
        refusal = nil
        damage = nil
        sharing.renew(isOther: isOther)
    }

    private func close(because error: StoreError) {
        damage = error
        // Neither brings the log into the damaged file nor removes it. Fails for nothing that could be met here.
        try? opened?.keepLog()
        (opened, journal) = (nil, nil)
        tellOfDamage?(error)
    }

    // MARK: Damage that is met while it runs

    /// Calls the body, on the store's executor, when the database is found to be damaged, and with each call that is
    /// refused from then on: all are until `recover`.
    package func whenDamaged(_ body: @escaping @Sendable (StoreError) -> Void) {
        tellOfDamage = body
        if let damage { body(damage) }
    }

    /// Somebody who reads beside the store has met damage, in a database that is still the one there is.
    package func report(_ found: FoundDamage) {
        guard opened != nil, found.database == sharing.state.database else { return }
        // A foreign file in the place of the database is not damage. The next change moves it aside.
        if case .some(.some) = try? held.loss(at: opening.files) { return }
        if found.error.code == .corruptIndex { mendIndex() } else { close(because: found.error) }
    }

    /// Whether damage was met, and not been recovered from.
    package var isDamaged: Bool {
        damage != nil
    }

    /// Moves the damaged database aside and goes on with a new one, in which is what could be read of favorites. Readers
    /// must be opened again.
    ///
    /// - Returns: What became of it; nil where no damage was met.
    /// - Throws: `StoreError`; the store goes on refusing everything then, and this can be tried again.
    package func recover() throws(StoreError) -> Recovery? {
        guard let damage else { return nil }
        return try JokesStore.attempting("recover the favorites", on: path) {
            // Only once: if it fails from here on, a new database may be in place.
            let error = SQLiteError(.corrupt, message: damage.reason, subject: path)
            let old = try setAside ?? opening.setAside(because: error)
            setAside = old
            let again = try opening.connect(rules, old)
            use(again, isOther: true)
            setAside = nil
            return again.recovery
        }
    }

    // MARK: What is told of it

    /// Somebody has seen what became of damaged databases, as far as it was told by then.
    package func forgetRecoveries(until time: Timestamp) throws(StoreError) {
        try attempting("dismiss a recovery", on: path) {
            let unseen = Recovery.list(from: try connection.setting(.recoveries) ?? "").filter { $0.at > time }
            try connection.write { try connection.set(.recoveries, to: Recovery.text(of: unseen)) }
        }
    }

    /// Writes to the journal and the database what changes nothing. This shows whether a change can be stored.
    package func tryWriting() throws(StoreError) {
        try attempting("write to the database", on: path) {
            try journal?.tryAppending()
            let rules = try connection.setting(.rules) ?? ""
            try connection.write { try connection.set(.rules, to: rules) }
        }
    }
}
