package import JokesCore
import JokesExchange
import SQLite

extension JokeStore {
    /// Makes jokes favorites, with all their duplicates: all of them or none. On disk when this returns.
    ///
    /// A favorite is a copy of the current joke. If the joke or a duplicate is a favorite already, only the note changes.
    /// A favorite that the filters exclude is replaced with the joke, and keeps its note.
    ///
    /// `Favorite.note(_:)` must have cleaned the note; nil keeps the existing notes, empty removes them.
    ///
    /// - Returns: The favorites as they are stored, in the order of the IDs.
    /// - Throws: `StoreError`, with code `noSuchJoke` for an ID of no joke and no favorite that passes the filters.
    package func favorite(_ ids: [JokeID], note: String? = nil, at now: Timestamp) throws(StoreError) -> [Favorite] {
        try changeMarks("add favorite", ids, isAdmitted: true) { fingerprints, changes in
            try zip(ids, fingerprints).map { id, fingerprint in
                try favorite(id, fingerprint, note: note, at: now, changes)
            }
        }
    }

    private func favorite(
        _ id: JokeID, _ fingerprint: Fingerprint, note: String?, at now: Timestamp, _ changes: JournalWriter
    ) throws -> Favorite {
        let oldNote = try connection.prepare("SELECT note FROM favorites WHERE fingerprint = ? AND admitted = 0")
            .first(fingerprint) { row in try row.read(0, as: String?.self) }
        try connection.prepare("DELETE FROM favorites WHERE fingerprint = ? AND admitted = 0").run(fingerprint)
        try connection.prepare(
            """
            INSERT INTO favorites (fingerprint, id, favorited_at, first_seen, \(Schema.contentColumns))
            SELECT ?1, id, ?3, first_seen, \(Schema.contentColumns) FROM jokes
            WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM favorites WHERE fingerprint = ?1)
            """
        ).run(fingerprint, id, now)
        let isNew = connection.changes > 0
        var hasNewNote = false
        if let note = note ?? oldNote {
            try connection.prepare("UPDATE favorites SET note = ?1 WHERE fingerprint = ?2 AND note IS NOT ?1")
                .run(note.isEmpty ? nil : note, fingerprint)
            hasNewNote = connection.changes > 0
        }
        guard let favorite = try connection.favorite(fingerprint) else {
            throw StoreError(.unexpected, attempt: "add favorite \(id)", reason: "its joke has another text")
        }
        if isNew || hasNewNote { try changes.append(isNew ? .favorite(favorite) : .note(favorite)) }
        return favorite
    }

    /// Removes jokes and all their duplicates from the favorites: all of them or none. On disk when this returns.
    ///
    /// It also works for jokes that the filters exclude.
    ///
    /// - Returns: The favorites that were removed, in the order of the IDs; nil for a joke that was not a favorite.
    /// - Throws: `StoreError`, with code `noSuchJoke` for an ID of no joke and no favorite.
    @discardableResult
    package func unfavorite(_ ids: [JokeID]) throws(StoreError) -> [Favorite?] {
        try changeMarks("remove favorite", ids) { fingerprints, changes in
            try fingerprints.map { fingerprint in
                guard let favorite = try connection.favorite(fingerprint) else { return nil }
                try connection.prepare("DELETE FROM favorites WHERE fingerprint = ?").run(fingerprint)
                try changes.append(.unfavorite(fingerprint))
                return favorite
            }
        }
    }

    /// Hides jokes and all their duplicates, or shows them again: all of them or none. On disk when this returns.
    ///
    /// - Returns: Whether each was changed, in the order of the IDs.
    /// - Throws: `StoreError`, with code `noSuchJoke` for an ID of no joke and no favorite.
    @discardableResult
    package func setHidden(_ isHidden: Bool, _ ids: [JokeID], at now: Timestamp) throws(StoreError) -> [Bool] {
        try changeMarks(isHidden ? "hide" : "show", ids) { fingerprints, changes in
            var shown = try ShownJokes(connection, rules)
            let changed = try fingerprints.map { fingerprint in
                if isHidden {
                    try connection.prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
                        .run(fingerprint, now)
                } else {
                    try connection.prepare("DELETE FROM hidden WHERE fingerprint = ?").run(fingerprint)
                }
                guard connection.changes > 0 else { return false }
                let mark = HiddenMark(fingerprint: fingerprint, hiddenAt: now)
                try changes.append(isHidden ? .hide(mark) : .unhide(fingerprint))
                if let group = try connection.group(of: fingerprint) { try shown.update(group) }
                return true
            }
            try shown.flush()
            return changed
        }
    }

