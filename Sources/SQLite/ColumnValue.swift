import CSQLite

/// A type with values that can be bound to parameters and read from columns.
package protocol ColumnValue {
    /// Binds the value to a parameter of a `sqlite3_stmt *`, counted from 1. Returns SQLite's result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32

    /// Reads a column, counted from 0, of the current row of a `sqlite3_stmt *`. Throws if the column has another type.
    ///
    /// Throws instead of returning nil, because an optional of a generic type needs a metadata lookup for each column.
    init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch)
}

/// A column has a value of another type, or a value that the type does not accept.
package struct ColumnTypeMismatch: Error { package init() {} }

extension Int64: ColumnValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { throw ColumnTypeMismatch() }
        self = sqlite3_column_int64(statement, column)
    }
}

extension Int: ColumnValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(self).bind(to: statement, at: index)
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        guard let value = Int(exactly: try Int64(column: column, of: statement)) else { throw ColumnTypeMismatch() }
        self = value
    }
}

/// Stored as 0 and 1. Other numbers throw.
extension Bool: ColumnValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        (self ? 1 : 0 as Int64).bind(to: statement, at: index)
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        let number = try Int64(column: column, of: statement)
        guard (0...1).contains(number) else { throw ColumnTypeMismatch() }
        self = number == 1
    }
}

/// Stored as UTF-8. U+0000 is kept, and invalid UTF-8 is read as U+FFFD.
extension String: ColumnValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var copy = self
        return copy.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                // A null pointer would bind NULL.
                guard let start = text.baseAddress else { return csqlite_bind_text(statement, index, "", 0) }
                return csqlite_bind_text(statement, index, start, UInt64(text.count))
            }
        }
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
            let start = sqlite3_column_text(statement, column)
        else { throw ColumnTypeMismatch() }
        let count = Int(sqlite3_column_bytes(statement, column))
        self.init(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

extension [UInt8]: ColumnValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, index, 0)
            }
            return csqlite_bind_blob(statement, index, start, UInt64(bytes.count))
        }
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw ColumnTypeMismatch() }
        let count = Int(sqlite3_column_bytes(statement, column))
        self.init(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count))
    }
}

/// Stored as NULL if nil.
extension Optional: ColumnValue where Wrapped: ColumnValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .none: sqlite3_bind_null(statement, index)
        case .some(let value): value.bind(to: statement, at: index)
        }
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        let isNull = sqlite3_column_type(statement, column) == SQLITE_NULL
        self = isNull ? nil : try Wrapped(column: column, of: statement)
    }
}
