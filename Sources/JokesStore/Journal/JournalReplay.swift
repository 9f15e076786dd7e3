import JokesCore
import JokesExchange
import SQLite
import Unix

/// Brings the database and the journal to the same state when the database is opened for writing. Also compacts the
/// journal.
struct JournalReplay {
    let connection: Connection
    let journal: Journal
    let files: StoreFiles
    let rules: DisplayRules
    let now: Timestamp
    /// True if this opening created the database.
    let isNew: Bool
    /// The previous database, if it was renamed. The journal already has its readable favorites and hidden marks.
    let replacedDatabase: ReplacedDatabase?
    /// True if all lines of the journal are checked, and not only the last line.
    let checksJournal: Bool

    /// A way to apply the changes in the journal.
    private enum Plan: Equatable {
        /// Applies the changes with sequence numbers above `after`.
        case replay(after: Int64)
        /// Merges a journal and a database that do not belong together. Afterwards, both have all favorites and hidden
        /// marks.
        case merge
    }

    /// Replays the journal, and rewrites it if lines are damaged, missing or mostly obsolete.
    ///
    /// - Returns: The recovery to report; nil if nothing was wrong.
    /// - Throws: `SQLiteError`, `SystemError`; the caller can try again.
    func run() throws -> Recovery? {
        // The position of the last change that the database has.
        let stored = try connection.setting(.journalPosition).flatMap { JournalContents.Position($0) }
        if replacedDatabase == nil, let stored, let last = try journal.lastLine(),
            last == (stored.sequence, stored.checksum),
            try !checksJournal || JournalRecord.hasValidChecksums(journal.bytes())
        {
            journal.position = stored
            if try isMostlyObsolete { try compact(after: stored.sequence) }
            return nil
        }
        try connection.checkFavorites()
        let bytes = try journal.bytes()
        let contents = JournalContents(bytes)
        // True if the journal has lost lines: it lacks the line of the last change that the database has.
        let lacksStoredLine =
            stored.map { stored in !contents.entries.contains { $0.checksum == stored.checksum } } ?? false
        // An existing database has every acknowledged batch, so unconfirmed lines matter only for a new database.
        let damagedLines = contents.damagedLines + (isNew ? contents.unconfirmedDamage : 0)
        let needsCopy = damagedLines > 0 || lacksStoredLine && !contents.entries.isEmpty
        let damagedCopy = try needsCopy ? files.unusedJournalPath(at: now, "damaged") : nil
        var recovery: Recovery?
        var needsRewrite = false
        try connection.write {
            (recovery, needsRewrite) = try replay(
                contents, stored, lacksStoredLine: lacksStoredLine, damagedLines: damagedLines)
            if var report = recovery {
                report.damagedFile = replacedDatabase?.path ?? damagedCopy ?? ""
                report.favorites = try connection.number("SELECT count(*) FROM favorites")
                let unseen = Recovery.list(from: try connection.setting(.recoveries) ?? "")
                let all = (replacedDatabase?.salvaged.recoveries ?? []) + unseen + [report]
                try connection.set(.recoveries, to: Recovery.text(of: all))
                recovery = report
            }
        }
        if let damagedCopy { try replaceFile(damagedCopy, with: bytes, mode: 0o600) }
        if needsRewrite {
            try connection.rewrite(journal, after: max(stored?.sequence ?? 0, contents.lastSequence), at: now)
        } else {
            if contents.end < journal.end { try journal.truncate(to: contents.end) }
            journal.position = contents.position
        }
        return recovery
    }

    /// Applies the journal to the database, within a transaction.
    ///
    /// - Returns: The recovery to report; nil if nothing was wrong. If `needsRewrite` is true, the caller must write
    ///   the journal again.
    private func replay(
        _ contents: JournalContents, _ stored: JournalContents.Position?, lacksStoredLine: Bool, damagedLines: Int
    ) throws -> (recovery: Recovery?, needsRewrite: Bool) {
        let plan = try plan(contents, stored)
        var added = 0
        var applier = JournalApplier(connection, rules)
        switch plan {
        case .merge: added = try applier.addMissing(UserData(contents.entries))
        case .replay(let sequence):
            try applier.run(contents.entries.map(\.record).filter { $0.sequence > sequence })
            if isNew { try applier.run(contents.unconfirmed.map(\.record)) }
        }
        try applier.finish()
        if let position = contents.position { try connection.set(.journalPosition, to: position.text) }
        let journalIsIncomplete =
            try plan == .merge
            ? UserData(contents.entries).count < connection.userDataCount()
            : lacksStoredLine && connection.hasUserData
        let reasons = reasons(
            contents, added: added, journalIsIncomplete: journalIsIncomplete, damagedLines: damagedLines)
        let canKeepJournal =
            plan != .merge && !lacksStoredLine && contents.damagedLines == 0 && contents.unconfirmed.isEmpty
        if reasons.isEmpty { return (nil, !canKeepJournal) }
        let hasSalvaged = replacedDatabase.map { !$0.salvaged.favorites.isEmpty } ?? false
        let lost = isNew && !hasSalvaged ? damagedLines : 0
        let reason = reasons.joined(separator: "; ")
        return (Recovery(at: now, reason: reason, damagedFile: "", favoritesLost: lost), !canKeepJournal)
    }

