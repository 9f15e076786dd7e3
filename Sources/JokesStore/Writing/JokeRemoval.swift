import JokesCore
import SQLite

/// Removes a few jokes from the cache, within one transaction. After a removal, `finish` must be the last call.
///
/// `evict` removes jokes from a full cache, `removeOld` removes old jokes, and `removeJokes(of:)` removes the
/// jokes of one source.
///
/// The group of a removed joke stays, even without jokes, until `deleteEmptyGroups`. A joke that returns to its group
/// still counts as served. A full cache refuses an evicted joke that the next full sync returns (`Ingest`).
struct JokeRemoval {
    private let connection: Connection
    private var groups: TouchedGroups
    /// The numbers of removed jokes, by the key of the source.
    private var removed: [Int64: Int] = [:]
    /// The numbers of jokes that were evicted from a full cache, by the key of the source. `removed` includes them.
    private var evicted: [Int64: Int] = [:]

    /// A joke that can be removed.
    private struct Candidate {
        let key: Int64
        let group: Int64
        let source: Int64

        static let columns = "j.key, j.joke_group, j.source"

        init(row: borrowing Row) throws { (key, group, source) = try (row.read(0), row.read(1), row.read(2)) }
    }

    /// An SQL condition for a group `g` without a favorite and without a hidden mark.
    private static let noUserDataCondition = """
        NOT EXISTS (SELECT 1 FROM favorites f WHERE f.fingerprint = g.fingerprint)
        AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint)
        """
    /// An SQL condition for a group `g` that may be evicted. Bundled jokes may not be evicted, because no source
    /// returns them again.
    private static let evictableCondition = """
        \(noUserDataCondition) AND NOT EXISTS (
            SELECT 1 FROM jokes b JOIN sources s ON s.key = b.source
            WHERE b.joke_group = g.key AND s.name = '\(StarterJokes.source)')
        """

    init(_ connection: Connection, _ rules: DisplayRules, at now: Timestamp) throws {
        self.connection = connection
        groups = try TouchedGroups(connection, rules, at: now)
    }

    /// The number of removed jokes.
    var count: Int { removed.values.reduce(0, +) }

    /// Evicts jokes beyond the limit: first jokes that are not shown, then the oldest shown jokes of the largest
    /// sources.
    ///
    /// Stops when `maxCount` jokes are evicted. May exceed `maxCount` by the duplicates of the last joke: a joke is
    /// evicted with its duplicates, because the rating of a joke depends on its duplicates. Bundled jokes stay.
    /// O(maxCount + favorites + hidden marks)
    mutating func evict(beyond limit: Int, atMost maxCount: Int) throws {
        let excess = try min(connection.storedJokes() - connection.userDataCount() - limit, maxCount)
        guard excess > 0 else { return }
        try evict(groupsNotShown(limit: excess), until: excess)
        let evictable = try evictableBySource()
        for (source, share) in Self.shares(of: evictable, removing: excess - count) {
            let target = count + share
            try evict(oldestGroups(of: source, limit: share), until: min(target, excess))
        }
    }

    /// Returns the number of jokes that each source loses, so that the largest sources shrink to the same size.
    static func shares(of counts: [Int64: Int], removing wanted: Int) -> [(source: Int64, share: Int)] {
        let excess = { (level: Int) in counts.values.reduce(0) { $0 + max(0, $1 - level) } }
        guard wanted > 0 else { return [] }
        var (low, high) = (0, counts.values.max() ?? 0)
        while low < high {
            let middle = (low + high + 1) / 2
            if excess(middle) >= wanted { low = middle } else { high = middle - 1 }
        }
        return counts.sorted { $0.key < $1.key }.filter { $0.value > low }.map { ($0.key, $0.value - low) }
    }

    private func groupsNotShown(limit: Int) throws -> [Int64] {
        try connection.prepare(
            """
            SELECT g.key FROM groups g WHERE g.shown IS NULL AND g.emptied_at IS NULL AND \(Self.evictableCondition)
            ORDER BY g.key LIMIT ?
            """
        ).map(limit) { row in try row.read(0) }
    }

    /// Returns an upper bound of the number of shown jokes that may be evicted, by the key of the source. Also counts
    /// jokes with a bundled duplicate, which may not be evicted.
    private func evictableBySource() throws -> [Int64: Int] {
        let shown = try connection.prepare("SELECT key, shown FROM sources WHERE name <> ? AND shown > 0")
            .map(StarterJokes.source) { row in (try row.read(0, as: Int64.self), try row.read(1, as: Int.self)) }
        var counts = Dictionary(uniqueKeysWithValues: shown)
        let sourcesOfFavorites = try connection.prepare(
            "SELECT g.source FROM \(Schema.favoritesAndGroups) WHERE g.source IS NOT NULL"
        ).map { row in try row.read(0, as: Int64.self) }
        for source in sourcesOfFavorites { counts[source]? -= 1 }
        return counts
    }

