import JokesCore
import SQLite

/// Evicts a few jokes, within one transaction.
///
/// The group of an evicted joke stays, so that the next full sync does not bring the joke back into a full cache, and so
/// that a joke that comes back still counts as served.
struct Eviction {
    private let connection: Connection
    private var shown: ShownJokes
    /// The numbers of removed jokes, by the keys of their sources.
    private var removed: [Int64: Int] = [:]
    /// The numbers of those that a full cache had no room for.
    private var evicted: [Int64: Int] = [:]

    private struct Candidate {
        let key: Int64
        let group: Int64
        let source: Int64

        static let columns = "j.key, j.joke_group, j.source"

        init(row: borrowing Row) throws { (key, group, source) = try (row.read(0), row.read(1), row.read(2)) }
    }

    /// An SQL condition for a group `g` without a mark.
    private static let isUnmarked = """
        NOT EXISTS (SELECT 1 FROM favorites f WHERE f.fingerprint = g.fingerprint)
        AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint)
        """
    /// An SQL condition for a group `g` that may be evicted. The daemon installs bundled jokes only once.
    private static let isEvictable = """
        \(isUnmarked) AND NOT EXISTS (
            SELECT 1 FROM jokes b JOIN sources s ON s.key = b.source
            WHERE b.joke_group = g.key AND s.name = '\(StarterJokes.source)')
        """

    init(_ connection: Connection, _ rules: DisplayRules) throws {
        self.connection = connection
        shown = try ShownJokes(connection, rules)
    }

    var count: Int { removed.values.reduce(0, +) }

    /// Removes jokes beyond the limit, about `maxCount` at most: first jokes that are not shown, then shown jokes of the
    /// sources that show most, the oldest first. A joke is removed with its duplicates, so that none loses its rating.
    ///
    /// Bundled jokes stay. O(maxCount), and O(marks).
    mutating func makeRoom(for limit: Int, atMost maxCount: Int, at now: Timestamp) throws {
        let excess = try min(connection.storedJokes() - connection.marks() - limit, maxCount)
        guard excess > 0 else { return }
        try evict(groupsNotShown(limit: excess), until: excess, at: now)
        let shown = try evictableBySource()
        for (source, share) in Self.shares(of: shown, removing: excess - count) {
            let target = count + share
            try evict(oldestGroups(of: source, limit: share), until: min(target, excess), at: now)
        }
    }

