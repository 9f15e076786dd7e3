import JokesCore
import SQLite

/// An import on its way in, within one transaction.
struct Importing {
    private let connection: Connection
    private let rules: ShowingRules
    private let limits: CacheLimits
    private let now: Timestamp
    private(set) var randomness: any RandomNumberGenerator & Sendable
    /// The key of the last favorite that was here before.
    private let lastKey: Int64
    private var report = ImportReport()

    init(
        _ connection: Connection, rules: ShowingRules, limits: CacheLimits, at now: Timestamp,
        randomness: any RandomNumberGenerator & Sendable
    ) throws {
        self.connection = connection
        self.rules = rules
        self.limits = limits
        self.now = now
        self.randomness = randomness
        lastKey =
            try connection.prepare("SELECT ifnull(max(key), 0) FROM favorites")
            .first { row in try row.read(0) } ?? 0
    }

    mutating func run(_ brought: BroughtKeepsakes) throws -> ImportReport {
        try takeFavorites(brought)
        // Before the jokes: those that are hidden are never shown then.
        try takeHidden(brought)
        try takeJokes(brought)
        return report
    }

    // MARK: Favorites

    private mutating func takeFavorites(_ brought: BroughtKeepsakes) throws {
        let newest: Timestamp? = try connection.prepare("SELECT max(favorited_at) FROM favorites")
            .first { row in try row.read(0) }
        var isOutOfOrder = false
        try brought.forEachFavorite { favorite in
            if try takeFavorite(favorite), let newest, favorite.favoritedAt < newest {
                isOutOfOrder = true
            }
        }
        guard isOutOfOrder && lastKey > 0 else { return }
        try connection.interleaveFavorites(after: lastKey)
        try connection.set(.favoritesOrder, to: "\(Int64.random(in: 1 ... .max, using: &randomness))")
    }

    /// - Returns: Whether it was none before.
    private mutating func takeFavorite(_ favorite: Favorite) throws -> Bool {
        let source = String(favorite.id.source)
        let content = rules.completed(favorite.content, from: source)
        let fingerprint = Fingerprint(of: content.text)
        let notes = try connection.prepare("SELECT note FROM favorites WHERE fingerprint = ?")
            .map(fingerprint) { row in try row.read(0, as: String?.self) }
        if let known = notes.first {
            let gainsNote = favorite.note != nil && known == nil
            if gainsNote {
                try connection.prepare("UPDATE favorites SET note = ? WHERE fingerprint = ?")
                    .run(favorite.note, fingerprint)
            }
            report.changedFavorites += gainsNote ? 1 : 0
            report.knownFavorites += gainsNote ? 0 : 1
            return false
        }
        let isAdmitted = rules.admits(content, from: source)
        try connection.prepare(
            """
            INSERT INTO favorites (
                fingerprint, id, favorited_at, first_seen, note, admitted, \(Schema.contentColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            fingerprint, try freeID(favorite.id, fingerprint), favorite.favoritedAt, favorite.firstSeen, favorite.note,
            isAdmitted, content.text.setup, content.text.punchline, content.language, CategoryList(content.categories),
            content.flags, content.safety, content.url, content.author, content.upstreamDate)
        if let group = try connection.group(of: fingerprint) { try connection.admitFavorite(in: group, by: rules) }
        report.newFavorites += 1
        report.leftOut += isAdmitted ? 0 : 1
        return true
    }

    /// The id, where it means no other joke here; else one that follows from the text.
    private func freeID(_ id: JokeID, _ fingerprint: Fingerprint) throws -> JokeID {
        let isTaken = try connection.means(id, otherThan: fingerprint)
        return isTaken ? try connection.idOfText(String(id.source), fingerprint) : id
    }

    // MARK: Hidden marks

    private mutating func takeHidden(_ brought: BroughtKeepsakes) throws {
        var showing = try Showing(connection, rules)
        try brought.forEachHidden { mark in
            try connection.prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
                .run(mark.fingerprint, mark.hiddenAt)
            let isNew = connection.changes > 0
            report.newHidden += isNew ? 1 : 0
            report.knownHidden += isNew ? 0 : 1
            if isNew, let group = try connection.group(of: mark.fingerprint) { try showing.update(group) }
            try showing.settleMany()
        }
        try showing.settle()
    }

    // MARK: Jokes

    private mutating func takeJokes(_ brought: BroughtKeepsakes) throws {
        // Of one source as long as its jokes follow one another: the list keeps its order.
        var current: (source: String, ingest: Ingest)?
        try brought.forEachJoke { joke in
            let source = String(joke.id.source)
            if current?.source != source {
                try finish(&current)
                current = (source, try ingest(source))
            }
            let isAdmitted = try current?.ingest.adopt(joke)
            report.newJokes += isAdmitted == nil ? 0 : 1
            report.knownJokes += isAdmitted == nil ? 1 : 0
            report.leftOut += isAdmitted == false ? 1 : 0
        }
        try finish(&current)
    }

    private func ingest(_ source: String) throws -> Ingest {
        try Ingest(
            connection, rules: rules, limits: limits, source: source, at: now, part: .outside, randomness: randomness)
    }

    private mutating func finish(_ current: inout (source: String, ingest: Ingest)?) throws {
        _ = try current?.ingest.finish()
        if let used = current?.ingest.randomness { randomness = used }
        current = nil
    }
}

extension Connection {
    /// Puts the favorites whose keys are above among those before them, by their times. Neither those that were there
    /// nor those that came change their order among themselves, whatever a clock did.
    fileprivate func interleaveFavorites(after key: Int64) throws {
        // Keys above all that there are: a row is moved where none is yet.
        try prepare(
            """
            UPDATE favorites SET key = placed.new FROM (
                SELECT key AS old,
                    (SELECT max(key) FROM favorites) + row_number() OVER (ORDER BY time, is_new, key) AS new
                FROM (
                    SELECT key, key > ?1 AS is_new,
                        max(favorited_at) OVER (PARTITION BY key > ?1 ORDER BY key) AS time
                    FROM favorites)
            ) AS placed WHERE favorites.key = placed.old
            """
        ).run(key)
    }
}
