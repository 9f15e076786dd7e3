package import JokesCore
import JokesExchange
import SQLite

extension JokeStore {
    /// Adds jokes, each with its duplicates, to the favorites. If one joke fails, none is added. The change is on disk
    /// when this method returns.
    ///
    /// A favorite is a copy of the current joke. If the joke or a duplicate is a favorite already, only the note
    /// changes.
    ///
    /// `note` must be a result of `Favorite.note(_:)`. Nil keeps the existing notes, and an empty note removes them.
    ///
    /// - Returns: The favorites as they are stored, in the order of the IDs.
    /// - Throws: `StoreError`; with code `noSuchJoke` if an ID belongs to no joke or favorite that
    ///   passes the filters.
    package func favorite(_ ids: [JokeID], note: String? = nil, at now: Timestamp) throws(StoreError) -> [Favorite] {
        try changeUserData("add favorite", ids, onlyAdmitted: true) { fingerprints, journalWriter in
            try zip(ids, fingerprints).map { id, fingerprint in
                try favorite(id, fingerprint, note: note, at: now, journalWriter)
            }
        }
    }

    private func favorite(
        _ id: JokeID, _ fingerprint: Fingerprint, note: String?, at now: Timestamp, _ journalWriter: JournalWriter
    ) throws -> Favorite {
        let isNew = try connection.favorite(fingerprint) == nil
        if isNew {
            // If the SELECT also read from favorites, SQLite would copy its row to a temporary table first.
            try connection.prepare(
                """
                INSERT INTO favorites (fingerprint, id, favorited_at, first_seen, \(Schema.allContentColumns))
                SELECT ?1, id, ?3, first_seen, \(Schema.allContentColumns) FROM jokes WHERE id = ?2
                """
            ).run(fingerprint, id, now)
        }
        var hasNewNote = false
        if let note {
            try connection.prepare("UPDATE favorites SET note = ?1 WHERE fingerprint = ?2 AND note IS NOT ?1")
                .run(note.isEmpty ? nil : note, fingerprint)
            hasNewNote = connection.changes > 0
        }
        guard let favorite = try connection.favorite(fingerprint) else {
            throw StoreError(.unexpected, attempt: "add favorite \(id)", reason: "its joke has another text")
        }
        if isNew || hasNewNote { try journalWriter.append(isNew ? .favorite(favorite) : .note(favorite)) }
        return favorite
    }

    /// Removes jokes, each with its duplicates, from the favorites. If one joke fails, none is removed. The change is
    /// on disk when this method returns. Also works for jokes that the filters exclude.
    ///
    /// - Returns: The removed favorites in the order of the IDs; nil for a joke that was not a favorite.
    /// - Throws: `StoreError`; with code `noSuchJoke` if an ID belongs to no joke or favorite.
    @discardableResult
    package func unfavorite(_ ids: [JokeID]) throws(StoreError) -> [Favorite?] {
        try changeUserData("remove favorite", ids) { fingerprints, journalWriter in
            try fingerprints.map { fingerprint in
                guard let favorite = try connection.favorite(fingerprint) else { return nil }
                try connection.prepare("DELETE FROM favorites WHERE fingerprint = ?").run(fingerprint)
                try journalWriter.append(.unfavorite(fingerprint))
                return favorite
            }
        }
    }

    /// Hides jokes, each with its duplicates, or shows the jokes again. If one joke fails, none is changed. The change
    /// is on disk when this method returns.
    ///
    /// - Returns: True for each joke that was changed, in the order of the IDs.
    /// - Throws: `StoreError`; with code `noSuchJoke` if an ID belongs to no joke or favorite.
    @discardableResult
    package func setHidden(_ isHidden: Bool, _ ids: [JokeID], at now: Timestamp) throws(StoreError) -> [Bool] {
        try changeUserData(isHidden ? "hide" : "show", ids) { fingerprints, journalWriter in
            var groups = try TouchedGroups(connection, rules, at: now)
            let changed = try fingerprints.map { fingerprint in
                let mark = HiddenMark(fingerprint: fingerprint, hiddenAt: now)
                try groups.touch(fingerprint)
                let isChanged = try isHidden ? connection.insert(mark) : connection.removeHiddenMark(fingerprint)
                guard isChanged else { return false }
                try journalWriter.append(isHidden ? .hide(mark) : .unhide(fingerprint))
                return true
            }
            try groups.settle()
            return changed
        }
    }

    /// Changes the favorites or hidden marks of several jokes in one transaction. The body gets the fingerprints of the
    /// jokes. If `onlyAdmitted` is true, an ID of a joke that the filters exclude counts as unknown.
    private func changeUserData<Result>(
        _ verb: String, _ ids: [JokeID], onlyAdmitted: Bool = false,
        _ change: ([Fingerprint], JournalWriter) throws -> Result
    ) throws(StoreError) -> Result {
        let attempt = "\(verb) \(ids.count == 1 ? ids[0].rawValue : "\(ids.count) jokes")"
        return try withOpenDatabase(to: attempt) {
            try writeUserData(isBatch: ids.count > 1) { journalWriter in
                let fingerprints = try ids.map { id in
                    let fingerprint = try connection.fingerprint(of: id, onlyAdmitted: onlyAdmitted)
                    guard let fingerprint else { throw StoreError.noSuchJoke(id, attempt: attempt) }
                    return fingerprint
                }
                return try change(fingerprints, journalWriter)
            }
        }
    }

