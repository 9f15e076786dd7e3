import JokesCore
import SQLite

/// What must not be lost of what stands in a log where SQLite does not look, at a hole and behind it.
///
/// The law of what the database lacks of it: a star, its note and a hidden mark are synced before anything else is
/// written. So one that another transaction follows was acknowledged, and the log is damaged. One that nothing follows may
/// have been, too; but a loss of power leaves the same of one whose sync it cut off. It is taken into the database, which
/// is whole, and so is lost in neither case. Batches of jokes come again.
struct LogRemains {
    fileprivate struct Transaction {
        var stars: [Star] = []
        var marks: [Mark] = []
        let isFollowed: Bool
        let isWhole: Bool
    }

    fileprivate struct Star {
        /// As it was stored.
        let fingerprint: Fingerprint
        let kept: Salvage.Kept
        /// False where it may be as it was in an earlier run of the log; that it is starred is known even so.
        let isNewest: Bool
    }

    fileprivate struct Mark {
        let fingerprint: Fingerprint
        /// The time of a hidden mark, or the key of the favorite that an index leads to.
        let number: Int64
    }

    /// The oldest first.
    fileprivate private(set) var transactions: [Transaction] = []

    /// Nil where SQLite reaches all transactions that there are. O(n) in what it does not reach.
    init?(of image: DatabaseImage, at now: Timestamp) {
        if image.log.stranded.isEmpty { return nil }
        transactions = image.log.stranded.map { stranded in
            let rows = image.rows(of: stranded)
            let marks = rows.verified.filter(\.isMark).compactMap(Mark.init)
            var stars = rows.verified.filter(\.isFavorite).compactMap { Star($0, isNewest: true, at: now) }
            // Their pages may be of an earlier run. An index that is not says which of them are true.
            let named = Set(marks.map(\.fingerprint))
            stars += rows.others.filter(\.isFavorite).compactMap { Star($0, isNewest: false, at: now) }
                .filter { named.contains($0.fingerprint) && $0.kept.isSound }
            return Transaction(
                stars: stars, marks: marks, isFollowed: stranded.isFollowed, isWhole: stranded.isWhole)
        }
    }
}

extension LogRemains.Star {
    fileprivate init?(_ row: StoredRow, isNewest: Bool, at now: Timestamp) {
        guard let values = row.values(), let fingerprint = values[1].fingerprint,
            let kept = Salvage.Kept(values, key: row.key ?? 0, at: now)
        else { return nil }
        self.init(fingerprint: fingerprint, kept: kept, isNewest: isNewest)
    }
}

extension LogRemains.Mark {
    fileprivate init?(_ row: StoredRow) {
        guard let values = row.values(), let fingerprint = values[0].fingerprint, let number = values[1].integer else {
            return nil
        }
        self.init(fingerprint: fingerprint, number: number)
    }
}

extension Connection {
    /// Whether something that was acknowledged stands in the remains alone. Reads, and in a database of any version.
    func lacksAcknowledged(of remains: LogRemains) throws -> Bool {
        let tables = try Set(prepare("SELECT name FROM sqlite_schema").map { row in try row.read(0, as: String.self) })
        // What is not there is told by those who look for it.
        guard tables.isSuperset(of: ["favorites", "hidden", "sqlite_sequence"]) else { return false }
        let hasNotes = try has("SELECT 1 FROM pragma_table_info('favorites') WHERE name = 'note'")
        // An index of groups had the shape of marks before, and its rows are written without a sync.
        let knowsMarks = try schemaVersion >= 3
        let largestKey = try largestFavoriteKey
        for transaction in remains.transactions where transaction.isFollowed {
            for star in transaction.stars {
                if try !isStarred(star.fingerprint) { return true }
                guard hasNotes, star.isNewest, let note = star.kept.note else { continue }
                if try self.note(of: star.fingerprint) != note { return true }
            }
            for mark in transaction.marks where knowsMarks {
                let isStar = mark.number <= largestKey
                if try !(isStar ? isStarred(mark.fingerprint) : isHidden(mark.fingerprint)) { return true }
            }
        }
        return false
    }

    /// Stores what the database lacks of the remains, within a transaction.
    func take(_ remains: LogRemains, by rules: ShowingRules) throws {
        let largestKey = try largestFavoriteKey
        var isBehindLost = false
        for transaction in remains.transactions {
            defer { if !transaction.isWhole { isBehindLost = true } }
            let stars = try transaction.stars.filter { star in
                try !isStarred(star.fingerprint) && !isStarred(star.kept.joke.fingerprint)
            }
            let hidden = try transaction.marks.filter { mark in
                try mark.number > largestKey && !isHidden(mark.fingerprint)
            }
            let texts = Set(stars.map(\.fingerprint))
            // An import is taken whole or not at all. But behind a transaction of which something is lost, a page has that
            // one's star too, which was acknowledged: none is lost for the sake of an import that would be taken in part.
            guard transaction.isWhole || isBehindLost || texts.count + hidden.count <= 1 else { continue }
            for star in transaction.stars where star.isNewest && !texts.contains(star.fingerprint) {
                guard let note = star.kept.note else { continue }
                try prepare("UPDATE favorites SET note = ?1 WHERE fingerprint = ?2 AND note IS NOT ?1")
                    .run(note, star.fingerprint)
            }
            for star in stars.sorted(by: { $0.kept.key < $1.kept.key }) {
                let joke = star.kept.joke
                guard try !isStarred(joke.fingerprint) else { continue }
                try insert(star.kept, isAdmitted: rules.admits(joke.content, from: String(joke.id.source)))
                if let group = try group(of: joke.fingerprint) { try admitFavorite(in: group, by: rules) }
            }
            try hide(hidden, by: rules)
        }
    }

    private func hide(_ marks: [LogRemains.Mark], by rules: ShowingRules) throws {
        for mark in marks {
            try prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
                .run(mark.fingerprint, mark.number)
        }
        var showing = try Showing(self, rules)
        for mark in marks {
            if let group = try group(of: mark.fingerprint) { try showing.update(group) }
        }
        try showing.settle()
    }

    private func isStarred(_ fingerprint: Fingerprint) throws -> Bool {
        try prepare("SELECT 1 FROM favorites WHERE fingerprint = ?").first(fingerprint) { _ in true } ?? false
    }

    private func isHidden(_ fingerprint: Fingerprint) throws -> Bool {
        try prepare("SELECT 1 FROM hidden WHERE fingerprint = ?").first(fingerprint) { _ in true } ?? false
    }

    private func note(of fingerprint: Fingerprint) throws -> String? {
        try prepare("SELECT note FROM favorites WHERE fingerprint = ?")
            .first(fingerprint) { row in try row.read(0, as: String?.self) } ?? nil
    }

    /// No favorite has a larger key, not even one that the log alone has: there is no room for so many in it. As a time
    /// it is within seconds of 1970.
    private var largestFavoriteKey: Int64 {
        get throws {
            Int64(try number("SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'favorites'")) + 1_000_000
        }
    }
}
