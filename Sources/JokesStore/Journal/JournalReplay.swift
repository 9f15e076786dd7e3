import JokesCore
import JokesExchange
import SQLite
import Unix

/// Brings the database and the journal to the same state when a store is opened.
struct JournalReplay {
    let connection: Connection
    let journal: Journal
    let files: StoreFiles
    let rules: ShowingRules
    let now: Timestamp
    /// Whether the database was made by this start.
    let isNew: Bool
    /// The database that was there before, if it was set aside. The journal has what could be read of it.
    let setAside: SetAsideDatabase?
    /// Whether all lines of the journal are checked, and not only the last one.
    let checksJournal: Bool

    /// What is done with the changes in the journal.
    private enum Plan: Equatable {
        /// Those with a larger number are made.
        case replay(after: Int64)
        /// The journal is another one: favorites and hidden marks that the database lacks are added.
        case merge
    }

    /// - Returns: What is to be reported, if anything was wrong.
    /// - Throws: `SQLiteError`, `SystemError`; this can then be done again.
    func run() throws -> Recovery? {
        let known = try connection.setting(.journal).flatMap { JournalContents.Position($0) }
        if setAside == nil, let known, let last = try journal.lastLine(),
            last == (known.sequence, known.sum), try !checksJournal || JournalRecord.areSumsRight(journal.bytes())
        {
            journal.position = known
            if try isMostlyObsolete {
                try connection.checkFavorites()
                try rewrite(after: known.sequence)
            }
            return nil
        }
        try connection.checkFavorites()
        let bytes = try journal.bytes()
        let contents = JournalContents(bytes)
        let damagedCopy = try contents.damagedLines > 0 ? files.journalAside(at: now, "damaged") : nil
        var recovery: Recovery?
        var isRewritten = false
        try connection.write {
            (recovery, isRewritten) = try replay(contents, known)
            if var report = recovery {
                report.damagedFile = setAside?.path ?? damagedCopy ?? ""
                report.favorites = try connection.number("SELECT count(*) FROM favorites")
                let unseen = Recovery.list(from: try connection.setting(.recoveries) ?? "")
                let all = (setAside?.remains.recoveries ?? []) + unseen + [report]
                try connection.set(.recoveries, to: Recovery.text(of: all))
                recovery = report
            }
        }
        if let damagedCopy { try replaceFile(damagedCopy, with: bytes, mode: 0o600) }
        if isRewritten {
            try rewrite(after: max(known?.sequence ?? 0, contents.lastSequence))
        } else {
            if contents.end < journal.end { try journal.truncate(to: contents.end) }
            journal.position = contents.position
        }
        return recovery
    }

    /// Makes the changes of the journal in the database, within a transaction.
    private func replay(
        _ contents: JournalContents, _ known: JournalContents.Position?
    ) throws -> (recovery: Recovery?, isRewritten: Bool) {
        let hadMarks = try connection.hasMarks
        let plan = plan(contents, known, hadMarks)
        let isFound = known.map { known in contents.entries.contains { $0.sum == known.sum } } ?? !hadMarks
        var added = 0
        var replaying = Replaying(connection, rules)
        switch plan {
        case .merge: added = try replaying.add(Marks(contents.entries))
        case .replay(let sequence):
            try replaying.run(contents.entries.map(\.record).filter { $0.sequence > sequence })
            // A database that is there has a batch that was acknowledged.
            if isNew { try replaying.run(contents.unconfirmed.map(\.record)) }
        }
        try replaying.finish()
        let isWhole = isFound && contents.damagedLines == 0 && contents.unconfirmed.isEmpty && contents.isInOrder
        if let position = contents.position { try connection.set(.journal, to: position.text) }
        let recovery = report(contents, hadMarks: hadMarks, known, added: added, isFound: isFound)
        return (recovery, !isWhole || plan == .merge || added > 0)
    }

    private func plan(
        _ contents: JournalContents, _ known: JournalContents.Position?, _ hadMarks: Bool
    ) -> Plan {
        guard let known else { return hadMarks ? .merge : .replay(after: .min) }
        guard contents.isInOrder else { return .merge }
        let line = contents.entries.first { $0.record.sequence == known.sequence }
        let isSame = line.map { $0.sum == known.sum } ?? (contents.entries.isEmpty || contents.first == known.first)
        return isSame ? .replay(after: known.sequence) : .merge
    }

