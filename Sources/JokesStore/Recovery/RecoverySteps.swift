import Glibc
import JokesCore
import SQLite
import Unix

/// Brings a store back whose database is damaged, by steps each of which may be the last before the power goes: the next
/// start goes on where this one stopped.
///
/// 1. A note says that a recovery has begun, when, why, and where the damaged files go. From here on nothing opens them
///    for writing.
/// 2. The log, its index and then the database are renamed. Nothing is removed, nothing is overwritten.
/// 3. What can be read there goes into a new database, which is on disk before it takes the old one's place.
/// 4. The note is removed.
///
/// The laws of the note:
/// - Only where there is none has no recovery begun. One that cannot be read may be that of a recovery whose files are
///   aside: until it can, nothing is made, moved or opened for writing.
/// - One that says nothing, since its bytes went bad, means what the files say. Without a database and a log in place,
///   those that were moved aside last are what it was about; else the database in place speaks for itself.
/// - A new database is made where there is no note, and nothing has a name that damaged ones get through a note.
struct RecoverySteps {
    let files: StoreFiles

    /// What the note says.
    fileprivate struct Note {
        var at: Timestamp
        var aside: StoreFiles
        /// False where there was only a log.
        var hadDatabase: Bool
        var reason: String

        var damagedFile: String { hadDatabase ? aside.database : aside.log }
    }

    /// How far a recovery has come that was begun before.
    private enum Progress {
        case none
        /// The new database is in place; only the note is left to be removed.
        case made(Note)
        case unfinished(Note)
    }

    /// Begins a recovery and completes it; or completes the one that has begun before, and no second one.
    ///
    /// Blocks for as long as it takes to read all of the files. No connection to the database may be open that writes.
    ///
    /// - Throws: `SQLiteError`, `SystemError`; the damaged files are where they were, or aside.
    func recover(because reason: String, at now: Timestamp) throws -> Recovery {
        switch try progress(at: now) {
        case .unfinished(let note): return try complete(note, at: now)
        case .made(let note):
            let recovery = try storedRecovery(of: note)
            try syncFolder(files.folder)
            try removeNote()
            return recovery
        case .none:
            let aside = try files.aside(at: now)
            let note = Note(at: now, aside: aside, hadDatabase: try files.size() != nil, reason: reason)
            try replaceFile(files.recoveryNote, with: Array(note.text.utf8), mode: 0o600)
            return try complete(note, at: now)
        }
    }

    /// Completes a recovery that has begun before; nil where none has, or only its note was left to be removed.
    func resume(at now: Timestamp) throws -> Recovery? {
        switch try progress(at: now) {
        case .unfinished(let note): return try complete(note, at: now)
        case .made:
            try removeNote()
            return nil
        case .none: return nil
        }
    }

    private func progress(at now: Timestamp) throws -> Progress {
        guard let text = try noteText() else { return .none }
        guard let note = try Note(text, in: files) ?? guessedNote(at: now) else {
            try removeNote()
            return .none
        }
        let isMade = try files.size() != nil && (!note.hadDatabase || note.aside.size() != nil)
        return isMade ? .made(note) : .unfinished(note)
    }

    /// What the new database says of the recovery.
    private func storedRecovery(of note: Note) throws -> Recovery {
        let connection = try Connection(path: files.database, .init(access: .reading))
        let stored = Recovery.list(from: try connection.setting(.recoveries) ?? "").last
        return stored ?? Recovery(at: note.at, reason: note.reason, damagedFile: note.damagedFile)
    }

    /// What is in the note; nil where there is none.
    private func noteText() throws(SystemError) -> String? {
        do throws(SystemError) {
            return String(decoding: try contentsOfFile(files.recoveryNote, limit: 65536), as: UTF8.self)
        } catch {
            switch error.code {
            case ENOENT: return nil
            // No note of ours is so long.
            case EFBIG: return ""
            default: throw error
            }
        }
    }

    /// What a note that says nothing must have been about; nil where nothing of the database is missing for it.
    private func guessedNote(at now: Timestamp) throws -> Note? {
        guard try files.size() == nil, try files.size("-wal") == nil, let aside = try files.lastAside() else {
            return nil
        }
        return Note(
            at: now, aside: aside, hadDatabase: try aside.size() != nil,
            reason: "the record of the recovery is damaged")
    }

    private func complete(_ note: Note, at now: Timestamp) throws -> Recovery {
        for companion in StoreFiles.companions { try move(companion, to: note.aside) }
        // Before the database itself goes: where that is aside, nothing of the old one is left.
        try syncFolder(files.folder)
        try move("", to: note.aside)
        try syncFolder(files.folder)
        let salvage = try OpenedFiles(note.aside).look { Salvage(of: $0, at: now) }
        let recovery = Recovery(
            at: note.at, reason: note.reason,
            damagedFile: note.damagedFile,
            favorites: salvage.favorites.count, favoritesLost: salvage.favoritesLost)
        try files.make(salvage, recoveries: salvage.recoveries + [recovery], at: now)
        try removeNote()
        return recovery
    }

    private func move(_ companion: String, to aside: StoreFiles) throws {
        guard try files.size(companion) != nil, try aside.size(companion) == nil else { return }
        try retrying("move aside", files.database + companion) {
            rename(files.database + companion, aside.database + companion)
        }
    }

    private func removeNote() throws {
        if unlink(files.recoveryNote) != 0 && errno != ENOENT { throw SystemError("remove", files.recoveryNote) }
        // Where that fails, the recovery is done all the same: should the note come back, it finds the new database.
        try? syncFolder(files.folder)
    }
}

extension RecoverySteps.Note {
    fileprivate var text: String {
        "\(at.microseconds)\n\(aside.name)\n\(hadDatabase)\n\(reason)\n"
    }

    fileprivate init?(_ text: String, in files: StoreFiles) {
        let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, let at = Int64(lines[0]), let hadDatabase = Bool(lines[2]),
            lines[1].hasPrefix(StoreFiles.damagedPrefix), !lines[1].utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        self.init(
            at: Timestamp(microseconds: at), aside: StoreFiles(folder: files.folder, name: lines[1]),
            hadDatabase: hadDatabase, reason: cleanText(lines[3]))
    }
}