    private func oldestGroups(of source: Int64, limit: Int) throws -> [Int64] {
        try connection.prepare(
            """
            SELECT g.key FROM jokes j CROSS JOIN groups g ON g.shown = j.key
            WHERE j.source = ? AND \(Self.evictableCondition) ORDER BY j.key LIMIT ?
            """
        ).map(source, limit) { row in try row.read(0) }
    }

    /// Evicts all jokes of groups, until `count` is at least the target.
    private mutating func evict(_ groups: [Int64], until target: Int) throws {
        for group in groups where count < target {
            let jokes = try connection.prepare("SELECT \(Candidate.columns) FROM jokes j WHERE j.joke_group = ?")
                .map(group) { row in try Candidate(row: row) }
            try remove(jokes)
            for joke in jokes { evicted[joke.source, default: 0] += 1 }
        }
    }

    /// Examines at most `maxCount` jokes after a key, and removes the jokes that are older than the limit.
    ///
    /// A joke of a configured source is too old if the source has answered without it for longer than the limit. An answer
    /// without changes counts as one with the same jokes as the last one. If the source has full syncs, only missing jokes
    /// get old. The missing jokes of a source that reads files are removed at once.
    ///
    /// If the source is not configured, a joke must also have been too old when old jokes were last removed
    /// (`previousAging`). A clock that was set forward for a short time thus removes no joke.
    ///
    /// - Returns: The key of the last examined joke; nil if there was none.
    mutating func removeOld(
        _ limit: Duration, after key: Int64, examining maxCount: Int, at now: Timestamp, previousAging: Timestamp?
    ) throws -> Int64? {
        let last = try connection.prepare(
            "SELECT max(key) FROM (SELECT key FROM jokes WHERE key > ? ORDER BY key LIMIT ?)"
        ).first(key, maxCount) { row in try row.read(0, as: Int64?.self) }
        guard let last else { return nil }
        let found = try connection.prepare(
            """
            SELECT \(Candidate.columns)
            FROM jokes j CROSS JOIN groups g ON g.key = j.joke_group CROSS JOIN sources s ON s.key = j.source
            WHERE j.key > ?1 AND j.key <= ?2
                AND CASE WHEN s.order_index >= \(Schema.unconfiguredOrderIndex) THEN j.last_seen < ?3 - ?4
                    WHEN s.is_local THEN j.missing_since IS NOT NULL
                    WHEN s.full_sync_at IS NOT NULL THEN j.missing_since <= s.last_answer_at - ?4
                    ELSE j.last_seen < s.last_jokes_at - ?5 AND j.last_seen < s.last_answer_at - ?4 END
                AND \(Self.noUserDataCondition)
            """
        ).map(
            key, last, min(now, previousAging ?? Timestamp(microseconds: 0)), limit.wholeMicroseconds,
            Ingest.lastSeenGranularity.wholeMicroseconds
        ) { row in try Candidate(row: row) }
        try remove(found)
        return last
    }

    /// Removes at most `maxCount` jokes of a source. Favorites stay, because they are copies.
    mutating func removeJokes(of source: Int64, atMost maxCount: Int) throws {
        let found = try connection.prepare("SELECT \(Candidate.columns) FROM jokes j WHERE j.source = ? LIMIT ?")
            .map(source, maxCount) { row in try Candidate(row: row) }
        try remove(found)
    }

    private mutating func remove(_ jokes: [Candidate]) throws {
        for joke in jokes {
            try groups.touch(joke.group)
            try connection.prepare("DELETE FROM jokes WHERE key = ?").run(joke.key)
            removed[joke.source, default: 0] += 1
        }
    }

    /// Deletes at most `maxCount` empty groups beyond the limit, the earliest emptied first. Needs no `finish`. Returns
    /// the number of deleted groups.
    func deleteEmptyGroups(beyond limit: Int, atMost maxCount: Int) throws -> Int {
        let emptyGroups = try connection.number("SELECT count(*) FROM groups WHERE emptied_at IS NOT NULL")
        let excess = min(emptyGroups - limit, maxCount)
        guard excess > 0 else { return 0 }
        try connection.prepare(
            """
            DELETE FROM groups WHERE key IN (
                SELECT key FROM groups WHERE emptied_at IS NOT NULL ORDER BY emptied_at LIMIT ?)
            """
        ).run(excess)
        return excess
    }

    /// Settles the groups, and updates the counts of the sources.
    mutating func finish() throws {
        try groups.settle()
        for (source, count) in removed {
            try connection.prepare("UPDATE sources SET jokes = jokes - ? WHERE key = ?").run(count, source)
        }
        for (source, count) in evicted {
            try connection.prepare("UPDATE sources SET evicted = evicted + ? WHERE key = ?").run(count, source)
        }
    }
}
