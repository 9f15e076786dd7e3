import CSQLite
import Glibc

/// A connection to a database file in WAL mode: its handle's one owner, and the cache of its statements.
///
/// Confined to one owner at a time: not `Sendable`, and SQLite's own mutexes are off.
package final class Connection {
    /// What the connection may do with the file.
    package enum Access: Sendable {
        case reading
        /// Reads a file that does not change while it is open, without locks and other files, and without its WAL: for
        /// a folder that cannot be written.
        case readingFixed
        /// As `readingFixed`, but with the WAL. Its index is in memory, since a shared one that is opened for reading could
        /// not be written by this process later.
        case readingFixedWithWAL
        /// Creates the file with mode 0600 if it is missing.
        case writing
    }

    /// How a connection is opened.
    package struct Options: Sendable {
        package var access: Access
        /// How long a call waits, blocking its thread, for a lock that another process holds.
        package var busyTimeout: Duration
        /// The most memory that cached pages take, in units of 1024 bytes.
        package var pageCacheKibibytes: Int

        package init(access: Access, busyTimeout: Duration = .seconds(5), pageCacheKibibytes: Int = 1024) {
            self.access = access
            self.busyTimeout = busyTimeout
            self.pageCacheKibibytes = pageCacheKibibytes
        }
    }

    /// The file, as it was given.
    package let path: String
    let handle: DatabaseHandle
    private let options: Options
    private var statements: [String: Statement] = [:]
    var checksReferences = true
    var isInTransaction = false
    private var hasMorePages = false

    /// Opens a file, and sets up its connection; a file that is made here is empty until the first transaction.
    ///
    /// - Throws: `SQLiteError`: `.cannotOpen`, `.corrupt` if the file is not a database, `.busy`, `.inputOutput`.
    package init(path: String, _ options: Options) throws {
        self.path = path
        self.options = options
        if options.access == .writing { try Self.makePrivateFile(path) }
        handle = try DatabaseHandle(path: path, options.access)
        try handle.check(csqlite_harden(handle.pointer), path)
        // Also if opening fails, so a damaged file stays unchanged.
        try keepLog()
        try waitForLocks(atMost: options.busyTimeout)
        // Before the first read, or the index of the WAL is shared.
        if options.access == .readingFixedWithWAL { try execute("PRAGMA locking_mode = EXCLUSIVE") }
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

    /// Sets the maximum time to wait for a lock; zero for not waiting.
    package func waitForLocks(atMost wait: Duration) throws(SQLiteError) {
        let milliseconds = (wait / .milliseconds(1)).rounded(.up)
        try handle.check(sqlite3_busy_timeout(handle.pointer, Int32(clamping: Int(milliseconds))), path)
    }

    /// Runs statements that take no values and give no rows, one after another, uncached.
    package func execute(_ script: String) throws(SQLiteError) {
        try handle.check(sqlite3_exec(handle.pointer, script, nil, nil, nil), script)
    }

    /// The statement of this text, compiled once; one that failed is compiled anew.
    ///
    /// The text comes from the program alone: every text stays cached for as long as the connection lives.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        if let cached = statements[sql], !cached.hasFailed { return cached }
        let statement = try Statement(sql, on: handle)
        statements[sql] = statement
        return statement
    }

    /// Rows that the latest INSERT, UPDATE or DELETE changed.
    package var changes: Int {
        Int(sqlite3_changes64(handle.pointer))
    }

    /// Rows that `write` has changed since the connection was opened, and committed.
    package internal(set) var committedChanges = 0

    /// Rows that were changed since the connection was opened, those of a virtual table's own tables too.
    package var totalChanges: Int {
        Int(sqlite3_total_changes64(handle.pointer))
    }

    /// The key of the row that was inserted last.
    package var lastInsertedKey: Int64 {
        sqlite3_last_insert_rowid(handle.pointer)
    }

    /// From now on has room for more pages, in memory and in the log, until `giveBackPages`.
    ///
    /// - Parameters:
    ///   - cachedKibibytes: The most memory that cached pages take.
    ///   - logged: How many pages the log gathers before a commit brings them into the file.
    /// - Throws: `SQLiteError`, which only a lack of memory can bring about.
    package func takePages(cachedKibibytes: Int, logged: Int) throws(SQLiteError) {
        hasMorePages = true
        try execute("PRAGMA cache_size = -\(cachedKibibytes); PRAGMA wal_autocheckpoint = \(logged)")
    }

    /// Has the usual room again; the next commit tidies up the log.
    package func giveBackPages() {
        guard hasMorePages else { return }
        hasMorePages = false
        // Cannot fail: it reads and writes no page.
        try? execute(
            """
            PRAGMA cache_size = -\(options.pageCacheKibibytes);
            PRAGMA wal_autocheckpoint = \(Self.usualLogPages);
            """)
        sqlite3_db_release_memory(handle.pointer)
    }

    /// Keeps the WAL when the connection is closed, even if it is the last one.
    package func keepLog() throws(SQLiteError) {
        try handle.check(csqlite_keep_log(handle.pointer, 1), path)
    }

    /// Writes the WAL to the database and empties it, unless another connection reads it.
    package func completeCheckpoint() throws(SQLiteError) {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Runs a transaction that must change something. It and all earlier ones are on disk when this returns.
    package func writeDurably(_ body: () throws -> Void) throws {
        try execute("PRAGMA synchronous = FULL")
        defer { try? execute("PRAGMA synchronous = NORMAL") }
        try write { try body() }
    }

    /// SQLite's own default: a log that is longer goes into the file.
    package static let usualLogPages = 1000

    private func useWriteAheadLog() throws {
        // SQLite opens for reading what it may not open for writing, and says nothing.
        if sqlite3_db_readonly(handle.pointer, "main") != 0 {
            throw SQLiteError(.readOnly, message: "the file is read-only", subject: path)
        }
        // Only a database without pages can still be told how to give space back; in others this would be a write.
        let pages: Int? = try prepare("PRAGMA page_count").first { row in try row.read(0) }
        if pages == 0 { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
        // A power loss may take the last transactions, each of them whole. The journal has what must not be lost.
        try execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(4 << 20)")
        let mode: String? = try prepare("PRAGMA journal_mode = WAL").first { row in try row.read(0) }
        guard mode == "wal" else {
            throw SQLiteError(.cannotOpen, message: "WAL mode is not available there", subject: path)
        }
    }

    static func makePrivateFile(_ path: String) throws(SQLiteError) {
        // SQLite would make it readable by whomever the umask lets. Exclusive, because closing a descriptor of a file
        // that is there already would drop the locks that this process holds on it.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw SQLiteError(.cannotOpen, message: String(cString: strerror(errno)), subject: path)
        }
    }
}

/// The one owner of a `sqlite3 *`: closed when the connection and the last of its statements are gone.
final class DatabaseHandle {
    let pointer: OpaquePointer

    /// Done once. It fails if another part of the process uses SQLite already, which does not matter.
    private static let isConfigured = csqlite_configure() == SQLITE_OK

    init(path: String, _ access: Connection.Access) throws(SQLiteError) {
        _ = Self.isConfigured
        let flags =
            switch access {
            case .reading, .readingFixedWithWAL: SQLITE_OPEN_READONLY
            case .readingFixed: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .writing: SQLITE_OPEN_READWRITE
            }
        let name = access == .readingFixed ? Self.fixedName(path) : path
        var opened: OpaquePointer?
        // SQLite's own without locks: https://www.sqlite.org/vfs.html#standard_unix_vfses
        let system = access == .readingFixedWithWAL ? "unix-none" : nil
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, system)
        guard let opened, code == SQLITE_OK else {
            let error = SQLiteError(resultCode: code, connection: opened, subject: path)
            // Even a failed open hands over a connection, for its words.
            sqlite3_close(opened)
            throw error
        }
        pointer = opened
    }

    /// The path as a URI: https://www.sqlite.org/uri.html
    private static func fixedName(_ path: String) -> String {
        let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:" + path.map { special[$0] ?? String($0) }.joined() + "?immutable=1"
    }

    deinit {
        let code = sqlite3_close(pointer)
        precondition(code == SQLITE_OK, "closed with statements left")
    }

    /// True once a call had no memory, until what SQLite knows of the tables is read anew.
    var hasStaleTables = false

    func check(_ code: Int32, _ subject: @autoclosure () -> String) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        let error = SQLiteError(resultCode: code, connection: pointer, subject: subject())
        if error.code == .outOfMemory { hasStaleTables = true }
        throw error
    }
}
