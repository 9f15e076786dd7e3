import CSQLite

extension Connection {
    /// Runs the body in a write transaction. Commits the transaction, or rolls it back after an error.
    ///
    /// Begins with the write lock (BEGIN IMMEDIATE), so that no statement of the body fails with SQLITE_BUSY. Blocks
    /// while another process holds the lock, for at most `busyTimeout`. The body must not begin another transaction.
    ///
    /// `checksForeignKeys` enables foreign-key checks, each of which is a lookup in an index.
    ///
    /// - Throws: The error of the body, even if the rollback also fails; otherwise `SQLiteError`.
    package func write<Result>(checksForeignKeys: Bool = true, _ body: () throws -> Result) throws -> Result {
        try rollBackFailedTransaction()
        // SQLite ignores this pragma within a transaction.
        if self.checksForeignKeys != checksForeignKeys {
            try execute("PRAGMA foreign_keys = \(checksForeignKeys ? "ON" : "OFF")")
            self.checksForeignKeys = checksForeignKeys
        }
        let before = totalChanges
        let result = try transaction("BEGIN IMMEDIATE", body)
        committedChanges += totalChanges - before
        return result
    }

    /// Runs the body in a read transaction: all its statements see the same state of the database.
    package func read<Result>(_ body: () throws -> Result) throws -> Result { try transaction("BEGIN", body) }

    private func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
        precondition(!isInTransaction, "a transaction within a transaction")
        // Compiled before the transaction, because the rollback must also work if memory is short.
        let rollback = try prepare("ROLLBACK")
        try rollBackFailedTransaction()
        // After SQLITE_NOMEM, FTS5 keeps cached data of the transaction that was rolled back.
        if handle.hasStaleSchema {
            try execute("PRAGMA writable_schema = RESET")
            handle.hasStaleSchema = false
        }
        try prepare(begin).run()
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let result = try body()
            try prepare("COMMIT").run()
            return result
        } catch {
            // In autocommit mode, SQLite has rolled back already, such as on a full disk. An error of the rollback is
            // ignored, because it would hide the first error. The next transaction tries again.
            if sqlite3_get_autocommit(handle.pointer) == 0 { try? rollback.run() }
            throw error
        }
    }

    /// Rolls back a transaction after its rollback has failed.
    private func rollBackFailedTransaction() throws(SQLiteError) {
        if sqlite3_get_autocommit(handle.pointer) == 0 { try prepare("ROLLBACK").run() }
    }
}
