import CSQLite
import Glibc

/// A connection to a database file in WAL mode, with a cache of its statements.
///
/// Confined to one owner at a time, because SQLite's mutexes are off.
package final class Connection {
    /// The way in which a connection opens a file.
    package enum Access: Sendable {
        case reading
        /// Reads a file in a read-only folder, without locks and without its WAL. The file must not change while it is
        /// open.
        case readingImmutable
        /// Reads a file and its WAL without locks. The files must not change while they are open.
        ///
        /// The index of the WAL is in the heap. If this process opened the shared index for reading, it could not write
        /// the index later.
        case readingImmutableWithWAL
        /// Reads and writes a file, which is created with mode 0600 if it is missing.
        case writing
    }

    package let path: String
    let handle: DatabaseHandle
    private var statements: [String: Statement] = [:]
    var checksForeignKeys = true
    var isInTransaction = false

    /// Opens a file, with the tokenizer of its full-text indexes. A new file is empty until the first transaction.
    /// `busyTimeout` is the maximum time that a call blocks its thread to wait for a lock of another process.
    ///
    /// - Throws: `SQLiteError`: `.cannotOpen`, `.corrupt` if the file is not a database, `.busy`, `.inputOutput`.
    package init(
        path: String, access: Access, busyTimeout: Duration = .seconds(5), pageCacheKibibytes: Int = 1024,
        tokenizer: Tokenizer? = nil
    ) throws {
        self.path = path
        if access == .writing { try Self.makePrivateFile(path) }
        handle = try DatabaseHandle(path: path, access)
        try handle.check(csqlite_harden(handle.pointer), path)
        // If this initializer throws, closing the connection must not change a damaged file or its WAL.
        try keepWAL()
        try setBusyTimeout(busyTimeout)
        // Before the first read, so that SQLite creates the index of the WAL in the heap:
        // https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory
        if access == .readingImmutableWithWAL { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        try execute(
            """
            PRAGMA foreign_keys = ON;
            PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = OFF;
            PRAGMA cache_size = -\(pageCacheKibibytes);
            """)
        if let tokenizer { try handle.register(tokenizer) }
        guard access == .writing else { return }
        try enableWAL()
        try handle.check(csqlite_keep_wal(handle.pointer, 0), path)
    }

    /// Sets the maximum time that a call waits for a lock of another process.
    package func setBusyTimeout(_ timeout: Duration) throws(SQLiteError) {
        let milliseconds = (timeout / .milliseconds(1)).rounded(.up)
        try handle.check(sqlite3_busy_timeout(handle.pointer, Int32(clamping: Int(milliseconds))), path)
    }

    /// Runs statements without parameters, one after another. Ignores rows, and does not cache the statements.
    package func execute(_ script: String) throws(SQLiteError) {
        try handle.check(sqlite3_exec(handle.pointer, script, nil, nil, nil), script)
    }

    /// Returns the compiled statement of an SQL text, from a cache unless its last run has failed.
    ///
    /// The text must have no values of users, because the cache keeps each text until the connection is closed. `map`
    /// and `first` of the connection bind interpolated values.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        if let cached = statements[sql], !cached.hasFailed { return cached }
        let statement = try Statement(sql, on: handle)
        statements[sql] = statement
        return statement
    }

    /// Returns the number that a query without parameters selects; 0 if there is no row.
    package func number(_ sql: String) throws -> Int { try prepare(sql).first { row in try row.read(0) } ?? 0 }

    /// Returns true if a query without parameters has a row.
    package func hasRow(_ sql: String) throws -> Bool { try prepare(sql).first { _ in true } ?? false }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { Int(sqlite3_changes64(handle.pointer)) }
    /// The number of rows that `write` has changed and committed since the connection was opened.
    package internal(set) var committedChanges = 0

    /// The number of rows that were changed since the connection was opened, also in the shadow tables of virtual
    /// tables.
    package var totalChanges: Int { Int(sqlite3_total_changes64(handle.pointer)) }
    /// The key (rowid) of the last inserted row.
    package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle.pointer) }

    /// Releases the memory of cached pages.
    package func releaseMemory() { sqlite3_db_release_memory(handle.pointer) }

    /// Keeps the WAL when the connection is closed, even if it is the last connection.
    package func keepWAL() throws(SQLiteError) { try handle.check(csqlite_keep_wal(handle.pointer, 1), path) }

    /// Writes the WAL to the database and empties it, unless another connection reads it.
    package func completeCheckpoint() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs a transaction that must change something. This and all earlier transactions are on disk when the call
    /// returns.
    package func writeDurably(_ body: () throws -> Void) throws {
        try execute("PRAGMA synchronous = FULL")
        defer { try? execute("PRAGMA synchronous = NORMAL") }
        try write { try body() }
    }

    private func enableWAL() throws {
        // SQLite silently opens a file for reading if it may not write to it.
        if sqlite3_db_readonly(handle.pointer, "main") != 0 {
            throw SQLiteError(.readOnly, message: "the file is read-only", subject: path)
        }
        // Only in a database without pages, because the pragma would write to others.
        if try number("PRAGMA page_count") == 0 { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
        // With NORMAL, a power loss may undo the last transactions. The owner of the file keeps elsewhere what must not be lost.
        try execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(4 << 20)")
        let mode: String? = try prepare("PRAGMA journal_mode = WAL").first { row in try row.read(0) }
        guard mode == "wal" else {
            throw SQLiteError(.cannotOpen, message: "WAL mode is not available there", subject: path)
        }
    }

    private static func makePrivateFile(_ path: String) throws(SQLiteError) {
        // SQLite would create the file with the permissions of the umask. O_EXCL, because closing a descriptor of an
        // existing file would release all POSIX locks of this process on the file.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw SQLiteError(.cannotOpen, message: String(cString: strerror(errno)), subject: path)
        }
    }
}

