import CSQLite

extension Connection {
    /// Writes the database, as this connection sees it, to a new file of mode 0600, and syncs the file.
    ///
    /// O(n). If the copy fails, part of it may exist. https://www.sqlite.org/backup.html
    package func copy(to path: String) throws(SQLiteError) {
        // SQLite refuses a copy during a write transaction.
        try undoRest()
        try Self.makePrivateFile(path)
        let copy = try DatabaseHandle(path: path, .writing)
        guard let backup = sqlite3_backup_init(copy.pointer, "main", handle.pointer, "main") else {
            throw SQLiteError(
                resultCode: sqlite3_extended_errcode(copy.pointer), connection: copy.pointer, subject: path)
        }
        sqlite3_backup_step(backup, -1)
        // Also returns the error of the step.
        try copy.check(sqlite3_backup_finish(backup), path)
    }
}
