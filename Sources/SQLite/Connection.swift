import CSQLite
import Glibc

/// A connection to a database file in WAL mode, with a cache of its statements.
///
/// Confined to one owner at a time: not `Sendable`, and SQLite's own mutexes are off.
package final class Connection {
    package enum Access: Sendable {
        case reading
        /// Reads a file that does not change while it is open, without locks and without its WAL: for a read-only folder.
        case readingImmutable
        /// The same with the WAL. The index of the WAL is in memory: a shared one that is opened for reading could not be
        /// written by this process later.
        case readingImmutableWithWAL
        /// Creates the file with mode 0600 if it is missing.
        case writing
    }

    package struct Options: Sendable {
        let access: Access
        let busyTimeout: Duration
        let pageCacheKibibytes: Int

        /// `busyTimeout` is the maximum time that a call waits, blocking its thread, for a lock of another process.
        package init(access: Access, busyTimeout: Duration = .seconds(5), pageCacheKibibytes: Int = 1024) {
            (self.access, self.busyTimeout, self.pageCacheKibibytes) = (access, busyTimeout, pageCacheKibibytes)
        }
    }

    package let path: String
    let handle: DatabaseHandle
    private let options: Options
    private var statements: [String: Statement] = [:]
    var checksReferences = true
    var isInTransaction = false
    private var hasReservedPages = false

    /// Opens a file. One that is made here is empty until the first transaction.
    ///
    /// - Throws: `SQLiteError`: `.cannotOpen`, `.corrupt` if the file is not a database, `.busy`, `.inputOutput`.
    package init(path: String, _ options: Options) throws {
        (self.path, self.options) = (path, options)
        if options.access == .writing { try Self.makePrivateFile(path) }
        handle = try DatabaseHandle(path: path, options.access)
        try handle.check(csqlite_harden(handle.pointer), path)
        // Also if opening fails, so a damaged file stays unchanged.
        try keepWAL()
        try waitForLocks(atMost: options.busyTimeout)
        // Before the first read, or the index of the WAL is shared.
        if options.access == .readingImmutableWithWAL { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        try execute(
            """
            PRAGMA foreign_keys = ON;
            PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = OFF;
            PRAGMA cache_size = -\(options.pageCacheKibibytes);
            """)
        guard options.access == .writing else { return }
        try useWriteAheadLog()
        try handle.check(csqlite_keep_log(handle.pointer, 0), path)
    }

    package func waitForLocks(atMost wait: Duration) throws(SQLiteError) {
        let milliseconds = (wait / .milliseconds(1)).rounded(.up)
        try handle.check(sqlite3_busy_timeout(handle.pointer, Int32(clamping: Int(milliseconds))), path)
    }

    /// Runs statements without parameters and rows, one after another, uncached.
    package func execute(_ script: String) throws(SQLiteError) {
        try handle.check(sqlite3_exec(handle.pointer, script, nil, nil, nil), script)
    }

    /// Returns the statement of a text, compiled once; one that failed is compiled again.
    ///
    /// The text must come from the program alone: each text stays cached for as long as the connection lives.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        if let cached = statements[sql], !cached.hasFailed { return cached }
        let statement = try Statement(sql, on: handle)
        statements[sql] = statement
        return statement
    }

    /// Returns the number that a statement without parameters selects; 0 without a row.
    package func number(_ sql: String) throws -> Int { try prepare(sql).first { row in try row.read(0) } ?? 0 }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { Int(sqlite3_changes64(handle.pointer)) }
    /// The number of rows that `write` has changed and committed since the connection was opened.
    package internal(set) var committedChanges = 0

    /// The number of rows that were changed since the connection was opened, also in the tables of virtual tables.
    package var totalChanges: Int { Int(sqlite3_total_changes64(handle.pointer)) }
    package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle.pointer) }

    /// Allows more memory for cached pages, and more pages of the WAL before a checkpoint, until `releasePages`.
    package func reservePages(cachedKibibytes: Int, logged: Int) throws(SQLiteError) {
        hasReservedPages = true
        try execute("PRAGMA cache_size = -\(cachedKibibytes); PRAGMA wal_autocheckpoint = \(logged)")
    }

    /// Restores the usual limits and releases the memory. The next commit makes the checkpoint that is due.
    package func releasePages() {
        guard hasReservedPages else { return }
        hasReservedPages = false
        // Cannot fail: it reads and writes no page.
        try? execute(
            "PRAGMA cache_size = -\(options.pageCacheKibibytes); PRAGMA wal_autocheckpoint = \(Self.usualWALPages)")
        sqlite3_db_release_memory(handle.pointer)
    }

    /// Keeps the WAL when the connection is closed, even if it is the last one.
    package func keepWAL() throws(SQLiteError) { try handle.check(csqlite_keep_log(handle.pointer, 1), path) }

    /// Writes the WAL to the database and empties it, unless another connection reads it.
    package func completeCheckpoint() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs a transaction that must change something. This and all earlier transactions are on disk when it returns.
    package func writeDurably(_ body: () throws -> Void) throws {
        try execute("PRAGMA synchronous = FULL")
        defer { try? execute("PRAGMA synchronous = NORMAL") }
        try write { try body() }
    }

    /// SQLite's default: the number of pages in the WAL at which a commit makes a checkpoint.
    package static let usualWALPages = 1000

    private func useWriteAheadLog() throws {
        // SQLite silently opens a file for reading if it may not write to it.
        if sqlite3_db_readonly(handle.pointer, "main") != 0 {
            throw SQLiteError(.readOnly, message: "the file is read-only", subject: path)
        }
        // Only in a database without pages; in others this would be a write.
        if try number("PRAGMA page_count") == 0 { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
        // A power loss may undo the last transactions, each as a whole. The journal has what must not be lost.
        try execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(4 << 20)")
        let mode: String? = try prepare("PRAGMA journal_mode = WAL").first { row in try row.read(0) }
        guard mode == "wal" else {
            throw SQLiteError(.cannotOpen, message: "WAL mode is not available there", subject: path)
        }
    }

    /// Writes the database, as this connection sees it, to a new file of mode 0600, and syncs the file.
    ///
    /// O(n). If the copy fails, part of it may exist. https://www.sqlite.org/backup.html
    package func copy(to path: String) throws(SQLiteError) {
        // SQLite refuses a copy during a write transaction.
        try rollBackRest()
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

    private static func makePrivateFile(_ path: String) throws(SQLiteError) {
        // SQLite would create it with the permissions of the umask. Exclusive: closing a descriptor of an existing file
        // would drop the locks that this process holds on the file.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw SQLiteError(.cannotOpen, message: String(cString: strerror(errno)), subject: path)
        }
    }
}

/// The owner of a `sqlite3 *`, which is closed after the connection and the last of its statements.
final class DatabaseHandle {
    let pointer: OpaquePointer
    /// Whether a call had no memory since SQLite last read the schema.
    var hasStaleTables = false

    /// Done once. It fails if another part of the process uses SQLite already, which does not matter.
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
        // Without locks: https://www.sqlite.org/vfs.html#standard_unix_vfses
        let system = access == .readingImmutableWithWAL ? "unix-none" : nil
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, system)
        guard let opened, code == SQLITE_OK else {
            let error = SQLiteError(resultCode: code, connection: opened, subject: path)
            // A failed open also returns a connection, for its message.
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

    func check(_ code: Int32, _ subject: @autoclosure () -> String) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        let error = SQLiteError(resultCode: code, connection: pointer, subject: subject())
        if error.code == .outOfMemory { hasStaleTables = true }
        throw error
    }
}
