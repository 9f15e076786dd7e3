import JokesCore
import JokesExchange
import SQLite
import Unix

/// Brings the database and the journal to the same state when a store is opened.
struct JournalReplay {
    let connection: Connection
    let journal: Journal
    let files: StoreFiles
    let rules: DisplayRules
    let now: Timestamp
    /// Whether the database was made by this start.
    let isNew: Bool
    /// The previous database, if it was renamed. Its readable favorites and hidden marks are in the
    /// journal already.
    let replacedDatabase: ReplacedDatabase?
    /// Whether all lines of the journal are checked, and not only the last one.
    let checksJournal: Bool

    /// How the changes in the journal are applied.
    private enum Plan: Equatable {
        /// Applies the changes with a larger sequence number.
        case replay(after: Int64)
        /// Journal and database do not belong together: each gets the favorites and hidden marks of both.
        case merge
    }

    /// - Returns: The recovery to report; nil if nothing was wrong.
    /// - Throws: `SQLiteError`, `SystemError`; this can then be done again.
    func run() throws -> Recovery? {
        let known = try connection.setting(.journal).flatMap { JournalContents.Position($0) }
        if replacedDatabase == nil, let known, let last = try journal.lastLine(),
            last == (known.sequence, known.sum), try !checksJournal || JournalRecord.hasValidChecksums(journal.bytes())
        {
            journal.position = known
            if try isMostlyObsolete { try compact(after: known.sequence) }
            return nil
        }
        try connection.checkFavorites()
        let bytes = try journal.bytes()
        let contents = JournalContents(bytes)
        // A short journal lacks the known line.
        let lacksKnownLine = known.map { known in !contents.entries.contains { $0.sum == known.sum } } ?? false
        // An existing database has every acknowledged batch, so unconfirmed lines matter only for a new database.
        let damagedLines = contents.damagedLines + (isNew ? contents.unconfirmedDamage : 0)
        let needsCopy = damagedLines > 0 || lacksKnownLine && !contents.entries.isEmpty
        let damagedCopy = try needsCopy ? files.unusedJournalPath(at: now, "damaged") : nil
        var recovery: Recovery?
        var isRewritten = false
        try connection.write {
            (recovery, isRewritten) = try replay(
                contents, known, lacksKnownLine: lacksKnownLine, damagedLines: damagedLines)
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
        if isRewritten {
            try connection.rewrite(journal, after: max(known?.sequence ?? 0, contents.lastSequence), at: now)
        } else {
            if contents.end < journal.end { try journal.truncate(to: contents.end) }
            journal.position = contents.position
        }
        return recovery
    }

    /// Applies the journal to the database, within a transaction.
    private func replay(
        _ contents: JournalContents, _ known: JournalContents.Position?, lacksKnownLine: Bool, damagedLines: Int
    ) throws -> (recovery: Recovery?, isRewritten: Bool) {
        let plan = try plan(contents, known)
        var added = 0
        var applier = JournalApplier(connection, rules)
        switch plan {
        case .merge: added = try applier.add(Marks(contents.entries))
        case .replay(let sequence):
            try applier.run(contents.entries.map(\.record).filter { $0.sequence > sequence })
            if isNew { try applier.run(contents.unconfirmed.map(\.record)) }
        }
        try applier.finish()
        if let position = contents.position { try connection.set(.journal, to: position.text) }
        let journalIsIncomplete =
            try plan == .merge
            ? Marks(contents.entries).count < connection.marks() : lacksKnownLine && connection.hasMarks
        let reasons = reasons(
            contents, added: added, journalIsIncomplete: journalIsIncomplete, damagedLines: damagedLines)
        let isWhole = plan != .merge && !lacksKnownLine && contents.damagedLines == 0 && contents.unconfirmed.isEmpty
        if reasons.isEmpty { return (nil, !isWhole) }
        let hasSalvaged = replacedDatabase.map { !$0.salvaged.favorites.isEmpty } ?? false
        let lost = isNew && !hasSalvaged ? damagedLines : 0
        let reason = reasons.joined(separator: "; ")
        return (Recovery(at: now, reason: reason, damagedFile: "", favoritesLost: lost), !isWhole)
    }

    private func plan(_ contents: JournalContents, _ known: JournalContents.Position?) throws -> Plan {
        guard let known else { return try connection.hasMarks ? .merge : .replay(after: .min) }
        guard contents.isInOrder else { return .merge }
        let line = contents.entries.first { $0.record.sequence == known.sequence }
        // Without the known line, the journal may be one that has lost lines: the database has their changes.
        let isSame = line.map { $0.sum == known.sum } ?? (contents.entries.isEmpty || contents.first == known.first)
        return isSame ? .replay(after: known.sequence) : .merge
    }

    /// - Parameters:
    ///   - contents: The journal.
    ///   - added: The number of favorites, notes and hidden marks that only the journal had.
    ///   - journalIsIncomplete: Whether the journal lacked some that the database had.
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
            reasons.append("\(files.journal) was another file; its favorites and hidden jokes were added")
        } else if journalIsIncomplete {
            let problem = contents.entries.isEmpty ? "missing or empty" : "incomplete"
            reasons.append("\(files.journal) was \(problem), and was written again from the database")
        }
        if damagedLines > 0 {
            reasons.append("\(damagedLines) damaged line\(damagedLines == 1 ? "" : "s") in \(Journal.fileName)")
        }
        return reasons
    }

    // MARK: Writing the journal again

    /// Whether more than half of the journal is obsolete lines.
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
        try connection.rewrite(journal, with: Marks(contents.entries), after: sequence, at: now)
    }
}

