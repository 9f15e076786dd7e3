package import JokesCore
import JokesExchange
import SQLite

extension JokeStore {
    /// Stars a joke, and with it all tellings of it; on disk when this returns.
    ///
    /// The favorite keeps a copy of what the joke says now. Starring it again, or another telling of it, changes
    /// nothing but the note and returns the favorite there is; but one that the filters leave out is made anew of this
    /// joke.
    ///
    /// - Parameters:
    ///   - id: The full id.
    ///   - note: What `Favorite.note(_:)` made of the person's words. Nil leaves the note that there is, empty removes
    ///     it.
    ///   - now: The time of the star.
    /// - Returns: The favorite as it is kept.
    /// - Throws: `StoreError`, with `.noSuchJoke` where neither a joke nor a favorite that passes the filters has the
    ///   id.
    package func favorite(_ id: JokeID, note: String? = nil, at now: Timestamp) throws(StoreError) -> Favorite {
        let attempt = "add favorite \(id)"
        return try attempting(attempt, on: path) {
            try writeMarks { changes in
                guard let fingerprint = try connection.admittedFingerprint(of: id) else {
                    throw StoreError.noSuchJoke(id, attempt: attempt)
                }
                // What the filters leave out cannot be handed out; the joke that is starred takes its place, and its note.
                let kept = try connection.prepare("SELECT note FROM favorites WHERE fingerprint = ? AND admitted = 0")
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
                if let note = note ?? kept {
                    try connection.prepare("UPDATE favorites SET note = ?1 WHERE fingerprint = ?2 AND note IS NOT ?1")
                        .run(note.isEmpty ? nil : note, fingerprint)
                    hasNewNote = connection.changes > 0
                }
                guard let favorite = try connection.favorite(fingerprint) else {
                    throw StoreError(.unexpected, attempt: attempt, reason: "the favorite is gone again")
                }
                if isNew || hasNewNote { try changes.append(isNew ? .favorite(favorite) : .note(favorite)) }
                return favorite
            }
        }
    }

    /// Takes the star from a joke and from all tellings of it; on disk when this returns.
    ///
    /// Also from one that the filters leave out, so that somebody who knows its id can be rid of it.
    ///
    /// - Returns: The favorite that was removed; nil where the joke had no star.
    /// - Throws: `StoreError`, with `.noSuchJoke` where neither a joke nor a favorite has the id.
    @discardableResult
    package func unfavorite(_ id: JokeID) throws(StoreError) -> Favorite? {
        let attempt = "remove favorite \(id)"
        return try attempting(attempt, on: path) {
            try writeMarks { changes in
                guard let fingerprint = try connection.fingerprint(of: id) else {
                    throw StoreError.noSuchJoke(id, attempt: attempt)
                }
                let favorite = try connection.favorite(fingerprint)
                try connection.prepare("DELETE FROM favorites WHERE fingerprint = ?").run(fingerprint)
                if favorite != nil { try changes.append(.unfavorite(fingerprint)) }
                return favorite
            }
        }
    }

    /// Shows a joke and all tellings of it no longer, or shows them again; on disk when this returns.
    ///
    /// - Returns: Whether that was another state than before.
    /// - Throws: `StoreError`, with `.noSuchJoke` where neither a joke nor a favorite has the id.
    @discardableResult
    package func setHidden(_ isHidden: Bool, _ id: JokeID, at now: Timestamp) throws(StoreError) -> Bool {
        let attempt = "\(isHidden ? "hide" : "show") \(id)"
        return try attempting(attempt, on: path) {
            try writeMarks { changes in
                guard let fingerprint = try connection.fingerprint(of: id) else {
                    throw StoreError.noSuchJoke(id, attempt: attempt)
                }
                if isHidden {
                    try connection.prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
                        .run(fingerprint, now)
                } else {
                    try connection.prepare("DELETE FROM hidden WHERE fingerprint = ?").run(fingerprint)
                }
                let hasChanged = connection.changes > 0
                let mark = HiddenMark(fingerprint: fingerprint, hiddenAt: now)
                if hasChanged { try changes.append(isHidden ? .hide(mark) : .unhide(fingerprint)) }
                var shown = try ShownJokes(connection, rules)
                if let group = try connection.group(of: fingerprint) { try shown.update(group) }
                try shown.flush()
                return hasChanged
            }
        }
    }

    /// Makes changes that cannot be fetched again, in one transaction. The journal has them, on disk, before the database.
    ///
    /// - Parameters:
    ///   - isBatch: Whether the changes are replayed together or not at all.
    ///   - checksReferences: As `Connection.write` has it.
    ///   - body: Makes the changes in the database, and appends them to the writer. Without any, nothing is written.
    /// - Returns: What the body returns.
    /// - Throws: The body's error, `SQLiteError` or `SystemError`; nothing is changed then.
    func writeMarks<Result>(
        isBatch: Bool = false, checksReferences: Bool = true,
        _ body: (JournalWriter) throws -> Result
    ) throws -> Result {
        guard let journal else { preconditionFailure("the database is open for writing, and the journal is not") }
        let mark = journal.mark
        do {
            return try connection.write(checksReferences: checksReferences) {
                let changes = JournalWriter(journal, isBatch: isBatch, at: opening.clock())
                let result = try body(changes)
                // On disk before the database has them.
                if try changes.finish() { try connection.set(.journal, to: journal.position?.text ?? "") }
                return result
            }
        } catch {
            journal.takeBack(to: mark)
            throw error
        }
    }
}

extension Connection {
    /// The fingerprint of the joke, or else the favorite, that has the id.
    func fingerprint(of id: JokeID) throws -> Fingerprint? {
        try prepare(
            """
            SELECT g.fingerprint FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.id = ?1
            UNION ALL
            SELECT fingerprint FROM favorites WHERE id = ?1
            """
        ).first(id) { row in try row.read(0, as: Fingerprint.self) }
    }

    /// The fingerprint of the joke, or else the favorite, that has the id and passes the filters.
    fileprivate func admittedFingerprint(of id: JokeID) throws -> Fingerprint? {
        try prepare(
            """
            SELECT g.fingerprint FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.id = ?1 AND j.admitted = 1
            UNION ALL
            SELECT fingerprint FROM favorites WHERE id = ?1 AND admitted = 1
            """
        ).first(id) { row in try row.read(0, as: Fingerprint.self) }
    }

    /// The group of all tellings with the fingerprint.
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

    /// `columns` of a favorite `f`.
    static let qualifiedColumns = columns.split(separator: ", ").map { "f.\($0)" }.joined(separator: ", ")

    /// Holds for a row of favorites that cannot be read as one, or would not be found, though its types are right.
    static let isUnreadable = """
        safety NOT IN (\(Safety.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))) \
        OR flags NOT BETWEEN 0 AND \(UInt8.max) OR admitted NOT IN (0, 1) OR length(fingerprint) <> 32
        """

    /// Reads `columns`, the first of which is the row's column `first`.
    init(row: borrowing Row, from first: Int) throws {
        self.init(
            id: try row.read(first), content: try JokeContent(row: row, from: first + 4),
            favoritedAt: try row.read(first + 1), firstSeen: try row.read(first + 2), note: try row.read(first + 3))
    }
}
