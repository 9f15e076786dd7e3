import Glibc
import JokesCore
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
    var readerAccess = Connection.Access.reading
}

/// Opens the database of a store. A missing database is created, a damaged one is renamed, and a read-only database is
/// opened for reading.
struct StoreOpening: Sendable {
    let files: StoreFiles
    /// The lock of the state folder; nil if the caller needs none.
    let lock: StateLock?
    var lockTimeout: Duration
    let clock: @Sendable () -> Timestamp

    /// Opens the database for writing, or else for reading.
    ///
    /// - Throws: `StoreError`, such as `.newerSchema` and `.busy`, or the reason why it cannot be read.
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
            try files.unfinished.remove()
            do {
                let hasWAL = try files.size("-wal") ?? 0 > 0
                // SQLite would take the WAL for that of a new database.
                if try hasWAL && files.size() ?? 0 == 0 {
                    throw corrupt("its WAL exists, but the database is missing or empty")
                }
                return try connect(rules, checksJournal: hasWAL)
            } catch let error as SQLiteError where recovers {
                return try connect(rules, setAside(because: damage(from: error)))
            }
        }
    }

    /// Adds the favorites and hidden marks of a damaged database to the journal, and then renames the database. No
    /// connection of this process may have it open for writing.
    ///
    /// - Throws: `SystemError`; the next call tries again.
    func setAside(because error: SQLiteError) throws -> ReplacedDatabase {
        let salvaged = SalvagedContents(of: files)
        let now = clock()
        try Journal(at: files.journal).add(salvaged, at: now)
        let prefix = error.code == .foreign ? StoreFiles.foreignPrefix : StoreFiles.damagedPrefix
        let renamed = try moveAside(prefix, at: now)
        return ReplacedDatabase(reason: error.message, path: renamed?.database, salvaged: salvaged)
    }

    private func moveAside(_ prefix: String, at now: Timestamp) throws -> StoreFiles? {
        let unused = try files.unusedFiles(at: now, prefix: prefix)
        // The database last: without its WAL it is an older state, to which the next start adds the journal's changes.
        let suffixes = try (StoreFiles.companions + [""]).filter { try files.size($0) != nil }
        for suffix in suffixes {
            let path = files.database + suffix
            try retrying("move aside", path) { rename(path, unused.database + suffix) }
        }
        try syncFolder(files.folder)
        return suffixes.isEmpty ? nil : unused
    }

    /// Returns the error if the database is damaged or foreign, and throws any other.
    private func damage(from error: SQLiteError) throws -> SQLiteError {
        switch error.code {
        case .corrupt, .foreign: return error
        // In this order: strict tables have values that the program does not accept, the search index does not agree with
        // the jokes, or a column has another name.
        case .wrongType, .corruptIndex, .badStatement: return corrupt(error.message)
        case .readOnly:
            // SQLite only reads a file of a later format: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
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
    /// `old` is the previous database, if it was renamed. If `checksJournal`, all lines of the journal are checked, and
    /// not only the last one.
    ///
    /// - Throws: `SQLiteError`, `SystemError`.
    func connect(
        _ rules: DisplayRules, _ old: ReplacedDatabase? = nil, checksJournal: Bool = false
    ) throws -> OpenedStore {
        let connection = try openConnection()
        do {
            let isNew = try migrateTables(connection)
            try connection.checkAtStart()
            let journal = try Journal(at: files.journal)
            let replay = JournalReplay(
                connection: connection, journal: journal, files: files, rules: rules, now: clock(), isNew: isNew,
                replacedDatabase: old, checksJournal: checksJournal)
            let recovery = try replay.run()
            try connection.adopt(rules)
            return OpenedStore(connection: connection, journal: journal, recovery: recovery)
        } catch {
            // A damaged database and its WAL stay as they are.
            try connection.keepWAL()
            throw error
        }
    }

    /// Creates or updates the tables. Returns whether the database is new.
    private func migrateTables(_ connection: Connection) throws -> Bool {
        do {
            let isNew = try connection.schemaVersion == 0
            try connection.migrate(Schema.migrations, applicationID: Schema.applicationID)
            // Checkpoints before the journal is created. So even after a power loss, a journal without a database means
            // that the database was removed.
            if isNew { try connection.completeCheckpoint() }
            return isNew
        } catch let error as SQLiteError where error.code == .foreign {
            // All tables of this program exist: only the ID is damaged.
            guard try connection.missingTables().isEmpty else { throw error }
            throw corrupt("its application ID is wrong")
        } catch let error as SQLiteError where error.code == .badStatement {
            // A migration fails only if the tables are not those of its version.
            throw corrupt("its tables do not match schema \(try connection.schemaVersion): \(error.message)")
        }
    }

    private func openConnection() throws -> Connection {
        do {
            return try Connection(path: files.database, .init(access: .writing, busyTimeout: lockTimeout))
        } catch let error as SQLiteError where error.code == .badStatement {
            // The header has an invalid schema format number.
            throw corrupt(error.message)
        }
    }

    /// Opens the database for reading only. The rules must be those that it was written with.
    private func openForReading(_ rules: DisplayRules) throws -> OpenedStore {
        try files.checkReadable()
        let access: Connection.Access = try files.size("-wal") ?? 0 == 0 ? .readingImmutable : .readingImmutableWithWAL
        let connection = try Connection(path: files.database, .init(access: access, busyTimeout: lockTimeout))
        try connection.checkAtStart()
        guard try connection.schemaVersion == Schema.migrations.count,
            try connection.setting(.rules) == rules.signature
        else { throw SQLiteError(.readOnly, message: "the filter has changed", subject: files.database) }
        return OpenedStore(connection: connection, readerAccess: access)
    }
}

extension Connection {
    /// Checks the schema and the small tables, before the first call is answered.
    ///
    /// - Throws: `SQLiteError` with code `corrupt` if they are damaged.
    fileprivate func checkAtStart() throws {
        var damage = try missingTables().first.map { "table \($0) is missing" }
        for table in ["favorites", "hidden", "settings"] where damage == nil {
            if case .faulty(let message) = try check(table) { damage = "\(table): \(message)" }
        }
        // Values that SQLite accepts in these columns, but the program does not.
        damage =
            try damage
            ?? prepare("SELECT key FROM favorites WHERE \(Favorite.isUnreadable) LIMIT 1")
            .first { row in "favorites: row \(try row.read(0, as: Int64.self)) cannot be read" }
        if let damage { throw SQLiteError(.corrupt, message: damage, subject: path) }
    }

    fileprivate func missingTables() throws -> [String] {
        let names = try prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").map { row in
            try row.read(0, as: String.self)
        }
        return Schema.tables.filter { !names.contains($0) }
    }
}
