import JokesCore
import JokesExchange
import SQLite

/// Applies changes of the journal to the database, within a transaction.
///
/// `finish` must be the last call.
struct JournalApplier {
    private let connection: Connection
    private let rules: DisplayRules
    /// The fingerprints of texts whose hidden mark was added or removed.
    private var changedMarks: Set<Fingerprint> = []

    init(_ connection: Connection, _ rules: DisplayRules) {
        (self.connection, self.rules) = (connection, rules)
    }

    mutating func run(_ records: [JournalRecord]) throws {
        for record in records { try apply(record.change) }
    }

    /// Adds what the database lacks.
    ///
    /// - Returns: The number of favorites, notes and hidden marks that are new.
    mutating func add(_ marks: Marks) throws -> Int {
        var count = 0
        for favorite in marks.favorites {
            if var known = try connection.favorite(Fingerprint(of: favorite.content.text)) {
                guard known.note == nil, favorite.note != nil else { continue }
                known.note = favorite.note
                try apply(.note(known))
            } else {
                try apply(.favorite(favorite))
            }
            count += 1
        }
        for mark in marks.hidden {
            try apply(.hide(mark))
            count += connection.changes
        }
        return count
    }

    private mutating func apply(_ change: JournalRecord.Change) throws {
        switch change {
        case .favorite(let favorite):
            try apply(.unfavorite(Fingerprint(of: favorite.content.text)))
            _ = try connection.insert(favorite, by: rules)
        case .note(let favorite):
            let fingerprint = Fingerprint(of: favorite.content.text)
            try connection.prepare("UPDATE favorites SET note = ? WHERE fingerprint = ?")
                .run(favorite.note, fingerprint)
            if connection.changes == 0 { _ = try connection.insert(favorite, by: rules) }
        case .unfavorite(let fingerprint):
            try connection.prepare("DELETE FROM favorites WHERE fingerprint = ?").run(fingerprint)
        case .hide(let mark):
            changedMarks.insert(mark.fingerprint)
            try connection.prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
                .run(mark.fingerprint, mark.hiddenAt)
        case .unhide(let fingerprint):
            changedMarks.insert(fingerprint)
            try connection.prepare("DELETE FROM hidden WHERE fingerprint = ?").run(fingerprint)
        }
    }

    mutating func finish() throws {
        guard !changedMarks.isEmpty else { return }
        var shown = try ShownJokes(connection, rules)
        for fingerprint in changedMarks {
            if let group = try connection.group(of: fingerprint) { try shown.update(group) }
            try shown.flushIfLarge()
        }
        try shown.flush()
    }
}

extension Connection {
    /// Inserts a favorite as the newest row. No favorite may have its fingerprint yet.
    ///
    /// - Returns: The stored favorite, whose ID may differ, and whether it passes the filters.
    func insert(_ favorite: Favorite, by rules: DisplayRules) throws -> (favorite: Favorite, isAdmitted: Bool) {
        let content = favorite.content
        let fingerprint = Fingerprint(of: content.text)
        let source = String(favorite.id.source)
        // The ID may belong to another joke in this database.
        let isTaken = try isTaken(favorite.id, byOtherThan: fingerprint)
        let stored = Favorite(
            id: isTaken ? try idFromText(source, fingerprint) : favorite.id, content: content,
            favoritedAt: favorite.favoritedAt, firstSeen: favorite.firstSeen, note: favorite.note)
        let isAdmitted = rules.admits(content, from: source)
        try prepare(
            """
            INSERT INTO favorites (
                fingerprint, id, favorited_at, first_seen, note, admitted, \(Schema.contentColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            fingerprint, stored.id, stored.favoritedAt, stored.firstSeen, stored.note, isAdmitted, content.text.setup,
            content.text.punchline, content.language, CategoryList(content.categories), content.flags, content.safety,
            content.url, content.author, content.upstreamDate)
        if let group = try group(of: fingerprint) { try updateAdmission(ofFavoriteIn: group, by: rules) }
        return (stored, isAdmitted)
    }
}
