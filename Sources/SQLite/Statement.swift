import CSQLite

/// A compiled statement. Between runs, a statement has no bound values and holds no lock.
///
/// Confined to the owner of the connection.
package final class Statement {
    private let sql: String
    private let pointer: OpaquePointer
    private let database: DatabaseHandle
    private var isRunning = false
    /// True if a run has failed. The connection then compiles the text again.
    private(set) var hasFailed = false

    init(_ sql: String, on database: DatabaseHandle) throws(SQLiteError) {
        var compiled: OpaquePointer?
        var sqlCopy = sql
        let code = sqlCopy.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                sqlite3_prepare_v3(
                    database.pointer, text.baseAddress, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT),
                    &compiled, nil)
            }
        }
        try database.check(code, sql)
        guard let compiled else {
            throw SQLiteError(.badStatement, message: "no statement in the text", subject: sql)
        }
        self.sql = sql
        self.database = database
        pointer = compiled
    }

    deinit {
        // The result code is that of the last run, which was thrown already.
        sqlite3_finalize(pointer)
    }

    /// Runs the statement to its end, and ignores rows. The values of a list are bound after the others.
    package func run(_ values: any ColumnValue..., then list: [any ColumnValue] = []) throws(SQLiteError) {
        try begin(values, then: list)
        defer { end() }
        while try step() {}
    }

    /// Runs the statement until the closure returns a result that is not nil, and returns the result; nil if there is
    /// none.
    package func first<Result>(
        _ values: any ColumnValue..., transform: (borrowing Row) throws -> Result?
    ) throws -> Result? {
        try first(binding: values, transform: transform)
    }

    func first<Result>(
        binding values: [any ColumnValue], transform: (borrowing Row) throws -> Result?
    ) throws -> Result? {
        try begin(values)
        defer { end() }
        while try step() {
            guard let result = try transform(Row(pointer: pointer)) else { continue }
            // Outside of a transaction, a statement that writes is committed here.
            try check(sqlite3_reset(pointer))
            return result
        }
        return nil
    }

    /// Runs the statement, and returns the results of the closure for all rows.
    package func map<Result>(
        _ values: any ColumnValue..., transform: (borrowing Row) throws -> Result
    ) throws -> [Result] {
        try map(binding: values, transform: transform)
    }

    func map<Result>(
        binding values: [any ColumnValue], transform: (borrowing Row) throws -> Result
    ) throws -> [Result] {
        try begin(values)
        defer { end() }
        var results: [Result] = []
        while try step() { results.append(try transform(Row(pointer: pointer))) }
        return results
    }

    private func begin(_ values: [any ColumnValue], then list: [any ColumnValue] = []) throws(SQLiteError) {
        precondition(!isRunning, "run again from within its own rows: \(sql)")
        var count: Int32 = 0
        for value in [values, list].joined() {
            count += 1
            try check(value.bind(to: pointer, at: count))
        }
        precondition(count == sqlite3_bind_parameter_count(pointer), "\(count) values for: \(sql)")
        isRunning = true
    }

    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        if code != SQLITE_DONE { try check(code) }
        return false
    }

    private func end() {
        // The result code is that of the step, which was thrown already.
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        isRunning = false
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        hasFailed = true
        try database.check(code, sql)
    }
}

/// The current row of a statement. Not copyable, so that a row cannot leave the closure that gets it.
package struct Row: ~Copyable {
    /// The `sqlite3_stmt *` of the statement.
    let pointer: OpaquePointer

    /// Returns the value of a column, counted from 0. Converts no types.
    ///
    /// - Throws: `SQLiteError` with code `wrongType` for a value of another type, or `outOfMemory`.
    package func read<Value: ColumnValue>(_ column: Int, as type: Value.Type = Value.self) throws(SQLiteError) -> Value
    {
        let column = Int32(column)
        do throws(ColumnTypeMismatch) {
            return try Value(column: column, of: pointer)
        } catch {
            throw mismatch(column, Value.self)
        }
    }

    private func mismatch(_ column: Int32, _ wanted: any ColumnValue.Type) -> SQLiteError {
        // sqlite3_column_text returns a null pointer if it is out of memory.
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
