import Glibc
import JokesCore
import SQLite
import Unix

/// An open database and its journal, in the same state.
struct OpenedStore {
    let connection: Connection
    /// The journal; nil if nothing can be written.
    var journal: Journal?
    /// The recovery of this start, if there was one.
    var recovery: Recovery?
    /// Why nothing can be written; nil if changes can be stored.
    var refusal: StoreError?
    /// How readers open the file.
    var readerAccess = Connection.Access.reading
}

/// Opens the database of a store. A missing one is made, a damaged one is set aside, and one that cannot be written to is
/// only read.
struct StoreOpening: Sendable {
    let files: StoreFiles
    /// The lock of the state folder; nil if the caller needs none.
    let lock: StateLock?
    /// The maximum time that a call waits for a lock of another process.
    var lockTimeout: Duration
    let clock: @Sendable () -> Timestamp

    private static let attempt = "open the database"

    /// - Throws: `StoreError`, such as `.newerSchema` and `.busy`, or the reason why it cannot be read.
    func open(_ rules: ShowingRules) throws(StoreError) -> OpenedStore {
        do {
            return try openForWriting(rules, recovers: true)
        } catch {
            guard [.readOnly, .full, .cannotOpen, .inputOutput].contains(error.code),
                var opened = try? openForReading(rules)
            else { throw error }
            opened.refusal = error
            return opened
        }
    }

    /// - Parameters:
    ///   - rules: What decides which jokes are shown.
    ///   - recovers: Whether a damaged database is moved aside; else it is an error, `.corrupt`.
    /// - Returns: The open store.
    /// - Throws: `StoreError`.
    func openForWriting(_ rules: ShowingRules, recovers: Bool) throws(StoreError) -> OpenedStore {
        try attempting(Self.attempt, on: files.database) {
            try files.checkReadable()
            try files.making.remove()
            do {
                if let damage = try damageOfFiles() {
                    throw SQLiteError(.corrupt, message: damage, subject: files.database)
                }
                return try connect(rules, checksJournal: files.size("-wal") ?? 0 > 0)
            } catch let error as SQLiteError where recovers {
                return try connect(rules, setAside(because: damage(behind: error)))
            }
        }
    }

    /// Saves what the journal lacks of a database in the journal, and then renames the database. No connection of this
    /// process may have it open for writing.
    ///
    /// - Parameter error: What is wrong with the database.
    /// - Returns: Where the database is, and what could be read of it.
    /// - Throws: `SystemError`; this can then be done again.
    func setAside(because error: SQLiteError) throws -> SetAsideDatabase {
        let remains = DatabaseRemains(of: files)
        let now = clock()
        try Journal(at: files.journal).add(remains, at: now)
        let aside = try moveAside(error.code == .foreign ? StoreFiles.foreignPrefix : StoreFiles.damagedPrefix, at: now)
        return SetAsideDatabase(reason: error.message, path: aside?.database, remains: remains)
    }

    /// - Returns: Where the files are; nil if there were none.
    private func moveAside(_ prefix: String, at now: Timestamp) throws -> StoreFiles? {
        let aside = try files.aside(at: now, prefix: prefix)
        // The database last: without its WAL it is an older state, to which the next start adds the journal's changes.
        let parts = try (StoreFiles.companions + [""]).filter { try files.size($0) != nil }
        for part in parts {
            try retrying("move aside", files.database + part) {
                rename(files.database + part, aside.database + part)
            }
        }
        try syncFolder(files.folder)
        return parts.isEmpty ? nil : aside
    }

    /// Returns the error if the database is damaged or foreign, and throws any other.
    private func damage(behind error: SQLiteError) throws -> SQLiteError {
        switch error.code {
        case .corrupt, .foreign: return error
        // Strict tables have values that the program does not accept, or the search index does not agree with the jokes.
        case .wrongType, .corruptIndex:
            return SQLiteError(.corrupt, message: error.message, subject: files.database)
        case .readOnly:
            // SQLite only reads a file of a later format: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
            let versions = try RegularFile(opening: files.database).bytes(at: 18, count: 2)
            if versions.allSatisfy({ (1...2).contains($0) }) { throw error }
            return SQLiteError(
                .corrupt, message: "its header names an unknown file format", subject: files.database)
        default: throw error
        }
    }

    /// SQLite would take the WAL for that of a new database.
    private func damageOfFiles() throws -> String? {
        guard try files.size() ?? 0 == 0, try files.size("-wal") ?? 0 > 0 else { return nil }
        return "its WAL exists, but the database is missing or empty"
    }

