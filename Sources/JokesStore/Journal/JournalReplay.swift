import JokesCore
import JokesExchange
import SQLite
import Unix

/// Makes the tables of favorites and hidden marks agree with the journal when the database is opened for writing. Also compacts
/// the journal.
///
/// The journal is the truth, and the tables are its index. If they lack the last change of the journal, they are built again from
/// all its lines. If the journal lacks the last change of the tables, it was damaged, and is written again from the tables.
struct JournalReplay {
    let connection: Connection
    let journal: Journal
    let files: StoreFiles
    let rules: DisplayRules
    let now: Timestamp
    /// True if this opening created the database.
    let isNew: Bool
    /// The previous database, if it was renamed.
    let replacedDatabase: ReplacedDatabase?
    /// True if all lines of the journal are checked, and not only the last line.
    let checksJournal: Bool

    /// - Returns: The recovery to report; nil if nothing was wrong.
    /// - Throws: `SQLiteError`, `SystemError`; the caller can try again. `StoreError` with code `newerSchema` if a newer program
    ///   wrote changes to the journal, which stays unchanged.
    func run() throws -> Recovery? {
        // The position of the last change that the tables have.
        let stored = try connection.setting(.journalPosition).flatMap { JournalContents.Position($0) }
        if let stored, let last = try journal.lastLine(), last == (stored.sequence, stored.checksum),
            try !checksJournal || JournalRecord.hasValidChecksums(journal.bytes())
        {
            journal.position = stored
            if try isMostlyObsolete { try compact(after: stored.sequence) }
            return nil
        }
        let bytes = try journal.bytes()
        // A database that exists has every acknowledged batch.
        let contents = JournalContents(bytes, acceptsDamagedBatch: stored == nil)
        if contents.hasNewerChanges {
            throw StoreError(.newerSchema, attempt: "open the store", reason: "a newer jokesd wrote \(files.journal)")
        }
        guard let stored, contents.precedes(stored) else { return try rebuildTables(from: contents, bytes, stored) }
        if contents.damagedLines == 0 && contents.position == stored {
            if contents.end < journal.end { try journal.truncate(to: contents.end) }
            journal.position = stored
            return nil
        }
        return try rewriteJournal(contents, bytes, stored)
    }

    /// Writes the journal again from the tables, which have all changes.
    private func rewriteJournal(
        _ contents: JournalContents, _ bytes: [UInt8], _ stored: JournalContents.Position
    ) throws -> Recovery? {
        try connection.checkFavorites()
        let userData = try connection.storedUserData
        let copy = try contents.entries.isEmpty && contents.damagedLines == 0 ? nil : copyAside(bytes, "damaged")
        var reasons = damageReasons(contents.damagedLines)
        if contents.position?.checksum != stored.checksum && !userData.isEmpty {
            let problem = contents.entries.isEmpty ? "missing or empty" : "incomplete"
            reasons.insert("\(files.journal) was \(problem), and was written again from the database", at: 0)
        }
        let recovery = try record(reasons, damagedFile: copy)
        try connection.rewrite(journal, with: userData, after: max(stored.sequence, contents.lastSequence), at: now)
        return recovery
    }

    /// Builds the tables again from the journal, and from its backup if lines are damaged or missing.
    ///
    /// If the journal does not have the last change of the tables, such as the journal of another machine, the favorites of the
    /// tables are written to another file.
    private func rebuildTables(
        from contents: JournalContents, _ bytes: [UInt8], _ stored: JournalContents.Position?
    ) throws -> Recovery? {
        let backup = try journal.backup()
        let isDamaged = contents.damagedLines > 0 || contents.entries.isEmpty
        let own = UserData(contents.entries)
        let userData = isDamaged ? UserData(backup.entries + contents.entries) : own
        let replaced = try connection.storedUserData
        if userData.isEmpty && replaced.isEmpty && bytes.isEmpty && replacedDatabase == nil { return nil }
        let isForeign = !(contents.entries + backup.entries).contains { $0.checksum == stored?.checksum }
        var reasons: [String] = []
        if let replacedDatabase {
            reasons.append("\(replacedDatabase.reason); the jokes are fetched again")
        } else if isNew && !userData.isEmpty {
            reasons.append("\(files.database) was missing or empty; the jokes are fetched again")
        } else if isForeign && !replaced.isEmpty {
            let path = files.unusedJournalPath(at: now, "replaced")
            try replaceFile(path, with: JournalLines(of: replaced, at: now).bytes, mode: 0o600)
            reasons.append("\(files.journal) was replaced; jokesctl import \(path) adds the earlier favorites again")
        }
        let copy = contents.damagedLines > 0 ? try copyAside(bytes, "damaged") : nil
        try connection.write {
            try connection.replaceUserData(with: userData, rules, at: now)
            try connection.set(.journalPosition, to: contents.position?.text ?? "")
        }
        let recovery = try record(
            reasons + damageReasons(contents.damagedLines), damagedFile: replacedDatabase?.path ?? copy,
            lost: max(0, contents.damagedLines - (userData.count - own.count)))
        if isDamaged && !userData.isEmpty || contents.damagedLines > 0 {
            try connection.rewrite(journal, with: userData, after: contents.lastSequence, at: now)
        } else {
            if contents.end < journal.end { try journal.truncate(to: contents.end) }
            journal.position = contents.position
        }
        return recovery
    }

