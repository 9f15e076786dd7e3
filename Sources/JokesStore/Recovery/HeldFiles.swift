import Glibc
import JokesCore
import JokesExchange
import SQLite
import Unix

/// The identities of the files of an open database, to compare with the files at their paths later.
///
/// If a file is removed, renamed or replaced, SQLite continues with the open file. Its writes are lost when the process
/// ends. https://www.sqlite.org/howtocorrupt.html#unlink
struct HeldFiles {
    fileprivate let identities: [String: FileIdentity]

    /// Reads the identities of files that were just opened. A connection that writes has all of them open.
    init(_ files: StoreFiles, isWriting: Bool = true) {
        let suffixes = isWriting ? StoreFiles.suffixes : [""]
        identities = suffixes.reduce(into: [:]) { $0[$1] = try? FileIdentity(at: files.database + $1) }
    }

    /// Returns a phrase that names a removed or replaced file; nil if there is none. Costs three calls of stat(2).
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
    /// Puts a new database in place, with everything that a connection to the removed files sees.
    ///
    /// If the process ends in the middle, the next start makes a database from the journal.
    ///
    /// - Returns: The new name of a foreign file that was in the way; nil if there was none.
    /// - Throws: `SQLiteError`, `SystemError`; the next call tries again.
    fileprivate func restore(from connection: Connection, _ held: HeldFiles, at now: Timestamp) throws -> String? {
        try unfinished.remove()
        try connection.copy(to: unfinished.database)
        let unused = try unusedFiles(at: now, prefix: Self.foreignPrefix)
        var foreign: String?
        // SQLite would apply a foreign WAL or journal to the new database.
        for suffix in Self.companions + ["-journal", ""] where try size(suffix) != nil {
            if let known = held.identities[suffix], try FileIdentity(at: database + suffix) == known {
                try retrying("remove", database + suffix) { unlink(database + suffix) }
            } else {
                try retrying("move aside", database + suffix) { rename(database + suffix, unused.database + suffix) }
                foreign = unused.database + suffix
            }
        }
        // Before the new database gets the name.
        try syncFolder(folder)
        try retrying("move the new database to", database) { rename(unfinished.database, database) }
        try syncFolder(folder)
        return foreign
    }
}

extension JokeStore {
    /// Calls the body, on the store's executor, when removed files were replaced with a new database.
    package func whenFilesRestored(_ body: @escaping @Sendable (Recovery) -> Void) { onRestored = body }

    /// Writes everything to a new database if the files were removed or replaced. Each change does this first.
    ///
    /// - Throws: `StoreError`; readers still see everything, and the next change tries again.
    package func restoreFiles() throws(StoreError) {
        let attempt = "check the files of the database"
        try restoreFiles(during: attempt)
        if writeError == nil { try recordRestoration(during: attempt) }
    }

    func restoreFiles(during attempt: @autoclosure () -> String) throws(StoreError) {
        guard let opened else { return }
        let files = opening.files
        let (loss, isJournalLost) = try mappingErrors(attempt(), on: path) {
            (try held.removalReason(at: files), try journal?.hasChangedOnDisk ?? false)
        }
        guard loss != nil || isJournalLost else { return }
        let reason = loss ?? "\(files.journal) was removed or replaced while jokesd ran"
        let operation = attempt()
        do {
            unrecordedRecovery = try mappingErrors(operation, on: path) {
                try restore(from: opened, because: reason, isJournalLost: isJournalLost)
            }
        } catch {
            if error.code == .corrupt { close(because: error) }
            throw StoreError(
                error.code, attempt: operation, reason: "\(reason), and cannot be written again: \(error.reason)")
        }
        if loss == nil { return }
        held = HeldFiles(files)
        try reopen(during: operation)
    }

    private func restore(from opened: Connection, because loss: String, isJournalLost: Bool) throws -> Recovery {
        // When the connection is closed, SQLite would remove the WAL by its name, which may belong to another database.
        if try held.removalReason(at: opening.files) != nil { try opened.keepWAL() }
        let (files, now) = (opening.files, opening.clock())
        let favorites = try opened.number("SELECT count(*) FROM favorites")
        try makeFolder(files.folder, mode: 0o700)
        try renewLock()
        if isJournalLost, let journal {
            if exists(files.journal) {
                let unused = try files.unusedJournalPath(at: now, "foreign")
                try retrying("move aside", files.journal) { rename(files.journal, unused) }
            }
            try opened.rewrite(journal, after: journal.position?.sequence ?? 0, at: now)
        }
        let foreign = try held.removalReason(at: files) == nil ? nil : files.restore(from: opened, held, at: now)
        let reason = loss + (foreign.map { "; the other file is now \($0)" } ?? "")
        return Recovery(at: now, reason: reason, favorites: favorites)
    }

    /// Locks the folder again if the lock file is gone. Another daemon may have started in the folder.
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

    /// Records a recovery of removed files, if there is one that is not recorded.
    func recordRestoration(during attempt: @autoclosure () -> String) throws(StoreError) {
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
