import Glibc
import JokesCore
import JokesExchange
import SQLite
import Unix

/// An open database and its journal, in the same state.
struct OpenedStore {
    let connection: Connection
    /// The journal; nil if nothing can be written.
    var journal: Journal?
    var recovery: Recovery?
    /// The reason why nothing can be written; nil if changes can be stored.
    var writeError: StoreError?
    /// The access with which readers open the database.
    var readerAccess = Connection.Access.reading
}

/// Opens the database of a store. Creates a missing database, renames a damaged database, and opens a read-only
/// database for reading.
struct StoreOpening: Sendable {
    let files: StoreFiles
    /// The lock of the state folder; nil if the caller needs none.
    let lock: StateLock?
    var lockTimeout: Duration
    let clock: @Sendable () -> Timestamp

    /// Opens the database for writing, or for reading if the database cannot be written.
    ///
    /// - Throws: `StoreError` if the database cannot be opened, for example with code `newerSchema` or `busy`.
    func open(_ rules: DisplayRules) throws(StoreError) -> OpenedStore {
        do {
            return try openForWriting(rules, recovers: true)
        } catch {
            guard [.readOnly, .full, .cannotOpen, .inputOutput].contains(error.code),
                var opened = try? openForReading(rules)
            else { throw error }
            opened.writeError = error
            return opened
        }
    }

    /// Opens the database for writing. If `recovers` is false, throws for a damaged database instead of renaming it.
    func openForWriting(_ rules: DisplayRules, recovers: Bool) throws(StoreError) -> OpenedStore {
        try mappingErrors("open the database", on: files.database) {
            try files.checkReadable()
            do {
                let hasWAL = try files.size("-wal") ?? 0 > 0
                // SQLite would apply the WAL to a new database.
                if try hasWAL && files.size() ?? 0 == 0 {
                    throw corrupt("its WAL exists, but the database is missing or empty")
                }
                return try connect(rules, checksJournal: hasWAL)
            } catch let error as SQLiteError where recovers {
                return try connect(rules, renameDatabase(because: damage(from: error)))
            }
        }
    }

    /// Renames a damaged database. If the journal is missing or has no valid line, first writes it from what can be read of the
    /// favorites and hidden marks.
    ///
    /// No connection of this process may have the database open for writing.
    ///
    /// - Throws: `SystemError`; the next call tries again.
    func renameDatabase(because error: SQLiteError) throws -> ReplacedDatabase {
        let now = clock()
        let journal = try Journal(at: files.journal)
        let bytes = try journal.bytes()
        if JournalContents(bytes, acceptsDamagedBatch: true).entries.isEmpty {
            if !bytes.isEmpty { try replaceFile(files.unusedJournalPath(at: now, "damaged"), with: bytes, mode: 0o600) }
            try journal.replace(with: JournalLines(of: UserData(salvagedFrom: files), at: now))
        }
        let prefix = error.code == .foreign ? StoreFiles.foreignPrefix : StoreFiles.damagedPrefix
        return ReplacedDatabase(reason: error.message, path: try renameDatabase(prefix: prefix, at: now)?.database)
    }

    /// Renames the files of the database. Returns their new names; nil if there are no files.
    private func renameDatabase(prefix: String, at now: Timestamp) throws -> StoreFiles? {
        let unused = files.unusedFiles(at: now, prefix: prefix)
        // The main file is renamed last. If the process ends before the last renaming, the main file without its WAL is
        // an older database. The next start applies the journal to the older database.
        let suffixes = try (StoreFiles.companions + [""]).filter { try files.size($0) != nil }
        for suffix in suffixes {
            let path = files.database + suffix
            try retrying("move aside", path) { rename(path, unused.database + suffix) }
        }
        try syncFolder(files.folder)
        return suffixes.isEmpty ? nil : unused
    }

    /// Returns the error if the database must be replaced, because it is damaged or foreign. Throws any other error.
    private func damage(from error: SQLiteError) throws -> SQLiteError {
        switch error.code {
        case .corrupt, .foreign: return error
        // A strict table has a value that the program does not accept.
        case .wrongType: return corrupt(error.message)
        // The start had to write to the damaged full-text index. In an open database, `repairIndex` rebuilds the index.
        case .corruptIndex: return corrupt(error.message)
        // A statement does not compile, because a column has another name.
        case .badStatement: return corrupt(error.message)
        case .readOnly:
            // SQLite opens a file for reading if its header has a larger file format write version than SQLite knows:
            // https://www.sqlite.org/fileformat2.html#file_format_version_numbers
            let versions = try RegularFile(opening: files.database).bytes(at: 18, count: 2)
            if versions.allSatisfy({ (1...2).contains($0) }) { throw error }
            return corrupt("its header names an unknown file format")
        default: throw error
        }
    }