    /// Writes changes of favorites, notes and hidden marks in one transaction. The changes are in the journal, on disk,
    /// before the database is committed.
    ///
    /// The body must make the changes in the database, and append the same changes to the writer. If `isBatch` is true,
    /// a replay applies all changes or none.
    ///
    /// - Throws: The error of the body, `SQLiteError` or `SystemError`; nothing is changed then.
    func writeUserData<Result>(
        isBatch: Bool = false, isUndo: Bool = false, checksForeignKeys: Bool = true,
        _ body: (JournalWriter) throws -> Result
    ) throws -> Result {
        guard let journal else { preconditionFailure("the database is open for writing, and the journal is not") }
        let savepoint = journal.savepoint
        do {
            return try connection.write(checksForeignKeys: checksForeignKeys) {
                let journalWriter = JournalWriter(journal, isBatch: isBatch, isUndo: isUndo, at: opening.clock())
                let result = try body(journalWriter)
                // Syncs the journal before the database is committed.
                if try journalWriter.finish() { try connection.set(.journalPosition, to: journal.position?.text ?? "") }
                return result
            }
        } catch {
            journal.rollBack(to: savepoint)
            throw error
        }
    }
}

extension Connection {
    /// Returns the fingerprint of the joke with an ID, or of the favorite if no joke has the ID. If `onlyAdmitted`
    /// is true, ignores jokes and favorites that the filters exclude.
    func fingerprint(of id: JokeID, onlyAdmitted: Bool = false) throws -> Fingerprint? {
        try prepare(
            """
            SELECT g.fingerprint FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.id = ?1 AND j.admitted >= ?2
            UNION ALL
            SELECT fingerprint FROM favorites WHERE id = ?1 AND admitted >= ?2
            """
        ).first(id, onlyAdmitted) { row in try row.read(0, as: Fingerprint.self) }
    }

    /// Returns the key of the group with a fingerprint.
    func group(of fingerprint: Fingerprint) throws -> Int64? {
        try prepare(Self.groupQuery).first(fingerprint) { row in try row.read(0) }
    }

    /// Returns the favorite with a fingerprint.
    func favorite(_ fingerprint: Fingerprint) throws -> Favorite? {
        try prepare("SELECT \(Favorite.columns) FROM favorites WHERE fingerprint = ?")
            .first(fingerprint) { row in try Favorite(row: row, from: 0) }
    }

    /// Inserts a hidden mark. Returns false if the text already had one.
    func insert(_ mark: HiddenMark) throws -> Bool {
        try prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
            .run(mark.fingerprint, mark.hiddenAt)
        return changes > 0
    }

    /// Returns false if the text had no hidden mark.
    func removeHiddenMark(_ fingerprint: Fingerprint) throws -> Bool {
        try prepare("DELETE FROM hidden WHERE fingerprint = ?").run(fingerprint)
        return changes > 0
    }

    /// Inserts a favorite as the newest row. No favorite may have its fingerprint yet. The caller must touch its text.
    ///
    /// - Returns: The stored favorite, which has another ID if another joke has its ID.
    func insert(_ favorite: Favorite, by rules: DisplayRules) throws -> Favorite {
        var favorite = favorite
        let stated = favorite.content
        let source = String(favorite.id.source)
        favorite.content = rules.completed(stated, from: source)
        let fingerprint = Fingerprint(of: stated.text)
        if try isTaken(favorite.id, byOtherThan: fingerprint) { favorite.id = try idFromText(source, fingerprint) }
        try prepare(
            """
            INSERT INTO favorites (fingerprint, id, favorited_at, first_seen, note, \(Schema.allContentColumns))
            VALUES (?, ?, ?, ?, ?, \(Schema.contentParameters))
            """
        ).run(
            fingerprint, favorite.id, favorite.favoritedAt, favorite.firstSeen, favorite.note,
            then: favorite.content.columnValues(stated: stated))
        return favorite
    }
}

extension Favorite {
    /// The columns of a favorite, in the order of `init(row:from:)`.
    static let columns = "id, favorited_at, first_seen, note, \(Schema.contentColumns)"

    /// An SQL condition for a favorite with invalid values of the right types.
    static let unreadableCondition = """
        safety NOT IN (\(Safety.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))) \
        OR flags NOT BETWEEN 0 AND \(UInt8.max) OR admitted NOT IN (0, 1) OR length(fingerprint) <> 32
        """

    /// Reads `columns`, which begin at column `first` of the row.
    init(row: borrowing Row, from first: Int) throws {
        self.init(
            id: try row.read(first), content: try JokeContent(row: row, from: first + 4),
            favoritedAt: try row.read(first + 1), firstSeen: try row.read(first + 2), note: try row.read(first + 3))
    }
}

extension Connection {
    /// Returns true if a cached joke or a favorite with another text has the ID.
    func isTaken(_ id: JokeID, byOtherThan fingerprint: Fingerprint) throws -> Bool {
        try prepare(
            """
            SELECT 1 FROM favorites WHERE id = ?1 AND fingerprint <> ?2
            UNION ALL
            SELECT 1 FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.id = ?1 AND g.fingerprint <> ?2
            """
        ).first(id, fingerprint) { _ in true } ?? false
    }

    /// Returns an ID made from the fingerprint, for a favorite or a joke whose ID is taken by another text.
    ///
    /// The ID has 16 digits of the fingerprint, or more if a shorter ID is taken.
    func idFromText(_ source: String, _ fingerprint: Fingerprint) throws -> JokeID {
        let shortest = JokeID(source: source, fingerprint: fingerprint)
        let rest = fingerprint.hex.dropFirst(16)
        let ids = (0...rest.count).lazy.map { JokeID(rawValue: shortest.rawValue + rest.prefix($0)) }
        return try ids.first { try !isTaken($0, byOtherThan: fingerprint) } ?? ids.last!
    }
}
