import CSQLite

/// The current row of a statement. It cannot leave the closure that gets it.
package struct Row: ~Copyable {
    /// The `sqlite3_stmt *`, which the statement owns.
    let pointer: OpaquePointer

    /// The value of a column, counted from 0.
    ///
    /// - Throws: `SQLiteError` with `.wrongType` for a value of another type, because nothing is converted, or `.outOfMemory`.
    package func read<Value: ColumnValue>(_ column: Int, as type: Value.Type = Value.self) throws(SQLiteError) -> Value
    {
        let column = Int32(column)
        do throws(OtherType) {
            return try Value(column: column, of: pointer)
        } catch {
            throw mismatch(column, Value.self)
        }
    }

    private func mismatch(_ column: Int32, _ wanted: any ColumnValue.Type) -> SQLiteError {
        // Without memory, SQLite returns no text.
        let connection = sqlite3_db_handle(pointer)
        if sqlite3_errcode(connection) == SQLITE_NOMEM {
            return SQLiteError(resultCode: SQLITE_NOMEM, connection: connection, subject: "")
        }
        let name = sqlite3_column_name(pointer, column).map { String(cString: $0) } ?? "\(column)"
        let found =
            switch sqlite3_column_type(pointer, column) {
            case SQLITE_INTEGER: "an integer"
            case SQLITE_FLOAT: "a real"
            case SQLITE_TEXT: "text"
            case SQLITE_BLOB: "a blob"
            default: "NULL"
            }
        return SQLiteError(
            .wrongType, message: "column \(name) holds \(found), not \(wanted)",
            subject: sqlite3_sql(pointer).map { String(cString: $0) } ?? "")
    }
}