    /// Opens the database, makes it if there is none, and replays the journal.
    ///
    /// - Parameters:
    ///   - rules: What decides which jokes are shown.
    ///   - old: The database that was there before, if it was set aside.
    ///   - checksJournal: Whether all lines of the journal are checked, and not only the last one.
    /// - Returns: The open store.
    /// - Throws: `SQLiteError`, `SystemError`.
    func connect(
        _ rules: ShowingRules, _ old: SetAsideDatabase? = nil, checksJournal: Bool = false
    ) throws -> OpenedStore {
        let connection = try openConnection()
        do {
            let isNew = try bringUpToDate(connection)
            try connection.checkAtStart()
            let journal = try Journal(at: files.journal)
            let replay = JournalReplay(
                connection: connection, journal: journal, files: files, rules: rules, now: clock(), isNew: isNew,
                setAside: old, checksJournal: checksJournal)
            let recovery = try replay.run()
            try connection.adopt(rules)
            return OpenedStore(connection: connection, journal: journal, recovery: recovery)
        } catch {
            // A damaged database and its WAL stay as they are.
            try connection.keepLog()
            throw error
        }
    }

    /// - Returns: Whether the database was made now.
    private func bringUpToDate(_ connection: Connection) throws -> Bool {
        do {
            let isNew = try connection.schemaVersion == 0
            try connection.migrate(Schema.migrations, applicationID: Schema.applicationID)
            // On disk before the journal: after a power loss, a journal without a database means that somebody removed it.
            if isNew { try connection.completeCheckpoint() }
            return isNew
        } catch let error as SQLiteError where error.code == .foreign {
            // All tables are ours: only the ID is damaged.
            guard try connection.missingTables().isEmpty else { throw error }
            throw SQLiteError(.corrupt, message: "its application ID is wrong", subject: files.database)
        } catch let error as SQLiteError where error.code == .badStatement {
            // A migration fails only if the tables are not those of its version.
            let version = try connection.schemaVersion
            throw SQLiteError(
                .corrupt, message: "its tables do not match schema \(version): \(error.message)",
                subject: files.database)
        }
    }

    private func openConnection() throws -> Connection {
        do {
            return try Connection(path: files.database, .init(access: .writing, busyTimeout: lockTimeout))
        } catch let error as SQLiteError where error.code == .badStatement {
            // The header has an invalid schema format number.
            throw SQLiteError(.corrupt, message: error.message, subject: files.database)
        }
    }

    // MARK: Without writing

    /// Opens the database for reading alone. The rules must be those that it was written with.
    private func openForReading(_ rules: ShowingRules) throws -> OpenedStore {
        try files.checkReadable()
        let access: Connection.Access = try files.size("-wal") ?? 0 == 0 ? .readingFixed : .readingFixedWithWAL
        let connection = try Connection(path: files.database, .init(access: access, busyTimeout: lockTimeout))
        try connection.checkAtStart()
        guard try connection.schemaVersion == Schema.migrations.count,
            try connection.setting(.rules) == rules.signature
        else { throw SQLiteError(.readOnly, message: "the filter has changed", subject: files.database) }
        return OpenedStore(connection: connection, readerAccess: access)
    }
}

extension Connection {
    /// Small tables, which are checked before the first call is answered.
    private static let precious = ["favorites", "hidden", "settings"]

    /// Checks the schema and the small tables.
    ///
    /// - Throws: `SQLiteError` with code `corrupt` if they are damaged.
    fileprivate func checkAtStart() throws {
        if let missing = try missingTables().first {
            throw SQLiteError(.corrupt, message: "table \(missing) is missing", subject: path)
        }
        for table in Self.precious {
            if case .faulty(let words) = try check(table) {
                throw SQLiteError(.corrupt, message: "\(table): \(words)", subject: path)
            }
        }
        // Values that SQLite accepts in these columns, but the program does not.
        let unreadable = try prepare("SELECT key FROM favorites WHERE \(Favorite.isUnreadable) LIMIT 1").first { row in
            try row.read(0, as: Int64.self)
        }
        if let unreadable {
            throw SQLiteError(.corrupt, message: "favorites: row \(unreadable) cannot be read", subject: path)
        }
    }

    fileprivate func missingTables() throws -> [String] {
        let there = Set(
            try prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").map { row in
                try row.read(0, as: String.self)
            })
        return Schema.tables.filter { !there.contains($0) }
    }
}