    /// Returns how to apply the journal, from the position that the database has stored.
    private func plan(_ contents: JournalContents, _ stored: JournalContents.Position?) throws -> Plan {
        guard let stored else { return try connection.hasUserData ? .merge : .replay(after: .min) }
        guard contents.isInOrder else { return .merge }
        let line = contents.entries.first { $0.record.sequence == stored.sequence }
        // A journal with the same first line is the same journal, even if it has lost the line of the stored position:
        // the database has the changes of the lost lines.
        let isSameJournal =
            line.map { $0.checksum == stored.checksum } ?? (contents.entries.isEmpty || contents.first == stored.first)
        return isSameJournal ? .replay(after: stored.sequence) : .merge
    }

    /// - Parameters:
    ///   - contents: The journal.
    ///   - added: The number of favorites, notes and hidden marks that only the journal had.
    ///   - journalIsIncomplete: True if the journal lacked favorites or hidden marks of the database.
    ///   - damagedLines: The number of damaged lines in the journal.
    /// - Returns: The problems found; empty after a normal exit, a crash or a power loss.
    private func reasons(
        _ contents: JournalContents, added: Int, journalIsIncomplete: Bool, damagedLines: Int
    ) -> [String] {
        var reasons: [String] = []
        if let replacedDatabase {
            reasons.append("\(replacedDatabase.reason); the jokes are fetched again")
        } else if isNew && !contents.entries.isEmpty {
            reasons.append("\(files.database) was missing or empty; the jokes are fetched again")
        } else if added > 0 {
            reasons.append("\(files.journal) belonged to another database; its favorites and hidden jokes were added")
        } else if journalIsIncomplete {
            let problem = contents.entries.isEmpty ? "missing or empty" : "incomplete"
            reasons.append("\(files.journal) was \(problem), and was written again from the database")
        }
        if damagedLines > 0 {
            reasons.append("\(damagedLines) damaged line\(damagedLines == 1 ? "" : "s") in \(Journal.fileName)")
        }
        return reasons
    }

    // MARK: Compaction

    /// True if more than half of the bytes of the journal are obsolete lines. An estimate.
    private var isMostlyObsolete: Bool {
        get throws {
            guard journal.end > 64 * 1024 else { return false }
            let texts = ["setup", "punchline", "note", "categories", "url", "author", "id"]
                .map { "ifnull(length(CAST(\($0) AS BLOB)), 0)" }.joined(separator: " + ")
            // A line has about 400 bytes for a favorite without its texts, and 220 for a hidden mark.
            let size = try connection.number("SELECT ifnull(sum(400 + \(texts)), 0) FROM favorites")
            return try journal.end > 2 * (size + 220 * connection.number("SELECT count(*) FROM hidden"))
        }
    }

    /// Rewrites an undamaged journal without its obsolete lines.
    private func compact(after sequence: Int64) throws {
        let contents = JournalContents(try journal.bytes())
        guard contents.damagedLines == 0 && contents.unconfirmed.isEmpty else { return }
        try connection.rewrite(journal, with: UserData(contents.entries), after: sequence, at: now)
    }
}

extension Connection {
    /// True if there are favorites or hidden marks.
    fileprivate var hasUserData: Bool {
        get throws { try hasRow("SELECT 1 FROM favorites") || hasRow("SELECT 1 FROM hidden") }
    }

    /// Compares the favorites with their indexes and fingerprints. The quick check at the start detects neither a lost
    /// row nor a changed letter. A fingerprint ignores spaces and control characters, so the texts must also be clean.
    ///
    /// - Throws: `SQLiteError` with code `corrupt` if a favorite has changed.
    fileprivate func checkFavorites() throws {
        if case .damaged(let message) = try check("favorites", comparesIndexes: true) {
            throw SQLiteError(.corrupt, message: "favorites: \(message)", subject: path)
        }
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

    /// Replaces the lines of the journal with a line for each favorite and each hidden mark.
    ///
    /// - Parameters:
    ///   - journal: The journal.
    ///   - userData: The favorites and hidden marks; nil for those of the database.
    ///   - sequence: The largest used sequence number.
    ///   - now: The time of the changes.
    /// - Throws: `SQLiteError`, `SystemError`; the caller can try again.
    func rewrite(
        _ journal: Journal, with userData: UserData? = nil, after sequence: Int64, at now: Timestamp
    ) throws {
        let userData = try userData ?? storedUserData
        // The last line must keep the largest sequence number, because a replay skips smaller numbers.
        var lines = JournalLines(after: nil, sequence: max(0, sequence - Int64(userData.count)))
        for favorite in userData.favorites { try lines.append(.favorite(favorite), at: now) }
        for mark in userData.hidden { try lines.append(.hide(mark), at: now) }
        // Syncs the earlier commits of the database, because the new journal lacks the lines of removals.
        try writeDurably { try set(.journalPosition, to: setting(.journalPosition) ?? "") }
        try journal.replace(with: lines)
        // Syncs the new position, so that the database knows the new journal before the next change.
        try writeDurably { try set(.journalPosition, to: lines.position?.text ?? "") }
    }

    /// The favorites and hidden marks of the database.
    private var storedUserData: UserData {
        get throws {
            UserData(
                favorites: try prepare("SELECT \(Favorite.columns) FROM favorites ORDER BY key")
                    .map { row in try Favorite(row: row, from: 0) },
                hidden: try prepare("SELECT fingerprint, hidden_at FROM hidden")
                    .map { row in HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1)) })
        }
    }
}
