package import JokesCore
import SQLite

/// Counts of jokes, favorites and hidden marks, which are read after each change.
package struct CacheCounts: Hashable, Sendable {
    /// The counts of each source, by its name. They are from a cheap query: filtered out and hidden jokes count as duplicates.
    package let sources: [String: JokeCounts]
    /// The sources that are no longer configured.
    package let removed: Set<String>
    /// The favorites that pass the filters.
    package let favorites: Int
    /// The favorites that the filters exclude.
    package let excludedFavorites: Int
    /// The hidden marks, also those of texts that are not stored.
    package let hidden: Int

    package init(
        sources: [String: JokeCounts] = [:], removed: Set<String> = [], favorites: Int = 0, excludedFavorites: Int = 0,
        hidden: Int = 0
    ) {
        (self.sources, self.removed, self.favorites) = (sources, removed, favorites)
        (self.excludedFavorites, self.hidden) = (excludedFavorites, hidden)
    }

    /// The number of favorites and hidden marks, which the cache keeps beyond its limit.
    package var userDataCount: Int { favorites + excludedFavorites + hidden }
    package var evicted: Int { sources.values.reduce(0) { $0 + $1.evicted } }
    package var stored: Int { sources.values.reduce(0) { $0 + $1.cached } }
    /// The number of shown jokes: groups that are not hidden and have a joke that passes the filters.
    package var shown: Int { sources.values.reduce(0) { $0 + $1.shown } }
}

extension JokeReader {
    /// Counts the jokes of each source, also the jokes that are not shown.
    ///
    /// O(sources + hidden · log n). Also reads an index entry for each joke that is filtered out.
    package func sourceCounts() throws(StoreError) -> [String: JokeCounts] {
        try reading("count the jokes") {
            var counts = try connection.sourceCounts().counts
            try connection.prepare(
                """
                SELECT s.name, f.jokes, f.unrated FROM (
                    SELECT source, count(*) AS jokes, sum(safety = 'unknown') AS unrated
                    FROM jokes INDEXED BY jokes_filtered_out WHERE admitted = 0 GROUP BY source) f
                JOIN sources s ON s.key = f.source
                """
            ).map { row in (try row.read(0, as: String.self), try row.read(1), try row.read(2)) }
                .forEach { (name: String, jokes: Int, unrated: Int) in
                    counts[name]?.filteredOut = jokes
                    counts[name]?.unrated = unrated
                    counts[name]?.duplicates -= jokes
                }
            try connection.prepare(
                """
                SELECT s.name, count(*)
                FROM \(Schema.hiddenAndGroups) CROSS JOIN jokes j ON j.joke_group = g.key AND j.admitted = 1
                JOIN sources s ON s.key = j.source GROUP BY s.key
                """
            ).map { row in (try row.read(0, as: String.self), try row.read(1)) }
                .forEach { (name: String, jokes: Int) in
                    counts[name]?.hidden = jokes
                    counts[name]?.duplicates -= jokes
                }
            return counts
        }
    }

    /// Counts the jokes, the favorites and the hidden marks. O(sources), and O(favorites + hidden marks) with a very small
    /// factor.
    package func counts() throws(StoreError) -> CacheCounts {
        try reading("count the jokes") {
            let excludedFavorites = try connection.excludedFavorites
            let (sources, removed) = try connection.sourceCounts()
            return CacheCounts(
                sources: sources, removed: removed,
                favorites: try connection.number("SELECT count(*) FROM favorites") - excludedFavorites,
                excludedFavorites: excludedFavorites, hidden: try connection.number("SELECT count(*) FROM hidden"))
        }
    }
}

extension Connection {
    /// The number of favorites that the filters exclude.
    var excludedFavorites: Int {
        get throws { try number("SELECT count(*) FROM favorites INDEXED BY favorites_filtered_out WHERE admitted = 0") }
    }

    fileprivate func sourceCounts() throws -> (counts: [String: JokeCounts], removed: Set<String>) {
        var (counts, removed): ([String: JokeCounts], Set<String>) = ([:], [])
        let rows = try prepare(
            """
            SELECT name, jokes, shown, evicted, order_index FROM sources
            WHERE jokes > 0 OR order_index <> \(Schema.removedOrderIndex)
            """
        ).map { row in
            let (cached, shown) = try (row.read(1, as: Int.self), row.read(2, as: Int.self))
            let counts = JokeCounts(
                cached: cached, shown: shown, duplicates: cached - shown, evicted: try row.read(3))
            return (name: try row.read(0, as: String.self), counts, orderIndex: try row.read(4, as: Int.self))
        }
        for (name, jokes, orderIndex) in rows {
            counts[name] = jokes
            if orderIndex == Schema.removedOrderIndex { removed.insert(name) }
        }
        return (counts, removed)
    }
}
