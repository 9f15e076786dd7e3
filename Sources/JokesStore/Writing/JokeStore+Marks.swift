package import JokesCore
import JokesExchange
import SQLite

extension JokeStore {
    /// Makes jokes favorites, with all their duplicates: all of them or none. On disk when this returns.
    ///
    /// A favorite is a copy of what the joke says now. If the joke or a duplicate is a favorite already, only the note
    /// changes. A favorite that the filters exclude is replaced with the joke, and keeps its note.
    ///
    /// - Parameters:
    ///   - ids: The full IDs.
    ///   - note: A note that `Favorite.note(_:)` has cleaned; nil keeps the existing notes, empty removes them.
    ///   - now: The time of the change.
    /// - Returns: The favorites as they are stored, in the order of the IDs.
    /// - Throws: `StoreError`, with code `noSuchJoke` for an ID of no joke and no favorite that passes the filters.
    package func favorite(_ ids: [JokeID], note: String? = nil, at now: Timestamp) throws(StoreError) -> [Favorite] {
        try changeMarks("add favorite", ids, fingerprint: { try connection.admittedFingerprint(of: $0) }) {
            texts, changes in
            try zip(ids, texts).map { id, text in try favorite(id, text, note: note, at: now, changes) }
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
    /// - Returns: The favorites that were removed, in the order of the IDs; nil for a joke that was none.
    /// - Throws: `StoreError`, with code `noSuchJoke` for an ID of no joke and no favorite.
    @discardableResult
    package func unfavorite(_ ids: [JokeID]) throws(StoreError) -> [Favorite?] {
        try changeMarks("remove favorite", ids, fingerprint: { try connection.fingerprint(of: $0) }) { texts, changes in
            try texts.map { text in
                guard let favorite = try connection.favorite(text) else { return nil }
                try connection.prepare("DELETE FROM favorites WHERE fingerprint = ?").run(text)
                try changes.append(.unfavorite(text))
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
        let verb = isHidden ? "hide" : "show"
        return try changeMarks(verb, ids, fingerprint: { try connection.fingerprint(of: $0) }) { texts, changes in
            var shown = try ShownJokes(connection, rules)
            let changed = try texts.map { text in
                if isHidden {
                    try connection.prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
                        .run(text, now)
                } else {
                    try connection.prepare("DELETE FROM hidden WHERE fingerprint = ?").run(text)
                }
                guard connection.changes > 0 else { return false }
                try changes.append(isHidden ? .hide(HiddenMark(fingerprint: text, hiddenAt: now)) : .unhide(text))
                if let group = try connection.group(of: text) { try shown.update(group) }
                return true
            }
            try shown.flush()
            return changed
        }
    }

    /// Changes the marks of several jokes in one transaction. All fingerprints are looked up before the first change.
    private func changeMarks<Result>(
        _ verb: String, _ ids: [JokeID], fingerprint: (JokeID) throws -> Fingerprint?,
        _ change: ([Fingerprint], JournalWriter) throws -> Result
    ) throws(StoreError) -> Result {
        let attempt = "\(verb) \(ids.count == 1 ? ids[0].rawValue : "\(ids.count) jokes")"
        return try attempting(attempt, on: path) {
            try writeMarks(isBatch: ids.count > 1) { changes in
                let texts = try ids.map { id in
                    guard let text = try fingerprint(id) else { throw StoreError.noSuchJoke(id, attempt: attempt) }
                    return text
                }
                return try change(texts, changes)
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