    /// Returns the number of jokes that each source loses, so that the largest sources shrink to one size.
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
            SELECT g.key FROM groups g WHERE g.shown IS NULL AND g.emptied_at IS NULL AND \(Self.isEvictable)
            ORDER BY g.key LIMIT ?
            """
        ).map(limit) { row in try row.read(0) }
    }

    /// Returns the number of jokes of each source that are shown and may be removed, by the keys of the sources.
    private func evictableBySource() throws -> [Int64: Int] {
        let shown = try connection.prepare("SELECT key, shown FROM sources WHERE name <> ? AND shown > 0")
            .map(StarterJokes.source) { row in (try row.read(0, as: Int64.self), try row.read(1, as: Int.self)) }
        var counts = Dictionary(uniqueKeysWithValues: shown)
        let favorites = try connection.prepare(
            "SELECT g.source FROM \(Schema.favoritesAndGroups) WHERE g.source IS NOT NULL"
        ).map { row in try row.read(0, as: Int64.self) }
        for source in favorites { counts[source]? -= 1 }
        return counts
    }

    private func oldestGroups(of source: Int64, limit: Int) throws -> [Int64] {
        try connection.prepare(
            """
            SELECT g.key FROM jokes j CROSS JOIN groups g ON g.shown = j.key
            WHERE j.source = ? AND \(Self.isEvictable) ORDER BY j.key LIMIT ?
            """
        ).map(source, limit) { row in try row.read(0) }
    }

    /// Removes whole groups until this many jokes are removed in all.
    private mutating func evict(_ groups: [Int64], until target: Int, at now: Timestamp) throws {
        for group in groups where count < target {
            let jokes = try connection.prepare("SELECT \(Candidate.columns) FROM jokes j WHERE j.joke_group = ?")
                .map(group) { row in try Candidate(row: row) }
            try remove(jokes, at: now)
            for joke in jokes { evicted[joke.source, default: 0] += 1 }
        }
    }

    /// Examines some jokes, and removes those that are older than the limit.
    ///
    /// The age of a joke counts only the time in which its source returned jokes. Of a source with full syncs, only
    /// missing jokes get old. Of a source that is not configured, all jokes do, but only if they were already too old
    /// at the previous pass (`previousAging`): the clock may have been set forward for a moment.
    ///
    /// - Returns: The key of the last joke that was checked; nil if there was none.
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
                AND CASE WHEN s.position >= \(Schema.unconfiguredPosition) THEN j.last_seen < ?3 - ?4
                    ELSE (j.missing_since IS NOT NULL OR s.full_sync_at IS NULL)
                        AND max(j.last_seen, ifnull(s.returning_since, j.last_seen)) < s.jokes_at - ?4 END
                AND \(Self.isUnmarked)
            """
        ).map(key, last, min(now, previousAging ?? Timestamp(microseconds: 0)), limit.wholeMicroseconds) { row in
            try Candidate(row: row)
        }
        try remove(found, at: now)
        return last
    }

    /// Removes jokes of a source, at most `maxCount`. Favorites keep their own copies.
    mutating func removeAll(of source: Int64, atMost maxCount: Int, at now: Timestamp) throws {
        let found = try connection.prepare("SELECT \(Candidate.columns) FROM jokes j WHERE j.source = ? LIMIT ?")
            .map(source, maxCount) { row in try Candidate(row: row) }
        try remove(found, at: now)
    }

    private mutating func remove(_ jokes: [Candidate], at now: Timestamp) throws {
        for joke in jokes {
            try shown.removeShownJoke(of: joke.group)
            try connection.prepare("DELETE FROM jokes WHERE key = ?").run(joke.key)
            try shown.update(joke.group)
            try connection.prepare(
                """
                UPDATE groups SET emptied_at = ?2
                WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM jokes WHERE joke_group = ?1)
                """
            ).run(joke.group, now)
            removed[joke.source, default: 0] += 1
        }
    }

    /// Removes the oldest groups of evicted jokes beyond the limit, at most `maxCount`. Returns their number.
    func deleteEmptyGroups(beyond limit: Int, atMost maxCount: Int) throws -> Int {
        let known = try connection.number("SELECT count(*) FROM groups WHERE emptied_at IS NOT NULL")
        let excess = min(known - limit, maxCount)
        guard excess > 0 else { return 0 }
        try connection.prepare(
            """
            DELETE FROM groups WHERE key IN (
                SELECT key FROM groups WHERE emptied_at IS NOT NULL ORDER BY emptied_at LIMIT ?)
            """
        ).run(excess)
        return excess
    }

    /// Stores the counts of the sources and the words. Must be the last call.
    mutating func flush() throws {
        try shown.flush()
        for (source, count) in removed {
            try connection.prepare("UPDATE sources SET jokes = jokes - ? WHERE key = ?").run(count, source)
        }
        for (source, count) in evicted {
            try connection.prepare("UPDATE sources SET evicted = evicted + ? WHERE key = ?").run(count, source)
        }
    }
}

extension Connection {
    /// Returns the number of stored jokes of all sources. O(sources)
    func storedJokes() throws -> Int { try number("SELECT ifnull(sum(jokes), 0) FROM sources") }

    /// Returns the number of favorites and hidden marks. O(marks), from an index.
    func marks() throws -> Int {
        try number("SELECT (SELECT count(*) FROM favorites) + (SELECT count(*) FROM hidden)")
    }
}
