import JokesCore
import SQLite

/// Lets go of jokes, a few within one transaction.
///
/// What is told of a joke's text stays with its group, so that it is not told again as if nobody had heard it, and so
/// that the next sweep does not bring it back into a cache that is full.
struct Eviction {
    private let connection: Connection
    private var showing: Showing
    /// How many went, by the keys of their sources.
    private var removed: [Int64: Int] = [:]

    /// Of so many of the oldest, and of no more than a quarter, those told least often go first: what has just come
    /// is told least often of all.
    private static let window = (most: 1_000, part: 4)

    /// A joke that may go.
    private struct Candidate {
        let key: Int64
        let group: Int64
        let source: Int64
        let text: JokeText
        let labels: JokeLabels

        static let columns = "j.key, j.joke_group, j.source, j.setup, j.punchline, j.language, j.categories"
        /// Of a joke `j` in its group `g`.
        static let condition = """
            NOT EXISTS (SELECT 1 FROM favorites f WHERE f.fingerprint = g.fingerprint)
            AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint)
            """

        init(row: borrowing Row) throws {
            key = try row.read(0)
            group = try row.read(1)
            source = try row.read(2)
            text = JokeText(setup: try row.read(3), punchline: try row.read(4))
            labels = try JokeLabels(row: row, from: 5)
        }
    }

    init(_ connection: Connection) throws {
        self.connection = connection
        showing = try Showing(connection)
    }

    /// How many it let go of.
    var count: Int {
        removed.values.reduce(0, +)
    }

    /// Lets go of jokes that are more than the limit: of the oldest, those told least often; at most `most`.
    ///
    /// O(window), and a little for each marked joke that is older.
    mutating func makeRoom(for limit: Int, atMost most: Int, at now: Timestamp) throws {
        let (stored, marks) = try (connection.storedJokes(), connection.marks())
        let unmarked = stored - marks
        let wanted = min(unmarked - limit, most)
        guard wanted > 0 else { return }
        let window = max(wanted, min(Self.window.most, unmarked / Self.window.part))
        let found = try connection.prepare(
            """
            WITH oldest AS MATERIALIZED (
                SELECT \(Candidate.columns), g.told FROM jokes j CROSS JOIN groups g ON g.key = j.joke_group
                WHERE \(Candidate.condition)
                ORDER BY j.key LIMIT ?1)
            SELECT * FROM oldest ORDER BY told, key LIMIT ?2
            """
        ).map(window, wanted) { row in try Candidate(row: row) }
        try remove(found, at: now)
    }

    /// Lets go of those of some jokes that are older than the limit.
    ///
    /// Time counts in which jokes of the source came: not that in which it could not be asked, nor that in which it said
    /// that nothing has changed. Of a source that is walked through as a whole, only what was missing then grows old; of
    /// one that the configuration does not name, everything does; but what is old by a clock that may have been set forward
    /// for a moment stays until it is old the next time, too.
    ///
    /// - Returns: The key of the last joke looked at; nil where there was none.
    mutating func removeOld(
        _ limit: Duration, after key: Int64, looking most: Int, at now: Timestamp, agedBefore: Timestamp?
    ) throws -> Int64? {
        let last = try connection.prepare(
            "SELECT max(key) FROM (SELECT key FROM jokes WHERE key > ? ORDER BY key LIMIT ?)"
        ).first(key, most) { row in try row.read(0, as: Int64?.self) }
        guard let last else { return nil }
        let found = try connection.prepare(
            """
            SELECT \(Candidate.columns)
            FROM jokes j CROSS JOIN groups g ON g.key = j.joke_group CROSS JOIN sources s ON s.key = j.source
            WHERE j.key > ?1 AND j.key <= ?2
                AND CASE WHEN s.place = \(Schema.unconfiguredPlace) THEN j.last_seen < ?3 - ?4
                    ELSE (j.missing_since IS NOT NULL OR s.swept_at IS NULL)
                        AND max(j.last_seen, ifnull(s.answering_since, j.last_seen)) < s.told_at - ?4 END
                AND \(Candidate.condition)
            """
        ).map(key, last, min(now, agedBefore ?? Timestamp(microseconds: 0)), limit.wholeMicroseconds) { row in
            try Candidate(row: row)
        }
        try remove(found, at: now)
        return last
    }

    private mutating func remove(_ jokes: [Candidate], at now: Timestamp) throws {
        for joke in jokes {
            for name in joke.labels.categories {
                try connection.prepare("DELETE FROM joke_categories WHERE name = ? AND joke = ?").run(name, joke.key)
            }
            try connection.prepare("DELETE FROM jokes WHERE key = ?").run(joke.key)
            try showing.update(
                joke.group, after: Showing.Edit(joke: joke.key, text: joke.text, labels: joke.labels))
            try connection.prepare(
                """
                UPDATE groups SET emptied_at = ?2
                WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM jokes WHERE joke_group = ?1)
                """
            ).run(joke.group, now)
            removed[joke.source, default: 0] += 1
        }
    }

    /// Forgets what is known of texts that were let go of first, where they are more than the limit; at most `most`.
    ///
    /// - Returns: How many it forgot.
    func forget(beyond limit: Int, atMost most: Int) throws -> Int {
        let known: Int? = try connection.prepare("SELECT count(*) FROM groups WHERE emptied_at IS NOT NULL")
            .first { row in try row.read(0) }
        let excess = min((known ?? 0) - limit, most)
        guard excess > 0 else { return 0 }
        try connection.prepare(
            """
            DELETE FROM groups WHERE key IN (
                SELECT key FROM groups WHERE emptied_at IS NOT NULL ORDER BY emptied_at LIMIT ?)
            """
        ).run(excess)
        return excess
    }

    /// Stores the sources' counts and the words; the last call.
    mutating func settle() throws {
        try showing.settle()
        for (source, count) in removed {
            try connection.prepare("UPDATE sources SET jokes = jokes - ? WHERE key = ?").run(count, source)
        }
    }
}

extension Connection {
    /// How many jokes are stored, of all sources. O(sources).
    func storedJokes() throws -> Int {
        try number("SELECT ifnull(sum(jokes), 0) FROM sources")
    }

    /// How many jokes are starred or hidden. O(marks), by an index.
    func marks() throws -> Int {
        try number("SELECT (SELECT count(*) FROM favorites) + (SELECT count(*) FROM hidden)")
    }
}