    private func damageReasons(_ lines: Int) -> [String] {
        lines == 0 ? [] : ["\(lines) damaged line\(lines == 1 ? "" : "s") in \(Journal.fileName)"]
    }

    private func copyAside(_ bytes: [UInt8], _ reason: String) throws -> String {
        let path = files.unusedJournalPath(at: now, reason)
        try replaceFile(path, with: bytes, mode: 0o600)
        return path
    }

    /// Stores a recovery until a user has seen it; does nothing without reasons.
    private func record(_ reasons: [String], damagedFile: String?, lost: Int = 0) throws -> Recovery? {
        if reasons.isEmpty { return nil }
        let recovery = Recovery(
            at: now, reason: reasons.joined(separator: "; "), damagedFile: damagedFile ?? "",
            favorites: try connection.number("SELECT count(*) FROM favorites"), favoritesLost: lost)
        try connection.write { try connection.set(connection.recoveries + [recovery]) }
        return recovery
    }

    // MARK: Compaction

    /// True if more than half of the lines of a large journal are obsolete.
    private var isMostlyObsolete: Bool {
        get throws {
            guard journal.end > 64 * 1024 else { return false }
            return try journal.bytes().count { $0 == UInt8(ascii: "\n") } > 2 * connection.userDataCount()
        }
    }

    /// Rewrites an undamaged journal without its obsolete lines, and keeps the old one as the backup.
    private func compact(after sequence: Int64) throws {
        let contents = JournalContents(try journal.bytes(), acceptsDamagedBatch: true)
        guard contents.damagedLines == 0 else { return }
        try journal.backUp()
        try connection.rewrite(journal, with: UserData(contents.entries), after: sequence, at: now)
    }
}

extension Connection {
    /// Compares the favorites with their indexes and fingerprints. The quick check at the start detects neither a lost
    /// row nor a changed letter. A fingerprint ignores spaces and control characters, so the texts must also be clean.
    ///
    /// - Throws: `SQLiteError` with code `corrupt` if a favorite has changed.
    fileprivate func checkFavorites() throws {
        try check("favorites", comparesIndexes: true)
        let changed = try prepare("SELECT key, fingerprint, \(Favorite.columns) FROM favorites").first { row in
            let (key, fingerprint) = try (row.read(0, as: Int64.self), row.read(1, as: Fingerprint.self))
            let favorite = try Favorite(row: row, from: 2)
            let text = favorite.content.text
            let isClean = [text.setup, text.punchline, favorite.note].allSatisfy { $0 == $0.map(cleanText) }
            return isClean && Fingerprint(of: text) == fingerprint ? nil : key
        }
        guard let changed else { return }
        throw SQLiteError(.corrupt, message: "favorites: row \(changed) has changed", subject: path)
    }

    /// Replaces the favorites and hidden marks, within a transaction.
    fileprivate func replaceUserData(with userData: UserData, _ rules: DisplayRules, at now: Timestamp) throws {
        var groups = try TouchedGroups(self, rules, at: now)
        for table in ["favorites", "hidden"] {
            let texts = try prepare("SELECT fingerprint FROM \(table)")
                .map { row in try row.read(0, as: Fingerprint.self) }
            for text in texts {
                try groups.touch(text)
                try prepare("DELETE FROM \(table) WHERE fingerprint = ?").run(text)
            }
        }
        for mark in userData.hidden {
            try groups.touch(mark.fingerprint)
            _ = try insert(mark)
        }
        for favorite in userData.favorites {
            try groups.touch(Fingerprint(of: favorite.content.text))
            _ = try insert(favorite, by: rules)
        }
        try groups.settle()
    }

    /// Replaces the lines of the journal with a line for each favorite and each hidden mark.
    ///
    /// `sequence` is the largest used sequence number.
    ///
    /// - Throws: `SQLiteError`, `SystemError`; the caller can try again.
    func rewrite(_ journal: Journal, with userData: UserData, after sequence: Int64, at now: Timestamp) throws {
        let lines = try JournalLines(of: userData, endingAt: sequence, at: now)
        try journal.replace(with: lines)
        // Syncs the new position, so that the database knows the new journal before the next change.
        try writeDurably { try set(.journalPosition, to: lines.position?.text ?? "") }
    }

    /// The favorites and hidden marks of the database.
    var storedUserData: UserData {
        get throws {
            UserData(
                favorites: try prepare("SELECT \(Favorite.columns) FROM favorites ORDER BY key")
                    .map { row in try Favorite(row: row, from: 0) },
                hidden: try prepare("SELECT fingerprint, hidden_at FROM hidden")
                    .map { row in HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1)) })
        }
    }
}