extension Connection {
    /// Whether there are favorites or hidden marks.
    fileprivate var hasMarks: Bool {
        get throws { try has("SELECT 1 FROM favorites") || has("SELECT 1 FROM hidden") }
    }

    /// Compares the favorites with their indexes and fingerprints: SQLite does not report a lost row or a changed letter
    /// as damage. A fingerprint ignores spaces and control characters, so the texts must also be clean.
    ///
    /// - Throws: `SQLiteError` with code `corrupt` if one has changed.
    fileprivate func checkFavorites() throws {
        if case .faulty(let message) = try check("favorites", comparesIndexes: true) {
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

    /// Writes the journal again.
    ///
    /// - Parameters:
    ///   - journal: The journal.
    ///   - marks: The favorites and hidden marks; nil for those of the database.
    ///   - sequence: The largest used sequence number.
    ///   - now: The time of the changes.
    /// - Throws: `SQLiteError`, `SystemError`; this can then be done again.
    func rewrite(_ journal: Journal, with marks: Marks? = nil, after sequence: Int64, at now: Timestamp) throws {
        let marks = try marks ?? storedMarks
        // The last line must keep the largest sequence number, because a replay skips smaller ones.
        var lines = JournalLines(after: nil, sequence: max(0, sequence - Int64(marks.count)))
        for favorite in marks.favorites { try lines.append(.favorite(favorite), at: now) }
        for mark in marks.hidden { try lines.append(.hide(mark), at: now) }
        // Syncs the earlier commits: only the old journal has the lines of removed favorites and hidden marks.
        try writeDurably { try set(.journal, to: setting(.journal) ?? "") }
        try journal.replace(with: lines)
        // Syncs the new position, so that the database knows the new journal before the next change.
        try writeDurably { try set(.journal, to: lines.position?.text ?? "") }
    }

    private var storedMarks: Marks {
        get throws {
            Marks(
                favorites: try prepare("SELECT \(Favorite.columns) FROM favorites ORDER BY key")
                    .map { row in try Favorite(row: row, from: 0) },
                hidden: try prepare("SELECT fingerprint, hidden_at FROM hidden")
                    .map { row in HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1)) })
        }
    }
}
