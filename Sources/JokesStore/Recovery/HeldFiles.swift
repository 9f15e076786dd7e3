import Glibc
import JokesCore
import JokesExchange
import SQLite
import Unix

/// The identities of the open files of a database, to compare with the files that are at the paths later.
///
/// If a file is removed, renamed or replaced, SQLite still writes to the open file. The writes are lost when the
/// process ends. https://www.sqlite.org/howtocorrupt.html#unlink
struct HeldFiles {
    /// The identities by the suffix of the file.
    fileprivate let identities: [String: FileIdentity]

    /// Reads the identities of files that were just opened: all files if `isWriting` is true, otherwise only the main
    /// file.
    init(_ files: StoreFiles, isWriting: Bool = true) {
        let suffixes = isWriting ? StoreFiles.suffixes : [""]
        identities = suffixes.reduce(into: [:]) { $0[$1] = try? FileIdentity(at: files.database + $1) }
    }

    /// Returns a phrase that names a removed or replaced file; nil if there is none. At most three calls of stat(2).
    func removalReason(at files: StoreFiles) throws(SystemError) -> String? {
        for suffix in StoreFiles.suffixes {
            let path = files.database + suffix
            guard suffix.isEmpty || identities[suffix] != nil else { continue }
            guard let found = try FileIdentity(at: path) else { return "\(path) was removed while jokesd ran" }
            if found != identities[suffix] { return "\(path) was replaced while jokesd ran" }
        }
        return nil
    }
}

extension StoreFiles {
    /// Creates a database with all data that a connection to the removed files reads.
    ///
    /// If the process ends during the call, the next start may find no database, and then creates a database
    /// from the journal.
    ///
    /// - Returns: The new name of a foreign file that was at one of the paths; nil if there was none.
    /// - Throws: `SQLiteError`, `SystemError`; the next call tries again.
    fileprivate func restore(from connection: Connection, _ held: HeldFiles, at now: Timestamp) throws -> String? {
        try unfinished.remove()
        try connection.copy(to: unfinished.database)
        let unused = try unusedFiles(at: now, prefix: Self.foreignPrefix)
        var foreign: String?
        // SQLite would apply a foreign WAL or rollback journal to the new database.
        for suffix in Self.companions + ["-journal", ""] where try size(suffix) != nil {
            if let identity = held.identities[suffix], try FileIdentity(at: database + suffix) == identity {
                try retrying("remove", database + suffix) { unlink(database + suffix) }
            } else {
                try retrying("move aside", database + suffix) { rename(database + suffix, unused.database + suffix) }
                foreign = unused.database + suffix
            }
        }
        // Syncs the renames before the new database gets its name.
        try syncFolder(folder)
        try retrying("move the new database to", database) { rename(unfinished.database, database) }
        try syncFolder(folder)
        return foreign
    }
}

extension JokeStore {
    /// Sets the closure that is called on the store's executor after the store has written the database or the journal
    /// again, because the file was removed or replaced.
    package func whenFilesRestored(_ body: @escaping @Sendable (Recovery) -> Void) { onRestored = body }

    /// Writes the files of the database and the journal again if they were removed or replaced. Each change first
    /// restores the files in the same way.
    ///
    /// - Throws: `StoreError`. Readers still see all data, and the next change tries again.
    package func restoreFiles() throws(StoreError) {
        let attempt = "check the files of the database"
        try restoreFiles(during: attempt)
        if writeError == nil { try recordFileRecovery(during: attempt) }
    }

    /// Restores the files like `restoreFiles()`. Errors name `attempt` as the attempted operation.
    func restoreFiles(during attempt: @autoclosure () -> String) throws(StoreError) {
        guard let connection = connectionIfOpen else { return }
        let files = opening.files
        let (removalReason, hasJournalChanged) = try mappingErrors(attempt(), on: path) {
            (try heldFiles.removalReason(at: files), try journal?.hasChangedOnDisk ?? false)
        }
        guard removalReason != nil || hasJournalChanged else { return }
        let reason = removalReason ?? "\(files.journal) was removed or replaced while jokesd ran"
        let operation = attempt()
        do {
            unrecordedRecovery = try mappingErrors(operation, on: path) {
                try restore(from: connection, because: reason, hasJournalChanged: hasJournalChanged)
            }
        } catch {
            if error.code == .corrupt { close(because: error) }
            throw StoreError(
                error.code, attempt: operation, reason: "\(reason), and cannot be written again: \(error.reason)")
        }
        if removalReason == nil { return }
        heldFiles = HeldFiles(files)
        try reopen(during: operation)
    }

    private func restore(
        from connection: Connection, because reason: String, hasJournalChanged: Bool
    ) throws -> Recovery {
        // When the connection is closed, SQLite would remove the WAL by its name, which may belong to another database.
        if try heldFiles.removalReason(at: opening.files) != nil { try connection.keepWAL() }
        let (files, now) = (opening.files, opening.clock())
        let favorites = try connection.number("SELECT count(*) FROM favorites")
        try makeFolder(files.folder, mode: 0o700)
        try renewLock()
        if hasJournalChanged, let journal {
            if exists(files.journal) {
                let unused = try files.unusedJournalPath(at: now, "foreign")
                try retrying("move aside", files.journal) { rename(files.journal, unused) }
            }
            try connection.rewrite(
                journal, with: connection.storedUserData, after: journal.position?.sequence ?? 0, at: now)
        }
        let foreign =
            try heldFiles.removalReason(at: files) == nil ? nil : files.restore(from: connection, heldFiles, at: now)
        let suffix = foreign.map { "; the other file is now \($0)" } ?? ""
        return Recovery(at: now, reason: reason + suffix, favorites: favorites)
    }

    /// Locks the folder again if the lock file was removed. Throws if another daemon has locked the folder.
    private func renewLock() throws {
        do {
            try opening.lock?.renew()
        } catch StateLock.Failure.system(let error) {
            throw error
        } catch StateLock.Failure.held(let process) {
            let holder = process.map { "process \($0)" } ?? "another process"
            let reason = "\(holder) uses the folder \(opening.files.folder)"
            throw StoreError(.busy, attempt: "lock the state folder", reason: reason)
        }
    }

    /// Records the recovery of removed files, if the recovery is not recorded yet.
    func recordFileRecovery(during attempt: @autoclosure () -> String) throws(StoreError) {
        guard let unrecordedRecovery else { return }
        try mappingErrors(attempt(), on: path) {
            let unseen = try connection.recoveries
            let all = Recovery.text(of: unseen + [unrecordedRecovery])
            try connection.write { try connection.set(.recoveries, to: all) }
        }
        self.unrecordedRecovery = nil
        onRestored?(unrecordedRecovery)
    }
}
