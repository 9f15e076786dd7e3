import CSQLite

extension Connection {
    /// Runs the body in a write transaction, and commits it, or rolls it back after an error.
    ///
    /// Takes the write lock at once, so that the body never finds the database busy. Blocks while another process holds
    /// the lock, at most for the connection's `busyTimeout`. The body must not begin another transaction.
    ///
    /// `checksReferences` enables the check of foreign keys, each of which is a lookup in an index.
    ///
    /// - Throws: The error of the body, even if the rollback also fails; otherwise `SQLiteError`.
    package func write<Result>(checksReferences: Bool = true, _ body: () throws -> Result) throws -> Result {
        try rollBackRest()
        // Cannot be changed within a transaction.
        if self.checksReferences != checksReferences {
            try execute("PRAGMA foreign_keys = \(checksReferences ? "ON" : "OFF")")
            self.checksReferences = checksReferences
        }
        let before = totalChanges
        let result = try transaction("BEGIN IMMEDIATE", body)
        committedChanges += totalChanges - before
        return result
    }

    /// Runs the body in a transaction that only reads: all its statements see the same state of the database.
    package func read<Result>(_ body: () throws -> Result) throws -> Result { try transaction("BEGIN", body) }

    private func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
        precondition(!isInTransaction, "a transaction within a transaction")
        // Compiled before there is anything to undo: it needs no memory then.
        let undoing = try prepare("ROLLBACK")
        try rollBackRest()
        // After a change that ran out of memory, the full-text index keeps some of what was undone.
        if handle.hasStaleTables {
            try execute("PRAGMA writable_schema = RESET")
            handle.hasStaleTables = false
        }
        try prepare(begin).run()
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let result = try body()
            try prepare("COMMIT").run()
            return result
        } catch {
            // A full or failing disk may have undone the transaction already. A failure here would hide the first one; the
            // rest is undone before the next transaction, or when the file is opened again.
            if sqlite3_get_autocommit(handle.pointer) == 0 { try? undoing.run() }
            throw error
        }
    }

    /// Rolls back a transaction whose rollback failed.
    func rollBackRest() throws(SQLiteError) {
        if sqlite3_get_autocommit(handle.pointer) == 0 { try prepare("ROLLBACK").run() }
    }
}