    /// Changes the marks of several jokes in one transaction. All fingerprints are looked up before the first change.
    private func changeMarks<Result>(
        _ verb: String, _ ids: [JokeID], isAdmitted: Bool = false,
        _ change: ([Fingerprint], JournalWriter) throws -> Result
    ) throws(StoreError) -> Result {
        let attempt = "\(verb) \(ids.count == 1 ? ids[0].rawValue : "\(ids.count) jokes")"
        return try attempting(attempt, on: path) {
            try writeMarks(isBatch: ids.count > 1) { changes in
                let fingerprints = try ids.map { id in
                    let fingerprint = try connection.fingerprint(of: id, isAdmitted: isAdmitted)
                    guard let fingerprint else { throw StoreError.noSuchJoke(id, attempt: attempt) }
                    return fingerprint
                }
                return try change(fingerprints, changes)
            }
        }
    }

    /// Writes changes of favorites, notes and hidden marks, which no source can return, in one transaction. The journal
    /// has them, on disk, before the database.
    ///
    /// The body makes the changes in the database, and appends them to the writer. If `isBatch`, they are replayed
    /// together or not at all.
    ///
    /// - Throws: The body's error, `SQLiteError` or `SystemError`; nothing is changed then.
    func writeMarks<Result>(
        isBatch: Bool = false, checksReferences: Bool = true, _ body: (JournalWriter) throws -> Result
    ) throws -> Result {
        guard let journal else { preconditionFailure("the database is open for writing, and the journal is not") }
        let savepoint = journal.savepoint
        do {
            return try connection.write(checksReferences: checksReferences) {
                let changes = JournalWriter(journal, isBatch: isBatch, at: opening.clock())
                let result = try body(changes)
                // On disk before the database has them.
                if try changes.finish() { try connection.set(.journal, to: journal.position?.text ?? "") }
                return result
            }
        } catch {
            journal.rollBack(to: savepoint)
            throw error
        }
    }
}

extension Connection {
    /// Returns the fingerprint of the joke with an ID, or else of the favorite; if `isAdmitted`, only if it passes the
    /// filters.
    func fingerprint(of id: JokeID, isAdmitted: Bool = false) throws -> Fingerprint? {
        try prepare(
            """
            SELECT g.fingerprint FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.id = ?1 AND j.admitted >= ?2
            UNION ALL
            SELECT fingerprint FROM favorites WHERE id = ?1 AND admitted >= ?2
            """
        ).first(id, isAdmitted) { row in try row.read(0, as: Fingerprint.self) }
    }

    /// Returns the group of all jokes with a fingerprint.
    func group(of fingerprint: Fingerprint) throws -> Int64? {
        try prepare(Self.groupQuery).first(fingerprint) { row in try row.read(0) }
    }

    func favorite(_ fingerprint: Fingerprint) throws -> Favorite? {
        try prepare("SELECT \(Favorite.columns) FROM favorites WHERE fingerprint = ?")
            .first(fingerprint) { row in try Favorite(row: row, from: 0) }
    }
}

extension Favorite {
    static let columns = "id, favorited_at, first_seen, note, \(Schema.contentColumns)"

    /// An SQL condition for a favorite that the program cannot read or find, although its types are right.
    static let isUnreadable = """
        safety NOT IN (\(Safety.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))) \
        OR flags NOT BETWEEN 0 AND \(UInt8.max) OR admitted NOT IN (0, 1) OR length(fingerprint) <> 32
        """

    /// Reads `columns`, which begin at a column of the row.
    init(row: borrowing Row, from first: Int) throws {
        self.init(
            id: try row.read(first), content: try JokeContent(row: row, from: first + 4),
            favoritedAt: try row.read(first + 1), firstSeen: try row.read(first + 2), note: try row.read(first + 3))
    }
}

extension Connection {
    /// Returns whether the ID is that of a cached joke or a favorite with another text.
    func isTaken(_ id: JokeID, byOtherThan fingerprint: Fingerprint) throws -> Bool {
        try prepare(
            """
            SELECT 1 FROM favorites WHERE id = ?1 AND fingerprint <> ?2
            UNION ALL
            SELECT 1 FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.id = ?1 AND g.fingerprint <> ?2
            """
        ).first(id, fingerprint) { _ in true } ?? false
    }

    /// Returns an ID made from the fingerprint, for a favorite or a joke whose own ID belongs to another text: the
    /// shortest unused one, with 16 or more digits of the fingerprint.
    func idFromText(_ source: String, _ fingerprint: Fingerprint) throws -> JokeID {
        let shortest = JokeID(source: source, fingerprint: fingerprint)
        let rest = fingerprint.hex.dropFirst(16)
        let ids = (0...rest.count).lazy.map { JokeID(rawValue: shortest.rawValue + rest.prefix($0)) }
        return try ids.first { try !isTaken($0, byOtherThan: fingerprint) } ?? ids.last!
    }
}