    private func corrupt(_ message: String) -> SQLiteError {
        SQLiteError(.corrupt, message: message, subject: files.database)
    }

    /// Opens the database, creates it if there is none, and replays the journal.
    ///
    /// If `checksJournal` is true, all lines of the journal are checked, and not only the last line.
    ///
    /// - Throws: `SQLiteError`, `SystemError`.
    func connect(
        _ rules: DisplayRules, _ replacedDatabase: ReplacedDatabase? = nil, checksJournal: Bool = false
    ) throws -> OpenedStore {
        let connection = try openConnection()
        do {
            let isNew = try migrateTables(connection)
            try connection.checkAtStart()
            let journal = try Journal(at: files.journal)
            let replay = JournalReplay(
                connection: connection, journal: journal, files: files, rules: rules, now: clock(), isNew: isNew,
                replacedDatabase: replacedDatabase, checksJournal: checksJournal)
            let recovery = try replay.run()
            try connection.adopt(rules, at: clock())
            return OpenedStore(connection: connection, journal: journal, recovery: recovery)
        } catch {
            // A damaged database and its WAL stay unchanged when the connection is closed.
            try connection.keepWAL()
            throw error
        }
    }

    /// Creates or updates the tables. Returns true if the database is new.
    private func migrateTables(_ connection: Connection) throws -> Bool {
        do {
            let isNew = try connection.schemaVersion == 0
            try connection.migrate(Schema.migrations, applicationID: Schema.applicationID)
            // The new database is on disk before the journal is created. So a journal without a database always means a
            // removed database, even after a power loss.
            if isNew { try connection.completeCheckpoint() }
            return isNew
        } catch let error as SQLiteError where error.code == .foreign {
            // If all tables of this program exist, the database is not foreign: its application ID is damaged.
            guard try connection.missingTables().isEmpty else { throw error }
            throw corrupt("its application ID is wrong")
        } catch let error as SQLiteError where error.code == .badStatement {
            // A migration fails only if the tables do not match the stored schema version.
            throw corrupt("its tables do not match schema \(try connection.schemaVersion): \(error.message)")
        }
    }

    private func openConnection() throws -> Connection {
        do {
            // A batch changes most pages of some indexes, so they stay in memory until the end of the sync.
            return try Connection(
                path: files.database, access: .writing, busyTimeout: lockTimeout, pageCacheKibibytes: 6 << 10,
                tokenizer: Schema.tokenizer)
        } catch let error as SQLiteError where error.code == .badStatement {
            // The header has an invalid schema format number.
            throw corrupt(error.message)
        }
    }

    /// Opens the database for reading only.
    ///
    /// - Throws: `SQLiteError` with code `readOnly` if other rules were applied last or a migration is needed.
    private func openForReading(_ rules: DisplayRules) throws -> OpenedStore {
        try files.checkReadable()
        let access: Connection.Access = try files.size("-wal") ?? 0 == 0 ? .readingImmutable : .readingImmutableWithWAL
        let connection = try Connection(path: files.database, access: access, busyTimeout: lockTimeout)
        try connection.checkAtStart()
        guard try connection.schemaVersion == Schema.migrations.count,
            try connection.setting(.rules) == rules.signature
        else { throw SQLiteError(.readOnly, message: "the schema or the rules have changed", subject: files.database) }
        return OpenedStore(connection: connection, readerAccess: access)
    }
}

extension Connection {
    /// Checks the schema and the small tables for damage. Only `DatabaseCheck` checks large tables.
    ///
    /// - Throws: `SQLiteError` with code `corrupt` if the schema or a small table is damaged.
    fileprivate func checkAtStart() throws {
        if let table = try missingTables().first {
            throw SQLiteError(.corrupt, message: "table \(table) is missing", subject: path)
        }
        for table in ["favorites", "hidden", "settings"] { try check(table) }
        // Values that SQLite accepts in these columns, but the program does not.
        let unreadable = try prepare("SELECT key FROM favorites WHERE \(Favorite.unreadableCondition) LIMIT 1")
            .first { row in try row.read(0, as: Int64.self) }
        if let unreadable {
            throw SQLiteError(.corrupt, message: "favorites: row \(unreadable) cannot be read", subject: path)
        }
    }

    /// Returns the names of the tables that the database lacks.
    fileprivate func missingTables() throws -> [String] {
        let names = try prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").map { row in
            try row.read(0, as: String.self)
        }
        return Schema.tables.filter { !names.contains($0) }
    }
}
