import CSQLite

/// What SQLite refused: a code to decide by, SQLite's own words, and the statement, never the values bound to it.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is, and so what can be done about it. Stable: other modules decide by it.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The statement is wrong: its syntax, a name in it, a value out of bounds. A mistake of the program.
        case badStatement
        /// A column holds another type than was asked for.
        case wrongType
        /// A rule of the schema forbids the change.
        case constraint
        /// Another process holds the lock for longer than the connection waits.
        case busy
        /// The disk, or the quota, is full.
        case full
        /// The file, or the connection, does not allow changes.
        case readOnly
        /// The file cannot be opened, or not be made.
        case cannotOpen
        /// The operating system failed to read, write, sync or lock.
        case inputOutput
        /// What is in the file is damaged, or is no database.
        case corrupt
        /// A full-text index says that it is damaged. Where memory was short it may be mistaken.
        case corruptIndex
        /// A newer version of the program wrote the file.
        case newerSchema
        /// The file is a database of another program.
        case foreign
        /// No memory left.
        case outOfMemory
        /// It was stopped before its end, because it was told to.
        case interrupted
        /// Everything else SQLite reports.
        case other
    }

    package let code: Code
    /// SQLite's extended result code; 0 for other errors.
    package let resultCode: Int32
    /// In words, without a full stop.
    package let message: String
    /// The statement or the path that it was tried on.
    package let subject: String

    package init(_ code: Code, resultCode: Int32 = 0, message: String, subject: String) {
        self.code = code
        self.resultCode = resultCode
        self.message = message
        self.subject = subject
    }

    package var description: String {
        let number = resultCode == 0 ? "" : " (SQLite code \(resultCode))"
        return "\(message)\(number): \(subject)"
    }
}

extension SQLiteError {
    /// The failure that a connection has just reported; without a connection, SQLite's general words for the code.
    init(resultCode: Int32, connection: OpaquePointer?, subject: String) {
        // The message of the connection belongs to its last call, and is better than that of the code if it fits.
        let hasWords = resultCode != SQLITE_NOMEM
        let words =
            connection.flatMap { hasWords && sqlite3_extended_errcode($0) == resultCode ? sqlite3_errmsg($0) : nil }
            ?? sqlite3_errstr(resultCode)
        let message = words.map { String(cString: $0) } ?? "unknown error"
        // FTS5 has no code of its own for this damage.
        let isDamage = message.hasPrefix("invalid fts5 file format")
        self.init(
            isDamage ? .corrupt : Code(resultCode: resultCode), resultCode: resultCode, message: message,
            subject: subject)
    }
}

extension SQLiteError.Code {
    init(resultCode: Int32) {
        // The low byte is the kind, what is above it the detail.
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
