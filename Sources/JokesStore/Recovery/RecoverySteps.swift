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
struct RecoverySteps {
    let files: StoreFiles

    /// What the note says.
    fileprivate struct Note {
        var at: Timestamp
        var aside: StoreFiles
        /// False where there was only a log.
        var hadDatabase: Bool
        var reason: String
    }

    /// Begins a recovery and completes it.
    ///
    /// Blocks for as long as it takes to read all of the files. No connection to the database may be open that writes.
    ///
    /// - Throws: `SQLiteError`, `SystemError`; the damaged files are where they were, or aside.
    func recover(because reason: String, at now: Timestamp) throws -> Recovery {
        if let begun = try resume(at: now) { return begun }
        let aside = try files.aside(at: now)
        let note = Note(at: now, aside: aside, hadDatabase: try files.size() != nil, reason: reason)
        try replaceFile(files.recoveryNote, with: Array(note.text.utf8), mode: 0o600)
        return try complete(note, at: now)
    }

    /// Completes a recovery that has begun before; nil where none has, or only its note was left to be removed.
    func resume(at now: Timestamp) throws -> Recovery? {
        guard let text = try? contentsOfFile(files.recoveryNote, limit: 65536) else { return nil }
        // A note is put in place whole. One that cannot be read is not ours; the database speaks for itself.
        guard let note = Note(String(decoding: text, as: UTF8.self), in: files) else {
            try removeNote()
            return nil
        }
        let isInPlace = try files.size() != nil && (!note.hadDatabase || note.aside.size() != nil)
        if isInPlace {
            try removeNote()
            return nil
        }
        return try complete(note, at: now)
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
            damagedFile: note.hadDatabase ? note.aside.database : note.aside.log,
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
        try syncFolder(files.folder)
    }
}

extension RecoverySteps.Note {
    fileprivate var text: String {
        "\(at.microseconds)\n\(aside.name)\n\(hadDatabase)\n\(reason)\n"
    }

    fileprivate init?(_ text: String, in files: StoreFiles) {
        let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, let at = Int64(lines[0]), let hadDatabase = Bool(lines[2]),
            lines[1].hasPrefix("jokes-damaged-"), !lines[1].utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        self.init(
            at: Timestamp(microseconds: at), aside: StoreFiles(folder: files.folder, name: lines[1]),
            hadDatabase: hadDatabase, reason: cleanText(lines[3]))
    }
}
