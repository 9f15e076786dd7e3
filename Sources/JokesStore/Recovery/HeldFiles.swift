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
    private let identities: [String: FileIdentity]

    /// Reads the identities of files that were just opened.
    init(_ files: StoreFiles) {
        identities = StoreFiles.suffixes.reduce(into: [:]) { $0[$1] = try? FileIdentity(at: files.database + $1) }
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

extension JokeStore {
    /// Treats files that another program has removed or replaced. A file of the database counts as damage, which `recover` repairs
    /// from the journal; a missing journal is first written from the open database. If only the journal is missing, the next change
    /// opens the files again, as a start does.
    ///
    /// - Throws: `StoreError` if the journal cannot be written. Readers still see all data, and the next call tries again.
    package func checkFiles() throws(StoreError) {
        let (files, attempt) = (opening.files, "check the files of the database")
        guard let connectionIfOpen, let journal else { return }
        let (removalReason, hasJournalChanged) = try mappingErrors(attempt, on: path) {
            (try heldFiles.removalReason(at: files), try journal.hasChangedOnDisk)
        }
        guard removalReason != nil || hasJournalChanged else { return }
        guard let removalReason else {
            let reason = "\(files.journal) was removed or replaced while jokesd ran"
            writeError = StoreError(.unreadable, attempt: attempt, reason: reason)
            return
        }
        do {
            try mappingErrors(attempt, on: path) {
                try makeFolder(files.folder, mode: 0o700)
                try renewLock()
                if hasJournalChanged { try writeAgain(journal, from: connectionIfOpen) }
            }
        } catch {
            let reason = "\(removalReason), and cannot be written again: \(error.reason)"
            throw StoreError(error.code, attempt: attempt, reason: reason)
        }
        close(because: StoreError(.corrupt, attempt: attempt, reason: removalReason))
    }

    private func writeAgain(_ journal: Journal, from connection: Connection) throws {
        let now = opening.clock()
        if exists(journal.path) {
            let unused = opening.files.unusedJournalPath(at: now, "foreign")
            try retrying("move aside", journal.path) { rename(journal.path, unused) }
        }
        let last = journal.position?.sequence ?? 0
        try journal.replace(with: JournalLines(of: connection.storedUserData, endingAt: last, at: now))
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
}
