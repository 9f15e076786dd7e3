import CSQLite

extension Connection {
    /// Writes the database, as this connection sees it, to a new file, which is on disk when this returns.
    ///
    /// O(n), at the speed of the disk. https://www.sqlite.org/backup.html
    ///
    /// - Parameter path: The new file, which gets mode 0600. If the copy fails, part of it may be there.
    /// - Throws: `SQLiteError`.
    package func copy(to path: String) throws(SQLiteError) {
        // SQLite copies nothing from a connection with a transaction that writes.
        try undoRest()
        try Self.makePrivateFile(path)
        let copy = try DatabaseHandle(path: path, .writing)
        guard let backup = sqlite3_backup_init(copy.pointer, "main", handle.pointer, "main") else {
            throw SQLiteError(
                resultCode: sqlite3_extended_errcode(copy.pointer), connection: copy.pointer, subject: path)
        }
        sqlite3_backup_step(backup, -1)
        // Also returns what kept the step from reading or writing.
        try copy.check(sqlite3_backup_finish(backup), path)
    }
}
