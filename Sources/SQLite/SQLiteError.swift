import CSQLite

/// A failure of SQLite: a code, SQLite's message, and the statement, but never the values bound to it.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Stable: other modules decide by it.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// A mistake of the program: the syntax, a name, or a value out of bounds.
        case badStatement
        /// A column holds another type than was requested.
        case wrongType
        /// A rule of the schema forbids the change.
        case constraint
        /// Another process holds the lock for longer than the connection waits.
        case busy
        /// The disk, or the quota, is full.
        case full
        case readOnly
        case cannotOpen
        /// The operating system failed to read, write, sync or lock.
        case inputOutput
        /// The file is damaged, or not a database.
        case corrupt
        /// A full-text index reports damage. If memory was short, it may be mistaken.
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
    /// The last failure of a connection; without a connection, SQLite's general message for the code.
    init(resultCode: Int32, connection: OpaquePointer?, subject: String) {
        // The message of the connection is better than the general one, but may be about another call.
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
        // The low byte is the kind, the rest the detail.
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
