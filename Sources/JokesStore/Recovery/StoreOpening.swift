import JokesCore
import SQLite
import Unix

/// A database that is open and has been found good enough to begin with.
struct OpenedStore {
    let connection: Connection
    /// What became of the one before it, where that was damaged.
    var recovery: Recovery?
    /// The last who had it open did not close it.
    var wasLeftOpen = false
    /// Why nothing can be written; nil where it can.
    var refusal: StoreError?
    /// How readers open the file.
    var readerAccess = Connection.Access.reading
}

/// Opens a store's database: makes it where there is none, brings it back where it is damaged, and only reads it where
/// nothing can be written.
struct StoreOpening: Sendable {
    let files: StoreFiles
    /// Holds the folder; nil if nothing does.
    let lock: StateLock?
    /// How long a call waits for a lock that another process holds.
    var lockTimeout: Duration
    let clock: @Sendable () -> Timestamp

    private static let attempt = "open the database"

    /// - Throws: `StoreError`: `.newerSchema`, `.foreign` and `.busy`, and whatever keeps it from being read.
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
    ///   - recovers: Whether a damaged database is brought back; else it is an error, `.corrupt`.
    /// - Returns: It, with what was done.
    /// - Throws: `StoreError`, for what cannot be opened.
    func openForWriting(_ rules: ShowingRules, recovers: Bool) throws(StoreError) -> OpenedStore {
        try attempting(Self.attempt, on: files.database) {
            try files.checkReadable()
            do {
                if let recovery = try recovering({ try RecoverySteps(files: files).resume(at: clock()) }) {
                    return OpenedStore(connection: try connect(rules), recovery: recovery)
                }
                if let damage = try damageOfFiles() {
                    throw SQLiteError(.corrupt, message: damage, subject: files.database)
                }
                if try files.size() == nil { try files.make(at: clock()) }
                let wasLeftOpen = try files.size("-wal") ?? 0 > 0
                let remains =
                    wasLeftOpen
                    ? try OpenedFiles.lookAtLog(of: files) { image in LogRemains(of: image, at: clock()) } : nil
                return OpenedStore(connection: try connect(rules, remains), wasLeftOpen: wasLeftOpen)
            } catch let error as SQLiteError where recovers {
                let damage = try damage(behind: error)
                try OpenedFiles(files).checkReadable()
                let recovery = try moveAside(because: damage.message)
                return OpenedStore(connection: try connect(rules), recovery: recovery)
            }
        }
    }

    /// Moves the database aside, whatever it is, and puts a new one in its place with what can be read of it. Nobody in
    /// this process may have it open for writing.
    func moveAside(because reason: String) throws -> Recovery {
        try recovering { try RecoverySteps(files: files).recover(because: reason, at: clock()) }
    }

    /// Runs steps of a recovery; what keeps them from being done says where the favorites are meanwhile.
    private func recovering<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try attempting(Self.attempt, on: files.database, body)
        } catch {
            let isInPlace = (try? files.size()) != .some(nil)
            let place = isInPlace ? files : (try? files.lastAside()) ?? files
            throw StoreError(
                error.code, attempt: error.attempt,
                reason: "\(error.reason); until this is fixed, the favorites stay in \(place.database)")
        }
    }

    /// The error, where it says that the database is damaged or can only mean that; thrown where it does not.
    private func damage(behind error: SQLiteError) throws -> SQLiteError {
        switch error.code {
        case .corrupt: return error
        case .readOnly where try !OpenedFiles(files).isOfKnownFormat():
            return SQLiteError(
                .corrupt, message: "its header names an unknown file format", subject: files.database)
        default: throw error
        }
    }

    /// What SQLite would take for a new database.
    private func damageOfFiles() throws -> String? {
        guard let size = try files.size() else {
            return try files.size("-wal") ?? 0 > 0 ? "its WAL exists, but the database does not" : nil
        }
        // A database takes its place when it is whole: one without a byte is not new.
        return size == 0 ? "the file is empty" : nil
    }

    /// - Parameters:
    ///   - rules: What decides which jokes are shown.
    ///   - remains: What SQLite does not reach in the log. What of it must be in the database is there afterwards.
    /// - Returns: It, up to date.
    /// - Throws: `SQLiteError`: `.corrupt` also where the remains say so.
    func connect(_ rules: ShowingRules, _ remains: LogRemains? = nil) throws -> Connection {
        let connection = try openConnection()
        do {
            // The first change writes over what SQLite does not reach.
            if let remains, try connection.lacksAcknowledged(of: remains) {
                throw SQLiteError(
                    .corrupt, message: "its WAL is damaged before changes that are needed", subject: files.database)
            }
            try bringUpToDate(connection)
            try connection.checkAtStart()
            if let remains {
                try connection.write(.synced) { try connection.take(remains, by: rules) }
                // Else what is left of them behind the next changes is found again after the next crash.
                try connection.completeCheckpoint()
            }
            try connection.adopt(rules)
            return connection
        } catch {
            // What is damaged stays as it is, its log too.
            try connection.keepLog()
            throw error
        }
    }

    private func bringUpToDate(_ connection: Connection) throws {
        do {
            try connection.migrate(Schema.migrations, applicationID: Schema.applicationID)
        } catch let error as SQLiteError where error.code == .foreign {
            // Ours, but for the mark.
            guard try connection.missingTables().isEmpty else { throw error }
            throw SQLiteError(.corrupt, message: "its application ID is wrong", subject: files.database)
        } catch let error as SQLiteError where error.code == .badStatement {
            // What a migration says is right, for tables of the version that it leads on from.
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
            // What it says to SQLite is right: the header names a form of the schema that there never was.
            throw SQLiteError(.corrupt, message: error.message, subject: files.database)
        }
    }

    // MARK: Without writing

    /// Serves what is there. Nothing is worked out anew: the rules must be those by which it was.
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
    /// What must not be wrong, or nothing can be promised; small enough to be read before anybody is answered.
    private static let precious = ["favorites", "hidden", "settings"]

    /// Looks at the schema and reads the tables that cannot be fetched again.
    ///
    /// - Throws: `SQLiteError` with `.corrupt` where something is wrong with them.
    fileprivate func checkAtStart() throws {
        if let missing = try missingTables().first {
            throw SQLiteError(.corrupt, message: "table \(missing) is missing", subject: path)
        }
        for table in Self.precious {
            if case .faulty(let words) = try quickCheck(of: table, while: { true }) {
                throw SQLiteError(.corrupt, message: "\(table): \(words)", subject: path)
            }
        }
        // What SQLite takes for any text or number, and could not be read as what it is.
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
