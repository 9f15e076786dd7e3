import JokesCore
import JokesExchange
import SQLite

/// Applies changes of the journal to the database, within a transaction.
///
/// `finish` must be the last call.
struct JournalApplier {
    private let connection: Connection
    private let rules: DisplayRules
    /// The fingerprints of hidden marks that were added or removed.
    private var changedHiddenMarks: Set<Fingerprint> = []

    init(_ connection: Connection, _ rules: DisplayRules) {
        (self.connection, self.rules) = (connection, rules)
    }

    /// Applies the changes in order.
    mutating func run(_ records: [JournalRecord]) throws {
        for record in records { try apply(record.change) }
    }

    /// Adds the favorites, notes and hidden marks that the database lacks, and returns their number.
    mutating func addMissing(_ userData: UserData) throws -> Int {
        var count = 0
        for favorite in userData.favorites {
            if var known = try connection.favorite(Fingerprint(of: favorite.content.text)) {
                guard known.note == nil, favorite.note != nil else { continue }
                known.note = favorite.note
                try apply(.note(known))
            } else {
                try apply(.favorite(favorite))
            }
            count += 1
        }
        for mark in userData.hidden {
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
            changedHiddenMarks.insert(mark.fingerprint)
            _ = try connection.insert(mark)
        case .unhide(let fingerprint):
            changedHiddenMarks.insert(fingerprint)
            _ = try connection.removeHiddenMark(fingerprint)
        }
    }

    /// Updates the shown jokes of the groups whose hidden mark was added or removed.
    mutating func finish() throws {
        guard !changedHiddenMarks.isEmpty else { return }
        var shownJokes = try ShownJokes(connection, rules)
        for fingerprint in changedHiddenMarks {
            if let group = try connection.group(of: fingerprint) { try shownJokes.update(group) }
            try shownJokes.flushIfLarge()
        }
        try shownJokes.flush()
    }
}
