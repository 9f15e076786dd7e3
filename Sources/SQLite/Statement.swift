import CSQLite

/// A compiled statement, which owns its handle. Between runs, it holds no values and no lock.
///
/// Confined to the owner of its connection.
package final class Statement {
    private let sql: String
    private let pointer: OpaquePointer
    private let database: DatabaseHandle
    private var isRunning = false
    /// Whether a run has failed: the connection then compiles the text again.
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
        // Returns the code of the last run, which was thrown already.
        sqlite3_finalize(pointer)
    }

    /// Runs to the end, and ignores rows.
    package func run<each Value: ColumnValue>(_ values: repeat each Value) throws(SQLiteError) {
        try begin(repeat each values)
        defer { end() }
        while try step() {}
    }

    /// Returns the first result of the closure that is not nil; nil if there is none.
    package func first<each Value: ColumnValue, Result>(
        _ values: repeat each Value, transform: (borrowing Row) throws -> Result?
    ) throws -> Result? {
        try begin(repeat each values)
        defer { end() }
        while try step() {
            if let result = try transform(Row(pointer: pointer)) { return result }
        }
        return nil
    }

    /// Returns the results of the closure for all rows, in order.
    package func map<each Value: ColumnValue, Result>(
        _ values: repeat each Value, transform: (borrowing Row) throws -> Result
    ) throws -> [Result] {
        try begin(repeat each values)
        defer { end() }
        var results: [Result] = []
        while try step() { results.append(try transform(Row(pointer: pointer))) }
        return results
    }

    private func begin<each Value: ColumnValue>(_ values: repeat each Value) throws(SQLiteError) {
        precondition(!isRunning, "run again from within its own rows: \(sql)")
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            try check(value.bind(to: pointer, at: index))
        }
        precondition(index == sqlite3_bind_parameter_count(pointer), "\(index) values for: \(sql)")
        isRunning = true
    }

    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        if code != SQLITE_DONE { try check(code) }
        return false
    }

    private func end() {
        // Returns the code of the step, which was thrown already.
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

/// The current row of a statement. It cannot leave the closure that receives it.
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