    /// What people are told; nil if everything was as it should be after an end of the process at any time.
    private func report(
        _ contents: JournalContents, hadMarks: Bool, _ known: JournalContents.Position?, added: Int, isFound: Bool
    ) -> Recovery? {
        var reasons: [String] = []
        let name = Journal.fileName
        if let setAside {
            reasons.append("\(setAside.reason); the jokes are fetched again")
        } else if isNew && !contents.entries.isEmpty {
            reasons.append("\(files.database) was missing or empty; the jokes are fetched again")
        } else if known != nil && hadMarks && !isFound && contents.entries.isEmpty {
            reasons.append("\(files.journal) was missing or empty, and was written again from the database")
        } else if added > 0 {
            reasons.append("\(files.journal) was another file; what the database lacked of it was added")
        } else if known != nil && hadMarks && !isFound && contents.damagedLines == 0 {
            reasons.append("\(files.journal) was incomplete, and was written again from the database")
        }
        if contents.damagedLines > 0 { reasons.append("\(contents.damagedLines) damaged lines in \(name)") }
        if reasons.isEmpty { return nil }
        return Recovery(
            at: now, reason: reasons.joined(separator: "; "), damagedFile: "",
            favoritesLost: isNew && setAside?.remains.favorites.isEmpty != false ? contents.damagedLines : 0)
    }

    // MARK: Writing the journal again

    /// Whether more than half of the journal is about what has changed since.
    private var isMostlyObsolete: Bool {
        get throws {
            guard journal.end > 64 * 1024 else { return false }
            let texts = ["setup", "punchline", "note", "categories", "url", "author", "id"]
                .map { "ifnull(length(CAST(\($0) AS BLOB)), 0)" }.joined(separator: " + ")
            let size = try connection.number("SELECT ifnull(sum(400 + \(texts)), 0) FROM favorites")
            return try journal.end > 2 * (size + 220 * connection.number("SELECT count(*) FROM hidden"))
        }
    }

    private func rewrite(after sequence: Int64) throws {
        try connection.rewrite(journal, after: sequence, at: now)
    }
}

extension Connection {
    /// Whether there are favorites or hidden marks.
    fileprivate var hasMarks: Bool {
        get throws { try has("SELECT 1 FROM favorites") || has("SELECT 1 FROM hidden") }
    }

    /// Compares the favorites with their indexes and fingerprints: a lost row or a changed letter is no damage to SQLite.
    ///
    /// - Throws: `SQLiteError` with code `corrupt` if one differs.
    fileprivate func checkFavorites() throws {
        if case .faulty(let words) = try check("favorites", comparesIndexes: true) {
            throw SQLiteError(.corrupt, message: "favorites: \(words)", subject: path)
        }
        let rows = try prepare("SELECT key, fingerprint, setup, punchline FROM favorites").map { row in
            let setup: String = try row.read(2)
            let punchline: String? = try row.read(3)
            let text = punchline.map { JokeText.twoPart(setup: setup, punchline: $0) } ?? .single(setup)
            return try (row.read(0, as: Int64.self), Fingerprint(of: text) == row.read(1))
        }
        guard let (key, _) = rows.first(where: { !$0.1 }) else { return }
        throw SQLiteError(.corrupt, message: "favorites: the text of row \(key) has changed", subject: path)
    }

    /// Writes the journal again from the database.
    ///
    /// - Parameters:
    ///   - journal: The journal.
    ///   - sequence: The largest number that was used.
    ///   - now: The time of the changes.
    /// - Throws: `SQLiteError`, `SystemError`; this can then be done again.
    func rewrite(_ journal: Journal, after sequence: Int64, at now: Timestamp) throws {
        // What the new file lacks of the old one must be on disk here.
        try completeCheckpoint()
        let favorites = try prepare("SELECT \(Favorite.columns) FROM favorites ORDER BY key")
            .map { row in JournalRecord.Change.favorite(try Favorite(row: row, from: 0)) }
        let hidden = try prepare("SELECT fingerprint, hidden_at FROM hidden")
            .map { row in
                JournalRecord.Change.hide(HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1)))
            }
        let changes = favorites + hidden
        // The last line has the last number, or the next change would be taken for an old one.
        let first = max(0, sequence - Int64(changes.count))
        var lines = JournalLines(after: nil, sequence: first)
        for change in changes { try lines.append(change, at: now) }
        try journal.replace(with: lines)
        try write { try set(.journal, to: lines.position?.text ?? "") }
    }
}