/// The owner of a `sqlite3 *`. Closes it when the connection and all statements are deinitialized.
final class DatabaseHandle {
    let pointer: OpaquePointer
    /// True if a call has failed with SQLITE_NOMEM since SQLite last read the schema.
    var hasStaleSchema = false

    /// Configures SQLite once for the process. Fails without harm if another part of the process uses SQLite already.
    private static let isConfigured = csqlite_configure() == SQLITE_OK

    init(path: String, _ access: Connection.Access) throws(SQLiteError) {
        _ = Self.isConfigured
        let flags =
            switch access {
            case .reading, .readingImmutableWithWAL: SQLITE_OPEN_READONLY
            case .readingImmutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .writing: SQLITE_OPEN_READWRITE
            }
        let name = access == .readingImmutable ? Self.immutableName(path) : path
        var opened: OpaquePointer?
        // The VFS without locks: https://www.sqlite.org/vfs.html#standard_unix_vfses
        let vfs = access == .readingImmutableWithWAL ? "unix-none" : nil
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
        guard let opened, code == SQLITE_OK else {
            let error = SQLiteError(resultCode: code, connection: opened, subject: path)
            // A failed open also returns a connection, which has the message and must be closed.
            sqlite3_close(opened)
            throw error
        }
        pointer = opened
    }

    /// The path as a URI: https://www.sqlite.org/uri.html
    private static func immutableName(_ path: String) -> String {
        let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:" + path.map { special[$0] ?? String($0) }.joined() + "?immutable=1"
    }

    deinit {
        let code = sqlite3_close(pointer)
        precondition(code == SQLITE_OK, "closed with statements left")
    }

    /// Throws if the result code is not SQLITE_OK.
    func check(_ code: Int32, _ subject: @autoclosure () -> String) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        let error = SQLiteError(resultCode: code, connection: pointer, subject: subject())
        if error.code == .outOfMemory { hasStaleSchema = true }
        throw error
    }
}
