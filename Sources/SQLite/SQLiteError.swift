import CSQLite

/// An error of SQLite: a code, SQLite's message, and the SQL text or the path. Never has values of parameters.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, by which callers decide.
    package enum Code: Hashable, Sendable {
        /// A bug of the program: wrong syntax, an unknown name, or a value out of bounds.
        case badStatement
        /// A column has a value of another type than the requested type.
        case wrongType
        /// A constraint of the schema forbids the change.
        case constraint
        /// Another process has held a lock for longer than the busy timeout.
        case busy
        /// The disk, or the quota, is full.
        case full
        case readOnly
        case cannotOpen
        /// The operating system failed to read, write, sync or lock.
        case inputOutput
        /// The file is damaged, or not a database.
        case corrupt
        /// FTS5 reports damage of a full-text index, which can also mean that memory was short.
        case corruptIndex
        /// A newer version of the program wrote the file.
        case newerSchema
        /// The file is a database of another program.
        case foreign
        case outOfMemory
        /// The caller stopped the statement.
        case interrupted
        case other
    }

    package let code: Code
    /// SQLite's extended result code; 0 for other errors.
    let resultCode: Int32
    package let message: String
    /// The SQL text, or the path of the database.
    package let subject: String

    package init(_ code: Code, message: String, subject: String) {
        self.init(code, resultCode: 0, message: message, subject: subject)
    }

    private init(_ code: Code, resultCode: Int32, message: String, subject: String) {
        (self.code, self.resultCode, self.message, self.subject) = (code, resultCode, message, subject)
    }

    package var description: String {
        let number = resultCode == 0 ? "" : " (SQLite code \(resultCode))"
        return "\(message)\(number): \(subject)"
    }
}

extension SQLiteError {
    /// Creates an error with the message of the connection. Without a connection, SQLite's message for the code.
    init(resultCode: Int32, connection: OpaquePointer?, subject: String) {
        // The message of the connection has more details, but may be that of another call.
        let hasDetails = resultCode != SQLITE_NOMEM
        let text =
            connection.flatMap { hasDetails && sqlite3_extended_errcode($0) == resultCode ? sqlite3_errmsg($0) : nil }
            ?? sqlite3_errstr(resultCode)
        let message = text.map { String(cString: $0) } ?? "unknown error"
        // FTS5 reports this damage with SQLITE_ERROR.
        let isDamage = message.hasPrefix("invalid fts5 file format")
        self.init(
            isDamage ? .corrupt : Code(resultCode: resultCode), resultCode: resultCode, message: message,
            subject: subject)
    }
}

extension SQLiteError.Code {
    init(resultCode: Int32) {
        // The low byte of an extended result code is the primary result code.
        self =
            switch resultCode & 0xFF {
            case _ where resultCode == SQLITE_CORRUPT | 1 << 8: .corruptIndex
            case SQLITE_ERROR, SQLITE_RANGE, SQLITE_MISUSE, SQLITE_TOOBIG, SQLITE_AUTH: .badStatement
            case SQLITE_MISMATCH: .wrongType
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
            case SQLITE_IOERR, SQLITE_NOLFS: .inputOutput
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .corrupt
            case SQLITE_NOMEM: .outOfMemory
            case SQLITE_INTERRUPT: .interrupted
            default: .other
            }
    }
}
